import { describe, expect, test } from "vitest";
import { maskLines } from "../../src/files/mask-lines.js";
import { outputFilter } from "../../src/secrets/output-filter.js";

const key = "-----BEGIN KEY-----\nMIIEvQIBADANBgkqhkiG9w0BAQ\n-----END KEY-----";
const rules = {
  values: [
    { name: "TOKEN", value: "s3cr3t-value-0123456789" },
    { name: "KEY", value: key },
  ],
  patterns: false,
};
const masked = (lines: readonly string[]) => maskLines(lines, outputFilter(rules));
const linesOf = (text: string): string[] => text.match(/[^\n]*\n|[^\n]+$/g) ?? [];

describe("secrets in lines of a file", () => {
  test("nothing is said to be masked where there is no secret or no filter", () => {
    expect(masked(["a\n", "b"])).toBeUndefined();
    expect(maskLines(["s3cr3t-value-0123456789\n"], undefined)).toBeUndefined();
  });

  test("a secret within a line is taken out, and the lines around it stay", () => {
    expect(masked(["a\n", "x=s3cr3t-value-0123456789;\r\n", "b"])).toEqual([
      "a\n",
      "x=[redacted:TOKEN];\r\n",
      "b",
    ]);
  });

  test("each line after a secret of several lines keeps its number", () => {
    expect(masked(linesOf(`a\nkey = "${key}"\nb\nc`))).toEqual([
      "a\n",
      'key = "[redacted:KEY]"\n',
      "[redacted:KEY]\n",
      "[redacted:KEY]\n",
      "b\n",
      "c",
    ]);
  });

  test("a secret of several lines that ends the file leaves as many lines", () => {
    expect(masked(linesOf(`a\n${key}`))).toHaveLength(4);
    expect(masked(linesOf(`a\n${key}\n`))).toHaveLength(4);
  });
  test("secrets of several lines one after the other leave as many lines as they took", () => {
    const shown = masked(linesOf(`a\n${key}\nb s3cr3t-value-0123456789\n${key}\nend\n`));
    expect(shown).toHaveLength(9);
    expect(shown?.[4]).toBe("b [redacted:TOKEN]\n");
    expect(shown?.at(-1)).toBe("end\n");
  });
});
