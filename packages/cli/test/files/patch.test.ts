import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { showProgram } from "../support/pty.js";
import { bin, cliEnv, runCli, temporaryFolder, type CliRun } from "../support/run-cli.js";

function patch(folder: string, words: readonly string[], input?: string): Promise<CliRun> {
  return runCli(folder, ["files", "patch", ...words], {
    cwd: folder,
    ...(input === undefined ? {} : { input }),
  });
}

function withFile(text: string): string {
  const folder = temporaryFolder();
  writeFileSync(join(folder, "a.ts"), text);
  return folder;
}

const textIn = (folder: string): string => readFileSync(join(folder, "a.ts"), "utf8");

describe("files patch --find", () => {
  it("replaces what stands there once, and prints the change as a diff", async () => {
    const folder = withFile("one\nport = 80\n");
    const run = await patch(folder, ["a.ts", "--find", "port = 80", "--replace", "port = 8080"]);
    expect(run.status, run.stderr).toBe(0);
    expect(run.stdout).toMatch(/^-port = 80\n\+port = 8080$/m);
    expect(run.stderr).toMatch(/a\.ts changed \(\+1 -1\)/);
    expect(textIn(folder)).toBe("one\nport = 8080\n");
  });

  it("refuses what stands there twice unless all are meant", async () => {
    const folder = withFile("x\nx\n");
    const run = await patch(folder, ["--json", "a.ts", "--find", "x", "--replace", "y"]);
    expect(run.status).toBe(1);
    expect(JSON.parse(run.stdout)).toMatchObject({
      error: { code: "file", message: expect.stringContaining("2 times") as string },
    });
    expect(textIn(folder)).toBe("x\nx\n");
    expect((await patch(folder, ["a.ts", "--find", "x", "--replace", "y", "--all"])).status).toBe(0);
    expect(textIn(folder)).toBe("y\ny\n");
  });

  it("says how the place was told when it does not stand there as written", async () => {
    const folder = withFile("if (a) {\n    b();\n}\n");
    const run = await patch(folder, [
      "a.ts",
      "--find",
      "if (a) {\n  b();\n}",
      "--replace",
      "if (a) {\n  c();\n}",
    ]);
    expect(run.status, run.stderr).toBe(0);
    expect(run.stderr).toMatch(/not found as written; the place was told by: \w/);
    expect(textIn(folder)).toBe("if (a) {\n    c();\n}\n");
  });

  it("changes nothing with --dry-run, and may put nothing in the place", async () => {
    const folder = withFile("a\nb\n");
    const words = ["a.ts", "--find", "b\n", "--replace", ""];
    const dry = await patch(folder, [...words, "--dry-run"]);
    expect(dry.stdout).toMatch(/^-b$/m);
    expect(dry.stderr).toMatch(/would be changed/);
    expect(textIn(folder)).toBe("a\nb\n");
    await patch(folder, words);
    expect(textIn(folder)).toBe("a\n");
  });

  it.each([
    ["no file", ["--find", "a", "--replace", "b"], /missing: the file/],
    ["no replacement", ["a.ts", "--find", "a"], /missing: --replace/],
  ])("needs all three: %s", async (_title, words, reason) => {
    const run = await patch(temporaryFolder(), words);
    expect(run.status).toBe(2);
    expect(run.stderr).toMatch(reason);
  });
});

describe("files patch from stdin", () => {
  it("applies a patch of several files", async () => {
    const folder = withFile("one\ntwo\n");
    const text =
      "*** Begin Patch\n*** Update File: a.ts\n@@\n one\n-two\n+three\n*** Add File: b.ts\n+new\n*** End Patch\n";
    const run = await patch(folder, ["--json"], text);
    expect(run.status, run.stderr).toBe(0);
    expect(JSON.parse(run.stdout)).toMatchObject({
      schema: 1,
      files: [{ operation: "update", lines_added: 1 }, { operation: "add" }],
    });
    expect(textIn(folder)).toBe("one\nthree\n");
    expect(readFileSync(join(folder, "b.ts"), "utf8")).toBe("new\n");
  });

  it("is not waited for on a terminal", async () => {
    const folder = temporaryFolder();
    const shown = showProgram(process.execPath, [bin, "files", "patch"], cliEnv(folder), folder);
    expect((await shown.exit).exitCode).toBe(2);
    expect(shown.screen()).toMatch(/the patch is read from stdin, which is a terminal/);
  });
});
