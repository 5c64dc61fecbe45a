import type { AuditedEnd, AuditOrigin } from "../audit/audit-event.js";
import type { AuditLog } from "../audit/audit-log.js";
import type { CommandResult } from "../environment/execute-result.js";
import type { SandboxProcess } from "../environment/sandbox-process.js";
import type { ToolEvent } from "../environment/tool-event.js";
import { CommandDeniedError } from "../errors/errors.js";
import type { JudgedPlace } from "../policy/scope.js";
import type { OutputRedaction, RedactionRules } from "../secrets/redaction-rules.js";
import type { Redactor } from "../secrets/redactor.js";
import type { ByteFilter } from "../secrets/stream-redactor.js";
import type { CallTracer } from "../tracing/call-tracer.js";
import { traceResult } from "../tracing/command-attributes.js";
import type { TraceMembersOptions } from "../tracing/trace-members.js";
import type { SessionPolicyGate } from "./session-policy-gate.js";

/** Who looks on while a session works. */
export interface OversightParts {
  readonly origin: AuditOrigin;
  readonly policy: SessionPolicyGate;
  /** Where the session stands and what its home is, as far as that is known without asking. */
  readonly place: () => JudgedPlace;
  readonly audit: AuditLog;
  readonly tracer: CallTracer;
  readonly redactor: Redactor;
  readonly outputRedaction: OutputRedaction;
}

/** What is known of a command that asks to be run. */
export interface Admitted {
  readonly signal?: AbortSignal | undefined;
  /** Where it is to start, when that is not where the session stands. */
  readonly workdir?: string | undefined;
}

/** A call as the audit and the trace name it. */
export interface OverseenCall {
  readonly command: string;
  readonly cwd: string | null;
  readonly workdir: string | undefined;
  readonly user: string | undefined;
  readonly signal: AbortSignal | undefined;
}

/**
 * What stands around every call of a session: the policy before it, a span around it, an audit entry after it, and no
 * secret in what it throws.
 */
export class SessionOversight {
  readonly #parts: OversightParts;
  /** What environments take out of output. The same object for every command. */
  readonly outputRules: RedactionRules | undefined;

  constructor(parts: OversightParts) {
    this.#parts = parts;
    this.outputRules = parts.redactor.outputRules(parts.outputRedaction);
  }

  /** Resolves when the command may run, with notes for its reader; throws CommandDeniedError otherwise. */
  async admit(command: string, { signal, workdir }: Admitted = {}): Promise<readonly string[]> {
    const { policy, place, redactor } = this.#parts;
    try {
      const { cwd, home } = place();
      // What a relative or unresolved directory is called is not known here.
      const where = workdir === undefined ? cwd : workdir.startsWith("/") ? workdir : undefined;
      return await policy.admit(command, { signal, cwd: where, home });
    } catch (error) {
      throw redactor.redactError(error);
    }
  }

  /**
   * Runs a command that the policy admits, and hands it the policy's notes. Throws CommandDeniedError for one that it does
   * not admit.
   */
  execute<T>(
    call: OverseenCall,
    run: (notes: readonly string[]) => Promise<T>,
    resultOf: (value: T) => CommandResult,
  ): Promise<T> {
    const { tracer } = this.#parts;
    return tracer.traceCall("talaria.execute", this.#attributes(call), async (span) => {
      const end = this.#begin(call, "execute");
      try {
        const value = await run(await this.#admitCall(call));
        const result = resultOf(value);
        traceResult(span, result);
        end({
          outcome: result.outcome.kind,
          exitCode: result.exitCode,
          outputBytes: result.truncated?.totalBytes ?? result.outputBytes.length,
        });
        return value;
      } catch (error) {
        end(failureOf(error));
        throw this.#parts.redactor.redactError(error);
      }
    });
  }

  /** Runs a command that may go on as a job: the policy is asked, and entries are made, where jobs are started. */
  yielding<T>(command: string, run: () => Promise<T>): Promise<T> {
    const { tracer, redactor } = this.#parts;
    const call = { command, cwd: null, workdir: undefined, user: undefined, signal: undefined };
    return tracer.traceCall("talaria.execute", this.#attributes(call), async () => {
      try {
        return await run();
      } catch (error) {
        throw redactor.redactError(error);
      }
    });
  }

  /** Starts a program that the policy admits. Its entry is made when it ends. */
  spawn(call: OverseenCall, start: () => Promise<SandboxProcess>): Promise<SandboxProcess> {
    const { tracer } = this.#parts;
    return tracer.traceCall("talaria.spawn", this.#attributes(call), async () => {
      const end = this.#begin(call, "spawn");
      try {
        await this.#admitCall(call);
        const process = await start();
        void process.exit.then((exit) =>
          end({
            outcome: exit.kind,
            exitCode:
              exit.kind === "exited" ? exit.code : exit.kind === "signaled" ? 128 + exit.signalNumber : null,
          }),
        );
        return process;
      } catch (error) {
        end(failureOf(error));
        throw this.#parts.redactor.redactError(error);
      }
    });
  }

  /** How the methods of a tool are traced. `except` names those that give an iterable. */
  toolTracing<T>(except: readonly (keyof T)[]): TraceMembersOptions<T> {
    const { origin, tracer, redactor } = this.#parts;
    return {
      tracer,
      attributes: originAttributes(origin),
      except,
      redactError: (error) => redactor.redactError(error),
    };
  }

  /** Keeps what a tool did. */
  report(event: ToolEvent): void {
    this.#parts.audit.record({ ...this.#parts.origin, ...event });
  }

  redact(text: string): string {
    return this.#parts.redactor.redact(text);
  }

  /** Whether a known secret is in the text. */
  holdsSecret(text: string): boolean {
    return this.#parts.redactor.holdsSecret(text);
  }

  outputFilter(): ByteFilter | undefined {
    return this.#parts.redactor.outputFilter(this.#parts.outputRedaction);
  }

  /** Keeps that the session opened or closed. */
  recordSession(operation: "open" | "close"): void {
    this.#parts.audit.record({ ...this.#parts.origin, kind: "session", operation });
  }

  /** Writes what was recorded. */
  async close(): Promise<void> {
    await this.#parts.audit.close();
  }

  /** A call that is cancelled while it waits for an answer goes on to whoever says that it was cancelled. */
  async #admitCall(call: OverseenCall): Promise<readonly string[]> {
    try {
      return await this.admit(call.command, call);
    } catch (error) {
      if (call.signal?.aborted === true && !(error instanceof CommandDeniedError)) return [];
      throw error;
    }
  }

  #begin(call: OverseenCall, operation: "execute" | "spawn"): (end: Omit<AuditedEnd, "durationMs">) => void {
    const began = performance.now();
    const { command, cwd, user } = call;
    const ended = this.#parts.audit.begin(this.#parts.origin, {
      kind: "command",
      operation,
      command,
      cwd,
      user,
    });
    return (end) => ended({ ...end, durationMs: Math.round((performance.now() - began) * 1000) / 1000 });
  }

  #attributes({ command, cwd, user }: OverseenCall): Record<string, string | undefined> {
    const { origin, tracer } = this.#parts;
    return {
      ...originAttributes(origin),
      "talaria.workdir": cwd ?? undefined,
      "process.user.name": user,
      "process.command_line": tracer.includesCommand ? command : undefined,
    };
  }
}

function originAttributes({ backend, session, sandboxId }: AuditOrigin): Record<string, string> {
  return { "talaria.backend": backend, "talaria.session": session, "talaria.sandbox.id": sandboxId };
}

function failureOf(error: unknown): Omit<AuditedEnd, "durationMs"> {
  const message = error instanceof Error ? error.message : String(error);
  return error instanceof CommandDeniedError
    ? { outcome: "denied", exitCode: null, rule: error.rule, error: message }
    : { outcome: "failed", exitCode: null, error: message };
}
