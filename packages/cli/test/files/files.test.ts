import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { runCli, temporaryFolder, type CliRun } from "../support/run-cli.js";
import { showProgram } from "../support/pty.js";
import { bin, cliEnv } from "../support/run-cli.js";

/** Runs `talaria files …` in a folder that is the sandbox's directory too: the backend is local. */
function files(folder: string, words: readonly string[], input?: string | Uint8Array): Promise<CliRun> {
  return runCli(folder, ["files", ...words], { cwd: folder, ...(input === undefined ? {} : { input }) });
}

describe("files read", () => {
  it("prints a window of lines with their numbers, and says where to go on", async () => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, "a.txt"), "one\ntwo\nthree\nfour\n");
    const run = await files(folder, ["read", "a.txt", "--offset", "2", "--limit", "2"]);
    expect(run).toMatchObject({ status: 0, stdout: "   2  two\n   3  three\n" });
    expect(run.stderr).toMatch(/lines 2 to 3 of 4; go on with --offset 4/);
  });

  it("prints the bytes themselves with --raw, whatever they are", async () => {
    const folder = temporaryFolder();
    const bytes = Buffer.from(Array.from({ length: 70_000 }, (_, index) => (index * 7) % 256));
    writeFileSync(join(folder, "b.bin"), bytes);
    const run = await files(folder, ["read", "--raw", "b.bin"]);
    expect(run.status).toBe(0);
    expect(run.stdoutBytes.equals(bytes)).toBe(true);
  });

  it("names what is no text, with status 1, and prints none of it", async () => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, "b.bin"), Buffer.from([0, 1, 2, 255, 0, 7]));
    const run = await files(folder, ["read", "b.bin"]);
    expect(run).toMatchObject({ status: 1, stdout: "" });
    expect(run.stderr).toMatch(/b\.bin is binary \(6 B[^]*--raw/);
  });

  it("puts nothing binary onto a terminal", async () => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, "b.bin"), Buffer.from("\0\u001b]0;title\u0007"));
    const shown = showProgram(
      process.execPath,
      [bin, "files", "read", "--raw", "b.bin"],
      cliEnv(folder),
      folder,
    );
    expect((await shown.exit).exitCode).toBe(2);
    expect(shown.screen()).toMatch(/b\.bin is binary and stdout is a terminal/);
    expect(shown.screen()).not.toContain("]0;title");
  });

  it("names similar files where there is none of that name", async () => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, "readme.md"), "x");
    const run = await files(folder, ["read", "redme.md"]);
    expect(run.status).toBe(1);
    expect(run.stderr).toMatch(/readme\.md/);
  });

  it("is a document with what is needed to go on and to write back", async () => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, "a.txt"), "one\r\ntwo\r\n");
    const run = await files(folder, ["read", "--json", "a.txt"]);
    expect(JSON.parse(run.stdout)).toMatchObject({
      schema: 1,
      kind: "text",
      text: "one\r\ntwo\r\n",
      total_lines: 2,
      next_offset: null,
      line_ending: "crlf",
      version: expect.any(String) as string,
    });
  });

  it("refuses --raw together with a window", async () => {
    const run = await files(temporaryFolder(), ["read", "--raw", "--limit", "3", "x"]);
    expect(run.status).toBe(2);
    expect(run.stderr).toMatch(/--raw prints the whole file/);
  });
});

describe("files write", () => {
  it("writes stdin as it is, makes what is missing of the path, and keeps permissions", async () => {
    const folder = temporaryFolder();
    mkdirSync(join(folder, "d"));
    writeFileSync(join(folder, "d", "run"), "old");
    chmodSync(join(folder, "d", "run"), 0o750);
    const bytes = Buffer.from([0x61, 0xff, 0x0d, 0x0a, 0x00]);
    expect((await files(folder, ["write", "d/run"], bytes)).status).toBe(0);
    expect(readFileSync(join(folder, "d", "run")).equals(bytes)).toBe(true);
    expect(statSync(join(folder, "d", "run")).mode & 0o777).toBe(0o750);
    expect((await files(folder, ["write", "new/deep/x", "--mode", "600"], "x")).status).toBe(0);
    expect(statSync(join(folder, "new/deep/x")).mode & 0o777).toBe(0o600);
  });

  it("appends, and makes the file where there is none", async () => {
    const folder = temporaryFolder();
    await files(folder, ["write", "--append", "log"], "a\n");
    await files(folder, ["write", "--append", "log"], "b\n");
    expect(readFileSync(join(folder, "log"), "utf8")).toBe("a\nb\n");
  });

  it("refuses a file that was changed since it was read", async () => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, "a"), "one");
    const { version } = JSON.parse((await files(folder, ["read", "--json", "a"])).stdout) as {
      version: string;
    };
    writeFileSync(join(folder, "a"), "changed by another");
    const run = await files(folder, ["write", "--if-version", version, "--json", "a"], "mine");
    expect(run.status).toBe(1);
    expect(JSON.parse(run.stdout)).toMatchObject({ error: { code: "file" } });
    expect(readFileSync(join(folder, "a"), "utf8")).toBe("changed by another");
  });

  it("gives a text the line ends of the file that is there when told to", async () => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, "a"), "one\r\ntwo\r\n");
    await files(folder, ["write", "--line-ending", "keep", "a"], "three\nfour\n");
    expect(readFileSync(join(folder, "a"), "utf8")).toBe("three\r\nfour\r\n");
  });
});

describe("files ls and stat", () => {
  it("lists names sorted, those with a dot only when asked, into a pipe byte by byte", async () => {
    const folder = temporaryFolder();
    mkdirSync(join(folder, "t"));
    const odd = Buffer.concat([Buffer.from(`${folder}/t/caf`), Buffer.from([0xe9])]);
    writeFileSync(odd, "x");
    writeFileSync(join(folder, "t", ".hidden"), "x");
    writeFileSync(join(folder, "t", "b c"), "x");
    const run = await files(folder, ["ls", "t"]);
    expect(run.stdoutBytes).toEqual(Buffer.concat([Buffer.from("b c\ncaf"), Buffer.from([0xe9, 0x0a])]));
    expect((await files(folder, ["ls", "-a", "t"])).stdout).toContain(".hidden");
    expect(JSON.parse((await files(folder, ["ls", "--json", "t"])).stdout)).toMatchObject({
      entries: [
        { name: "b c", type: "file", size_bytes: 1 },
        { name_base64: Buffer.from([0x63, 0x61, 0x66, 0xe9]).toString("base64") },
      ],
      total: 2,
    });
  });

  it("shows kind, permissions, size and where links lead with -l", async () => {
    const folder = temporaryFolder();
    mkdirSync(join(folder, "t", "sub"), { recursive: true });
    writeFileSync(join(folder, "t", "f"), "12345", { mode: 0o640 });
    symlinkSync("f", join(folder, "t", "link"));
    const { stdout } = await files(folder, ["ls", "-l", "t"]);
    expect(stdout).toMatch(/^-rw-r----- .* 5 B .* f$/m);
    expect(stdout).toMatch(/^lrwx.* link -> f$/m);
    expect(stdout).toMatch(/^drwx.* sub$/m);
  });

  it("says of each file what the sandbox says, and goes on after one that is not there", async () => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, "a"), "123");
    writeFileSync(join(folder, "z"), "");
    const run = await files(folder, ["stat", "--json", "a", "nothing", "z"]);
    expect(run.status).toBe(1);
    expect(JSON.parse(run.stdout)).toMatchObject({
      files: [
        { asked: "a", type: "file", size_bytes: 3 },
        { asked: "z", size_bytes: 0 },
      ],
      failures: [{ name: "nothing", error: { code: "file" } }],
    });
  });
});

describe("files search", () => {
  function tree(): string {
    const folder = temporaryFolder();
    mkdirSync(join(folder, "src"));
    writeFileSync(join(folder, "src", "a.ts"), "one\nfetch(1)\ntwo\n");
    writeFileSync(join(folder, "src", "b.js"), "FETCH(2)\n");
    return folder;
  }

  it("prints path, line and text into a pipe, and ends with 1 where there is nothing", async () => {
    const folder = tree();
    expect(await files(folder, ["search", "fetch\\(", "src"])).toMatchObject({
      status: 0,
      stdout: "a.ts:2:fetch(1)\n",
    });
    expect(await files(folder, ["search", "nowhere", "src"])).toMatchObject({ status: 1, stdout: "" });
  });

  it("groups by file on a terminal", async () => {
    const folder = tree();
    const shown = showProgram(
      process.execPath,
      [bin, "files", "search", "-i", "fetch", "src"],
      { ...cliEnv(folder), NO_COLOR: "1" },
      folder,
    );
    expect((await shown.exit).exitCode).toBe(0);
    expect(shown.screen()).toBe("a.ts\r\n2:fetch(1)\r\n\r\nb.js\r\n1:FETCH(2)\r\n");
  });

  it("has context, globs, counts, files and names", async () => {
    const folder = tree();
    const out = async (...words: string[]): Promise<string> =>
      (await files(folder, ["search", ...words])).stdout;
    expect(await out("fetch", "src", "-C", "1")).toBe("a.ts-1-one\na.ts:2:fetch(1)\na.ts-3-two\n");
    expect(await out("-i", "fetch", "src", "--glob", "*.js")).toBe("b.js:1:FETCH(2)\n");
    expect(await out("-i", "-c", "fetch", "src")).toBe("a.ts:1\nb.js:1\n");
    expect(await out("-i", "-l", "fetch", "src")).toBe("a.ts\nb.js\n");
    expect(await out("--name", "*.js", "src")).toBe("b.js\n");
  });

  it("refuses what cannot go together", async () => {
    const run = await files(tree(), ["search", "-l", "-c", "x"]);
    expect(run.status).toBe(2);
    expect(run.stderr).toMatch(/--files and --count cannot go together/);
  });
});

describe("files mkdir, mv and rm", () => {
  it("make, move into a directory that is there, and remove with all that is in it", async () => {
    const folder = temporaryFolder();
    expect((await files(folder, ["mkdir", "a/b"])).status).toBe(1);
    expect((await files(folder, ["mkdir", "-p", "a/b", "c"])).status).toBe(0);
    writeFileSync(join(folder, "f"), "x");
    expect((await files(folder, ["mv", "f", "a/b"])).status).toBe(0);
    expect(readFileSync(join(folder, "a/b/f"), "utf8")).toBe("x");
    expect((await files(folder, ["mv", "a/b/f", "c/g"])).status).toBe(0);
    expect((await files(folder, ["rm", "c"])).status).toBe(1);
    expect((await files(folder, ["rm", "-r", "c", "a"])).status).toBe(0);
    expect(existsSync(join(folder, "c")) || existsSync(join(folder, "a"))).toBe(false);
  });

  it("replace nothing unless told to, and forgive what is missing with -f", async () => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, "a"), "a");
    writeFileSync(join(folder, "b"), "b");
    expect((await files(folder, ["mv", "a", "b"])).status).toBe(1);
    expect(readFileSync(join(folder, "b"), "utf8")).toBe("b");
    expect((await files(folder, ["mv", "-f", "a", "b"])).status).toBe(0);
    expect(readFileSync(join(folder, "b"), "utf8")).toBe("a");
    expect((await files(folder, ["rm", "nothing"])).status).toBe(1);
    expect((await files(folder, ["rm", "-f", "nothing"])).status).toBe(0);
  });
});

describe("files of a named session", () => {
  it("are those where the session stands", async () => {
    const home = temporaryFolder();
    const place = temporaryFolder();
    await runCli(home, ["exec", "-s", "work", "--", `cd ${place}`]);
    await runCli(home, ["files", "write", "-s", "work", "here.txt"], { input: "x" });
    expect(readFileSync(join(place, "here.txt"), "utf8")).toBe("x");
  });
});
