import fc from "fast-check";

/** Text that generated scripts print, in the forms in which it goes wrong: empty, with blanks, quotes, control bytes. */
const text = fc.constantFrom(
  "a",
  "b c",
  "",
  " ",
  "-n",
  "x=1",
  "two\nlines",
  "tab\tbed",
  'dou"ble',
  "sin'gle",
  "back\\slash",
  "$HOME",
  "`id`",
  "é→😀",
  "ü",
  "*",
  "?",
  "[a-z]*",
  "~",
  "!",
  "#no comment",
  "a;b",
  "&",
  "|",
  "(x)",
  "{a,b}",
  "%s%d",
  "\u0001\u007f",
);

const singleQuoted = text.map((value) => `'${value.replaceAll("'", "'\\''")}'`);
const plainDoubleQuoted = text.map((value) => `"${value.replaceAll(/["\\$`]/g, "\\$&")}"`);

/** Bytes as octal escapes: NUL, control characters and parts of characters among them. */
export const octalBytes = fc
  .array(fc.oneof(fc.integer({ min: 0, max: 255 }), fc.constantFrom(0, 2, 10, 13, 27, 0x30, 0xc3, 0xff)), {
    minLength: 1,
    maxLength: 40,
  })
  .map((bytes) => bytes.map((byte) => `\\${byte.toString(8).padStart(3, "0")}`).join(""));

const variable = fc.constantFrom("v", "w", "HOME", "nope", "arr", "1", "@", "#", "?", "PWD", "IFS");

const expansion = fc.oneof(
  variable.map((name) => `"$${name}"`),
  variable.map((name) => `$${name}`),
  fc.constantFrom(
    '"${v:-default}"',
    "${w:+set}",
    '"${#v}"',
    '"${v//a/b}"',
    "${v^^}",
    '"${v%b*}"',
    '"${v:1:2}"',
    '"${arr[@]}"',
    '"${arr[*]}"',
    '"${#arr[@]}"',
    '"${!arr[@]}"',
    '"${arr[1]}"',
    '"${v@Q}"',
    '"${map[k]}"',
    "${nope-}",
    '"$(printf "a\\n\\n")"',
    '"$(echo in; exit 3)"',
    "`echo back`",
    "$((1 + 2 * 3))",
    "$((v = 5, v << 2))",
    "$((16#ff))",
    "$'\\x41\\t\\u00e9'",
    "$'it\\'s'",
    "{a,b}c",
    "{1..4}",
    "{z..w}",
    "*.txt",
    "s?b",
    "nothing*here",
    "[ab].txt",
    "~",
    "~/x",
    "<(:)x",
  ),
);

/** One word of a command line. */
export const word = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom("a", "bc", "-x", "1", "foo.txt") },
  { weight: 2, arbitrary: singleQuoted },
  { weight: 2, arbitrary: plainDoubleQuoted },
  { weight: 3, arbitrary: expansion.filter((value) => !value.startsWith("<(")) },
  { weight: 1, arbitrary: fc.tuple(singleQuoted, expansion).map(([a, b]) => `${a}${b}`) },
);

export const words = fc.array(word, { maxLength: 4 }).map((list) => list.join(" "));
