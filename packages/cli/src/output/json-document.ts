import { isUtf8 } from "node:buffer";

/** Version of every document that `--json` prints. Raised only when a reader of the old shape would break. */
const schemaVersion = 1;

/** Words that stand as values where TypeScript has a camelCase union: the wire has the same words in snake_case. */
export function snakeCase(word: string): string {
  return word.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/**
 * A document's keys in snake_case, `undefined` members left out. Keys that are data rather than names (variables, config
 * keys) must be handed in as lists of `{ key, value }`, or they would be rewritten.
 */
function toWire(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(toWire);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, member]) => member !== undefined)
      .map(([key, member]) => [snakeCase(key), toWire(member)]),
  );
}

/** Text of the one document a command prints: `schema` first, then its members. */
export function formatDocument(members: object): string {
  return `${JSON.stringify({ schema: schemaVersion, ...(toWire(members) as object) }, null, 2)}\n`;
}

/** The same on one line: for what goes on, one document an event (JSON Lines). */
export function formatEvent(members: object): string {
  return `${JSON.stringify({ schema: schemaVersion, ...(toWire(members) as object) })}\n`;
}

/** Bytes as members of a document: `name` when they are UTF-8, else `name_base64`, never a text that lost something. */
export function bytesMember(name: string, bytes: Uint8Array): Record<string, string> {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return isUtf8(buffer)
    ? { [name]: buffer.toString("utf8") }
    : { [`${name}_base64`]: buffer.toString("base64") };
}
