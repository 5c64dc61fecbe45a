/** Every printable character of ASCII. */
export const printable = Array.from({ length: 95 }, (_, index) => String.fromCharCode(32 + index)).join("");

/** Single quotes around a text, for a script. Names under test go in by variables instead, so that nothing quotes them. */
export function singleQuoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

/** Names that naive quoting, option parsing or trimming gets wrong. None holds a slash. */
export const hardNames: readonly string[] = [
  " leading and trailing ",
  "-rf",
  "--help",
  "~",
  "~root",
  "$HOME",
  "`id`",
  "$(id)",
  "a'b\"c",
  "a\nb",
  "trailing newline\n",
  "\ttab",
  "a;b&c|d",
  "*?[a]{b,c}",
  "back\\slash\\",
  "!history!",
  "#hash",
  "%s%n",
  "=equals",
  "é€😀",
  "-",
  "...",
  printable.replaceAll("/", ""),
];
