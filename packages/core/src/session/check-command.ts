import { InvalidArgumentError } from "../errors/errors.js";
import { isEnvironmentName } from "../provider/environment-name.js";
import type { SessionCommandOptions } from "./session-options.js";

/** What a call is judged by. */
export interface CommandLimits {
  /** `terminal.max_foreground_seconds`, in milliseconds. */
  readonly maxForegroundMs: number;
  /** What the limit's key and origin are, for the error's text. */
  readonly maxForegroundKey: string;
}

/** The way for what is to run longer than a call may wait. */
export const withoutLimit =
  "To run without a limit, start it as a job: session.jobs.start(command), or: talaria jobs start -- '<command>'.";

/** Longest time a timer of the runtime can hold. */
export const longestTimerMs = 2_147_483_647;

/**
 * Judges a call before anything is done for it. Types are checked too, because many callers are plain JavaScript or pass
 * on what a model wrote. Throws InvalidArgumentError.
 */
export function checkCommand(command: unknown, options: SessionCommandOptions, limits: CommandLimits): void {
  if (typeof command !== "string")
    throw invalid("command", `The command must be a text, but is a ${typeof command}.`);
  if (command.trim() === "") throw invalid("command", "The command is empty.", "Give shell text to run.");
  if (command.includes("\0")) {
    throw invalid("command", "The command contains a NUL character.", "Give binary data as stdin instead.");
  }
  if (typeof options !== "object" || (options as unknown) === null) {
    throw invalid("options", "The options must be an object.", "Leave them out for the defaults.");
  }
  checkCallables(options);
  if (options.timeoutMs !== undefined) checkTimeout(options.timeoutMs, limits);
  if (options.env !== undefined) checkEnvironment("env", options.env);
  if (options.workdir !== undefined) checkDirectory("workdir", options.workdir);
}

/** What is called later, from inside the engine, where a wrong type would look like a fault of ours. */
function checkCallables({ signal, forceSignal, onOutput, stdin }: SessionCommandOptions): void {
  for (const [argument, value] of Object.entries({ signal, forceSignal })) {
    if (value !== undefined && typeof (value as Partial<AbortSignal>).addEventListener !== "function")
      throw invalid(
        argument,
        `${argument} must be an AbortSignal.`,
        "Give the signal of an AbortController.",
      );
  }
  if (onOutput !== undefined && typeof onOutput !== "function")
    throw invalid("onOutput", `onOutput must be a function, but is a ${typeof onOutput}.`);
  const isStream = typeof stdin === "object" && Symbol.asyncIterator in stdin;
  if (stdin !== undefined && typeof stdin !== "string" && !(stdin instanceof Uint8Array) && !isStream)
    throw invalid("stdin", "stdin must be a text, bytes, or an async iterable of bytes.");
}

function checkTimeout(timeoutMs: unknown, { maxForegroundMs, maxForegroundKey }: CommandLimits): void {
  if (typeof timeoutMs !== "number" || !Number.isFinite(timeoutMs) || timeoutMs <= 0) {
    throw invalid(
      "timeoutMs",
      `timeoutMs must be a number of milliseconds above 0, but is ${String(timeoutMs)}.`,
      `Leave it out for the default. ${withoutLimit}`,
    );
  }
  if (timeoutMs > maxForegroundMs) {
    throw invalid(
      "timeoutMs",
      `A timeout of ${timeoutMs} ms is more than a foreground command may take (${maxForegroundKey}: ${maxForegroundMs / 1000} s).`,
      `Raise ${maxForegroundKey}. ${withoutLimit}`,
    );
  }
  if (timeoutMs > longestTimerMs) {
    throw invalid(
      "timeoutMs",
      `A timeout of ${timeoutMs} ms is longer than a timer can run (${longestTimerMs} ms).`,
      withoutLimit,
    );
  }
}

/** Checks variables for a command or a session. Throws InvalidArgumentError that names the variable, never its value. */
function checkEnvironment(argument: string, env: unknown): void {
  if (typeof env !== "object" || env === null || Array.isArray(env)) {
    throw invalid(argument, `${argument} must be an object of names and values.`);
  }
  for (const [name, value] of Object.entries(env)) {
    if (name === "" || name.includes("=") || name.includes("\0")) {
      const shown = JSON.stringify(name.split("=")[0]);
      throw invalid(
        argument,
        `${argument} has a variable whose name (${shown}) is empty or contains "=" or NUL.`,
      );
    }
    if (typeof value !== "string") {
      throw invalid(
        argument,
        `The value of ${name} in ${argument} must be a text, but is ${value === null ? "null" : `a ${typeof value}`}.`,
        "Leave the name out to keep the session's own value; unset it inside the command.",
      );
    }
    if (value.includes("\0"))
      throw invalid(argument, `The value of ${name} in ${argument} contains a NUL character.`);
  }
}

/** Variables a session begins with are kept by its shell, so a shell must have such names. */
export function checkSessionEnvironment(env: unknown): void {
  checkEnvironment("env", env);
  const wrong = Object.keys(env as object).find((name) => !isEnvironmentName(name));
  if (wrong !== undefined)
    throw invalid("env", `env has "${wrong}", which is not a name a shell variable can have.`);
}

/** Checks the form of a directory; whether it exists only the sandbox can tell. Throws InvalidArgumentError. */
export function checkDirectory(argument: string, directory: unknown): void {
  if (typeof directory !== "string") {
    throw invalid(
      argument,
      `${argument} must be a path, but is ${directory === null ? "null" : `a ${typeof directory}`}.`,
    );
  }
  if (directory === "") {
    throw invalid(argument, `${argument} is empty.`, "Leave it out to start where the session stands.");
  }
  if (directory.includes("\0")) throw invalid(argument, `${argument} contains a NUL character.`);
}

function invalid(argument: string, message: string, hint?: string): InvalidArgumentError {
  return new InvalidArgumentError(argument, message, { operation: "execute", hint });
}
