import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { readAudit } from "../../src/audit/read-audit.js";
import { CommandDeniedError } from "../../src/errors/errors.js";
import type { ApprovalRequest } from "../../src/policy/approval-options.js";
import { openSession } from "../../src/session/open-session.js";
import type { OpenSessionOptions } from "../../src/session/session-options.js";
import type { TerminalSession } from "../../src/session/terminal-session.js";
import { FakeEnvironment } from "./fake-environment.js";
import { FakeProvider } from "./fake-provider.js";

const dangerous = "git push --force origin main";
let talariaHome: string;
let environment: FakeEnvironment;

beforeEach(async () => {
  talariaHome = await mkdtemp(join(tmpdir(), "talaria-oversight-"));
  environment = new FakeEnvironment();
});

afterEach(() => rm(talariaHome, { recursive: true, force: true }));

function open(options: OpenSessionOptions = {}): Promise<TerminalSession> {
  return openSession({
    backend: new FakeProvider({ environment, isContainer: false }),
    talariaHome,
    ...options,
  });
}

async function audited(kind: "command" | "approval"): Promise<Record<string, unknown>[]> {
  const entries: Record<string, unknown>[] = [];
  for await (const entry of readAudit({ talariaHome, kind })) entries.push({ ...entry });
  return entries;
}

function commands(): readonly string[] {
  return environment.executed.map(({ command }) => command);
}

describe("a dangerous command", () => {
  it("is not started without anybody to ask, which the result says, and the next command runs", async () => {
    const session = await open();
    const result = await session.execute(dangerous);
    expect(result.outcome).toMatchObject({ kind: "notStarted", reason: "denied" });
    expect(result.exitCode).toBeNull();
    expect(result.outcome).toHaveProperty("detail", expect.stringContaining("approvals.allow"));
    expect(() => result.orThrow()).toThrow(/denied/);
    await session.execute("true");
    expect(commands()).toEqual(["true"]);
  });

  it("runs when the one who is asked says so, and its result says who let it", async () => {
    const asked: ApprovalRequest[] = [];
    const session = await open({
      approve: (request) => {
        asked.push(request);
        return "once";
      },
    });
    const result = await session.execute(dangerous);
    expect(result.outcome.kind).toBe("exited");
    expect(result.notes).toEqual([expect.stringContaining("Approved (once)")]);
    expect(asked).toMatchObject([{ command: dangerous, backend: "fake" }]);
    expect(commands()).toEqual([dangerous]);
  });

  it("is cancelled, and not denied, when its caller gives up while it waits for an answer", async () => {
    const controller = new AbortController();
    const session = await open({
      approve: () => {
        controller.abort();
        return new Promise<never>(() => undefined);
      },
    });
    const result = await session.execute(dangerous, { signal: controller.signal });
    expect(result.outcome).toMatchObject({ kind: "notStarted", reason: "cancelled" });
  });

  it("is refused as a program too, by an error", async () => {
    const session = await open();
    const refusal = session.spawn(["git", "push", "--force", "origin", "main"]);
    await expect(refusal).rejects.toBeInstanceOf(CommandDeniedError);
  });

  it("of the hardline floor is refused in every mode, and nobody is asked", async () => {
    const asked: string[] = [];
    const session = await open({
      approvals: { mode: "off" },
      approve: ({ command }) => {
        asked.push(command);
        return "always";
      },
    });
    const { outcome } = await session.execute("sudo sh -c 'rm -rf /'");
    expect(outcome).toMatchObject({ kind: "notStarted", reason: "denied" });
    expect(asked).toEqual([]);
    expect(commands()).toEqual([]);
  });
});

describe("the audit of a session", () => {
  it("has each command with its outcome, the refused ones with their rule, and who approved what", async () => {
    const session = await open({ approve: ({ command }) => (command === dangerous ? "once" : "deny") });
    await session.execute("echo hello");
    await session.execute(dangerous);
    await session.execute("crontab -r");
    await session.close();
    expect(await audited("command")).toMatchObject([
      { operation: "execute", command: "echo hello", outcome: "exited", exit_code: 0 },
      { command: dangerous, outcome: "exited" },
      { command: "crontab -r", outcome: "denied", exit_code: null },
    ]);
    expect((await audited("command"))[2]?.["rule"]).toBe("scheduled_commands");
    expect(await audited("approval")).toMatchObject([
      { operation: "approved", command: dangerous, scope: "once" },
      { operation: "denied", command: "crontab -r" },
    ]);
  });

  it("is not kept when the caller says so", async () => {
    const session = await open({ audit: false });
    await session.execute("true");
    await session.close();
    expect(await audited("command")).toEqual([]);
  });

  it("does not show a secret that was given, neither in a command nor in an error", async () => {
    const secret = "correct-horse-battery-staple";
    const session = await open({ secrets: { STORE_TOKEN: secret } });
    await session.execute(`echo ${secret}`);
    const { outcome } = await session.execute(`crontab -r; echo ${secret}`);
    expect(JSON.stringify(outcome)).not.toContain(secret);
    await session.close();
    const entries = await audited("command");
    expect(entries[0]?.["command"]).toBe("echo [redacted:STORE_TOKEN]");
    expect(JSON.stringify(entries)).not.toContain(secret);
  });
});
