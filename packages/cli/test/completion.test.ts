import { execFileSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import { chmodSync, existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { showProgram } from "./support/pty.js";
import { bin, cliEnv, runCli, temporaryFolder, type CliRun } from "./support/run-cli.js";

/** A folder with a `talaria` on it, as an installation has. */
function installed(): { folder: string; env: NodeJS.ProcessEnv } {
  const folder = temporaryFolder();
  const program = join(folder, "talaria");
  writeFileSync(program, `#!/bin/sh\nexec '${process.execPath}' '${bin}' "$@"\n`);
  chmodSync(program, 0o755);
  return { folder, env: cliEnv(folder, { HOME: folder, PATH: `${folder}:${process.env["PATH"] ?? ""}` }) };
}

const hasShell = (name: string): boolean =>
  (process.env["PATH"] ?? "").split(":").some((folder) => existsSync(join(folder, name)));

async function candidates(...words: string[]): Promise<string[]> {
  const run = await runCli(temporaryFolder(), ["__complete", ...words]);
  return run.stdout.split("\n").map((line) => line.split("\t")[0] ?? "");
}

describe("what is offered", () => {
  it("are commands at the start, without hidden ones", async () => {
    const all = await candidates("");
    expect(all).toEqual(
      expect.arrayContaining([":none", "exec", "shell", "status", "config", "doctor", "help"]),
    );
    expect(all).not.toContain("__complete");
    expect(await candidates("st")).toEqual([":none", "status", ""]);
  });

  it("are a command's options after a dash", async () => {
    expect(await candidates("exec", "--ti")).toEqual([":none", "--timeout-ms", ""]);
  });

  it("are subcommands and config keys", async () => {
    expect(await candidates("config", "uns")).toEqual([":none", "unset", ""]);
    expect(await candidates("config", "get", "terminal.time")).toEqual([":none", "terminal.timeout", ""]);
  });

  it("are backends where a backend is due, however the option is written", async () => {
    expect(await candidates("exec", "--backend", "lo")).toEqual([":none", "local", ""]);
    expect(await candidates("exec", "-b", "lo")).toEqual([":none", "local", ""]);
    expect(await candidates("exec", "--backend=lo")).toEqual([":none", "--backend=local", ""]);
    expect(await candidates("exec", "--backend", "=", "lo")).toEqual([":none", "local", ""]);
    expect(await candidates("conformance", "lo")).toEqual([":none", "local", ""]);
  });

  it("are the names of sessions there are", async () => {
    const home = temporaryFolder();
    await runCli(home, ["exec", "--session", "work-1", "--", "true"]);
    const run = await runCli(home, ["__complete", "exec", "--session", ""]);
    expect(run.stdout).toMatch(/^:none\nwork-1\t/);
  });

  it("are the jobs of the session that the line names, and no session is made for it", async () => {
    const home = temporaryFolder();
    const session = `cli-test-${randomUUID().slice(0, 8)}`;
    const jobs = (subcommand: string, ...words: string[]): Promise<CliRun> =>
      runCli(home, ["jobs", subcommand, "-s", session, ...words]);
    const id = (await jobs("start", "--", "true")).stdout.trim();
    await jobs("wait", id);
    const offered = async (...words: string[]): Promise<string> =>
      (await runCli(home, ["__complete", "jobs", "logs", ...words])).stdout;
    expect(await offered("-s", session, "")).toMatch(new RegExp(`^:none\n${id}\texited 0: true\n`));
    expect(await offered(`--session=${session}`, id.slice(0, 2))).toContain(id);
    expect(await offered("")).toBe(":none\n");
    await jobs("remove", id);
    expect((await runCli(home, ["__complete", "exec", "-s", ""])).stdout).toBe(
      `:none\n${session}\tsession\n`,
    );
  });

  it("are the host's files for the sides of a copy", async () => {
    expect(await candidates("files", "cp", "")).toEqual([":files", ""]);
  });

  it("are files in the command's own words", async () => {
    expect(await candidates("exec", "--", "ls", "")).toEqual([":files", ""]);
  });

  it("is nothing, and no error, where the configuration is broken", async () => {
    const home = temporaryFolder();
    writeFileSync(join(home, "config.yaml"), "terminal: [\n");
    const run = await runCli(home, ["__complete", "exec", "--backend", ""]);
    expect(run).toMatchObject({ status: 0, stderr: "" });
  });
});

describe("bash", () => {
  it("completes what is typed, and never runs any of it", async () => {
    const { folder, env } = installed();
    const mark = join(folder, "ran");
    const shell = showProgram("bash", ["--noprofile", "--norc", "-i"], { ...env, PS1: "$ " }, folder);
    shell.pty.write("source <(talaria completion bash); echo loaded-$((1 + 1))\r");
    await shell.shows("loaded-2");
    shell.pty.write("talaria confi\tu\t");
    await shell.shows("talaria config unset ");
    shell.pty.write("\u0015talaria exec --backend=lo\t");
    await shell.shows("--backend=local");
    shell.pty.write(`\u0015talaria exec --session "$(touch ${mark})" --back\t`);
    await shell.shows("--backend ");
    expect(existsSync(mark)).toBe(false);
  });
});

describe.skipIf(!hasShell("zsh"))("zsh", () => {
  it("completes what is typed", async () => {
    const { folder, env } = installed();
    const shell = showProgram("zsh", ["-f", "-i"], { ...env, PS1: "$ " }, folder);
    shell.pty.write(
      "autoload -Uz compinit; compinit -u; source <(talaria completion zsh); echo loaded-$((1 + 1))\r",
    );
    await shell.shows("loaded-2");
    const before = shell.screen().length;
    shell.pty.write("talaria confi\tuns\t");
    await shell.shows(/unset/, before);
    expect(shell.screen().slice(before)).toMatch(/unset/);
  });
});

describe.skipIf(!hasShell("fish"))("fish", () => {
  it("completes what is typed, with descriptions", () => {
    const { env } = installed();
    const output = execFileSync(
      "fish",
      ["-c", "talaria completion fish | source; complete -C 'talaria exec --back'"],
      {
        env,
        encoding: "utf8",
      },
    );
    expect(output).toMatch(/^--backend\t.*where to run/);
  });
});

describe("an unknown shell", () => {
  it("is refused with the ones there are", async () => {
    const run = await runCli(temporaryFolder(), ["completion", "tcsh"]);
    expect(run.status).toBe(2);
    expect(run.stderr).toMatch(/bash.*zsh.*fish/);
  });
});
