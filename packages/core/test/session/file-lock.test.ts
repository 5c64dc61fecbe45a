import { spawnSync } from "node:child_process";
import { readdir, readFile, writeFile } from "node:fs/promises";
import { hostname } from "node:os";
import { join } from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { SessionFileError } from "../../src/errors/errors.js";
import { withFileLock } from "../../src/session/file-lock.js";
import { ownIdentity } from "../../src/session/process-identity.js";
import { temporaryFolder } from "./temporary-folder.js";

/** Adds one to a number in a file, slowly enough for others to get in between. */
async function increment(path: string): Promise<void> {
  const before = Number(await readFile(path, "utf8"));
  await nextTurn();
  await writeFile(path, String(before + 1));
}

function deadPid(): number {
  return spawnSync("true").pid;
}

describe("a file lock", () => {
  it("lets one holder at a time in, and loses nothing", async () => {
    const folder = await temporaryFolder();
    const [counter, lock] = [join(folder, "counter"), join(folder, "lock")];
    await writeFile(counter, "0");
    await Promise.all(Array.from({ length: 25 }, () => withFileLock(lock, () => increment(counter))));
    expect(await readFile(counter, "utf8")).toBe("25");
    expect(await readdir(folder)).toEqual(["counter"]);
  });

  it("in whose place stands a named pipe is given up on at the deadline", async () => {
    const lock = join(await temporaryFolder(), "lock");
    spawnSync("mkfifo", [lock]);
    const waiting = withFileLock(lock, () => Promise.resolve(), { deadlineMs: 100 });
    await expect(waiting).rejects.toThrow(/holds its lock/);
  });

  it("whose owner is dead is taken away by one of many that wait", async () => {
    const folder = await temporaryFolder();
    const [counter, lock] = [join(folder, "counter"), join(folder, "lock")];
    await writeFile(counter, "0");
    const dead = { host: hostname(), pid: deadPid(), startTime: "1", token: "dead" };
    await writeFile(lock, JSON.stringify(dead));
    await Promise.all(Array.from({ length: 12 }, () => withFileLock(lock, () => increment(counter))));
    expect(await readFile(counter, "utf8")).toBe("12");
    expect(await readdir(folder)).toEqual(["counter"]);
  });

  it("of an earlier process with the same pid counts as dead", async () => {
    const lock = join(await temporaryFolder(), "lock");
    const earlier = { ...(await ownIdentity()), startTime: "1", token: "earlier" };
    await writeFile(lock, JSON.stringify(earlier));
    expect(await withFileLock(lock, async () => "in")).toBe("in");
  });

  it.each([
    ["a live process", async () => ({ ...(await ownIdentity()), token: "other" }), String(process.pid)],
    [
      "a process on another machine",
      async () => ({ host: "elsewhere.test", pid: 1, startTime: null, token: "other" }),
      "elsewhere.test",
    ],
  ])(
    "held by %s is waited for until the deadline, and the error names the holder",
    async (_who, owner, name) => {
      const folder = await temporaryFolder();
      const lock = join(folder, "lock");
      await writeFile(lock, JSON.stringify(await owner()));
      let ran = false;
      const waiting = withFileLock(lock, async () => (ran = true), { deadlineMs: 40 });
      await expect(waiting).rejects.toThrow(SessionFileError);
      await expect(waiting).rejects.toThrow(name);
      expect(ran).toBe(false);
      // The holder's lock is where it was, and nothing of the waiter is left.
      expect(await readdir(folder)).toEqual(["lock"]);
    },
  );

  it("that Talaria did not write is not taken away", async () => {
    const lock = join(await temporaryFolder(), "lock");
    await writeFile(lock, "?");
    await expect(withFileLock(lock, async () => undefined, { deadlineMs: 40 })).rejects.toThrow(/no name/);
    expect(await readFile(lock, "utf8")).toBe("?");
  });

  it("is given back when the work fails", async () => {
    const lock = join(await temporaryFolder(), "lock");
    const failing = withFileLock(lock, () => Promise.reject(new Error("no luck")));
    await expect(failing).rejects.toThrow("no luck");
    expect(await withFileLock(lock, async () => "in")).toBe("in");
  });
});
