import { once } from "node:events";
import {
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  statSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { until } from "../support/processes.js";
import { showProgram } from "../support/pty.js";
import { bin, cliEnv, runCli, startCli, temporaryFolder, type CliRun } from "../support/run-cli.js";

function cp(home: string, ...words: string[]): Promise<CliRun> {
  return runCli(home, ["files", "cp", ...words], { cwd: home });
}

/** A tree with an empty file, an empty folder, bytes of every value and a program. */
function tree(home: string): string {
  const top = join(home, "tree");
  mkdirSync(join(top, "sub", "empty"), { recursive: true });
  writeFileSync(join(top, "none"), "");
  writeFileSync(join(top, "sub", "bytes"), Buffer.from(Array.from({ length: 256 }, (_, byte) => byte)));
  writeFileSync(join(top, "sub", "run me"), "#!/bin/sh\n", { mode: 0o755 });
  return top;
}

describe("files cp", () => {
  it("copies a file into the sandbox and out of it, under the name that is given", async () => {
    const home = temporaryFolder();
    writeFileSync(join(home, "a"), "content");
    expect((await cp(home, "a", "sandbox:b")).status).toBe(0);
    const out = await cp(home, "sandbox:b", "host:c");
    expect(out.status, out.stderr).toBe(0);
    expect(out.stderr).toMatch(/copied 7 B to .*\/c/);
    expect(readFileSync(join(home, "c"), "utf8")).toBe("content");
  });

  it("copies a tree with all that is in it, into a directory that is there", async () => {
    const home = temporaryFolder();
    tree(home);
    mkdirSync(join(home, "there"));
    const run = await cp(home, "--json", "tree", "sandbox:there");
    expect(run.status, run.stderr).toBe(0);
    expect(JSON.parse(run.stdout)).toMatchObject({
      schema: 1,
      kind: "tree",
      files: 3,
      bytes: 266,
      skipped_count: 0,
    });
    const landed = join(home, "there", "tree");
    expect(readFileSync(join(landed, "sub", "bytes")).length).toBe(256);
    expect(statSync(join(landed, "sub", "run me")).mode & 0o777).toBe(0o755);
    expect(readdirSync(join(landed, "sub", "empty"))).toEqual([]);
  });

  it("goes from session to session", async () => {
    const home = temporaryFolder();
    const [one, two] = [temporaryFolder(), temporaryFolder()];
    await runCli(home, ["exec", "-s", "one", "--", `cd ${one}; echo hello > note`]);
    await runCli(home, ["exec", "-s", "two", "--", `cd ${two}`]);
    const run = await cp(home, "one:note", "two:copied");
    expect(run.status, run.stderr).toBe(0);
    expect(readFileSync(join(two, "copied"), "utf8")).toBe("hello\n");
  });

  it("takes a file from stdin and gives one to stdout, byte for byte", async () => {
    const home = temporaryFolder();
    const bytes = Buffer.from(Array.from({ length: 300_000 }, (_, index) => (index * 31) % 256));
    const into = await runCli(home, ["files", "cp", "-", "sandbox:x"], { cwd: home, input: bytes });
    expect(into.status, into.stderr).toBe(0);
    expect(readFileSync(join(home, "x")).equals(bytes)).toBe(true);
    const out = await cp(home, "sandbox:x", "-");
    expect(out.stdoutBytes.equals(bytes)).toBe(true);
  });

  it("leaves out what is excluded", async () => {
    const home = temporaryFolder();
    tree(home);
    expect((await cp(home, "--exclude", "empty", "--exclude", "run*", "tree", "sandbox:t")).status).toBe(0);
    expect(readdirSync(join(home, "t", "sub"))).toEqual(["bytes"]);
  });

  it("replaces nothing with --no-overwrite", async () => {
    const home = temporaryFolder();
    writeFileSync(join(home, "a"), "new");
    writeFileSync(join(home, "b"), "old");
    expect((await cp(home, "-n", "a", "sandbox:b")).status).toBe(1);
    expect(readFileSync(join(home, "b"), "utf8")).toBe("old");
  });

  it("refuses a session that nobody has made, and makes none", async () => {
    const home = temporaryFolder();
    writeFileSync(join(home, "a"), "x");
    const run = await cp(home, "a", "wrok:a");
    expect(run.status).toBe(2);
    expect(run.stderr).toMatch(/no session is called "wrok"/);
    expect(existsSync(join(home, "sessions"))).toBe(false);
  });

  it.each([
    ["two host paths", ["a", "host:b"], /neither side/],
    ["two streams", ["-", "-"], /neither side/],
    ["an empty path", ["a", "sandbox:"], /no path after the colon/],
  ])("refuses %s with 2", async (_title, words, reason) => {
    const run = await cp(temporaryFolder(), ...words);
    expect(run.status).toBe(2);
    expect(run.stderr).toMatch(reason);
  });

  it("wants a name for what comes from stdin", async () => {
    const home = temporaryFolder();
    mkdirSync(join(home, "there"));
    const run = await runCli(home, ["files", "cp", "-", "sandbox:there"], { cwd: home, input: "x" });
    expect(run.status).toBe(2);
    expect(run.stderr).toMatch(/there is a directory[^]*give the file a name/);
  });

  it("leaves nothing half-written when it is interrupted", async () => {
    const home = temporaryFolder();
    mkdirSync(join(home, "in"));
    // As good as endless, and it takes no room: only what is copied until the signal does.
    writeFileSync(join(home, "endless"), "");
    truncateSync(join(home, "endless"), 2 ** 40);
    const copying = startCli(home, ["files", "cp", "endless", "sandbox:in/target"], { cwd: home });
    await until("the copy is under way", () => readdirSync(join(home, "in")).length > 0);
    copying.kill("SIGINT");
    expect((await once(copying, "close"))[0]).toBe(130);
    expect(readdirSync(join(home, "in"))).toEqual([]);
  });
});

describe("the progress of files cp", () => {
  it("is a bar on a terminal, gone when it is done, and absent with -q", async () => {
    const home = temporaryFolder();
    writeFileSync(join(home, "big"), "");
    truncateSync(join(home, "big"), 1_500_000_000);
    const shown = showProgram(
      process.execPath,
      [bin, "files", "cp", "big", "sandbox:copy"],
      { ...cliEnv(home), NO_COLOR: "1" },
      home,
    );
    await shown.shows(/\r(\[#* *\] +\d+% +)?1 file +[^]*\/s/);
    expect((await shown.exit).exitCode).toBe(0);
    expect(shown.screen()).toMatch(/\r\u001b\[K[^\r]*copied 1\.4 GiB/);
    const quiet = await cp(home, "-q", "big", "sandbox:copy");
    expect(quiet).toMatchObject({ status: 0, stderr: "" });
  }, 60_000);
});
