import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { asSandboxPath, type CommandResult, type EnvironmentExecuteOptions } from "@talaria/core";
import { describe, expect, it } from "vitest";
import { runConformance, type ConformanceReport } from "../src/index.js";
import { SpawningEnvironment } from "./spawning-environment.js";

type Execute = (command: string, options: EnvironmentExecuteOptions) => Promise<CommandResult>;

/** An environment that stands between the suite and an honest one. */
class FaultyEnvironment extends SpawningEnvironment {
  readonly #fault: (execute: Execute) => Execute;

  constructor(fault: (execute: Execute) => Execute) {
    super();
    this.#fault = fault;
  }

  override execute(command: string, options: EnvironmentExecuteOptions = {}): Promise<CommandResult> {
    return this.#fault((text, given) => super.execute(text, given))(command, options);
  }
}

function check(id: string, environment: () => SpawningEnvironment): Promise<ConformanceReport> {
  return runConformance({ backend: environment, ids: [id], sandboxIsHost: true });
}

/** A fault in what comes back. */
const answering =
  (change: (result: CommandResult) => Partial<CommandResult>) =>
  (execute: Execute): Execute =>
  async (command, options) => {
    const result = await execute(command, options);
    return { ...result, ...change(result) };
  };

/** A fault in what goes in. */
const asking =
  (change: (options: EnvironmentExecuteOptions) => EnvironmentExecuteOptions) =>
  (execute: Execute): Execute =>
  (command, options) =>
    execute(command, { ...options, ...change(options) });

let shellIds = 0;

/** Faults of real products, and a case that must see each. */
const faults: Readonly<
  Record<string, { readonly seenBy: string; readonly fault: (execute: Execute) => Execute }>
> = {
  "calls a death by a signal an exit": {
    seenBy: "outcome.kill-self",
    fault: answering(({ exitCode }) => ({ outcome: { kind: "exited", code: exitCode ?? 0 } })),
  },
  "says nothing of what was left running": {
    seenBy: "completion.left-running",
    fault: answering(() => ({ background: undefined })),
  },
  "has times out of order": {
    seenBy: "completion.timing-order",
    fault: answering(({ timing }) => ({ timing: { ...timing, firstByteMs: timing.drainedMs + 1 } })),
  },
  "reports a timeout and lets the command run on": {
    seenBy: "kill.timeout",
    fault: (execute) => async (command, options) => {
      if (options.timeoutMs === undefined) return execute(command, options);
      const running = execute(command, { ...options, timeoutMs: undefined });
      running.catch(() => undefined);
      await new Promise((resolve) => setTimeout(resolve, options.timeoutMs));
      const outcome = {
        kind: "timedOut",
        timeoutMs: options.timeoutMs,
        killed: "all",
        survivors: [],
      } as const;
      return { ...(await execute(":", {})), outcome, exitCode: 124, output: "before\n" };
    },
  },
  "runs what was cancelled before it began": {
    seenBy: "kill.cancel-before-start",
    fault: asking(() => ({ signal: undefined })),
  },
  "does not say which limit it was": {
    seenBy: "kill.timeout-says-limit",
    fault: answering(({ outcome }) =>
      outcome.kind === "timedOut" ? { outcome: { ...outcome, timeoutMs: 0 } } : {},
    ),
  },
  "says that streams asked for apart are in order": {
    seenBy: "output.apart",
    fault: answering(() => ({ ordered: true })),
  },
  "miscounts what it dropped": {
    seenBy: "output.exactly-full",
    fault: answering(({ truncated }) =>
      truncated === undefined
        ? {}
        : { truncated: { ...truncated, droppedBytes: truncated.droppedBytes + 1 } },
    ),
  },
  "hands on only the start of what comes": {
    seenBy: "output.chunks-are-the-output",
    fault: asking(({ onOutput }) => {
      let isFirst = true;
      return {
        onOutput: (chunk) => {
          if (!isFirst) return undefined;
          isFirst = false;
          return onOutput?.(chunk);
        },
      };
    }),
  },
  "does not wait for a slow consumer": {
    seenBy: "output.back-pressure",
    fault: asking(({ onOutput }) => ({ onOutput: (chunk) => void onOutput?.(chunk) })),
  },
  "drops its input": {
    seenBy: "stdin.text",
    fault: asking(() => ({ stdin: undefined })),
  },
  "cuts its input at a mebibyte": {
    seenBy: "stdin.64-mebibytes",
    fault: asking(({ stdin }) => ({
      stdin: stdin instanceof Uint8Array ? stdin.subarray(0, 1_048_576) : stdin,
    })),
  },
  "ignores variables of a call": {
    seenBy: "quoting.env-value",
    fault: asking(() => ({ env: undefined })),
  },
  "trims variables of a call": {
    seenBy: "quoting.env-value",
    fault: asking(({ env }) => ({
      env: Object.fromEntries(Object.entries(env ?? {}).map(([name, value]) => [name, value.trim()])),
    })),
  },
  "forgets its state": {
    seenBy: "state.kept-exported",
    fault: asking(() => ({ shellId: `forgetful-${(shellIds += 1)}` })),
  },
  "shares its state among sessions": {
    seenBy: "lifecycle.sessions-apart",
    fault: asking(() => ({ shellId: "shared" })),
  },
  "forgets where it stands": {
    seenBy: "state.cd",
    fault: answering(() => ({ cwd: asSandboxPath("/") })),
  },
  "starts anywhere when a directory is missing": {
    seenBy: "state.workdir-missing",
    fault: asking(({ start }) => (start === undefined ? {} : { start: { ...start, ifMissing: "nearest" } })),
  },
  "says nothing of a directory that was gone": {
    seenBy: "state.removed",
    fault: answering(() => ({ notes: [] })),
  },
  "claims to have seen every directory": {
    seenBy: "state.after-exec",
    fault: answering(() => ({ cwdObserved: true })),
  },
};

describe("the suite against an environment derived from spawn", () => {
  const seers = [...new Set(Object.values(faults).map(({ seenBy }) => seenBy))];

  it("passes what an honest one holds", async () => {
    const ids = [...seers, "environment.no-host-secret"];
    const report = await runConformance({
      backend: () => new SpawningEnvironment(),
      ids,
      sandboxIsHost: true,
    });
    expect(report.cases.filter(({ status }) => status !== "passed")).toEqual([]);
    expect(report.summary.passed).toBe(ids.length);
  }, 120_000);

  for (const [what, { seenBy, fault }] of Object.entries(faults)) {
    it(`fails an environment that ${what}`, async () => {
      const { cases } = await check(seenBy, () => new FaultyEnvironment(fault));
      expect(cases.map(({ id, status }) => `${id} ${status}`)).toEqual([`${seenBy} failed`]);
    }, 120_000);
  }

  it("fails an environment that hands the host's variables on", async () => {
    const { cases } = await check("environment.no-host-secret", () => new SpawningEnvironment(true));
    expect(cases.map(({ status }) => status)).toEqual(["failed"]);
  });

  it("fails an environment that leaves a file behind", async () => {
    const left: string[] = [];
    class UntidyEnvironment extends SpawningEnvironment {
      override async cleanup(): ReturnType<SpawningEnvironment["cleanup"]> {
        const path = join(await this.tempDir(), `left-by-a-test-${left.length}`);
        left.push(path);
        await writeFile(path, "");
        return super.cleanup();
      }
    }
    const { cases } = await check("lifecycle.cleanup-leaves-no-file", () => new UntidyEnvironment());
    for (const path of left) await rm(path);
    expect(cases[0]?.message).toContain("files that nobody uses: expected [], got [");
  }, 60_000);

  it("stops between two cases when it is told to, and frees its environments", async () => {
    const stop = new AbortController();
    const told: string[] = [];
    let freed = 0;
    class CountedEnvironment extends SpawningEnvironment {
      protected override dispose(): ReturnType<SpawningEnvironment["cleanup"]> {
        freed += 1;
        return super.dispose();
      }
    }
    const run = runConformance({
      backend: () => new CountedEnvironment(),
      groups: ["outcome"],
      signal: stop.signal,
      onCase: ({ id }) => {
        told.push(id);
        stop.abort(new Error("enough"));
      },
    });
    await expect(run).rejects.toThrow("enough");
    expect([told.length, freed]).toEqual([1, 1]);
  });

  it("runs in lanes as it runs in a row, and cases that measure on their own", async () => {
    const ids = ["outcome.zero", "outcome.exec", "state.cd", "stdin.64-mebibytes"];
    const report = await runConformance({ backend: () => new SpawningEnvironment(), ids, concurrency: 3 });
    expect(report.cases.map(({ id, status }) => `${id} ${status}`)).toEqual(
      ["outcome.zero", "outcome.exec", "stdin.64-mebibytes", "state.cd"].map((id) => `${id} passed`),
    );
  }, 60_000);
});
