import { randomInt } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { asSandboxPath, type Capability, type SandboxPath, type TerminalEnvironment } from "@talaria/core";
import type { CaseContext, CaseSessionOptions } from "./case-context.js";
import { Check } from "./check.js";
import { Waits } from "./deadline.js";
import { ObservedSession } from "./observed-session.js";
import { SandboxProcesses } from "./sandbox-processes.js";
import type { SessionUnderTest } from "./session-under-test.js";
import type { SharedEnvironment } from "./shared-environment.js";

/** A case found that the sandbox lacks what it needs. */
export class CaseUnsupportedError extends Error {
  override readonly name = "CaseUnsupportedError";
}

const pollEveryMs = 20;

/** Everything one case makes, and its way out. */
export class CaseScope implements CaseContext {
  readonly check = new Check();
  readonly waits = new Waits();
  readonly processes: SandboxProcesses;
  readonly #shared: SharedEnvironment;
  readonly #slowness: number;
  readonly #sessions: SessionUnderTest[] = [];
  readonly #environments: SessionUnderTest[] = [];
  readonly #folders: SandboxPath[] = [];
  readonly #marks: string[] = [];
  #session: SessionUnderTest | undefined;

  constructor(shared: SharedEnvironment, slowness: number) {
    this.#shared = shared;
    this.#slowness = slowness;
    this.processes = new SandboxProcesses(this.observer);
  }

  /** Opens the session every case starts with. */
  async open(): Promise<void> {
    this.#session = await this.openSession();
  }

  get session(): SessionUnderTest {
    if (this.#session === undefined) throw new Error("the scope of a case was used before it was opened");
    return this.#session;
  }

  get observer(): SessionUnderTest {
    return new ObservedSession(this.#shared.observer, this.waits);
  }

  get capabilities(): ReadonlySet<Capability> {
    return this.#shared.capabilities;
  }

  get sandboxIsHost(): boolean {
    return this.#shared.target.sandboxIsHost;
  }

  get backend(): string {
    return this.#shared.environment.backend;
  }

  readonly processesSeenBy = (session: SessionUnderTest): SandboxProcesses => new SandboxProcesses(session);

  readonly openSession = async (options: CaseSessionOptions = {}): Promise<SessionUnderTest> => {
    const { environment = this.#shared.environment, ...rest } = options;
    const session = await this.waitFor("openSession()", this.#shared.target.openOn(environment, rest));
    this.#sessions.push(session);
    return new ObservedSession(session, this.waits);
  };

  readonly createEnvironment = async (): Promise<TerminalEnvironment> => {
    const session = await this.waitFor("a fresh environment", this.#shared.target.openFresh());
    this.#environments.push(session);
    return session.environment;
  };

  readonly folder = async (): Promise<SandboxPath> => {
    const made = await this.observer.execute(
      'cd "$(mktemp -d "${TMPDIR:-/tmp}/talaria-conformance-XXXXXX")" && pwd -P && cd /',
    );
    this.check.exited(made, 0, "making a folder in the sandbox");
    const path = asSandboxPath(made.output.trimEnd());
    this.#folders.push(path);
    return path;
  };

  readonly mark = (): string => {
    // As a number of seconds it is more than three years: no sleep of that length ends by itself.
    const mark = String(randomInt(100_000_000, 999_999_999));
    this.#marks.push(mark);
    return mark;
  };

  readonly needsProgram = async (name: string): Promise<void> => {
    const found = await this.observer.execute(`command -v ${name} >/dev/null`);
    if (found.exitCode !== 0) throw new CaseUnsupportedError(`The program "${name}" is not in the sandbox.`);
  };

  readonly until = async (
    what: string,
    probe: () => boolean | Promise<boolean>,
    withinMs = 10_000,
  ): Promise<void> => {
    const limitMs = this.patience(withinMs);
    const startedAt = performance.now();
    this.check.count += 1;
    while (!(await this.waitFor(what, Promise.resolve(probe())))) {
      if (performance.now() - startedAt > limitMs) this.check.fail(`${what}: not so after ${limitMs} ms`);
      await delay(pollEveryMs);
    }
  };

  readonly waitFor = <T>(what: string, promise: Promise<T>): Promise<T> => this.waits.during(what, promise);

  readonly nextCommandWorks = async (session: SessionUnderTest = this.session): Promise<void> => {
    const next = await session.execute("printf 'next %s\\n' works; exit 5");
    this.check.exited(next, 5, "the next command");
    this.check.equal(next.output, "next works\n", "output of the next command");
  };

  readonly patience = (limitMs: number): number => limitMs * this.#slowness;

  /** Ends and removes what the case made. Goes on after a failure and reports all of them. */
  async close(): Promise<readonly string[]> {
    const failures: string[] = [];
    const attempt = async (what: string, work: () => Promise<unknown>): Promise<void> => {
      try {
        await this.waitFor(what, work());
      } catch (error) {
        failures.push(`${what}: ${error instanceof Error ? error.message : String(error)}`);
      }
    };
    await attempt("ending marked processes", () => this.processes.killMarked(this.#marks));
    for (const session of this.#sessions) await attempt("closing a session", () => session.close());
    for (const session of this.#environments) {
      await attempt("freeing an environment", async () => {
        await session.environment.cleanup();
        await session.close();
      });
    }
    if (this.#folders.length > 0) {
      const folders = this.#folders.map((path) => `'${path}'`).join(" ");
      await attempt("removing folders", () => this.observer.execute(`cd / && rm -rf -- ${folders}`));
    }
    return failures;
  }
}
