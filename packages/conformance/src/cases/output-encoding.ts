import { casesOf, type CaseDefinition } from "../case.js";

/** Two, three and four bytes of UTF-8. */
const characters: Readonly<Record<string, string>> = { two: "é", three: "€", four: "😀" };

function octal(bytes: Uint8Array): string {
  return [...bytes].map((byte) => `\\${byte.toString(8).padStart(3, "0")}`).join("");
}

const splitCases = Object.entries(characters).map(([size, character]): [string, CaseDefinition] => [
  `utf8-split-${size}-bytes`,
  {
    title: `a character of ${size} bytes that arrives in two pieces is one character, wherever it is split`,
    rule: "SPEC 3.6",
    needs: ["separateStreams"],
    async run({ check, session }) {
      const bytes = Buffer.from(character);
      for (const redirect of ["", " >&2"]) {
        for (let at = 1; at < bytes.length; at += 1) {
          const pieces = [bytes.subarray(0, at), bytes.subarray(at)].map(
            (piece) => `printf '${octal(piece)}'${redirect}`,
          );
          const script = `printf '<'${redirect}; ${pieces.join("; sleep 0.05; ")}; printf '>'${redirect}`;
          const merged = await session.execute(script);
          check.printed(merged, `<${character}>`, `split after ${at} bytes`);
          const apart = await session.execute(script, { separate: true });
          check.equal(
            redirect === "" ? apart.stdout : apart.stderr,
            `<${character}>`,
            `split after ${at} bytes, apart`,
          );
        }
      }
    },
  },
]);

export const outputEncodingCases = casesOf("output", {
  ...Object.fromEntries(splitCases),
  "utf8-byte-by-byte": {
    title: "text written byte by byte arrives as text",
    rule: "SPEC 3.6",
    async run({ check, session }) {
      const text = "aé€😀z";
      const writes = [...Buffer.from(text)].map((byte) => `printf '${octal(Uint8Array.of(byte))}'`);
      check.printed(await session.execute(writes.join("; sleep 0.01; ")), text);
    },
  },
  "utf8-unfinished": {
    title: "a character that is never finished becomes U+FFFD in the text and stays in the bytes",
    rule: "SPEC 3.6",
    async run({ check, session, nextCommandWorks }) {
      const result = await session.execute("printf 'a\\342\\202'");
      check.printed(result, "a\uFFFD");
      check.bytes(result.outputBytes, Uint8Array.of(0x61, 0xe2, 0x82), "bytes of the output");
      await nextCommandWorks();
    },
  },
  "every-byte": {
    title: "all 256 values of a byte arrive unchanged in the bytes of the output",
    rule: "SPEC 3.6",
    async run({ check, session }) {
      const all = Uint8Array.from({ length: 256 }, (_, value) => value);
      const result = await session.execute(`printf '${octal(all)}'`);
      check.exited(result, 0);
      check.bytes(result.outputBytes, all, "bytes of the output");
      const reversed = all.toReversed();
      check.bytes(
        (await session.execute(`printf '${octal(reversed)}'`)).outputBytes,
        reversed,
        "bytes, reversed",
      );
    },
  },
  "every-byte-apart": {
    title: "all 256 values of a byte arrive unchanged on each stream",
    rule: "SPEC 3.6",
    needs: ["separateStreams"],
    async run({ check, session }) {
      const all = Uint8Array.from({ length: 256 }, (_, value) => value);
      const result = await session.execute(`printf '${octal(all)}'; printf '${octal(all)}' >&2`, {
        separate: true,
      });
      check.bytes(check.present(result.stdoutBytes, "stdoutBytes"), all, "bytes of stdout");
      check.bytes(check.present(result.stderrBytes, "stderrBytes"), all, "bytes of stderr");
    },
  },
  nul: {
    title: "a NUL in the output is kept",
    rule: "DESIGN, the warm shell",
    async run({ check, session, nextCommandWorks }) {
      check.printed(await session.execute("printf 'a\\0b\\0'"), "a\0b\0");
      await nextCommandWorks();
    },
  },
  "carriage-return": {
    title: "carriage returns are kept, alone and before a newline",
    rule: "field 7.6, output",
    async run({ check, session }) {
      check.printed(await session.execute("printf '10%%\\r20%%\\r\\nend\\r\\n'"), "10%\r20%\r\nend\r\n");
    },
  },
  ansi: {
    title: "escape sequences are kept as they are",
    rule: "field 7.6, output",
    async run({ check, session }) {
      const text = "\u001B[1;31mred\u001B[0m\u001B]0;title\u0007\u001B[2K";
      check.printed(await session.execute(`printf '${octal(Buffer.from(text))}'`), text);
    },
  },
  "byte-order-mark": {
    title: "a byte order mark at the start of the output is not swallowed",
    rule: "SPEC 3.1",
    async run({ check, session }) {
      const result = await session.execute("printf '\\357\\273\\277text'");
      check.printed(result, "\uFEFFtext");
    },
  },
});
