import { chmod, mkdir, mkdtemp, readFile, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { openSession } from "../../src/session/open-session.js";
import type { TerminalSession } from "../../src/session/terminal-session.js";
import { FakeProvider } from "../session/fake-provider.js";
import { HostEnvironment } from "../shell/host-environment.js";
import { executeOnly } from "./execute-only.js";

let root: string;
let environment: HostEnvironment | undefined;
let session: TerminalSession;

beforeEach(async () => {
  root = await realpath(await mkdtemp(join(tmpdir(), "talaria-search-end-")));
  await mkdir(join(root, "bin"));
  await mkdir(join(root, "tree"));
  await writeFile(join(root, "tree/file"), "one\nhit\nhit\n");
});

afterEach(async () => {
  await session.close();
  await environment?.cleanup();
  environment = undefined;
  await rm(root, { recursive: true });
});

/** A ripgrep of the test's own. */
async function searchWith(ripgrep: string): Promise<void> {
  await writeFile(join(root, "bin/rg"), `#!/bin/sh\n${ripgrep}\n`);
  await chmod(join(root, "bin/rg"), 0o755);
  const PATH = `${join(root, "bin")}:${process.env["PATH"] ?? ""}`;
  environment = new HostEnvironment({ PATH, HOME: root, TMPDIR: root });
  const backend = new FakeProvider({ environment, isContainer: false });
  session = await openSession({ backend, talariaHome: root, cwd: join(root, "tree") });
}

test("a search that is cancelled leaves no engine behind", async () => {
  await searchWith(`echo $$ >'${root}/pid.new'; mv '${root}/pid.new' '${root}/pid'; exec sleep 1000`);
  const end = new AbortController();
  const search = session.files.search("hit", { signal: end.signal });
  const pid = await vi.waitFor(async () => Number(await readFile(join(root, "pid"), "utf8")));
  end.abort(new Error("no more"));
  await expect(search).rejects.toThrow("no more");
  await vi.waitFor(() => expect(() => process.kill(pid, 0)).toThrow("ESRCH"));
  expect((await session.execute("echo still here")).output).toBe("still here\n");
});

test("a ripgrep that does not know an option is done without", async () => {
  await searchWith("echo 'error: Found argument --no-mmap which was not expected' >&2; exit 2");
  const { engine, matches } = await session.files.search("hit");
  expect(engine).toBe("grep");
  expect(matches.map(({ line }) => line)).toEqual([2, 3]);
});

test("a ripgrep that tells without end is ended, and the result is the first lines all the same", async () => {
  await searchWith("while :; do printf './file\\0002:hit\\n'; done | head -c 40000000; echo $? >&2");
  const { engine, matches, truncated } = await session.files.search("hit", { limit: 1 });
  expect(engine).toBe("grep");
  expect(matches).toEqual([{ path: "file", line: 2, column: 1, text: "hit", isMatch: true }]);
  expect(truncated).toBe(true);
});

test("a sandbox that gives nothing but text is searched as any other", async () => {
  const env = { PATH: process.env["PATH"] ?? "", HOME: root, TMPDIR: root };
  const backend = new FakeProvider({ environment: executeOnly(env), isContainer: false });
  session = await openSession({ backend, talariaHome: root, cwd: join(root, "tree") });
  await writeFile(join(root, "tree/\u00e9\n"), Buffer.from("\xff hit \xe2\x82\xac\n", "latin1"));
  const { matches } = await session.files.search("hit .$");
  expect(matches).toEqual([
    { path: "\u00e9\n", line: 1, column: 3, text: "\udcff hit \u20ac", isMatch: true },
  ]);
  expect(await session.files.search("f*", { mode: "name" })).toMatchObject({ files: [{ path: "file" }] });
});
