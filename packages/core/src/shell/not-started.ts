import type { EnvironmentExecuteOptions } from "../environment/execute-options.js";
import type { CommandResult } from "../environment/execute-result.js";
import type { Outcome } from "../environment/outcome.js";
import { asSandboxPath } from "../workdir/paths.js";
import type { Hello } from "./hello.js";
import { fromShellBytes } from "./shell-bytes.js";

/** How a command ends that never began. */
export type NotStarted = Extract<Outcome, { readonly kind: "notStarted" }>;

const noBytes = new Uint8Array();

const cancelled: NotStarted = {
  kind: "notStarted",
  reason: "cancelled",
  detail: "cancelled before it was started",
};

/** The result of a command that never reached the sandbox. Default: because it was cancelled. */
export function notStartedResult(
  command: EnvironmentExecuteOptions,
  hello: Hello | undefined,
  generation: number,
  atMs: number,
  outcome: NotStarted = cancelled,
): CommandResult {
  const path = command.start?.path ?? null;
  const known = path === "~" ? hello?.home : (path ?? hello?.state.cwd);
  const separate = command.separate === true;
  return {
    outcome,
    exitCode: null,
    output: "",
    outputBytes: noBytes,
    ordered: !separate,
    ...(separate ? { stdout: "", stderr: "", stdoutBytes: noBytes, stderrBytes: noBytes } : {}),
    cwd: asSandboxPath(known === undefined ? "/" : path === known ? known : fromShellBytes(known)),
    cwdObserved: false,
    generation,
    notes: [],
    timing: { queuedMs: atMs, connectMs: atMs, firstByteMs: null, exitMs: atMs, drainedMs: atMs },
  };
}
