import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

let home = "";

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), "talaria-killed-host-"));
});

afterAll(async () => {
  await rm(home, { recursive: true });
});

interface Said {
  readonly id?: string;
  readonly offset?: number;
  readonly text?: string;
  readonly info?: { readonly state: string; readonly exitCode: number | null };
}

/** A host process, from the built package: what the command line of a user runs. */
function host(...args: readonly string[]): {
  readonly child: ChildProcess;
  readonly said: AsyncIterable<Said>;
} {
  const name = `killed-host-${process.pid}`;
  const child = spawn(process.execPath, [join(import.meta.dirname, "job-host.mjs"), home, name, ...args], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const lines = createInterface({ input: child.stdout });
  const said = (async function* () {
    for await (const line of lines) yield JSON.parse(line) as Said;
  })();
  return { child, said };
}

/** Pids of processes that have this among their arguments or in their environment. */
async function processesWith(text: string): Promise<readonly string[]> {
  const found: string[] = [];
  for (const pid of (await readdir("/proc")).filter((name) => /^\d+$/.test(name))) {
    if (Number(pid) === process.pid) continue;
    const texts = await Promise.all(
      ["cmdline", "environ"].map((file) => readFile(`/proc/${pid}/${file}`, "latin1").catch(() => "")),
    );
    if (texts.some((one) => one.includes(text))) found.push(pid);
  }
  return found;
}

describe("a host that is killed by KILL", () => {
  it("loses no byte of its jobs and repeats none for the next one, and leaves nothing running after their end", async () => {
    const first = host("start", 'for i in $(seq 1 400); do echo "line $i"; sleep 0.005; done; exit 9');
    let id = "";
    let text = "";
    for await (const said of first.said) {
      id = said.id ?? id;
      if (said.text === undefined) continue;
      expect(said.offset).toBe(text.length);
      text += said.text;
      if (text.includes("line 100\n")) break;
    }
    const killed = once(first.child, "exit");
    first.child.kill("SIGKILL");
    await killed;
    const second = host("follow", id, String(text.length));
    let info: Said["info"];
    for await (const said of second.said) {
      info = said.info ?? info;
      if (said.text === undefined) continue;
      expect(said.offset).toBe(text.length);
      text += said.text;
    }
    expect(text).toBe(Array.from({ length: 400 }, (_, index) => `line ${index + 1}\n`).join(""));
    expect(info).toMatchObject({ state: "exited", exitCode: 9 });
    await expect.poll(() => processesWith(id), { timeout: 15_000 }).toEqual([]);
  }, 60_000);
});
