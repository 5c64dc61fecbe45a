import type { ParameterExpansionPart, Word } from "unbash";
import { hasUnknown, marks } from "./marks.js";
import type { Scope } from "./scope.js";

/** Every value that `${…}` may have. `evaluate` tells the values of a word inside it. */
export function expandParameter(
  part: ParameterExpansionPart,
  scope: Scope,
  evaluate: (word: Word) => readonly string[],
): readonly string[] {
  const { operation } = part;
  const isSet = scope.variables.has(part.parameter);
  const named = scope.valuesOf(part.parameter);
  const values = part.prefix === "!" ? named.flatMap((name) => scope.valuesOf(name)) : named;
  if (part.prefix === "#") return [marks.unknown];
  if (operation === undefined) return values;
  switch (operation.type) {
    case "Default": {
      const other = evaluate(operation.operand);
      if (operation.operator.endsWith("+")) return [...other, ""];
      // Who says that it must be set has ruled out the one thing that makes `$dir/*` mean `/*`.
      if (operation.operator.endsWith("?")) return values.map(asGuarded);
      if (isSet && values.every((value) => value !== "")) return values;
      if (operation.operator.endsWith("=")) scope.assign(part.parameter, other);
      return [...values.filter((value) => value !== ""), ...other];
    }
    case "Slice": {
      const offset = wholeNumber(evaluate(operation.offset));
      const length = operation.length === undefined ? undefined : wholeNumber(evaluate(operation.length));
      if (offset === undefined || (operation.length !== undefined && length === undefined))
        return [marks.unknown];
      return values.map((value) => (hasUnknown(value) ? marks.unknown : sliced(value, offset, length)));
    }
    case "CaseModification":
      return values.map((value) => recased(value, operation.operator));
    case "Remove":
      return values.map((value) => removed(value, operation.operator, evaluate(operation.operand)[0] ?? ""));
    case "Replace": {
      const pattern = evaluate(operation.pattern)[0] ?? "";
      const replacement = evaluate(operation.replacement)[0] ?? "";
      return values.map((value) => replaced(value, operation.operator, pattern, replacement));
    }
    case "Transform":
    case "Names":
    case "Unknown":
      return [marks.unknown];
  }
}

function asGuarded(value: string): string {
  return value === marks.unknown ? `${marks.tree}/${marks.unknown}` : value;
}

function wholeNumber(values: readonly string[]): number | undefined {
  const text = (values[0] ?? "").trim();
  return values.length === 1 && /^-?\d{1,6}$/u.test(text) ? Number(text) : undefined;
}

function sliced(value: string, offset: number, length: number | undefined): string {
  const from = offset < 0 ? Math.max(value.length + offset, 0) : offset;
  if (length === undefined) return value.slice(from);
  return length < 0 ? value.slice(from, length) : value.slice(from, from + length);
}

function recased(value: string, operator: string): string {
  const change = (text: string): string =>
    operator.startsWith("^") ? text.toUpperCase() : text.toLowerCase();
  return operator.length === 2 ? change(value) : change(value.slice(0, 1)) + value.slice(1);
}

function hasWildcard(pattern: string): boolean {
  return /[\uE000-\uE002]/u.test(pattern);
}

function removed(value: string, operator: string, pattern: string): string {
  if (hasUnknown(value)) return value;
  if (hasWildcard(pattern)) return marks.unknown;
  if (operator.startsWith("#")) return value.startsWith(pattern) ? value.slice(pattern.length) : value;
  return value.endsWith(pattern) && pattern !== "" ? value.slice(0, -pattern.length) : value;
}

function replaced(value: string, operator: string, pattern: string, replacement: string): string {
  if (hasUnknown(value) || hasWildcard(pattern) || pattern === "") return marks.unknown;
  switch (operator) {
    case "//":
      return value.replaceAll(pattern, () => replacement);
    case "/#":
      return value.startsWith(pattern) ? replacement + value.slice(pattern.length) : value;
    case "/%":
      return value.endsWith(pattern) ? value.slice(0, -pattern.length) + replacement : value;
    default:
      return value.replace(pattern, () => replacement);
  }
}
