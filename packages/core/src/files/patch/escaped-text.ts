const meanings: ReadonlyMap<string, string> = new Map([
  ["\\n", "\n"],
  ["\\t", "\t"],
  ['\\"', '"'],
  ["\\'", "'"],
  ["\\`", "`"],
  ["\\\\", "\\"],
]);

const escape = /\\[nt"'`\\]/g;

/**
 * A change that was escaped once more than meant, as text in a JSON string is, without that. Only what was escaped in
 * the text to find is taken for escaped in its replacement: there a `\n` may well be meant. Undefined: nothing was escaped.
 */
export function unescapeChange(change: {
  readonly find: string;
  readonly replace: string;
}): { readonly find: string; readonly replace: string } | undefined {
  const kinds = new Set(change.find.match(escape));
  if (kinds.size === 0) return undefined;
  const unescaped = (text: string): string =>
    text.replace(escape, (sequence) =>
      kinds.has(sequence) ? (meanings.get(sequence) ?? sequence) : sequence,
    );
  return { find: unescaped(change.find), replace: unescaped(change.replace) };
}
