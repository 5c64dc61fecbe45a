import { mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { SandboxProcess, SpawnOptions } from "../../src/environment/sandbox-process.js";
import { openSession } from "../../src/session/open-session.js";
import { FakeProvider } from "../session/fake-provider.js";
import { HostEnvironment } from "../shell/host-environment.js";
import { executeOnly } from "./execute-only.js";

/** A sandbox that prints what it likes instead of listings. */
class LyingEnvironment extends HostEnvironment {
  override spawn(argv: readonly string[], options: SpawnOptions = {}): Promise<SandboxProcess> {
    const isWatch = argv.some((word) => word.includes("talaria-watch"));
    const lie = [
      "printf 'f|1|5 1|1|/t/a//\\0'",
      // More than a string of the host can hold.
      "yes xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx | head -c 600000000",
      "printf '\\0f|1|5 1|1|/t/a//\\0f|1|6 1|1|/t/a//\\0'",
      "cat >/dev/null",
    ].join("; ");
    return super.spawn(isWatch ? ["sh", "-c", lie] : argv, options);
  }
}

test("a listing without end is not kept but told as an overflow, and the watch goes on", async () => {
  const root = await realpath(await mkdtemp(join(tmpdir(), "talaria-watch-bounds-")));
  const environment = new LyingEnvironment({ PATH: process.env["PATH"], HOME: root, TMPDIR: root });
  const backend = new FakeProvider({ environment, isContainer: false });
  const session = await openSession({ backend, talariaHome: root, cwd: root });
  try {
    const kinds: string[] = [];
    for await (const event of session.files.watch(root)) {
      kinds.push(event.kind);
      if (kinds.length === 3) break;
    }
    // What came after the overflow is the first look of a new beginning, and compared with the next.
    expect(kinds).toEqual(["ready", "overflow", "changed"]);
  } finally {
    await session.close();
    await environment.cleanup();
    await rm(root, { recursive: true });
  }
}, 60_000);

test("a sandbox that holds no process cannot be watched, which the error says", async () => {
  const root = await realpath(await mkdtemp(join(tmpdir(), "talaria-watch-bounds-")));
  const env = { PATH: process.env["PATH"] ?? "", HOME: root, TMPDIR: root };
  const backend = new FakeProvider({ environment: executeOnly(env), isContainer: false });
  const session = await openSession({ backend, talariaHome: root, cwd: root });
  try {
    await expect(session.files.watch(root).next()).rejects.toMatchObject({
      name: "UnsupportedCapabilityError",
    });
  } finally {
    await session.close();
    await rm(root, { recursive: true });
  }
});
