import { InvalidArgumentError } from "../errors/errors.js";

const plainWord = /^[A-Za-z0-9_@%+:,./-][A-Za-z0-9_@%+=:,./-]*$/;

/**
 * Quotes a string as one word of a POSIX shell, in single quotes: inside them every byte stands for itself, newlines and
 * `!` included. The characters are passed on as they are, so it works for text and for strings that hold one byte per
 * character. Throws InvalidArgumentError for a NUL, which no shell word can hold.
 */
export function shellQuote(value: string): string {
  if (value.includes("\0")) {
    throw new InvalidArgumentError("value", "A shell word cannot hold a NUL character.", {
      hint: "Give binary data as standard input instead.",
    });
  }
  return `'${value.replaceAll("'", `'\\''`)}'`;
}

/** Makes shell text of an argument list: each word arrives as it is. Words that need no quotes get none. */
export function shellQuoteWords(words: readonly string[]): string {
  // A first word with `=` would be an assignment; a plain first word is still subject to aliases, as when it is typed.
  return words.map((word, index) => (isPlain(word, index === 0) ? word : shellQuote(word))).join(" ");
}

function isPlain(word: string, isFirst: boolean): boolean {
  return plainWord.test(word) && !(isFirst && word.includes("="));
}
