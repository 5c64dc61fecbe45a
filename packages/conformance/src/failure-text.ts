import { inspect } from "node:util";
import type { CommandResult } from "@talaria/core";

const shownCharacters = 300;

/** A value in a failure text: one line, short, with control characters made visible. */
export function show(value: unknown): string {
  if (value instanceof Error) return `${value.name}: ${value.message}`;
  const text = inspect(value, {
    breakLength: Infinity,
    maxStringLength: 4 * shownCharacters,
    maxArrayLength: 20,
  });
  if (text.length <= shownCharacters) return text;
  const half = shownCharacters / 2;
  return `${text.slice(0, half)} … ${text.slice(-half)}`;
}

/** A result in a failure text: how it ended and what it printed. */
export function showResult(result: CommandResult): string {
  return `${show(result.outcome)}, exitCode ${show(result.exitCode)}, output ${show(result.output)}`;
}

/** Where two byte sequences part, in words; null when they are equal. */
export function describeBytesDifference(actual: Uint8Array, expected: Uint8Array): string | null {
  const shared = Math.min(actual.length, expected.length);
  let at = 0;
  while (at < shared && actual[at] === expected[at]) at += 1;
  if (at === shared && actual.length === expected.length) return null;
  const excerpt = (bytes: Uint8Array): string =>
    at >= bytes.length ? "the end" : Buffer.from(bytes.subarray(at, at + 16)).toString("hex");
  return (
    `expected ${expected.length} bytes, got ${actual.length}; ` +
    `at byte ${at} expected ${excerpt(expected)}, got ${excerpt(actual)}`
  );
}
