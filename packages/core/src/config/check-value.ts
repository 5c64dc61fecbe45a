import { describeValue } from "../provider/describe-value.js";
import type { ConfigKey } from "./config-key.js";

/** A value that fits, or what was expected instead. */
export type CheckedValue =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly expected: string; readonly found: string };

/** Judges a value by the type of its key. Nothing is converted: `"180"` is a text. */
export function checkValue(field: ConfigKey | undefined, value: unknown): CheckedValue {
  const wrong = (expected: string): CheckedValue => ({
    ok: false,
    expected,
    found: field === undefined || field.type === "secret" ? `a ${kindOf(value)}` : describeValue(value),
  });
  if (containsNul(value))
    return { ok: false, expected: "a value without NUL characters", found: "one with a NUL" };
  if (field === undefined)
    return isPlain(value) ? { ok: true, value } : wrong("a text, number, list, true or false");
  switch (field.type) {
    case "boolean":
      return typeof value === "boolean" ? { ok: true, value } : wrong("true or false");
    case "number":
      return isNumberInRange(field, value) ? { ok: true, value } : wrong(expectedNumber(field));
    case "list":
      return Array.isArray(value) && value.every((item) => typeof item === "string" && item !== "")
        ? { ok: true, value: Object.freeze([...(value as readonly string[])]) }
        : wrong("a list of texts");
    case "select":
      return typeof value === "string" && field.options?.includes(value) === true
        ? { ok: true, value }
        : wrong(`one of ${(field.options ?? []).join(", ")}`);
    case "string":
    case "secret":
      return typeof value === "string" && !/[\r\n]/.test(value)
        ? { ok: true, value }
        : wrong("one line of text");
    case "text":
      return typeof value === "string" ? { ok: true, value } : wrong("a text");
  }
}

function isNumberInRange(field: ConfigKey, value: unknown): boolean {
  return (
    typeof value === "number" &&
    Number.isFinite(value) &&
    (field.isWhole !== true || Number.isInteger(value)) &&
    (field.isPositive !== true || value > 0) &&
    value >= (field.minimum ?? -Infinity) &&
    value <= (field.maximum ?? Infinity)
  );
}

function expectedNumber(field: ConfigKey): string {
  const kind = field.isWhole === true ? "a whole number" : "a number";
  const unit = field.unit === undefined ? "" : ` of ${field.unit}`;
  const above = field.isPositive === true ? " above 0" : "";
  const least = field.minimum === undefined ? "" : `, at least ${field.minimum}`;
  const most = field.maximum === undefined ? "" : `, at most ${field.maximum}`;
  return `${kind}${unit}${above}${least}${most}`;
}

function containsNul(value: unknown): boolean {
  if (typeof value === "string") return value.includes("\0");
  return Array.isArray(value) && value.some(containsNul);
}

function isPlain(value: unknown): boolean {
  if (Array.isArray(value)) return value.every((item) => typeof item === "string");
  return (
    typeof value === "string" ||
    typeof value === "boolean" ||
    (typeof value === "number" && Number.isFinite(value))
  );
}

function kindOf(value: unknown): string {
  if (value === null) return "null";
  return Array.isArray(value) ? "list" : typeof value;
}
