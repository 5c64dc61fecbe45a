import { InvalidArgumentError } from "../errors/errors.js";
import type { EnvironmentExecuteOptions } from "./execute-options.js";

/** Longest delay a timer can hold. */
const longestMs = 2_147_483_647;

/** Refuses what cannot be carried out exactly. Throws InvalidArgumentError. */
export function checkExecuteArguments(command: string, options: EnvironmentExecuteOptions): void {
  if (typeof command !== "string") {
    throw new InvalidArgumentError("command", `A command is shell text, not ${typeof command}.`, {
      operation: "execute",
      hint: "Quote a list of words with `shellQuoteWords`, or start it with `spawn`.",
    });
  }
  if (command.includes("\0")) {
    throw new InvalidArgumentError("command", "The command holds a NUL character, which no shell can take.", {
      operation: "execute",
      hint: "Give binary data as standard input (`stdin`) instead.",
    });
  }
  checkDuration("timeoutMs", options.timeoutMs, 1);
  checkDuration("killGraceMs", options.killGraceMs, 0);
  if (
    options.maxOutputBytes !== undefined &&
    !(Number.isInteger(options.maxOutputBytes) && options.maxOutputBytes >= 0)
  ) {
    throw new InvalidArgumentError(
      "maxOutputBytes",
      `maxOutputBytes is ${options.maxOutputBytes}; it has to be a whole number of bytes, 0 or more.`,
      {
        operation: "execute",
      },
    );
  }
  for (const [name, value] of Object.entries(options.env ?? {})) checkVariable(name, value);
}

function checkDuration(argument: string, value: number | undefined, least: number): void {
  if (value === undefined) return;
  if (typeof value === "number" && value >= least && value <= longestMs) return;
  throw new InvalidArgumentError(
    argument,
    `${argument} is ${String(value)}; it has to be a number of milliseconds from ${least} to ${longestMs}.`,
    {
      operation: "execute",
      hint: "A command that should outlive any timeout is a job: session.jobs.start(command).",
    },
  );
}

function checkVariable(name: string, value: unknown): void {
  if (!/^[A-Za-z_][A-Za-z0-9_]*$/.test(name)) {
    throw new InvalidArgumentError("env", `"${name}" is not a name a shell variable can have.`, {
      operation: "execute",
      hint: "Names consist of letters, digits and _, and do not begin with a digit.",
    });
  }
  if (typeof value !== "string" || value.includes("\0")) {
    throw new InvalidArgumentError("env", `The value of ${name} is not text without NUL characters.`, {
      operation: "execute",
    });
  }
}
