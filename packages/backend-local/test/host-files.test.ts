import { closeSync, openSync, readFileSync } from "node:fs";
import { readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { openSession, type SpawnOptions, type TerminalEnvironment } from "@talaria/core";
import { describe, expect, onTestFinished, test } from "vitest";
import { bytesOf, openEnvironment, temporaryFolder } from "./local-bed.js";

function opened(path: string, flags: string): number {
  const fd = openSync(path, flags);
  onTestFinished(() => closeSync(fd));
  return fd;
}

describe("a process that is given open files of this host", () => {
  test("reads the one and writes the other, and its streams here are at their end", async () => {
    const folder = await temporaryFolder();
    await writeFile(join(folder, "from"), "first\nsecond\n");
    const process_ = await openEnvironment().spawn(["sh", "-c", "cat; echo said >&2"], {
      stdinFile: opened(join(folder, "from"), "r"),
      stdoutFile: opened(join(folder, "to"), "w"),
    });
    const streams = await Promise.all([bytesOf(process_.stdout), bytesOf(process_.stderr), process_.exit]);
    expect(streams.map(String)).toEqual(["", "said\n", "[object Object]"]);
    expect(process_.stdin.writableEnded).toBe(true);
    expect(readFileSync(join(folder, "to"), "utf8")).toBe("first\nsecond\n");
  });

  test("has a pipe for what it was not given", async () => {
    const folder = await temporaryFolder();
    await writeFile(join(folder, "from"), "from a file");
    const environment = openEnvironment();
    const reader = await environment.spawn(["cat"], { stdinFile: opened(join(folder, "from"), "r") });
    expect((await bytesOf(reader.stdout)).toString()).toBe("from a file");
    const writer = await environment.spawn(["cat"], { stdoutFile: opened(join(folder, "to"), "w") });
    writer.stdin.end("over a pipe");
    expect(await writer.exit).toEqual({ kind: "exited", code: 0 });
    expect(readFileSync(join(folder, "to"), "utf8")).toBe("over a pipe");
  });

  test.each<[string, SpawnOptions]>([
    ["a descriptor that is none", { stdinFile: -1 }],
    ["a tty beside it", { stdoutFile: 1, tty: { columns: 80, rows: 24 } }],
  ])("is not started with %s", async (_what, options) => {
    await expect(openEnvironment().spawn(["true"], options)).rejects.toMatchObject({
      code: "invalid_argument",
    });
  });
});

describe("a file goes up and comes down", () => {
  /** The environment of a test, and how often it was given a file. */
  function counted(isHidden: boolean): { backend: TerminalEnvironment; given: () => number } {
    const environment = openEnvironment();
    if (isHidden) Object.defineProperty(environment, "acceptsHostFiles", { value: false });
    let given = 0;
    const spawn = environment.spawn.bind(environment);
    environment.spawn = (argv, options) => {
      if (options?.stdinFile !== undefined || options?.stdoutFile !== undefined) given += 1;
      return spawn(argv, options);
    };
    return { backend: environment, given: () => given };
  }

  test.each([
    ["by open files", false, 2],
    ["over pipes where that is hidden", true, 0],
  ])("%s", async (_how, isHidden, times) => {
    const folder = await temporaryFolder();
    const { backend, given } = counted(isHidden);
    const session = await openSession({ backend, talariaHome: await temporaryFolder() });
    onTestFinished(async () => {
      await session.close();
    });
    const bytes = Buffer.from(Array.from({ length: 2_000_000 }, (_, index) => (index * 7) % 251));
    await writeFile(join(folder, "f"), bytes);
    const up = await session.files.upload(join(folder, "f"), join(folder, "up"), { verify: true });
    const down = await session.files.download(join(folder, "up"), join(folder, "down"), { verify: true });
    expect([up.verified, down.verified]).toEqual(["sha256", "sha256"]);
    expect(readFileSync(join(folder, "down")).equals(bytes)).toBe(true);
    expect(await readdir(folder)).toEqual(["down", "f", "up"]);
    expect(given()).toBe(times);
  });
});
