import { constants } from "node:os";
import { InvalidArgumentError } from "@talaria/core";

const numbers: Readonly<Record<string, number>> = { ...constants.signals };

/** The number of a signal named as Node names it (`SIGTERM`), or undefined. */
export function signalNumberOf(name: string): number | undefined {
  return numbers[name];
}

/** The name of a signal number; real-time signals, which have none, are `SIG34` and so on. */
export function signalNameOf(number: number): string {
  // SIGIOT is another name of SIGABRT and SIGPOLL of SIGIO: the first of a number is the usual one.
  for (const [name, value] of Object.entries(numbers)) if (value === number) return name;
  return `SIG${number}`;
}

/** A signal as a caller wrote it (`SIGTERM`, `TERM`, `term`). Throws InvalidArgumentError for one this host lacks. */
export function parseSignal(text: string): NodeJS.Signals {
  const upper = text.toUpperCase();
  const name = upper.startsWith("SIG") ? upper : `SIG${upper}`;
  if (signalNumberOf(name) === undefined) {
    throw new InvalidArgumentError("signal", `"${text}" is not a signal of this host`, {
      backend: "local",
      operation: "kill",
      hint: "Use a name such as SIGTERM, SIGKILL or SIGINT.",
    });
  }
  return name as NodeJS.Signals;
}
