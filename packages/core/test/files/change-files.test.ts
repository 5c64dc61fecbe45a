import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import {
  chmod,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  readlink,
  realpath,
  rm,
  stat,
  symlink,
  writeFile,
} from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { TerminalEnvironment } from "../../src/environment/environment.js";
import { openSession } from "../../src/session/open-session.js";
import type { TerminalSession } from "../../src/session/terminal-session.js";
import { FakeProvider } from "../session/fake-provider.js";
import { HostEnvironment } from "../shell/host-environment.js";
import { executeOnly } from "./execute-only.js";

/** That of this process, which its children inherit: only a child can be asked for it without setting it. */
const umask = Number.parseInt(execFileSync("sh", ["-c", "umask"], { encoding: "utf8" }), 8);
const busybox = ["/bin/busybox", "/usr/bin/busybox"].find((path) => existsSync(path));
const applets =
  "sh cat chmod chown chgrp cut env find head id ln mkdir mv od pwd readlink rm rmdir sleep stat tail touch tr umask wc";

const smallest = "nothing but execute";
const shells = ["bash", ...(busybox === undefined ? [] : ["busybox"]), smallest];

describe.each(shells)("changing files of a sandbox with %s", (kind) => {
  let root: string;
  let folder: string;
  let environment: TerminalEnvironment;
  let session: TerminalSession;

  beforeEach(async () => {
    root = await realpath(await mkdtemp(join(tmpdir(), "talaria-change-files-")));
    folder = join(root, "work");
    await mkdir(folder);
    await mkdir(join(root, "home"));
    let path = process.env["PATH"] ?? "";
    if (kind === "busybox") {
      path = join(root, "bin");
      await mkdir(path);
      await Promise.all(applets.split(" ").map((applet) => symlink(busybox ?? "", join(path, applet))));
    }
    const env = { PATH: path, HOME: join(root, "home"), TMPDIR: root };
    environment = kind === smallest ? executeOnly(env) : new HostEnvironment(env);
    session = await openSession({
      backend: new FakeProvider({ environment, isContainer: false }),
      talariaHome: join(root, "talaria"),
      cwd: folder,
    });
  });

  afterEach(async () => {
    await session.close();
    await environment.cleanup();
    await rm(root, { recursive: true });
  });

  const at = (name: string): string => join(folder, name);
  const names = async (): Promise<string[]> => (await readdir(folder)).toSorted();

  test.each([
    ["a text", "text\n"],
    ["an empty text", ""],
    ["bytes of all kinds", Uint8Array.from({ length: 256 }, (_, at_) => at_)],
    ["bytes beyond what an argument can hold", new Uint8Array(300 * 1024).fill(0xff)],
    ["a text that is longer when quoted", "'\\''".repeat(15_000)],
    ["a mebibyte", new Uint8Array(1024 * 1024).fill(65)],
  ])("writes %s and leaves nothing else", async (_, content) => {
    const written = await session.files.write("sub/-new 'file'\n", content);
    const made = await readFile(at("sub/-new 'file'\n"));
    expect(Buffer.from(content).equals(made)).toBe(true);
    expect(written).toMatchObject({ path: at("sub/-new 'file'\n"), bytes: content.length, created: true });
    expect(await readdir(at("sub"))).toHaveLength(1);
    const { version, mode } = await session.files.stat("sub/-new 'file'\n");
    expect(version).toBe(written.version);
    expect(mode).toBe(0o666 & ~umask);
  });

  test("keeps the mode, the line ends and the mark of the file, and the link that leads to it", async () => {
    await writeFile(at("file"), "\uFEFFone\r\ntwo\r\n");
    await chmod(at("file"), 0o751);
    await symlink("file", at("link"));
    expect(await session.files.write("link", "a\nb\n")).toMatchObject({ path: at("file"), created: false });
    expect(await readFile(at("file"), "utf8")).toBe("\uFEFFa\r\nb\r\n");
    expect((await stat(at("file"))).mode & 0o777).toBe(0o751);
    expect(await readlink(at("link"))).toBe("file");
  });

  test("refuses another version, what is there where nothing may be, directories and sensitive places", async () => {
    const { version } = await session.files.write("file", "one");
    await session.files.write("file", "two", { ifVersion: version });
    await expect(session.files.write("file", "x", { ifVersion: version })).rejects.toMatchObject({
      reason: "changed",
    });
    await expect(session.files.write("file", "x", { ifVersion: "absent" })).rejects.toMatchObject({
      reason: "changed",
    });
    await expect(session.files.write(".", "x")).rejects.toMatchObject({ reason: "is_directory" });
    await expect(session.files.write("~/.bashrc", "x")).rejects.toMatchObject({ reason: "refused" });
    await expect(session.files.write("none/file", "x", { createParents: false })).rejects.toMatchObject({
      reason: "not_found",
    });
    expect(await readFile(at("file"), "utf8")).toBe("two");
    expect(await names()).toEqual(["file"]);
  });

  test("gives a new file the permissions of any new file, whatever was written before", async () => {
    await session.files.write("private", "x", { mode: 0o600 });
    await session.files.write("private", "y");
    await session.files.write("public", "z");
    expect((await stat(at("private"))).mode & 0o777).toBe(0o600);
    expect((await stat(at("public"))).mode & 0o777).toBe(0o666 & ~umask);
  });

  test("gives a new file those permissions after a job was started, too", async () => {
    const job = await session.jobs.start("true");
    await job.wait();
    await session.files.write("public", "z");
    expect((await stat(at("public"))).mode & 0o777).toBe(0o666 & ~umask);
  });

  test("appends, also many at once, and much", async () => {
    await Promise.all([1, 2, 3, 4, 5].map((line) => session.files.append("log", `line ${line}\n`)));
    const lines = (await readFile(at("log"), "utf8")).trimEnd().split("\n");
    expect(lines.toSorted()).toEqual(["line 1", "line 2", "line 3", "line 4", "line 5"]);
    expect(await session.files.append("log", new Uint8Array(200_000))).toMatchObject({ created: false });
    expect((await stat(at("log"))).size).toBe(35 + 200_000);
  });

  test("removes a file, a link itself, and a directory only when all of it is meant", async () => {
    await mkdir(at("full/sub"), { recursive: true });
    await writeFile(at("kept"), "");
    await symlink("kept", at("link"));
    await session.files.remove("link");
    await expect(session.files.remove("full")).rejects.toMatchObject({ reason: "not_empty" });
    await session.files.remove("full/", { recursive: true });
    await expect(session.files.remove("none")).rejects.toMatchObject({ reason: "not_found" });
    await session.files.remove("none", { ifExists: true });
    expect(await names()).toEqual(["kept"]);
  });

  test.each(["/", "~", ".", "..", "../home/.."])(
    "never removes or moves the root, the home, or where it stands: %s",
    async (path) => {
      await expect(session.files.remove(path, { recursive: true })).rejects.toMatchObject({
        reason: "refused",
      });
      await expect(session.files.rename(path, "x")).rejects.toMatchObject({ reason: "refused" });
      expect(existsSync(join(root, "home"))).toBe(true);
    },
  );

  test("renames a file, and over another one only when that is meant", async () => {
    await writeFile(at("one"), "1");
    await writeFile(at("two"), "2");
    expect(await session.files.rename("one", "-three")).toBe(at("-three"));
    await expect(session.files.rename("-three", "two")).rejects.toMatchObject({ reason: "exists" });
    await session.files.rename("-three", "two", { overwrite: true });
    expect(await names()).toEqual(["two"]);
    expect(await readFile(at("two"), "utf8")).toBe("1");
  });

  test("renames a directory, but not into itself", async () => {
    await mkdir(at("a/b"), { recursive: true });
    await expect(session.files.rename("a", "a/b/c")).rejects.toMatchObject({ reason: "invalid" });
    expect(await session.files.rename("a/", "z")).toBe(at("z"));
    expect(existsSync(at("z/b"))).toBe(true);
  });

  test("makes directories, and says when one is there and should not be", async () => {
    expect(await session.files.mkdir("a/b/", { mode: 0o700 })).toBe(at("a/b"));
    expect((await stat(at("a/b"))).mode & 0o777).toBe(0o700);
    expect(await session.files.mkdir("a/b")).toBe(at("a/b"));
    await expect(session.files.mkdir("a", { parents: false })).rejects.toMatchObject({ reason: "exists" });
    await expect(session.files.mkdir("x/y", { parents: false })).rejects.toMatchObject({
      reason: "not_found",
    });
  });

  test("lists what is in a directory by name, down to a depth, links as links", async () => {
    await mkdir(at("b/deep"), { recursive: true });
    await writeFile(at("a\n'x"), "12345");
    await writeFile(at(".hidden"), "");
    await symlink("no\nwhere", at("link"));
    const all = await session.files.list();
    expect(all.path).toBe(folder);
    expect(all.entries.map(({ name, type }) => [name, type])).toEqual([
      [".hidden", "file"],
      ["a\n'x", "file"],
      ["b", "directory"],
      ["link", "symlink"],
    ]);
    expect(all.entries[1]?.sizeBytes).toBe(5);
    expect(all.entries[3]?.linkTarget).toBe("no\nwhere");
    const some = await session.files.list(".", { depth: 2, hidden: false, limit: 3 });
    expect([some.entries.map(({ name }) => name), some.total]).toEqual([["a\n'x", "b", "b/deep"], 4]);
    await expect(session.files.list("link")).rejects.toMatchObject({ reason: "not_found" });
    await expect(session.files.list(".hidden")).rejects.toMatchObject({ reason: "not_directory" });
  });

  test("patches a file", async () => {
    await writeFile(at("file"), "one\r\ntwo\r\n");
    await session.files.patch("file", { find: "two", replace: "2\n3" });
    expect(await readFile(at("file"), "utf8")).toBe("one\r\n2\r\n3\r\n");
  });
});
