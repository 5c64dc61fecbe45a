import { shortestBytes } from "./disguises.js";
import type { KnownSecret } from "./redaction-rules.js";

/** A secret whose text cannot be looked for: it would be found everywhere. */
export interface UnusedSecret {
  readonly name: string;
  /** In words that follow "its value ". */
  readonly reason: string;
}

const commonValues: ReadonlySet<string> = new Set(
  "changeme change-me password passw0rd password1 disabled disable enabled optional required undefined anonymous localhost 127.0.0.1 readonly default development production staging placeholder your-token-here your-api-key example redacted ssh-agent gnome-keyring interactive"
    .split(" ")
    .concat("12345678", "123456789", "1234567890", "0123456789", "qwertyuiop"),
);

/** Why a value is not looked for; undefined when it is. */
function reasonAgainst(value: string): string | undefined {
  if (Buffer.byteLength(value) < shortestBytes) return `is shorter than ${shortestBytes} bytes`;
  if (commonValues.has(value.trim().toLowerCase())) return "is a common word";
  if (new Set(value).size < 4) return "consists of fewer than four different characters";
  if (value.trim().length < shortestBytes) return "is hardly more than white space";
  return undefined;
}

/** A value of this length is looked for in pieces, so that no text holds back more. */
const longestValue = 16_384;
/** More than any host has; what goes beyond it would only be slow. */
const mostSecrets = 512;

/** Divides secrets into those that are looked for and those that cannot be. Each value once, under its first name. */
export function judgeSecrets(secrets: readonly KnownSecret[]): {
  readonly used: readonly KnownSecret[];
  readonly unused: readonly UnusedSecret[];
} {
  const used = new Map<string, KnownSecret>();
  const unused: UnusedSecret[] = [];
  for (const { name, value } of secrets) {
    const reason = used.size >= mostSecrets ? `is beyond the first ${mostSecrets}` : reasonAgainst(value);
    if (reason !== undefined) {
      if (value !== "" && !used.has(value)) unused.push({ name, reason });
      continue;
    }
    for (const part of partsOf(value))
      if (!used.has(part)) used.set(part, { name: plainName(name), value: part });
  }
  return { used: [...used.values()], unused };
}

/** The value without the line break at its end that files have and programs cut off, in pieces when it is long. */
function partsOf(value: string): readonly string[] {
  const text = value.replace(/[\r\n]+$/, "");
  const parts = [];
  for (let at = 0; at < text.length; at += longestValue) parts.push(text.slice(at, at + longestValue));
  const last = parts.at(-1) ?? "";
  return reasonAgainst(last) === undefined ? parts : parts.slice(0, -1);
}

/** A name is shown: nothing in it may act on a terminal or end the placeholder. */
function plainName(name: string): string {
  return name.replaceAll(/[^A-Za-z0-9_.-]/g, "_").slice(0, 80);
}
