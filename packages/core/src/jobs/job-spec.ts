import { createHash } from "node:crypto";
import type { JobStartOptions } from "./job-options.js";

const maxCommandCharacters = 16 * 1024;

/** What a journal says of a job from its beginning: one line of JSON. */
export interface JobSpec {
  readonly id: string;
  /** Cut off where it is very long; the whole is in the journal's `command`. */
  readonly command: string;
  readonly command_hash: string;
  readonly label: string | null;
  readonly key: string | null;
  readonly tty: boolean;
  readonly stdin: "open" | "closed";
  /** By the clock of who started it. */
  readonly created_at: number;
}

export function hashOfCommand(command: string): string {
  return createHash("sha256").update(command).digest("hex");
}

export function specOf(id: string, command: string, options: JobStartOptions): JobSpec {
  return {
    id,
    command: command.slice(0, maxCommandCharacters),
    command_hash: hashOfCommand(command),
    label: options.label ?? null,
    key: options.key ?? null,
    tty: options.tty !== undefined,
    stdin: options.tty === undefined ? (options.stdin ?? "closed") : "open",
    created_at: Date.now(),
  };
}

/** As one line of plain ASCII, which any transport leaves as it is. */
export function specLine(spec: JobSpec): string {
  return JSON.stringify(spec).replaceAll(
    /[\u007f-\uffff]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

/** Undefined for what is no spec: a line that something else wrote into the journal. */
export function parseSpec(line: string): JobSpec | undefined {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return undefined;
  }
  if (typeof value !== "object" || value === null) return undefined;
  const { id, command, command_hash, label, key, tty, stdin, created_at } = value as Record<string, unknown>;
  if (typeof id !== "string" || typeof command !== "string" || typeof created_at !== "number")
    return undefined;
  return {
    id,
    command,
    command_hash: typeof command_hash === "string" ? command_hash : "",
    label: typeof label === "string" ? label : null,
    key: typeof key === "string" ? key : null,
    tty: tty === true,
    stdin: stdin === "open" ? "open" : "closed",
    created_at,
  };
}
