import { casesOf } from "../case.js";
import { printable, singleQuoted } from "../hard-names.js";

export const quotingScriptCases = casesOf("quoting", {
  "script-printable": {
    title: "every printable character of a script reaches the shell as it is",
    rule: "field 7.6, quoting",
    async run({ check, session }) {
      const text = `${printable}\n\t${printable.split("").toReversed().join("")}`;
      check.printed(await session.execute(`printf '%s' ${singleQuoted(text)}`), text);
      for (const character of printable) {
        check.printed(
          await session.execute(`printf '%s' ${singleQuoted(character)}`),
          character,
          `of ${character}`,
        );
      }
    },
  },
  "script-unicode": {
    title: "a script beyond ASCII reaches the shell as UTF-8",
    rule: "field 7.6, quoting",
    async run({ check, session }) {
      const text = "é€😀\u00A0\u2028\u200B\uFEFFあ";
      check.printed(await session.execute(`printf '%s' '${text}'`), text);
    },
  },
  "script-literal": {
    title: "what is quoted in a script is not expanded by anyone on its way",
    rule: "field 6 E 118",
    async run({ check, session }) {
      check.printed(
        await session.execute("printf '%s\\n' '$HOME' '`id`' '$(id)' '\\n' \"a!b\" '*' '~' '%d'"),
        "$HOME\n`id`\n$(id)\n\\n\na!b\n*\n~\n%d\n",
      );
    },
  },
  "script-edges": {
    title: "a script may begin with a dash, blanks or newlines and end with any of them",
    rule: "field 7.6, quoting",
    async run({ check, session, nextCommandWorks }) {
      for (const script of [
        "\n\n echo a",
        "  \t echo a  \n\n",
        "echo a;",
        "echo a\n",
        "\\echo a",
        "{ echo a; }",
      ]) {
        check.printed(await session.execute(script), "a\n", JSON.stringify(script));
      }
      check.exited(await session.execute("-x"), 127, "a script that begins with a dash");
      check.exited(await session.execute("--version"), 127, "a script that looks like an option");
      check.exited(await session.execute("# only a comment"), 0, "a comment");
      await nextCommandWorks();
    },
  },
  "script-lines": {
    title: "line numbers in a script are its own",
    rule: "DESIGN, the warm shell",
    needs: ["state"],
    async run({ check, session }) {
      check.printed(await session.execute("echo $LINENO\n\necho $LINENO"), "1\n3\n");
    },
  },
  "script-mebibyte": {
    title: "a script of a mebibyte is run whole",
    rule: "field 7.6, quoting",
    async run({ check, session, nextCommandWorks }) {
      const word = "0123456789abcdef".repeat(65_536);
      const result = await session.execute(`text='${word}'\nprintf '%s' "$text" | wc -c | tr -d ' '; exit 3`);
      check.exited(result, 3);
      check.equal(result.output, "1048576\n", "bytes that the shell has seen");
      const lines = `${": a line that does nothing\n".repeat(40_000)}echo end`;
      check.printed(await session.execute(lines), "end\n", "a script of 40,000 lines");
      await nextCommandWorks();
    },
  },
  "script-refused": {
    title: "an empty script and one with a NUL are refused before anything runs",
    rule: "field 7.6, quoting",
    async run({ check, session, nextCommandWorks }) {
      for (const script of ["", "  \n", "echo a\0b"]) {
        await check.rejects(
          session.execute(script),
          "invalid_argument",
          `the script ${JSON.stringify(script)}`,
        );
      }
      await nextCommandWorks();
    },
  },
});
