/** Backslash escapes as `printf` and `echo -e` read them. */
export function ansiText(text: string): string {
  return text.replace(
    /\\(?:x([0-9A-Fa-f]{1,2})|0?([0-7]{1,3})|u([0-9A-Fa-f]{1,4})|(["'\\abefnrtv?]))/gu,
    (
      match,
      hex: string | undefined,
      octal: string | undefined,
      code: string | undefined,
      letter: string | undefined,
    ) => {
      if (hex !== undefined) return String.fromCharCode(Number.parseInt(hex, 16));
      if (octal !== undefined) return String.fromCharCode(Number.parseInt(octal, 8) & 0xff);
      if (code !== undefined) return String.fromCharCode(Number.parseInt(code, 16));
      return letters.get(letter ?? "") ?? match.slice(1);
    },
  );
}

const letters: ReadonlyMap<string, string> = new Map([
  ["a", "\x07"],
  ["b", "\b"],
  ["e", "\x1b"],
  ["f", "\f"],
  ["n", "\n"],
  ["r", "\r"],
  ["t", "\t"],
  ["v", "\v"],
]);
