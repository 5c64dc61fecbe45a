import type { CommandResult } from "../environment/execute-result.js";
import type { CallSpan } from "./call-tracer.js";

/** Outcomes that make a span an error's: nobody asked for them. A status other than 0 is an answer like any other. */
const unwanted: ReadonlySet<string> = new Set(["lost", "timedOut"]);

/** Puts how a command ended, and when its phases did, into its span. */
export function traceResult(span: CallSpan, result: CommandResult): void {
  const { outcome, exitCode, timing } = result;
  span.set({
    "process.exit.code": exitCode ?? undefined,
    "talaria.outcome": outcome.kind,
    "talaria.cwd": result.cwd,
    "talaria.generation": result.generation,
    "talaria.output.bytes": result.truncated?.totalBytes ?? result.outputBytes.length,
    "talaria.output.dropped_bytes": result.truncated?.droppedBytes ?? 0,
    "talaria.timing.queued_ms": timing.queuedMs,
    "talaria.timing.connect_ms": timing.connectMs,
    "talaria.timing.first_byte_ms": timing.firstByteMs ?? undefined,
    "talaria.timing.exit_ms": timing.exitMs,
    "talaria.timing.drained_ms": timing.drainedMs,
  });
  span.event("queued", timing.queuedMs);
  span.event("connected", timing.connectMs);
  if (timing.firstByteMs !== null) span.event("first_byte", timing.firstByteMs);
  span.event("exited", timing.exitMs);
  span.event("drained", timing.drainedMs);
  if (unwanted.has(outcome.kind)) span.fail(`The command ended as ${outcome.kind}.`);
}
