import { mkdir, mkdtemp, readdir, readFile, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openSession } from "../../../src/session/open-session.js";
import type { TerminalSession } from "../../../src/session/terminal-session.js";
import { FakeProvider } from "../../session/fake-provider.js";
import { HostEnvironment } from "../../shell/host-environment.js";

let folder: string;
let home: string;
let environment: HostEnvironment;
let session: TerminalSession;

beforeAll(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), "talaria-judge-tree-")));
  home = join(folder, "home (x)");
  await mkdir(home);
  environment = new HostEnvironment({ PATH: process.env["PATH"], HOME: home });
  session = await openSession({
    backend: new FakeProvider({ environment, isContainer: false }),
    talariaHome: join(folder, "talaria"),
  });
});

afterAll(async () => {
  await session.close();
  await environment.cleanup();
  await rm(folder, { recursive: true });
});

async function treeWith(name: string): Promise<string> {
  const tree = await mkdtemp(join(folder, "tree-"));
  await mkdir(join(tree, name, ".."), { recursive: true });
  await writeFile(join(tree, name), "planted\n");
  await writeFile(join(tree, "harmless"), "x\n");
  return `${tree}/`;
}

test.each([".bashrc", ".ssh/authorized_keys", ".config/systemd/user/x.service", "sub/.ssh/config"])(
  "a tree brings no %s into the home, and nothing else of it either",
  async (name) => {
    await expect(session.files.upload(await treeWith(name), home)).rejects.toMatchObject({
      reason: "refused",
    });
    expect(await readdir(home)).toEqual([]);
  },
);

test("a tree brings what only looks like it", async () => {
  await session.files.upload(await treeWith("sub/.bashrc"), join(home, "project"));
  expect(await readFile(join(home, "project/sub/.bashrc"), "utf8")).toBe("planted\n");
  await rm(join(home, "project"), { recursive: true });
});

test("a tree may bring it when that is allowed", async () => {
  await session.files.upload(await treeWith(".bashrc"), home, { allowSensitive: true });
  expect((await readdir(home)).toSorted()).toEqual([".bashrc", "harmless"]);
});
