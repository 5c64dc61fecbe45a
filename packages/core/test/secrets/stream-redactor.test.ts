import { execFileSync } from "node:child_process";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { filteredOutput, outputFilter } from "../../src/secrets/output-filter.js";
import type { RedactionRules } from "../../src/secrets/redaction-rules.js";

const secret = "hunter2-Tr0ub4dor&3/xyz";
const rules = (...values: string[]): RedactionRules => ({
  values: values.map((value, index) => ({ name: `S${index}`, value })),
  patterns: false,
});

/** What comes out when the input arrives in these pieces. */
function through(pieces: readonly Buffer[], given: RedactionRules): Buffer {
  const filter = outputFilter(given);
  if (filter === undefined) return Buffer.concat(pieces);
  return Buffer.concat([...pieces.flatMap((piece) => filter.push(piece)), ...filter.flush()]);
}

describe("a stream without its secrets", () => {
  it("is the same wherever its pieces are cut in two", () => {
    const text = Buffer.from(
      `a=${secret}\n${secret}${secret} hunter2-Tr0 é ${encodeURIComponent(secret)}\0\xff`,
      "utf8",
    );
    const expected = "a=[redacted:S0]\n[redacted:S0][redacted:S0] hunter2-Tr0 é [redacted:S0]\0\xff";
    for (let cut = 0; cut <= text.length; cut++) {
      const clean = through([text.subarray(0, cut), text.subarray(cut)], rules(secret));
      expect(clean.toString(), `cut at ${cut}`).toBe(expected);
    }
  });

  it("is the same when it comes byte by byte", () => {
    const text = Buffer.from(`one ${secret} two ${Buffer.from(secret).toString("base64")} three`);
    const pieces = [...text].map((byte) => Buffer.from([byte]));
    expect(through(pieces, rules(secret)).toString()).toBe("one [redacted:S0] two [redacted:S0] three");
  });

  it("has every other byte as it was, however bytes and cuts fall", () => {
    const letters = fc
      .array(fc.constantFrom(..."ab\n\0".split("")), { maxLength: 40 })
      .map((list) => list.join(""));
    const value = fc.array(fc.constantFrom(..."abcd".split("")), { minLength: 8, maxLength: 12 });
    const known = value.map((list) => list.join("")).filter((text) => new Set(text).size === 4);
    fc.assert(
      fc.property(
        fc.array(known, { minLength: 1, maxLength: 3 }),
        fc.array(fc.oneof(letters, fc.nat({ max: 2 })), { maxLength: 12 }),
        fc.array(fc.nat({ max: 30 }), { maxLength: 12 }),
        (values, parts, sizes) => {
          const text = Buffer.from(
            parts.map((part) => (typeof part === "string" ? part : (values[part] ?? ""))).join(""),
          );
          const pieces: Buffer[] = [];
          let rest = text;
          for (const size of sizes) {
            pieces.push(rest.subarray(0, size));
            rest = rest.subarray(size);
          }
          const clean = through([...pieces, rest], rules(...values)).toString("latin1");
          // Cut or not, the outcome is one; no known value is left; and nothing was lost when there was none.
          expect(clean).toBe(filteredOutput(text, rules(...values)).toString("latin1"));
          for (const each of values) expect(clean).not.toContain(each);
          const isFree = !values.some((each) => text.includes(each));
          expect(isFree ? clean : "").toBe(isFree ? text.toString("latin1") : "");
        },
      ),
      { numRuns: 300 },
    );
  });

  it("covers secrets that overlap, and of two that begin together the longer one", () => {
    const text = Buffer.from("<abcdefgh-ijklmnop> <abcdefgh-ijk>");
    const given = rules("abcdefgh", "efgh-ijklmnop", "abcdefgh-ijk");
    for (let cut = 0; cut <= text.length; cut++) {
      const clean = through([text.subarray(0, cut), text.subarray(cut)], given).toString();
      expect(clean, `cut at ${cut}`).toMatch(/^<\[redacted:S\d\]> <\[redacted:S2\]>$/);
    }
  });

  it("passes on at once what cannot be the beginning of a secret", () => {
    const filter = outputFilter(rules(secret));
    const seen = (text: string): string => Buffer.concat(filter?.push(Buffer.from(text)) ?? []).toString();
    expect(seen("Password: ")).toBe("Password: ");
    expect(seen("go on? hun")).toBe("go on? ");
    expect(seen("dred")).toBe("hundred");
  });

  it("holds back no more than its longest secret", () => {
    const long = `begin-${"0123456789".repeat(1_000)}`;
    const filter = outputFilter(rules(long));
    const piece = Buffer.from(long.slice(0, 5_000));
    let held = 0;
    for (let count = 0; count < 50; count++) {
      held += piece.length;
      for (const passed of filter?.push(piece) ?? []) held -= passed.length;
      expect(held).toBeLessThanOrEqual(long.length * 1.2);
    }
  });

  it.each([
    ["base64 at three offsets", 'for p in "" x xy; do printf "%s%s-tail" "$p" "$S" | base64 -w0; echo; done'],
    [
      "base64 broken into lines",
      'for n in 0 1 2 3 5 7 11 13; do { head -c $n /dev/zero; printf %s "$S"; } | base64 -w 20; done',
    ],
    ["hexadecimal", 'printf %s "$S" | od -An -v -tx1 | tr -d " \\n"'],
    ["declare -p", "export S; declare -p S; export -p"],
    ["printf %q", 'printf "%q\\n" "$S"'],
    ["set", "set"],
    ["set -x", 'set -x; : "$S" 2>&1'],
    ["JSON", 'node -p "JSON.stringify({s: process.env.S})"'],
    ["JSON in JSON", 'node -p "JSON.stringify(JSON.stringify({s: process.env.S}))"'],
    ["a URL", 'node -p "new URLSearchParams({s: process.env.S})"'],
    ["a numbered listing", 'printf "%s\\n" "$S" | cat -n'],
    ["CRLF", 'printf "%s\\n" "$S" | sed "s/$/\\r/"'],
  ])("lacks secrets in the form of %s", (_, script) => {
    for (const value of [
      "plain-Secret_0123456789",
      'it\'s a "quoted" $secret & <more>/+',
      "line one of it all\nand line two of it all\n",
    ]) {
      const printed = execFileSync("bash", ["-c", `exec 2>&1; ${script}`], {
        env: { PATH: process.env["PATH"] ?? "", S: value },
        // Not a socket, for which bash would read start-up files.
        stdio: ["ignore", "pipe", "inherit"],
      });
      const clean = filteredOutput(printed, rules(value)).toString();
      expect(clean).toContain("[redacted:S0]");
      // Neither as it is, nor when what was encoded is decoded again, nor in parts of twelve characters.
      const readings = [clean, clean.replaceAll(/\\(.)/g, "$1"), ...decoded(clean)];
      for (const reading of readings) {
        for (const line of value.split("\n")) {
          for (let at = 0; at + 12 <= line.length; at++)
            expect(reading).not.toContain(line.slice(at, at + 12));
        }
      }
    }
  });
});

function decoded(text: string): readonly string[] {
  const words = text.split(/\s+/).filter((word) => word.length > 10);
  return words.flatMap((word) => [
    Buffer.from(word, "base64").toString(),
    Buffer.from(word, "hex").toString(),
  ]);
}
