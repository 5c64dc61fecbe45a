import { mkdtemp, realpath, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openSession } from "../../src/session/open-session.js";
import type { TerminalSession } from "../../src/session/terminal-session.js";
import { FakeProvider } from "../session/fake-provider.js";
import { HostEnvironment } from "../shell/host-environment.js";

let folder: string;
let environment: HostEnvironment;
let session: TerminalSession;

beforeAll(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), "talaria-one-slash-")));
  await writeFile(join(folder, "file"), "text\n");
  await symlink(`//${folder.slice(1)}/file`, join(folder, "link"));
  await symlink("//proc/self/environ", join(folder, "environ"));
  environment = new HostEnvironment({ PATH: process.env["PATH"], HOME: `//${folder.slice(1)}` });
  session = await openSession({
    backend: new FakeProvider({ environment, isContainer: false }),
    talariaHome: folder,
    cwd: folder,
  });
});

afterAll(async () => {
  await session.close();
  await environment.cleanup();
  await rm(folder, { recursive: true });
});

test.each(["//proc/self/environ", "/proc/self/root/proc/self/environ", "environ"])(
  "the rules hold for a path that begins with two slashes or leads to one: %s",
  async (path) => {
    await expect(session.files.readBytes(path)).rejects.toMatchObject({ reason: "refused" });
  },
);

test.each(["//", "/proc/self/root/", "~/"])(
  "the physical path begins with one slash, asked by way of %s",
  async (start) => {
    const path = start === "~/" ? "~/file" : `${start}${folder.slice(1)}/file`;
    expect((await session.files.readBytes(path)).path).toBe(`${folder}/file`);
    expect((await session.files.stat("link")).path).toBe(`${folder}/file`);
  },
);
