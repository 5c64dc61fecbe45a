import { InvalidArgumentError } from "../errors/errors.js";
import type { TerminalSize } from "../environment/sandbox-process.js";
import type { JobStartOptions } from "./job-options.js";

function refuse(argument: string, message: string, hint: string): never {
  throw new InvalidArgumentError(argument, message, { operation: "jobs.start", hint });
}

/** Throws InvalidArgumentError for a start that makes no sense. */
export function checkStart(command: unknown, { label, tty, stdin, env, watch }: JobStartOptions): void {
  if (typeof command !== "string" || command.trim() === "") {
    refuse("command", "A job needs a command.", "Give shell text, as for execute.");
  }
  if (command.includes("\0")) {
    refuse(
      "command",
      "A command cannot hold a NUL character.",
      "Give binary data as standard input instead.",
    );
  }
  if (
    label !== undefined &&
    (typeof label !== "string" || label.length > 200 || /[\0-\x1f\x7f]/.test(label))
  ) {
    refuse(
      "label",
      "A label is one line of at most 200 characters, without control characters.",
      "Shorten it.",
    );
  }
  if (stdin !== undefined && stdin !== "open" && stdin !== "closed") {
    refuse("stdin", `stdin is "open" or "closed", not ${JSON.stringify(stdin)}.`, "Leave it out for closed.");
  }
  if (tty !== undefined) checkSize(tty);
  for (const [name, value] of Object.entries(env ?? {})) {
    if (!/^[A-Za-z_][A-Za-z0-9_]*$/.test(name) || typeof value !== "string" || value.includes("\0")) {
      refuse(
        "env",
        `"${name}" is no variable that a process can get.`,
        "Names are letters, digits and _; values are texts.",
      );
    }
  }
  for (const { pattern } of watch ?? []) {
    if (pattern instanceof RegExp || (typeof pattern === "string" && pattern !== "")) continue;
    refuse("watch", "A watch pattern is a text or a regular expression.", 'Give { pattern: "ready" }.');
  }
}

/** Throws InvalidArgumentError for what is no size of a terminal. */
export function checkSize({ rows, columns }: TerminalSize): void {
  for (const [name, value] of Object.entries({ rows, columns })) {
    if (Number.isInteger(value) && value >= 1 && value <= 10_000) continue;
    refuse(
      name,
      `A terminal has 1 to 10,000 ${name}, not ${String(value)}.`,
      "Give { columns: 80, rows: 24 }.",
    );
  }
}
