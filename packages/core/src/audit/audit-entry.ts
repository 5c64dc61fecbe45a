import type { AuditEvent, AuditKind } from "./audit-event.js";

/** One line of the audit, as it is read: snake_case, without secrets. */
export interface AuditEntry {
  readonly schema: 1;
  /** When it was recorded: ISO 8601, UTC. */
  readonly time: string;
  readonly kind: AuditKind | "gap";
  readonly operation?: string;
  readonly backend?: string;
  readonly session?: string;
  readonly sandbox_id?: string;
  /** Names who wrote it: one log of one process. */
  readonly writer: string;
  /** Counts the entries of this writer, from 1. */
  readonly seq: number;
  /** SHA-256, in base64url, of this writer's line before; null for its first. */
  readonly prev: string | null;
  readonly [member: string]: unknown;
}

/** Longest text of an entry; what goes beyond it is cut, and how much is said. */
const longestText = 4_096;
/** A text is cut here before anything is looked for in it. */
const longestInput = 65_536;

/** The members of a line, but for those of the chain. Names in snake_case, texts redacted and capped. */
export function entryMembers(
  event: AuditEvent,
  redact: (text: string) => string,
): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    Object.entries(event).flatMap(([name, value]) =>
      value === undefined ? [] : [[snakeCase(name), memberValue(value, redact)]],
    ),
  );
}

function memberValue(value: unknown, redact: (text: string) => string): unknown {
  if (typeof value === "string") return capped(redact(value.slice(0, longestInput)), value.length);
  if (typeof value === "number") return Number.isFinite(value) ? Math.round(value * 1000) / 1000 : null;
  return value;
}

function capped(text: string, originalLength: number): string {
  if (text.length <= longestText && originalLength <= longestInput) return text;
  // Never half a character.
  const head = text.slice(0, longestText).replace(/[\uD800-\uDBFF]$/, "");
  return `${head}… [${Math.max(originalLength, text.length) - head.length} characters left out]`;
}

function snakeCase(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
