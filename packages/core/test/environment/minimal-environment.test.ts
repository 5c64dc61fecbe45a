import { spawn } from "node:child_process";
import { mkdir, mkdtemp, realpath, rm, symlink } from "node:fs/promises";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";
import { beforeEach, describe, expect, it, onTestFinished } from "vitest";
import type { MinimalEnvironment } from "../../src/environment/environment.js";
import { isMinimalEnvironment, WrappedEnvironment } from "../../src/environment/minimal-environment.js";
import {
  ClosedError,
  ContractError,
  EnvironmentConnectionError,
  UnsupportedCapabilityError,
  WorkdirError,
} from "../../src/errors/errors.js";
import { openSession } from "../../src/session/open-session.js";
import { asSandboxPath, type SandboxPath } from "../../src/workdir/paths.js";

let folder: SandboxPath;

beforeEach(async () => {
  folder = asSandboxPath(await realpath(await mkdtemp(join(tmpdir(), "talaria-minimal-"))));
  await mkdir(join(folder, "it's a dir", "below"), { recursive: true });
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
});

/** The smallest real environment: a shell of this host for each command, its output as one text. */
function shell(program: string, more: { obeys?: boolean } = {}): MinimalEnvironment {
  return {
    execute: (command, { signal }) =>
      new Promise((resolve, reject) => {
        // A group of its own, so that all of a command can be ended.
        const child = spawn(program, ["-c", command], {
          stdio: ["ignore", "pipe", "ignore"],
          detached: true,
        });
        let output = "";
        child.stdout.setEncoding("utf8").on("data", (text: string) => (output += text));
        child.on("error", reject);
        child.on("close", (code, name) =>
          resolve({ output, exitCode: code ?? (name === "SIGKILL" ? 137 : 143) }),
        );
        const kill = (): unknown => child.pid !== undefined && process.kill(-child.pid, "SIGKILL");
        if (more.obeys !== false) signal?.addEventListener("abort", kill);
      }),
    cleanup: () => undefined,
  };
}

function answering(answer: unknown): WrappedEnvironment {
  const inner = { execute: async () => answer, cleanup: () => undefined };
  return new WrappedEnvironment(inner, { backend: "acmebox" });
}

describe.each(["bash", "sh"])("the smallest environment, over %s", (program) => {
  const wrap = (): WrappedEnvironment => new WrappedEnvironment(shell(program), { backend: "acmebox" });

  it.each<[what: string, command: string, output: RegExp, code: number, cwd: string]>([
    ["a plain command", "echo hi", /^hi\n$/, 0, "/tmp"],
    ["output without a line feed at its end", "printf hi", /^hi$/, 0, "/tmp"],
    ["no output", ":", /^$/, 0, "/tmp"],
    ["a cd", "cd /usr", /^$/, 0, "/usr"],
    ["a cd before exit 3 (2.8)", "cd /usr; exit 3", /^$/, 3, "/usr"],
    ["a comment at the end", "cd /usr # there", /^$/, 0, "/usr"],
    ["an unterminated quote", "cd /usr\necho 'x", /nterminated|unexpected EOF/, 2, "/usr"],
    ["an unterminated if", "cd /usr\nif true; then", /yntax error/, 2, "/usr"],
    ["a bracket too much", "cd /usr\n) ; echo out", /yntax error/, 2, "/usr"],
    ["an open heredoc", "cd /usr; cat <<X\nline", /line\n/, 0, "/usr"],
    ["quotes of all kinds", `cd /usr; echo "it's" '"' \\'`, /^it's " '\n$/, 0, "/usr"],
    ["both streams, in order", "cd /usr; echo a; echo b >&2; echo c", /^a\nb\nc\n$/, 0, "/usr"],
    ["set -e and a failure", "set -e; cd /usr; false; cd /", /^$/, 1, "/usr"],
    ["a trace", "cd /usr; set -x; true", /^\++ true\n$/, 0, "/usr"],
    ["stdin that nobody gave (3.5)", "cd /usr; cat; echo end", /^end\n$/, 0, "/usr"],
    ["a status above 128 of its own", "cd /usr; exit 137", /^$/, 137, "/usr"],
    ["a trap that is listed", "cd /usr; trap", /talaria-/, 0, "/usr"],
  ])("tells output, status and cwd of %s", async (_what, command, output, code, cwd) => {
    const result = await wrap().execute(command, {
      start: { path: asSandboxPath("/tmp"), ifMissing: "fail" },
    });
    expect(result.output).toMatch(output);
    expect(result).toMatchObject({
      outcome: { kind: "exited", code },
      exitCode: code,
      cwd,
      cwdObserved: true,
      notes: [],
    });
  });

  it.each([
    ["exec", "cd /usr; exec sh -c 'exit 5'", { kind: "exited", code: 5 }],
    ["a trap of its own", "cd /usr; trap 'exit 6' EXIT", { kind: "exited", code: 6 }],
    ["a signal", "cd /usr; kill -9 $(exec sh -c 'echo $PPID')", { kind: "signaled", signal: "SIGKILL" }],
  ])("does not lose the cwd before a command that ends by %s (2.8)", async (_what, command, outcome) => {
    const start = { path: folder, ifMissing: "fail" } as const;
    const result = await wrap().execute(command, { start });
    expect(result).toMatchObject({ outcome, cwd: folder, cwdObserved: false });
  });

  it("does not take what a command prints for where it is", async () => {
    const environment = wrap();
    const look = `printf 'talaria-0:0:/etc\\n.:talaria-0'; printf '%s\\n' "start:/etc" "0:/etc"; cd /usr`;
    const result = await environment.execute(look);
    expect(result.cwd).toBe("/usr");
    expect(result.output).toBe("talaria-0:0:/etc\n.:talaria-0start:/etc\n0:/etc\n");
  });

  it("enters directories with quotes, spaces and a line feed at the end", async () => {
    const environment = wrap();
    const odd = asSandboxPath(`${folder}/it's a dir`);
    const { cwd } = await environment.execute("mkdir 'x\n' && cd 'x\n'", {
      start: { path: odd, ifMissing: "fail" },
    });
    expect(cwd).toBe(`${odd}/x\n`);
    const again = await environment.execute("pwd", { start: { path: cwd, ifMissing: "fail" } });
    expect(again.output).toBe(`${odd}/x\n\n`);
  });

  it("joins a relative directory in the sandbox, physically (2.7)", async () => {
    await symlink(join(folder, "it's a dir", "below"), join(folder, "link"));
    const start = { path: asSandboxPath(`${folder}/link`), relative: "..", ifMissing: "fail" } as const;
    expect((await wrap().execute("pwd", { start })).cwd).toBe(`${folder}/it's a dir`);
  });

  it("fails a call whose directory is missing, and runs nothing of it", async () => {
    const environment = wrap();
    const start = { path: asSandboxPath(`${folder}/missing`), ifMissing: "fail" } as const;
    await expect(environment.execute(`touch ${folder}/ran`, { start })).rejects.toThrow(WorkdirError);
    const below = { path: folder, relative: "missing", ifMissing: "fail" } as const;
    await expect(environment.execute(`touch ${folder}/ran`, { start: below })).rejects.toThrow(/missing/);
    expect((await environment.execute(`ls ${folder}`)).output).not.toContain("ran");
  });

  it.each([
    ["nearest", "/gone/deep/er", (): string => folder],
    ["home", "/gone", homedir],
  ] as const)(
    "starts in the %s where that is what a missing directory means, with a note",
    async (ifMissing, path, where) => {
      const start = { path: asSandboxPath(folder + path), ifMissing };
      const result = await wrap().execute("pwd", { start });
      expect(result.cwd).toBe(await realpath(where()));
      expect(result.notes.join()).toContain(path);
      expect(result.output).toBe(`${result.cwd}\n`);
    },
  );

  it("sets variables for one call only, exactly (3.7)", async () => {
    const environment = wrap();
    const env = { ODD: `it's "$HOME" \`id\`\n\\` };
    const { output } = await environment.execute('printf "%s" "$ODD"; printf "%s" "$PAGER"', { env });
    expect(output).toBe(`${env.ODD}cat`);
    expect((await environment.execute('echo "${ODD-unset}"')).output).toBe("unset\n");
  });

  it("knows its home", async () => {
    expect(await wrap().home()).toBe(await realpath(homedir()));
  });
});

describe("an answer of the smallest environment", () => {
  it.each([
    ["exit_code", { output: "", exit_code: 0 }, /"exit_code" where "exitCode"/],
    ["returncode", { output: "", returncode: 0 }, /"returncode" where "exitCode"/],
    ["stdout", { stdout: "", exitCode: 0 }, /"stdout" where "output"/],
    ["no exitCode", { output: "" }, /"exitCode" is missing/],
    ["no output", { exitCode: 0 }, /"output" is missing/],
    ["null as exitCode", { output: "", exitCode: null }, /"exitCode" is null/],
    ["NaN", { output: "", exitCode: Number.NaN }, /"exitCode" is NaN/],
    ["a negative exitCode", { output: "", exitCode: -9 }, /"exitCode" is -9/],
    ["a too large exitCode", { output: "", exitCode: 256 }, /"exitCode" is 256/],
    ["a fraction", { output: "", exitCode: 0.5 }, /"exitCode" is 0\.5/],
    ["a text as exitCode", { output: "", exitCode: "0" }, /"exitCode" is a text/],
    ["bytes as output", { output: new Uint8Array(), exitCode: 0 }, /"output" is a value of type object/],
    ["nothing", undefined, /returned undefined/],
    ["null", null, /returned null/],
    ["a text", "ok", /returned a text/],
    ["a list", ["", 0], /returned a list/],
  ])("with %s breaks the contract, never is a success (3.13)", async (_what, answer, message) => {
    const running = answering(answer).execute("true");
    await expect(running).rejects.toThrow(ContractError);
    await expect(running).rejects.toThrow(message);
  });

  it("may have further members, and be without any trace of the cwd", async () => {
    const start = { path: folder, ifMissing: "fail" } as const;
    const result = await answering({ output: "hi", exitCode: 3, took: 1 }).execute("true", { start });
    expect(result).toMatchObject({ output: "hi", exitCode: 3, cwd: folder, cwdObserved: false });
  });

  it("that never comes is an outage, and not an exit code (3.8)", async () => {
    const inner = { execute: () => Promise.reject(new Error("socket closed")), cleanup: () => undefined };
    const running = new WrappedEnvironment(inner, { backend: "acmebox" }).execute("true");
    await expect(running).rejects.toThrow(EnvironmentConnectionError);
    await expect(running).rejects.toThrow(/socket closed/);
  });
});

describe("the time of a command in the smallest environment", () => {
  it("is kept by us as well, with the partial output and a kill nobody saw", async () => {
    const environment = new WrappedEnvironment(shell("bash"), { backend: "acmebox" });
    const result = await environment.execute("cd /usr; echo early; exec sleep 30", { timeoutMs: 300 });
    expect(result).toMatchObject({
      outcome: { kind: "timedOut", timeoutMs: 300, killed: "unverified", survivors: [] },
      exitCode: 124,
      output: "early\n",
      cwdObserved: false,
    });
  });

  it("ends the call of an environment that does not obey", async () => {
    const environment = new WrappedEnvironment(shell("bash", { obeys: false }), { backend: "acmebox" });
    const controller = new AbortController();
    const running = environment.execute("sleep 1", {
      signal: controller.signal,
      killGraceMs: 20,
    });
    setImmediate(() => controller.abort());
    expect((await running).outcome).toMatchObject({ kind: "cancelled", killed: "unverified" });
  });

  it("that the environment keeps itself and answers with 124 is a timeout too", async () => {
    // Blocks the event loop, so that its answer is there before our timer can fire.
    const inner: MinimalEnvironment = {
      execute: async (_command, { timeoutMs }) => {
        const end = performance.now() + timeoutMs;
        while (performance.now() < end);
        return { output: "", exitCode: 124 };
      },
      cleanup: () => undefined,
    };
    const result = await new WrappedEnvironment(inner, { backend: "acmebox" }).execute("x", {
      timeoutMs: 30,
    });
    expect(result.outcome.kind).toBe("timedOut");
  });

  it("has no grace once the caller wants it to be over", async () => {
    const inner = { execute: () => new Promise(() => undefined), cleanup: () => undefined };
    const [cancel, force] = [new AbortController(), new AbortController()];
    const running = new WrappedEnvironment(inner, { backend: "acmebox" }).execute("x", {
      signal: cancel.signal,
      forceSignal: force.signal,
      killGraceMs: 60_000,
    });
    setImmediate(() => {
      cancel.abort();
      force.abort();
    });
    expect((await running).outcome.kind).toBe("cancelled");
  });

  it("does not make an early 124 a timeout: a program may end like that (3.2)", async () => {
    const result = await answering({ output: "", exitCode: 124 }).execute("x");
    expect(result.outcome).toEqual({ kind: "exited", code: 124 });
  });

  it("does not begin for a call that is cancelled while it waits for its turn", async () => {
    const seen: string[] = [];
    const inner: MinimalEnvironment = {
      execute: (command) => new Promise(() => seen.push(command)),
      cleanup: () => undefined,
    };
    const environment = new WrappedEnvironment(inner, { backend: "acmebox" });
    const first = environment.execute("first", { timeoutMs: 200, killGraceMs: 0 });
    const controller = new AbortController();
    const second = environment.execute("second", { signal: controller.signal });
    controller.abort();
    expect((await second).outcome).toMatchObject({ kind: "notStarted", reason: "cancelled" });
    await first;
    expect(seen).toHaveLength(1);
  });
});

describe("what the smallest environment cannot do", () => {
  it.each([
    ["stdin", { stdin: "x" }],
    ["separateStreams", { separate: true }],
    ["user", { user: "nobody" }],
  ])("is refused by the name of the capability %s", async (capability, options) => {
    const running = answering({ output: "", exitCode: 0 }).execute("true", options);
    await expect(running).rejects.toThrow(UnsupportedCapabilityError);
    await expect(running).rejects.toMatchObject({ capability });
  });

  it("is not among its capabilities", async () => {
    expect(await answering({}).capabilities()).toEqual([]);
  });

  it("is cut out of the kept output, and the whole spills to a file", async () => {
    const output = `${"a".repeat(600)}${"z".repeat(600)}`;
    const inner = { execute: async () => ({ output, exitCode: 0 }), cleanup: () => undefined };
    const environment = new WrappedEnvironment(inner, {
      backend: "acmebox",
      spillDirectory: join(folder, "spill"),
    });
    const result = await environment.execute("x", { maxOutputBytes: 100 });
    expect(result.truncated).toMatchObject({ totalBytes: 1200, droppedBytes: 1100, spill: { bytes: 1200 } });
    expect(result.output).toMatch(/^a{40}\n.*\nz{60}$/);
    const unspilled = await environment.execute("x", { maxOutputBytes: 100, spill: false });
    expect(unspilled.truncated).toEqual({ totalBytes: 1200, droppedBytes: 1100 });
  });
});

describe("a session on the smallest environment", () => {
  it("remembers the cwd, and not what is exported", async () => {
    const session = await openSession({ backend: shell("sh"), cwd: folder });
    await session.execute("cd /usr; export A=1; exit 3");
    const { output } = await session.execute('pwd; echo "${A-unset}"');
    expect(output).toBe("/usr\nunset\n");
    await session.close();
  });

  it("gives its variables to every command", async () => {
    const session = await openSession({ backend: shell("sh"), env: { A: "1" } });
    await session.execute("A=2");
    expect((await session.execute("echo $A")).output).toBe("1\n");
  });

  it("cannot hold a process, and says so", async () => {
    const session = await openSession({ backend: shell("sh") });
    await expect(session.spawn(["cat"])).rejects.toMatchObject({ capability: "spawn" });
  });
});

describe("cleaning up", () => {
  it("calls the environment's own once, and ends it", async () => {
    let calls = 0;
    const inner = { execute: async () => ({ output: "", exitCode: 0 }), cleanup: () => (calls += 1) };
    const environment = new WrappedEnvironment(inner, { backend: "acmebox" });
    await Promise.all([environment.cleanup(), environment.cleanup()]);
    expect(calls).toBe(1);
    await expect(environment.execute("true")).rejects.toThrow(ClosedError);
  });
});

describe("isMinimalEnvironment", () => {
  it("tells the smallest kind from a full one", () => {
    const inner = shell("sh");
    expect(isMinimalEnvironment(inner)).toBe(true);
    expect(isMinimalEnvironment(new WrappedEnvironment(inner, { backend: "acmebox" }))).toBe(false);
  });
});
