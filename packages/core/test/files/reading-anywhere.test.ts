import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { chmod, mkdir, mkdtemp, realpath, rm, symlink, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openSession } from "../../src/session/open-session.js";
import type { TerminalSession } from "../../src/session/terminal-session.js";
import { FakeProvider } from "../session/fake-provider.js";
import { HostEnvironment } from "../shell/host-environment.js";
import { executeOnly } from "./execute-only.js";

const busybox = ["/bin/busybox", "/usr/bin/busybox"].find((path) => existsSync(path));
const applets =
  "sh base64 cat cut env find head id mkdir mv od pwd readlink rm rmdir sleep stat tail touch tr umask wc";
/** Each reads in a way of its own: by builtins, by other programs, by nothing but text. */
const kinds = [...(busybox === undefined ? [] : ["busybox"]), "bash", "nothing but execute"];

describe.each(kinds)("what reading tells of a sandbox with %s", (kind) => {
  let root: string;
  let folder: string;
  let environment: HostEnvironment | undefined;
  let session: TerminalSession;

  beforeAll(async () => {
    root = await realpath(await mkdtemp(join(tmpdir(), "talaria-reading-")));
    folder = join(root, "work");
    await mkdir(folder);
    let path = process.env["PATH"] ?? "";
    if (kind === "busybox") {
      path = join(root, "bin");
      await mkdir(path);
      await Promise.all(applets.split(" ").map((applet) => symlink(busybox ?? "", join(path, applet))));
    }
    const env = { PATH: path, HOME: root, TMPDIR: root };
    if (kind !== "nothing but execute") environment = new HostEnvironment(env);
    session = await openSession({
      backend: new FakeProvider({ environment: environment ?? executeOnly(env), isContainer: false }),
      talariaHome: join(root, "talaria"),
      cwd: folder,
      secrets: { CASE_TOKEN: "s3cr3t-value-0123456789" },
    });
  });

  afterAll(async () => {
    await session.close();
    await environment?.cleanup();
    await rm(root, { recursive: true });
  });

  const at = (name: string): string => join(folder, name);

  test("gives the lines that were asked for, their numbers, and where to go on", async () => {
    await writeFile(at("lines"), "one\ntwo\nthree\nfour");
    expect(await session.files.read("lines", { offset: 2, limit: 2 })).toMatchObject({
      path: at("lines"),
      kind: "text",
      text: "two\nthree\n",
      numbered: "2|two\n3|three\n",
      firstLine: 2,
      lastLine: 3,
      totalLines: 4,
      totalBytes: 18,
      nextOffset: 4,
    });
    expect(await session.files.read("lines", { offset: 4 })).toMatchObject({
      text: "four",
      nextOffset: null,
    });
    expect(await session.files.read("lines", { offset: 5 })).toMatchObject({ firstLine: 0, totalLines: 4 });
  });

  test("reads a large file by window, as it reads a small one", async () => {
    const lines = Array.from({ length: 150_000 }, (_, index) => `line ${index + 1} \u00e9`);
    await writeFile(at("large"), lines.join("\n"));
    const { text, ...facts } = await session.files.read("large", { offset: 149_999, limit: 1 });
    expect(text).toBe("line 149999 \u00e9\n");
    expect(facts).toMatchObject({ totalLines: 150_000, nextOffset: 150_000, encoding: "utf-8" });
    const end = await session.files.read("large", { offset: 150_000 });
    expect(end).toMatchObject({ text: "line 150000 \u00e9", nextOffset: null });
    const some = await session.files.read("large", { maxBytes: 25 });
    expect(some).toMatchObject({ text: "line 1 \u00e9\nline 2 \u00e9\n", nextOffset: 3 });
  });

  test.each([1, 40_000])(
    "cuts long lines at whole characters and names them, after %d lines",
    async (count) => {
      const name = `long-${count}`;
      const before = "short line of a file that is large\n".repeat(count);
      await writeFile(at(name), `${before}${"\u20ac".repeat(1500)}\nend\n`);
      const read = await session.files.read(name, { offset: count + 1, maxLineBytes: 100 });
      expect(read.cutLines).toEqual([count + 1]);
      expect(read.text).toBe(`${"\u20ac".repeat(33)}\nend\n`);
      expect(read).toMatchObject({ lastLine: count + 2, totalLines: count + 2 });
    },
  );

  test("shows no part of a secret where a line of a large file is cut", async () => {
    await writeFile(
      at("secret"),
      `${"x".repeat(90)}s3cr3t-value-0123456789 rest\nnext\n${"-\n".repeat(600_000)}`,
    );
    const read = await session.files.read("secret", { maxLineBytes: 100, limit: 2 });
    expect(read.text).toBe(`${"x".repeat(90)}[redacted:\nnext\n`);
    expect(read).toMatchObject({ isRedacted: true, cutLines: [1], nextOffset: 3 });
    expect((await session.files.read("secret", { offset: 2, limit: 2 })).isRedacted).toBe(false);
  });

  test.each([
    { encoding: "utf-8", bytes: Buffer.from("gr\u00fcn\n"), hasBom: false, isEncodingGuessed: false },
    { encoding: "utf-8", bytes: Buffer.from("\uFEFFgr\u00fcn\n"), hasBom: true, isEncodingGuessed: false },
    {
      encoding: "utf-16le",
      bytes: Buffer.from("\uFEFFgr\u00fcn\n", "utf16le"),
      hasBom: true,
      isEncodingGuessed: false,
    },
    {
      encoding: "utf-16be",
      bytes: Buffer.from("\uFEFFgr\u00fcn\n", "utf16le").swap16(),
      hasBom: true,
      isEncodingGuessed: false,
    },
    {
      encoding: "utf-16le",
      bytes: Buffer.from("gr\u00fcn\n", "utf16le"),
      hasBom: false,
      isEncodingGuessed: true,
    },
    {
      encoding: "latin-1",
      bytes: Buffer.from("gr\u00fcn\n", "latin1"),
      hasBom: false,
      isEncodingGuessed: true,
    },
  ])("reads $encoding, with a mark: $hasBom", async ({ bytes, ...facts }) => {
    await writeFile(at("encoded"), bytes);
    expect(await session.files.read("encoded")).toMatchObject({
      ...facts,
      text: "gr\u00fcn\n",
      totalLines: 1,
      totalBytes: bytes.length,
    });
  });

  test.each([
    ["lf", "a\nb\n"],
    ["crlf", "a\r\nb\r\n"],
    ["cr", "a\rb\r"],
    ["mixed", "a\nb\r\n"],
    ["none", "a"],
    ["none", ""],
  ])("leaves line ends as they are: %s of %j", async (lineEnding, text) => {
    await writeFile(at("ends"), text);
    expect(await session.files.read("ends")).toMatchObject({ kind: "text", lineEnding, text });
  });

  test("names what is no text, with the size of an image, and gives its bytes when asked", async () => {
    const png = Buffer.from("89504e470d0a1a0a0000000d49484452000000070000000508060000", "hex");
    await writeFile(at("image"), png);
    await writeFile(
      at("binary"),
      Uint8Array.from({ length: 256 }, (_, byte) => byte),
    );
    expect(await session.files.read("image")).toMatchObject({
      kind: "image",
      text: "",
      image: { mimeType: "image/png", width: 7, height: 5 },
    });
    expect(await session.files.read("binary")).toMatchObject({ kind: "binary", text: "", totalBytes: 256 });
    const { bytes, totalBytes } = await session.files.readBytes("binary", { offset: 250, length: 100 });
    expect([Buffer.from(bytes).toString("hex"), totalBytes]).toEqual(["fafbfcfdfeff", 256]);
    expect((await session.files.readBytes("binary", { offset: 300 })).bytes).toHaveLength(0);
  });

  test("finds a NUL behind much text", async () => {
    await writeFile(at("late"), Buffer.from(`${"text\n".repeat(20_000)}\0`));
    expect(await session.files.read("late")).toMatchObject({ kind: "binary" });
  });

  test("reads files of /proc that say they are empty", async () => {
    const { text, totalBytes } = await session.files.read("/proc/version");
    expect(text).toContain("Linux");
    expect(totalBytes).toBe(Buffer.byteLength(text));
  });

  test("names what is like the name of a file that is not there", async () => {
    await writeFile(at("server.ts"), "");
    await writeFile(at("cafe\u0301"), "");
    await expect(session.files.read("sever.ts")).rejects.toMatchObject({
      reason: "not_found",
      hint: expect.stringContaining('"server.ts"') as unknown,
    });
    await expect(session.files.read("caf\u00e9")).rejects.toMatchObject({
      hint: expect.stringContaining("cafe\u0301") as unknown,
    });
    await expect(session.files.read("server.ts/x")).rejects.toMatchObject({ reason: "not_directory" });
  });

  test("refuses pipes, devices and what shows processes, by whatever way, and never waits for one", async () => {
    execFileSync("mkfifo", [at("pipe")]);
    await symlink("pipe", at("to-pipe"));
    await symlink("/dev/zero", at("zero"));
    await symlink("/proc/self/environ", at("environ"));
    await symlink("environ", at("chain"));
    await symlink("loop", at("loop"));
    const reasonOf = async (name: string): Promise<string> => {
      const error: unknown = await session.files.read(name).catch((reason: unknown) => reason);
      return `${name}: ${error instanceof Error && "reason" in error ? String(error.reason) : "read"}`;
    };
    const names = ["pipe", "to-pipe", "zero", "environ", "chain", "//dev/zero", "loop", "."];
    expect(await Promise.all(names.map(reasonOf))).toEqual([
      "pipe: not_regular",
      "to-pipe: not_regular",
      "zero: refused",
      "environ: refused",
      "chain: refused",
      "//dev/zero: refused",
      "loop: invalid",
      ".: is_directory",
    ]);
  });

  test("tells what a name stands for, a link or where it leads, and by a version when that changes", async () => {
    await writeFile(at("told"), "12345");
    await chmod(at("told"), 0o640);
    await symlink("told", at("link"));
    const before = await session.files.stat("link");
    expect(before).toMatchObject({ path: at("told"), type: "file", sizeBytes: 5, mode: 0o640, links: 1 });
    expect(await session.files.stat("link", { followLinks: false })).toMatchObject({
      path: at("link"),
      type: "symlink",
      linkTarget: "told",
    });
    expect((await session.files.read("told")).version).toBe(before.version);
    await truncate(at("told"), 4);
    expect((await session.files.stat("told")).version).not.toBe(before.version);
    expect(await session.files.exists("told")).toBe(true);
    expect(await session.files.exists("told/x")).toBe(false);
  });

  test("takes a relative path from where the session stands, physically", async () => {
    await mkdir(at("far/away"), { recursive: true });
    await symlink("far/away", at("near"));
    await writeFile(at("far/note"), "in far\n");
    await session.execute("cd near");
    try {
      expect((await session.files.read("../note")).text).toBe("in far\n");
    } finally {
      await session.execute(`cd ${folder}`);
    }
    expect((await session.files.read("~/work/far/note")).path).toBe(at("far/note"));
    await expect(session.files.read("~nobody/x")).rejects.toThrow(/another account/);
  });

  test("finds names of any bytes, in a listing too", async () => {
    const name = "\udcff -x\n'\"";
    await writeFile(
      Buffer.concat([Buffer.from(`${folder}/`), Buffer.from([0xff]), Buffer.from(name.slice(1))]),
      "odd\n",
    );
    expect((await session.files.read(name)).text).toBe("odd\n");
    expect((await session.files.list()).entries.map((entry) => entry.name)).toContain(name);
    expect((await session.files.stat(name)).path).toBe(`${folder}/${name}`);
  });
});
