import { mkdir, realpath, rm, symlink } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { WorkdirError } from "../../src/errors/errors.js";
import { asSandboxPath } from "../../src/workdir/paths.js";
import { hostRunner, seen, temporaryFolder } from "../support/host-shell.js";

describe("the directory of a session", () => {
  it.each([
    "new\nline",
    "ends in newline\n",
    "\n",
    " ",
    "-",
    "-P",
    "--",
    "~",
    "~root",
    "$HOME",
    "`id`",
    "'\"",
    "back\\slash",
    "*",
    "é→😀",
    "\u0001\u007f\u001e",
    "a".repeat(255),
    "..hidden",
    ". .",
  ])("may be called %j", async (name) => {
    const folder = await realpath(await temporaryFolder());
    await mkdir(join(folder, name));
    const runner = hostRunner();
    const { cwd, cwdObserved } = await runner.run(":", {
      start: { path: asSandboxPath(folder), relative: name, ifMissing: "fail" },
    });
    expect(cwdObserved).toBe(true);
    expect(cwd).toBe(`${folder}/${name}`);
    expect((await runner.run('printf %s "$PWD"; ls -a | wc -l')).stdout).toBe(`${folder}/${name}2\n`);
    expect(await runner.hurt()).toBeUndefined();
  });

  it("may hold bytes that are no UTF-8", async () => {
    const folder = await temporaryFolder();
    const runner = hostRunner();
    await runner.run(`cd ${folder}; mkdir $'a\\377\\376b'; cd a*`);
    await runner.run("touch marker");
    expect((await runner.run("ls; exit 3")).stdout).toBe("marker\n");
    expect((await runner.run('ls; basename "$PWD" | od -An -tx1')).stdout).toBe("marker\n 61 ff fe 62 0a\n");
  });

  it("that is gone gives way to its nearest ancestor, with a note, and the session lives on", async () => {
    const folder = await realpath(await temporaryFolder());
    const runner = hostRunner();
    await runner.run(`mkdir -p ${folder}/a/b/c; cd ${folder}/a/b/c`);
    await rm(join(folder, "a", "b"), { recursive: true });
    const result = await runner.run("pwd");
    expect(result.stdout).toBe(`${folder}/a\n`);
    expect(result.cwd).toBe(`${folder}/a`);
    expect(result.notes.join()).toContain(`${folder}/a/b/c`);
    expect(await runner.hurt()).toBeUndefined();
  });

  it("that a command removes under itself does not hurt it or the next one", async () => {
    const folder = await realpath(await temporaryFolder());
    const runner = hostRunner();
    const result = await runner.run(
      `mkdir ${folder}/x; cd ${folder}/x; rmdir ${folder}/x; echo still; exit 3`,
    );
    expect(seen(result)).toEqual(["still\n", "", "exited 3"]);
    expect((await runner.run("pwd")).stdout).toBe(`${folder}\n`);
  });

  it.each([
    ["PWD is unset", "unset PWD"],
    ["PWD is something else", "PWD=/nope"],
    ["PWD is relative", "PWD=."],
    ["PWD is another directory", "PWD=/usr"],
    ["cd is a function", 'cd() { builtin cd "$@"; PWD=/tmp; }; cd /'],
    ["set -P is on", "set -P"],
  ])("is the real one when %s", async (_, script) => {
    const folder = await realpath(await temporaryFolder());
    const runner = hostRunner();
    const { cwd } = await runner.run(`cd ${folder}; ${script.replace("cd /", `cd ${folder}`)}`);
    expect(cwd).toBe(folder);
    expect((await runner.run("pwd")).stdout).toBe(`${folder}\n`);
  });

  it("keeps the name it was entered by, and goes back by `cd -`", async () => {
    const folder = await realpath(await temporaryFolder());
    await mkdir(join(folder, "target", "deep"), { recursive: true });
    await symlink(join(folder, "target", "deep"), join(folder, "link"));
    const runner = hostRunner();
    expect((await runner.run(`cd ${folder}/link`)).cwd).toBe(`${folder}/link`);
    expect((await runner.run("cd ..; pwd")).stdout).toBe(`${folder}\n`);
    expect((await runner.run("cd - >/dev/null; pwd")).stdout).toBe(`${folder}/link\n`);
    expect((await runner.run("cd /usr; exit 3")).cwd).toBe("/usr");
    expect((await runner.run("cd -")).stdout).toBe(`${folder}/link\n`);
    expect((await runner.run("cd -P ..; pwd")).stdout).toBe(`${folder}/target\n`);
  });

  it("does not go by CDPATH", async () => {
    const folder = await realpath(await temporaryFolder());
    await mkdir(join(folder, "bin"));
    const runner = hostRunner();
    await runner.run("export CDPATH=/usr:/");
    const start = { path: asSandboxPath(folder), relative: "bin", ifMissing: "fail" as const };
    const result = await runner.run("pwd", { start });
    expect(seen(result)).toEqual([`${folder}/bin\n`, "", "exited 0"]);
  });

  it.each([
    ["does not exist", "/nope/x", "does not exist"],
    ["is a file", "/etc/passwd", "is not a directory"],
    ["is below a file", "/etc/passwd/x", ""],
  ])("that is asked for and %s is an error of the call, and nothing ran", async (_, path, said) => {
    const folder = await temporaryFolder();
    const runner = hostRunner();
    const failure = await runner
      .run(`touch ${folder}/ran`, { start: { path: asSandboxPath(path), ifMissing: "fail" } })
      .catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(WorkdirError);
    expect(String(failure)).toContain(said);
    expect((await runner.run(`ls ${folder}`)).stdout).toBe("");
  });
});
