import { beforeEach, describe, expect, it, vi } from "vitest";
import {
  ClosedError,
  ContractError,
  InvalidArgumentError,
  UnsupportedCapabilityError,
  WorkdirError,
} from "../../src/errors/errors.js";
import { CommandFailedError } from "../../src/session/command-failed-error.js";
import { openSession } from "../../src/session/open-session.js";
import type { OpenSessionOptions } from "../../src/session/session-options.js";
import type { TerminalSession } from "../../src/session/terminal-session.js";
import { asHostPath, asSandboxPath } from "../../src/workdir/paths.js";
import { Deferred } from "./deferred.js";
import { FakeEnvironment } from "./fake-environment.js";
import { FakeProvider, type FakeProviderOptions } from "./fake-provider.js";

let environment: FakeEnvironment;

beforeEach(() => {
  environment = new FakeEnvironment();
});

function open(options: Partial<FakeProviderOptions & OpenSessionOptions> = {}): Promise<TerminalSession> {
  const { isContainer, isRemote, defaultCwd, ...rest } = options;
  const flags = { isContainer, isRemote, defaultCwd };
  const set = Object.fromEntries(Object.entries(flags).filter(([, value]) => value !== undefined));
  return openSession({ backend: new FakeProvider({ environment, ...set }), ...rest });
}

/** A command reaches its environment only after the policy has judged it. */
function submitted(command: string): Promise<void> {
  return vi.waitFor(() => expect(environment.executed.at(-1)?.command).toBe(command));
}

function lastStart(): unknown {
  return environment.executed.at(-1)?.options.start;
}

describe("where a session stands", () => {
  it("is unknown until a command told, and the backend's own default then", async () => {
    const session = await open();
    expect(session.cwd).toBeNull();
    await session.execute("true");
    expect(session.cwd).toBe("/root");
    expect(environment.executed[0]?.cwd).toBe("/root");
  });

  it("follows a cd, and the next command starts there (2.4)", async () => {
    environment.commands.set("cd /srv", { cd: "/srv" });
    const session = await open();
    await session.execute("cd /srv");
    expect(session.cwd).toBe("/srv");
    await session.execute("true");
    expect(lastStart()).toEqual({ path: "/srv", ifMissing: "nearest" });
  });

  it("keeps a cd into a directory that looks like the host's, because it was observed (2.4)", async () => {
    environment.directories.add("/home/me");
    environment.commands.set("cd /home/me", { cd: "/home/me" });
    const session = await open({ isContainer: true });
    await session.execute("cd /home/me");
    const { notes } = await session.execute("true");
    expect(environment.executed.at(-1)?.cwd).toBe("/home/me");
    expect(notes).toEqual([]);
  });

  it("is not lost when a command ends by a signal (2.8)", async () => {
    const killed = { kind: "signaled", signal: "SIGKILL", signalNumber: 9 } as const;
    environment.commands.set("cd /srv", { cd: "/srv" });
    environment.commands.set("kill -9 $$", { outcome: killed, cwdObserved: false });
    const session = await open();
    await session.execute("cd /srv");
    const result = await session.execute("kill -9 $$");
    expect(result).toMatchObject({ cwd: "/srv", cwdObserved: false });
    expect(session.cwd).toBe("/srv");
  });

  it("moves to the nearest ancestor when the directory was deleted, says so once, and runs (2.9)", async () => {
    environment.commands.set("cd /srv/app", { cd: "/srv/app" });
    const session = await open();
    await session.execute("cd /srv/app");
    environment.directories.delete("/srv/app");
    const first = await session.execute("true");
    expect(first.notes).toEqual(["/srv/app is gone, started in /srv"]);
    const second = await session.execute("true");
    expect(second.notes).toEqual([]);
    expect(session.cwd).toBe("/srv");
  });

  it("is the directory of the command that ended last when several ran at once (3.10)", async () => {
    const early = new Deferred();
    const late = new Deferred();
    environment.commands.set("first", { cd: "/srv", until: late.promise });
    environment.commands.set("second", { cd: "/tmp", until: early.promise });
    environment.commands.set("stays", { until: late.promise });
    const session = await open();
    await session.execute("true");
    const running = [session.execute("first"), session.execute("second"), session.execute("stays")];
    early.resolve();
    await running[1];
    expect(session.cwd).toBe("/tmp");
    late.resolve();
    await Promise.all(running);
    // "stays" ended last, but changed nothing and so writes nothing back.
    expect(session.cwd).toBe("/srv");
  });
});

describe("an explicit workdir", () => {
  it("is used once and never recorded (2.1)", async () => {
    const session = await open();
    await session.execute("true");
    const result = await session.execute("true", { workdir: "/srv" });
    expect(environment.executed.at(-1)?.cwd).toBe("/srv");
    expect(session.cwd).toBe("/root");
    expect(result.cwd).toBe("/root");
  });

  it("is not recorded when it is a link either", async () => {
    environment.links.set("/link", "/srv/app");
    const session = await open();
    await session.execute("true");
    await session.execute("true", { workdir: "/link" });
    expect(session.cwd).toBe("/root");
  });

  it("does not keep a cd of the command from being recorded (3.10)", async () => {
    environment.commands.set("cd /tmp", { cd: "/tmp" });
    const session = await open();
    await session.execute("cd /tmp", { workdir: "/srv" });
    expect(session.cwd).toBe("/tmp");
  });

  it("that does not exist fails the call and not the session (2.9)", async () => {
    const session = await open();
    await expect(session.execute("true", { workdir: "/nowhere" })).rejects.toThrow(WorkdirError);
    expect((await session.execute("true")).exitCode).toBe(0);
  });

  it("is relative to where the session stands (2.1)", async () => {
    environment.commands.set("cd /srv", { cd: "/srv" });
    const session = await open();
    await session.execute("cd /srv");
    await session.execute("true", { workdir: "app" });
    expect(environment.executed.at(-1)?.cwd).toBe("/srv/app");
  });

  it("is translated through a mount of the environment (2.1)", async () => {
    const mounts = [{ hostPath: asHostPath("/data/p"), sandboxPath: asSandboxPath("/srv") }];
    environment = new FakeEnvironment({ mounts });
    const session = await open();
    await session.execute("true", { workdir: "/data/p/app" });
    expect(environment.executed.at(-1)?.cwd).toBe("/srv/app");
  });
});

describe("the home (2.6)", () => {
  it("is asked once for ~ and used by its absolute name from then on", async () => {
    environment.homePath = "/srv";
    const provider = new FakeProvider({ environment, defaultCwd: () => "~" });
    const session = await openSession({ backend: provider });
    expect(provider.created[0]?.cwd).toBe("~");
    await session.execute("true");
    expect(environment.executed.at(-1)?.options.start).toEqual({ path: "/srv", ifMissing: "nearest" });
    await session.execute("true", { workdir: "~" });
    expect(environment.homeAsked).toBe(1);
  });

  it("that cannot be told means the environment's default, with one warning", async () => {
    environment.homePath = undefined;
    const warnings: string[] = [];
    const session = await open({ defaultCwd: () => "~", onWarning: (text) => warnings.push(text) });
    const { notes } = await session.execute("true");
    expect(lastStart()).toEqual({ path: null, ifMissing: "nearest" });
    expect(notes).toEqual([expect.stringContaining("could not be found out")]);
    expect(warnings).toEqual(notes);
  });

  it("legalizes a configured directory below either of its names (2.3)", async () => {
    environment.homePath = "/home/agent";
    environment.links.set("/home/agent", "/home/.vol/7");
    environment.directories.add("/home/.vol/7").add("/home/.vol/7/w");
    const session = await open({ cwd: "/home/.vol/7/w" });
    const { notes } = await session.execute("true");
    expect(environment.executed.at(-1)?.cwd).toBe("/home/.vol/7/w");
    expect(notes).toEqual([]);
  });

  it("is unsupported, and said so, where the environment does not tell", async () => {
    environment.homePath = undefined;
    const session = await open();
    await expect(session.home()).rejects.toThrow(UnsupportedCapabilityError);
  });
});

describe("a configured directory", () => {
  it("that looks like the host's is skipped in a container, with a note and one warning (2.1)", async () => {
    const warnings: string[] = [];
    const session = await open({ cwd: "/Users/me/p", onWarning: (text) => warnings.push(text) });
    const { notes } = await session.execute("true");
    expect(notes[0]).toContain('cwd "/Users/me/p"');
    expect(environment.executed.at(-1)?.cwd).toBe("/root");
    expect(warnings).toHaveLength(1);
  });

  it("that is missing is an error that names where it was set (2.1)", async () => {
    const session = await open({ cwd: "/missing" });
    await expect(session.execute("true")).rejects.toThrow(/cwd "\/missing" \(from openSession\)/);
  });

  it("is what the environment is made with; a default of ours is not (§1)", async () => {
    const provider = new FakeProvider({ environment });
    await openSession({ backend: provider, cwd: "/srv" });
    await openSession({ backend: provider });
    expect(provider.created.map(({ cwd }) => cwd)).toEqual(["/srv", undefined]);
  });

  it("gives way to a changed defaultCwd only while nothing is recorded (2.5)", async () => {
    let declared = "/srv";
    const session = await open({ defaultCwd: () => declared });
    await session.execute("true");
    declared = "/tmp";
    await session.execute("true");
    expect(environment.executed.map(({ cwd }) => cwd)).toEqual(["/srv", "/srv"]);
  });
});

describe("a sandbox that had to be made anew (2.10)", () => {
  it("starts the order anew, and the note names the old directory", async () => {
    environment.commands.set("cd /srv", { cd: "/srv" });
    environment.commands.set("again", { recreates: true });
    const session = await open();
    await session.execute("cd /srv");
    const result = await session.execute("again");
    expect(result).toMatchObject({ recreated: true, generation: 2, cwd: "/root" });
    expect(result.notes.join()).toContain("/srv");
    expect(session.cwd).toBe("/root");
  });

  it("is noticed before the next command when it happened in between", async () => {
    environment.commands.set("cd /srv", { cd: "/srv" });
    const session = await open();
    await session.execute("cd /srv");
    environment.generation = 2;
    const result = await session.execute("true");
    expect(environment.executed.at(-1)?.cwd).toBe("/root");
    expect(result.notes.join()).toContain("/srv");
  });

  it("does not let a command of the old sandbox say where the new one stands", async () => {
    const end = new Deferred();
    environment.commands.set("old", { cd: "/srv", until: end.promise });
    environment.commands.set("again", { recreates: true });
    const session = await open();
    const old = session.execute("old");
    await session.execute("again");
    end.resolve();
    await old;
    expect(session.cwd).toBe("/root");
  });

  it("begins with the session's own variables again", async () => {
    environment.commands.set("again", { recreates: true });
    const session = await open({ env: { A: "1" } });
    await session.execute("again");
    await session.execute("true");
    expect(environment.states.get(session.id)?.env).toEqual({ A: "1" });
  });
});

describe("variables of a session", () => {
  it("are the shell's from its first command on, one byte per character", async () => {
    const session = await open({ env: { NAME: "é" } });
    await session.execute("true");
    expect(environment.states.get(session.id)?.env).toEqual({ NAME: Buffer.from("é").toString("latin1") });
  });

  it("apply to a spawned program with the session's exports and directory", async () => {
    environment.commands.set("setup", { cd: "/srv", env: { B: "2", GONE: null, PWD: "/srv" } });
    const session = await open({ env: { A: "1" } });
    await session.execute("setup");
    await expect(session.spawn(["top"], { env: { C: "3" } })).rejects.toThrow("starts nothing");
    expect(environment.spawned).toEqual([
      { argv: ["top"], options: { cwd: "/srv", env: { A: "1", B: "2", GONE: undefined, C: "3" } } },
    ]);
  });

  it("go with every call to an environment that remembers none", async () => {
    const forgetful = Object.assign(environment, {
      importShellState: undefined,
      exportShellState: undefined,
    });
    const session = await openSession({ backend: forgetful, env: { A: "1", B: "2" } });
    await session.execute("true", { env: { B: "3" } });
    expect(environment.executed.at(-1)?.options.env).toEqual({ A: "1", B: "3" });
  });
});

describe("a call that makes no sense is refused before anything runs", () => {
  it.each<[what: string, command: unknown, options: object]>([
    ["an empty command", "", {}],
    ["a blank command", " \n", {}],
    ["a command with a NUL", "echo \0", {}],
    ["a command that is no text", ["ls"], {}],
    ["a timeout of 0", "true", { timeoutMs: 0 }],
    ["a negative timeout", "true", { timeoutMs: -1 }],
    ["a timeout that is no number", "true", { timeoutMs: Number.NaN }],
    ["an infinite timeout", "true", { timeoutMs: Infinity }],
    ["a timeout as a text", "true", { timeoutMs: "100" }],
    ["a variable's name with =", "true", { env: { "A=B": "1" } }],
    ["a variable without a name", "true", { env: { "": "1" } }],
    ["a variable's value with a NUL", "true", { env: { A: "\0" } }],
    ["a variable's value that is no text", "true", { env: { A: 1 } }],
    ["options that are null", "true", null as unknown as object],
    ["a signal that is none", "true", { signal: {} }],
    ["a callback that is no function", "true", { onOutput: 5 }],
    ["a stdin that is a number", "true", { stdin: 5 }],
    ["a workdir that is no text", "true", { workdir: 1 }],
    ["an empty workdir", "true", { workdir: "" }],
    ["a workdir with a NUL", "true", { workdir: "/a\0b" }],
  ])("%s", async (_what, command, options) => {
    const session = await open();
    await expect(session.execute(command as string, options)).rejects.toThrow(InvalidArgumentError);
    expect(environment.executed).toEqual([]);
  });

  it("a timeout above the limit, with the limit's key and the way without one, a job (3.3)", async () => {
    const session = await open();
    const refused = session.execute("true", { timeoutMs: 600_001 });
    await expect(refused).rejects.toThrow(/terminal\.max_foreground_seconds/);
    await expect(refused).rejects.toMatchObject({
      hint: expect.stringMatching(/session\.jobs\.start.*talaria jobs start/) as string,
    });
    expect((await session.execute("true", { timeoutMs: 600_000 })).exitCode).toBe(0);
  });

  it("never shows a variable's value", async () => {
    const session = await open();
    const refused = session.execute("true", { env: { TOKEN: "hunter2\0" } });
    await expect(refused).rejects.not.toThrow(/hunter2/);
  });
});

describe("an environment that answers wrongly breaks the contract, and never is a success", () => {
  it.each<[what: string, change: object, message: RegExp]>([
    ["without an outcome", { outcome: undefined, exitCode: 0 }, /"outcome\.kind" is undefined/],
    ["with an outcome nobody knows", { outcome: { kind: "done" } }, /"outcome\.kind" is "done"/],
    ["without an exitCode", { exitCode: undefined }, /"exitCode"/],
    ["with an exitCode that its outcome does not mean", { exitCode: 1 }, /"exitCode" is 1/],
    ["without output", { output: undefined }, /"output"/],
    ["without bytes", { outputBytes: "" }, /"outputBytes"/],
    ["with a relative cwd", { cwd: "src" }, /"cwd"/],
    ["without a generation", { generation: undefined }, /"generation"/],
    ["without notes", { notes: undefined }, /"notes"/],
  ])("%s", async (_what, change, message) => {
    const execute = environment.execute.bind(environment);
    environment.execute = async (command, options) => ({ ...(await execute(command, options)), ...change });
    const session = await open();
    const running = session.execute("true");
    await expect(running).rejects.toThrow(ContractError);
    await expect(running).rejects.toThrow(message);
    expect(session.cwd).toBeNull();
  });
});

describe("orThrow (3.4)", () => {
  it("returns a success", async () => {
    const session = await open();
    const result = await session.execute("true");
    expect(result.orThrow()).toBe(result);
  });

  it("throws what ended otherwise, with the outcome, the output's end and the result", async () => {
    const output = `${"x".repeat(5000)}the end\n`;
    environment.commands.set("false", { outcome: { kind: "exited", code: 3 }, output });
    const session = await open();
    const result = await session.execute("false");
    const error = await Promise.resolve()
      .then(() => result.orThrow())
      .catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(CommandFailedError);
    expect(error).toMatchObject({
      code: "command_failed",
      result,
      message: expect.stringMatching(/status 3\..*ends with:\nx+the end\n$/) as string,
    });
    expect((error as Error).message.length).toBeLessThan(4200);
  });

  it("carries the partial output of a timeout and what its kill came to", async () => {
    const survivors = [{ pid: 7, command: "sleep 9" }];
    const outcome = { kind: "timedOut", timeoutMs: 50, killed: "group", survivors } as const;
    environment.commands.set("slow", { outcome, output: "so far" });
    const session = await open();
    const result = await session.execute("slow");
    expect(() => result.orThrow()).toThrow(/within 50 ms .*7 sleep 9.*so far/s);
  });

  it("is not part of the result's data", async () => {
    const session = await open();
    const result = await session.execute("true");
    expect(Object.keys(result)).not.toContain("orThrow");
    expect(JSON.parse(JSON.stringify(result))).not.toHaveProperty("orThrow");
  });
});

describe("closing", () => {
  it("cancels what runs, frees the environment once, and refuses more", async () => {
    environment.commands.set("long", { until: new Promise(() => undefined) });
    const session = await open();
    const running = session.execute("long");
    await submitted("long");
    await Promise.all([session.close(), session[Symbol.asyncDispose]()]);
    expect((await running).outcome.kind).toBe("cancelled");
    expect(environment.cleanups).toBe(1);
    await expect(session.execute("true")).rejects.toThrow(ClosedError);
    await expect(session.spawn(["true"])).rejects.toThrow(ClosedError);
  });

  it("leaves an environment that was handed in to its owner", async () => {
    const session = await openSession({ backend: environment });
    await session.execute("true");
    await session.close();
    expect(environment.cleanups).toBe(0);
  });

  it("keeps sessions that share an environment apart by their shell", async () => {
    const sessions = [
      await openSession({ backend: environment }),
      await openSession({ backend: environment }),
    ];
    for (const session of sessions) await session.execute("true");
    const ids = environment.executed.map(({ options }) => options.shellId);
    expect(ids).toEqual(sessions.map(({ id }) => id));
    expect(new Set(ids).size).toBe(2);
  });
});

describe("cancelling", () => {
  it("passes the caller's signal on and lets go of it afterwards", async () => {
    environment.commands.set("long", { until: new Promise(() => undefined) });
    const session = await open();
    const controller = new AbortController();
    const running = session.execute("long", { signal: controller.signal });
    await submitted("long");
    controller.abort();
    expect((await running).outcome.kind).toBe("cancelled");
    expect((await session.execute("true")).outcome.kind).toBe("exited");
  });

  it("before the start is the environment's to answer, with the signal aborted already", async () => {
    const session = await open();
    await session.execute("true", { signal: AbortSignal.abort() });
    expect(environment.executed.at(-1)?.options.signal?.aborted).toBe(true);
  });
});

describe("openSession", () => {
  it("frees the environment when it is aborted while that is being made", async () => {
    const controller = new AbortController();
    const provider = new FakeProvider({ environment });
    const create = provider.createEnvironment.bind(provider);
    provider.createEnvironment = async (options) => {
      controller.abort();
      return create(options);
    };
    await expect(openSession({ backend: provider, signal: controller.signal })).rejects.toThrow("aborted");
    expect(environment.cleanups).toBe(1);
  });

  it.each([
    ["a session name with a slash", { session: "a/b" }],
    ["a session name of two dots", { session: ".." }],
    ["a session name that is too long", { session: "x".repeat(65) }],
    ["a variable no shell can have", { env: { "A.B": "1" } }],
    ["an empty cwd", { cwd: "" }],
  ])("refuses %s before anything is made", async (_what, options) => {
    const provider = new FakeProvider({ environment });
    await expect(openSession({ backend: provider, ...options })).rejects.toThrow(InvalidArgumentError);
    expect(provider.created).toEqual([]);
  });

  it("refuses an environment without cleanup, naming the member", async () => {
    const half = { execute: async () => ({ output: "", exitCode: 0 }) } as never;
    await expect(openSession({ backend: half })).rejects.toThrow(/"cleanup"/);
  });
});
