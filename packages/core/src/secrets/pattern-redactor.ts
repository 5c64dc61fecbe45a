import { placeholder, type ByteFilter } from "./stream-redactor.js";
import { redactTokens } from "./token-patterns.js";

/** A line longer than this is not waited for. */
const longestLine = 16_384;
/** As much of a line that is too long is kept together: longer than any token. */
const longestToken = 8_192;

const keyBegins = /-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----/;
const keyEnds = /-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----/;
/** Base64, also indented, quoted, in a diff, or with line breaks written as `\n`; or a header of the old form; or nothing. */
const keyLine =
  /^[\s>|*#"'+-]*(?:[A-Za-z0-9+/=]|\\[nr])*[\s"',\\]*$|^[\s>|*#+-]*[A-Za-z-]{1,40}: .{0,200}\s*$/;

/**
 * Takes private keys out of a text, line by line, and what else `redact` finds in a line. Lines are whole but for the
 * last, and those that are far too long.
 */
export class PatternRedactor {
  readonly #redact: (text: string) => string;
  #isInKey = false;

  constructor(redact: (text: string) => string) {
    this.#redact = redact;
  }

  /** Takes a piece of text that ends with a line, or is all there is. */
  take(text: string): string {
    let clean = "";
    let rest = text;
    while (rest !== "") {
      if (this.#isInKey) {
        rest = this.#afterKey(rest);
        continue;
      }
      const begin = keyBegins.exec(rest);
      if (begin === null) return clean + this.#redact(rest);
      const after = begin.index + begin[0].length;
      const restOfLine = /^[^\n]*\n?/.exec(rest.slice(after))?.[0] ?? "";
      const isWhole = keyEnds.test(restOfLine);
      if (!isWhole && !keyLine.test(restOfLine)) {
        // Somebody writes about keys.
        clean += this.#redact(rest.slice(0, after + restOfLine.length));
        rest = rest.slice(after + restOfLine.length);
        continue;
      }
      clean += this.#redact(rest.slice(0, begin.index)) + placeholder("private_key");
      rest = rest.slice(isWhole ? after : after + restOfLine.length);
      this.#isInKey = true;
    }
    return clean;
  }

  /** What follows the key at the beginning of `text`; nothing while it goes on. */
  #afterKey(text: string): string {
    let at = 0;
    while (at < text.length) {
      const newline = text.indexOf("\n", at);
      const next = newline === -1 ? text.length : newline + 1;
      const line = text.slice(at, next);
      const end = keyEnds.exec(line);
      if (end !== null || !keyLine.test(line)) {
        this.#isInKey = false;
        return end === null ? `\n${text.slice(at)}` : text.slice(at + end.index + end[0].length);
      }
      at = next;
    }
    return "";
  }
}

/**
 * Takes what looks like a token out of a stream of bytes. Waits for the end of each line, and so holds back a prompt
 * that has none until more comes. Bytes that belong to no token pass as they are.
 */
export class TokenStream implements ByteFilter {
  readonly #patterns = new PatternRedactor(redactTokens);
  #held = "";

  push(bytes: Buffer): readonly Buffer[] {
    const text = this.#held + bytes.toString("latin1");
    const cut = lastCut(text);
    this.#held = text.slice(cut);
    return this.#pass(text.slice(0, cut));
  }

  flush(): readonly Buffer[] {
    const text = this.#held;
    this.#held = "";
    return this.#pass(text);
  }

  #pass(text: string): readonly Buffer[] {
    const clean = text === "" ? "" : this.#patterns.take(text);
    return clean === "" ? [] : [Buffer.from(clean, "latin1")];
  }
}

/** Up to where a text can be judged: its last line break, or within a line that is too long where a word ends. */
function lastCut(text: string): number {
  const end = Math.max(text.lastIndexOf("\n"), text.lastIndexOf("\r")) + 1;
  if (text.length - end <= longestLine) return end;
  const latest = text.length - longestToken;
  const space = Math.max(text.lastIndexOf(" "), text.lastIndexOf("\t")) + 1;
  return space > latest ? space : latest;
}
