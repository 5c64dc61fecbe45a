import { execFileSync } from "node:child_process";
import { describe, expect, it } from "vitest";
import { InvalidArgumentError } from "../../src/errors/errors.js";
import { shellQuote, shellQuoteWords } from "../../src/shell/quote.js";

function readBack(shell: string, words: string, encoding: "utf8" | "latin1" = "utf8"): string[] {
  // The script goes in on stdin so that its bytes are exactly the ones written here.
  const output = execFileSync(shell, [], { input: Buffer.from(`printf '%s\\0' ${words}\n`, encoding) });
  return output.toString(encoding).split("\0").slice(0, -1);
}

describe.each(["bash", "sh"])("words quoted for %s", (shell) => {
  it("arrive unchanged, whatever is in them", () => {
    const words = [
      "",
      "two words",
      "it's",
      "'",
      "''",
      '"$HOME"',
      "`id`",
      "a\nb",
      "!!",
      "*",
      "\\",
      "-n",
      "é→😀",
      "~",
    ];
    expect(readBack(shell, words.map(shellQuote).join(" "))).toEqual(words);
  });

  it("keep every byte but NUL when they hold one byte per character", () => {
    const bytes = Array.from({ length: 255 }, (_, index) => String.fromCharCode(index + 1)).join("");
    expect(readBack(shell, shellQuote(bytes), "latin1")).toEqual([bytes]);
  });
});

describe("shellQuote", () => {
  it("refuses a NUL, which no shell word can hold", () => {
    expect(() => shellQuote("a\0b")).toThrow(InvalidArgumentError);
  });
});

describe("shellQuoteWords", () => {
  it("leaves plain words as they are and quotes the others", () => {
    expect(shellQuoteWords(["grep", "-r", "two words", "src/a.ts"])).toBe("grep -r 'two words' src/a.ts");
  });

  it("quotes a first word that would be an assignment, and only a first one", () => {
    expect(shellQuoteWords(["A=1", "B=2"])).toBe("'A=1' B=2");
  });

  it("quotes a tilde and a brace, which a shell would expand", () => {
    expect(shellQuoteWords(["ls", "~", "{a,b}"])).toBe("ls '~' '{a,b}'");
  });
});
