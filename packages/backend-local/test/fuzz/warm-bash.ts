import {
  type ExecuteResult,
  openSession,
  type TerminalEnvironment,
  type TerminalSession,
} from "@talaria/core";
import { local } from "../../src/index.js";
import type { FuzzFolder } from "./fuzz-folder.js";
import type { ScriptRun } from "./script-run.js";

/** Longer than any generated script runs that comes to an end in plain bash. */
const timeoutMs = 10_000;

/** Scripts with open quotes would be asked about, and here they are to be run. */
const unasked = { mode: "off" } as const;

/** One environment on this host, with a session that stands by and must never notice what the others run. */
export class WarmBash {
  readonly #environment: TerminalEnvironment;
  readonly #neighbour: TerminalSession;
  readonly #folder: FuzzFolder;
  #count = 0;

  private constructor(environment: TerminalEnvironment, neighbour: TerminalSession, folder: FuzzFolder) {
    this.#environment = environment;
    this.#neighbour = neighbour;
    this.#folder = folder;
  }

  static async open(folder: FuzzFolder): Promise<WarmBash> {
    const provider = local({ loginEnv: false, cwd: "/", env: { HOME: folder.home } });
    const environment = await provider.createEnvironment({
      taskId: "fuzz",
      cwd: undefined,
      timeoutMs,
      backendConfig: {},
    });
    const neighbour = await openSession({ backend: environment, cwd: "/usr", approvals: unasked });
    await neighbour.execute(
      "export KEPT='a b'; kept() { echo \"kept:$KEPT:$PWD:$(umask)\"; }; shopt -s nullglob; umask 027",
    );
    return new WarmBash(environment, neighbour, folder);
  }

  /** The variables a script starts with, so that plain bash can be given the same. */
  async variables(): Promise<Record<string, string>> {
    const session = await openSession({ backend: this.#environment, cwd: "/", approvals: unasked });
    const { output } = await session.execute("env -0");
    await session.close();
    const entries = output.split("\0").flatMap((entry) => {
      const at = entry.indexOf("=");
      return at < 0 ? [] : [[entry.slice(0, at), entry.slice(at + 1)] as const];
    });
    const own = new Set(["TALARIA_CHANNEL", "_", "PWD", "OLDPWD", "SHLVL"]);
    return Object.fromEntries(entries.filter(([name]) => !own.has(name)));
  }

  /**
   * Runs a script in a session of its own, then what a user would run next: in that session, where the cwd must be the
   * one reported, and in the neighbour. `hurt` says what did not work.
   */
  async run(script: string): Promise<{ readonly run: ScriptRun; readonly hurt: string | undefined }> {
    const id = (this.#count += 1);
    const session = await openSession({
      backend: this.#environment,
      cwd: this.#folder.cwd,
      env: { FUZZ_MARK: `mark ${id}` },
      approvals: unasked,
    });
    try {
      const result = await session.execute(script, { separate: true, maxOutputBytes: 4_000_000 });
      const { outcome } = result;
      const run: ScriptRun = {
        stdout: latin1(result.stdoutBytes),
        stderr: latin1(result.stderrBytes),
        end:
          outcome.kind === "exited"
            ? `exited ${outcome.code}`
            : outcome.kind === "signaled"
              ? `signaled ${outcome.signal}`
              : JSON.stringify(outcome),
      };
      const next = await session.execute(`echo "ok-${id} $FUZZ_MARK $PWD"`, { separate: true });
      const kept = await this.#neighbour.execute("kept; echo none*", { separate: true });
      const hurt =
        differs("the next command", next, `ok-${id} mark ${id} ${next.cwd}\n`) ??
        (next.cwd === result.cwd || next.notes.length > 0
          ? undefined
          : `the cwd was ${result.cwd} and then ${next.cwd}`) ??
        differs("the neighbour", kept, "kept:a b:/usr:0027\n\n");
      return { run, hurt };
    } finally {
      await session.close();
    }
  }

  async close(): Promise<void> {
    await this.#neighbour.close();
    await this.#environment.cleanup();
  }
}

function latin1(bytes: Uint8Array | undefined): string {
  return Buffer.from(bytes ?? []).toString("latin1");
}

function differs(who: string, result: ExecuteResult, expected: string): string | undefined {
  const { stdout, stderr, outcome } = result;
  if (stdout === expected && stderr === "" && outcome.kind === "exited" && outcome.code === 0)
    return undefined;
  return `${who} was hurt: ${JSON.stringify({ stdout, stderr, outcome, expected })}`;
}
