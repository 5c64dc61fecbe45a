import type { CommandResult } from "../environment/execute-result.js";
import { exitCodeOf, type Outcome } from "../environment/outcome.js";
import { ContractError } from "../errors/errors.js";

const outcomeKinds: ReadonlySet<unknown> = new Set<Outcome["kind"]>([
  "exited",
  "signaled",
  "timedOut",
  "cancelled",
  "lost",
  "notStarted",
]);

/**
 * Judges what an environment gave for a command: it may be a third party's, and a member that is missing must not read
 * as a success. Throws ContractError that names the member.
 */
export function checkResult(backend: string, result: CommandResult): void {
  const wrong = wrongMember(result);
  if (wrong === undefined) return;
  throw new ContractError(`The environment of "${backend}" answered a command wrongly: ${wrong}.`, {
    backend,
    operation: "execute",
    hint: "TerminalEnvironment.execute must return a CommandResult. Whether the command ran is not known.",
  });
}

function wrongMember(result: Partial<CommandResult> | null | undefined): string | undefined {
  if (typeof result !== "object" || result === null) return "it returned no object";
  const { outcome, exitCode, output, outputBytes, cwd, generation, notes } = result;
  if (!outcomeKinds.has(outcome?.kind)) return `"outcome.kind" is ${JSON.stringify(outcome?.kind)}`;
  if (outcome === undefined || exitCode !== exitCodeOf(outcome)) {
    return `"exitCode" is ${JSON.stringify(exitCode)}, which is not what its outcome means`;
  }
  if (typeof output !== "string") return '"output" is no text';
  if (!(outputBytes instanceof Uint8Array)) return '"outputBytes" are no bytes';
  if (typeof cwd !== "string" || !cwd.startsWith("/")) return '"cwd" is no absolute path';
  if (!Number.isInteger(generation)) return '"generation" is no whole number';
  return Array.isArray(notes) ? undefined : '"notes" is no list';
}
