import { existsSync } from "node:fs";
import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { openSession } from "../../src/session/open-session.js";
import type { TerminalSession } from "../../src/session/terminal-session.js";
import { FakeProvider } from "../session/fake-provider.js";
import { HostEnvironment } from "../shell/host-environment.js";

const busybox = ["/bin/busybox", "/usr/bin/busybox"].find((path) => existsSync(path));
const applets = "sh cat cut env head mkdir od pwd readlink rm sleep stat tail tr wc";
const shells = busybox === undefined ? ["bash"] : ["bash", "busybox"];

describe.each(shells)("reading files of a sandbox with %s", (kind) => {
  let root: string;
  let environment: HostEnvironment;
  let session: TerminalSession;

  beforeEach(async () => {
    root = await realpath(await mkdtemp(join(tmpdir(), "talaria-read-files-")));
    await mkdir(join(root, "work"));
    await mkdir(join(root, "home"));
    let path = process.env["PATH"] ?? "";
    if (kind === "busybox") {
      path = join(root, "bin");
      await mkdir(path);
      await Promise.all(applets.split(" ").map((applet) => symlink(busybox ?? "", join(path, applet))));
    }
    environment = new HostEnvironment({ PATH: path, HOME: join(root, "home"), TMPDIR: root });
    session = await openSession({
      backend: new FakeProvider({ environment, isContainer: false }),
      talariaHome: join(root, "talaria"),
      cwd: join(root, "work"),
      secrets: { CASE_TOKEN: "s3cr3t-value-0123456789" },
    });
  });

  afterEach(async () => {
    await session.close();
    await environment.cleanup();
    await rm(root, { recursive: true });
  });

  test.each([
    ["lines", "a\nb\r\nc"],
    ["one line feed", "\n"],
    ["characters of control among the lines", "a\u0001\nb\u0001\nc and much more text than that\n"],
    ["characters of several bytes", "é€😀\n\n\nz\n"],
    ["percent signs and backslashes", "%s \\0 \\n $x `y`\n"],
    ["nothing", ""],
    ["a text above what a shell reads by itself", "0123456789\n".repeat(9000)],
  ])("a text comes as it is: %s", async (_, text) => {
    await writeFile(join(root, "work/-odd name's"), text);
    const read = await session.files.read("./-odd name's", { maxBytes: 1_000_000, limit: 100_000 });
    expect(read.text).toBe(text);
    expect(read).toMatchObject({
      path: join(root, "work/-odd name's"),
      totalBytes: Buffer.byteLength(text),
      isRedacted: false,
    });
    expect(read.version).toBe((await session.files.stat("./-odd name's")).version);
  });

  test("a link is followed, from the home too, and the physical path is told", async () => {
    await writeFile(join(root, "work/there"), "x\n");
    await symlink("../work/there", join(root, "home/link"));
    const read = await session.files.read("~/link");
    expect([read.path, read.text]).toEqual([join(root, "work/there"), "x\n"]);
    await writeFile(join(root, "home/own"), "y\n");
    expect((await session.files.read("~/own")).path).toBe(join(root, "home/own"));
  });

  test("what has a NUL is no text, one at its end included", async () => {
    await writeFile(join(root, "work/nul"), "abc\0");
    expect((await session.files.read("nul")).kind).toBe("binary");
  });

  test("what cannot be read is refused with its reason", async () => {
    await expect(session.files.read("none")).rejects.toMatchObject({ reason: "not_found" });
    await expect(session.files.read("none/x")).rejects.toMatchObject({ reason: "not_found" });
    await expect(session.files.read(".")).rejects.toMatchObject({ reason: "is_directory" });
    await expect(session.files.read("/dev/null")).rejects.toMatchObject({ reason: "refused" });
    await expect(session.files.read("/proc/self/environ")).rejects.toMatchObject({ reason: "refused" });
    await symlink("/proc/self", join(root, "work/me"));
    await expect(session.files.read("me/environ")).rejects.toMatchObject({ reason: "refused" });
  });

  test("a known secret is masked in the text and in the numbered text, and not in the bytes", async () => {
    const text = "a\nx s3cr3t-value-0123456789\nb\n";
    await writeFile(join(root, "work/f"), text);
    const read = await session.files.read("f");
    expect(read.text).toBe("a\nx [redacted:CASE_TOKEN]\nb\n");
    expect(read.numbered).toBe("1|a\n2|x [redacted:CASE_TOKEN]\n3|b\n");
    expect(read.isRedacted).toBe(true);
    expect((await session.files.read("f", { offset: 3 })).isRedacted).toBe(false);
    // Cut within the secret: no half of it is shown.
    expect((await session.files.read("f", { maxLineBytes: 12 })).numbered).not.toContain("s3cr3t");
    expect(Buffer.from((await session.files.readBytes("f")).bytes).toString()).toBe(text);
  });
});
