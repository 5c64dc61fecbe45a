import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { shellQuote } from "../../src/shell/quote.js";
import { readShellWord } from "../../src/shell/shell-word.js";
import { realBash } from "../support/real-bash.js";

const everyByte = Array.from({ length: 255 }, (_, index) => String.fromCharCode(index + 1));
const bytes = fc.string({ unit: fc.constantFrom(...everyByte), maxLength: 40 });
const special = fc.string({
  unit: fc.constantFrom(..."'\"\\$`\n\t !~#=é\u00ff\u0001\u007fab{".split("")),
  maxLength: 20,
});

/** How bash writes each value for re-use, by `%q` and by `export -p`; both end in a line. */
function writtenByBash(values: readonly string[], locale: string): { quoted: string; exported: string } {
  const assign = values.map((value, index) => `export V${index}=${shellQuote(value)}\n`).join("");
  const print = values.map((_, index) => `printf '%q\\n' "$V${index}"\n`).join("");
  const list = values.map((_, index) => `declare -p V${index}\n`).join("");
  const { stdout, stderr } = realBash(`${assign}${print}printf '\\036'\n${list}`, { LC_ALL: locale });
  expect(stderr).toBe("");
  const [quoted = "", exported = ""] = stdout.split("\u001e");
  return { quoted, exported };
}

/** Reads words that stand one after the other, each behind `prefix` and before a line end. */
function readAll(text: string, prefix: (index: number) => string): string[] {
  const values: string[] = [];
  let at = 0;
  while (at < text.length) {
    at += prefix(values.length).length;
    const word = readShellWord(text, at);
    values.push(word.value);
    expect(text.charAt(word.end)).toBe("\n");
    at = word.end + 1;
  }
  return values;
}

describe.each(["C", "C.UTF-8"])("words as bash writes them in locale %s", (locale) => {
  it("hold every byte but NUL", () => {
    const characters = Buffer.from("é→😀", "utf8").toString("latin1");
    const values = [...everyByte, everyByte.join(""), "", characters, characters.slice(0, -1)];
    const { quoted, exported } = writtenByBash(values, locale);
    expect(readAll(quoted, () => "")).toEqual(values);
    expect(readAll(exported, (index) => `declare -x V${index}=`)).toEqual(values);
  });

  it("are read back unchanged whatever they hold", () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(bytes, special), { minLength: 1, maxLength: 40 }), (values) => {
        const { quoted, exported } = writtenByBash(values, locale);
        expect(readAll(quoted, () => "")).toEqual(values);
        expect(readAll(exported, (index) => `declare -x V${index}=`)).toEqual(values);
      }),
      { numRuns: 25 },
    );
  });
});

describe("readShellWord", () => {
  it.each([
    ["a'b c'\"d \\\"e\"$'f\\n\\x41\\101\\u00e9'\\ g rest", 'ab cd "ef\nAA\u00c3\u00a9 g'],
    ["$'\\cA\\e\\E\\a\\?'", "\u0001\u001b\u001b\u0007?"],
    ["''", ""],
    ["plain\nnext", "plain"],
  ])("reads %j", (text, value) => {
    expect(readShellWord(text, 0).value).toBe(value);
  });
});
