import { createHash, randomBytes } from "node:crypto";

/** Numbers the lines of one writer, and puts into each the hash of the one before: a line taken out or changed shows. */
export class AuditChain {
  readonly #writer = randomBytes(6).toString("hex");
  #count = 0;
  #previous: string | null = null;

  /** A line, with its line break. `time` is in milliseconds. */
  line(time: number, members: Readonly<Record<string, unknown>>): string {
    this.#count += 1;
    const text = JSON.stringify({
      schema: 1,
      time: new Date(time).toISOString(),
      ...members,
      writer: this.#writer,
      seq: this.#count,
      prev: this.#previous,
    });
    this.#previous = hashOfLine(text);
    return `${text}\n`;
  }
}

/** What the next line of the same writer has as `prev`. The line without its line break. */
export function hashOfLine(line: string): string {
  return createHash("sha256").update(line).digest("base64url");
}
