import { execFileSync, spawnSync } from "node:child_process";
import { mkdir, mkdtemp, readdir, readFile, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { openSession } from "../../src/session/open-session.js";
import type { TerminalSession } from "../../src/session/terminal-session.js";
import { FakeProvider } from "../session/fake-provider.js";
import { HostEnvironment } from "../shell/host-environment.js";

const root = await realpath(await mkdtemp(join(tmpdir(), "talaria-full-disk-")));
const disk = join(root, "disk");
await mkdir(disk);
const mount = spawnSync("mount", ["-t", "tmpfs", "-o", "size=64k", "none", disk]);
const canMount = mount.status === 0;
if (canMount) execFileSync("umount", [disk]);
await rm(root, { recursive: true });

describe.skipIf(!canMount)("a disk that gets full (only where this account can mount one)", () => {
  let environment: HostEnvironment;
  let session: TerminalSession;

  beforeEach(async () => {
    await mkdir(disk, { recursive: true });
    execFileSync("mount", ["-t", "tmpfs", "-o", "size=64k", "none", disk]);
    environment = new HostEnvironment({ PATH: process.env["PATH"] ?? "", HOME: root });
    session = await openSession({
      backend: new FakeProvider({ environment, isContainer: false }),
      talariaHome: join(root, "talaria"),
      cwd: disk,
    });
  });

  afterEach(async () => {
    await session.close();
    await environment.cleanup();
    execFileSync("umount", ["-l", disk]);
    await rm(root, { recursive: true });
  });

  test.each([
    ["text", "x".repeat(100_000)],
    ["bytes", new Uint8Array(2_000_000).fill(7)],
  ])("leaves the old file whole and nothing else, and is named: %s", async (_, content) => {
    await session.files.write("file", "old\n");
    await expect(session.files.write("file", content)).rejects.toMatchObject({ reason: "no_space" });
    expect(await readFile(join(disk, "file"), "utf8")).toBe("old\n");
    expect(await readdir(disk)).toEqual(["file"]);
    expect((await session.files.write("file", "new\n")).bytes).toBe(4);
  });
});
