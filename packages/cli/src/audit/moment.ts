import { InvalidArgumentError } from "@talaria/core";

const unitMs: Readonly<Record<string, number>> = {
  s: 1_000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
  w: 604_800_000,
};

/** A moment of the past: a span before now (`30m`, `2h`, `7d`) or a date that can be read. Local time where no zone is given. */
export function readMoment(text: string): Date {
  const [, amount, unit = ""] = /^(\d+)\s*([smhdw])$/.exec(text.trim()) ?? [];
  const span = amount === undefined ? undefined : Number(amount) * (unitMs[unit] ?? Number.NaN);
  // A date alone would be read as UTC, a date with a time as local time: one rule for both.
  const date = /^\d{4}-\d\d-\d\d$/.test(text.trim()) ? `${text.trim()}T00:00` : text;
  const moment = span === undefined ? new Date(date) : new Date(Date.now() - span);
  if (Number.isNaN(moment.getTime()) || (span === undefined && !/^\d{4}-/.test(text.trim()))) {
    throw new InvalidArgumentError("since", `--since "${text}" is neither a span nor a moment`, {
      operation: "audit",
      hint: "write a span, for example 30m, 2h or 7d, or a moment such as 2026-12-01T08:00",
    });
  }
  return moment;
}
