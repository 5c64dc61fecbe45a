import type { ConfigKey } from "./config-key.js";

/**
 * Reads a value that came as text (a variable, `config set`) by the type of its key. What does not read as that type
 * stays a text, so that the check that follows names it. A list is JSON (`["a","b"]`) or comma-separated.
 */
export function parseText(field: ConfigKey | undefined, text: string): unknown {
  switch (field?.type) {
    case "boolean":
      return booleanOf(text) ?? text;
    case "number":
      return numberOf(text) ?? text;
    case "list":
      return listOf(text);
    case undefined:
      return booleanOf(text) ?? numberOf(text) ?? text;
    default:
      return text;
  }
}

function booleanOf(text: string): boolean | undefined {
  const word = text.trim().toLowerCase();
  return word === "true" ? true : word === "false" ? false : undefined;
}

/** Only what survives the way back: an identifier such as `0123` or `1e400` stays a text. */
function numberOf(text: string): number | undefined {
  const trimmed = text.trim();
  return /^-?(0|[1-9]\d*)(\.\d+)?$/.test(trimmed) && Number.isFinite(Number(trimmed))
    ? Number(trimmed)
    : undefined;
}

function listOf(text: string): unknown {
  const trimmed = text.trim();
  if (trimmed === "") return [];
  if (trimmed.startsWith("[")) {
    try {
      return JSON.parse(trimmed) as unknown;
    } catch {
      return text;
    }
  }
  return trimmed.split(",").map((item) => item.trim());
}
