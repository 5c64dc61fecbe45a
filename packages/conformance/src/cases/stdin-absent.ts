import { casesOf } from "../case.js";
import { timed } from "../stopwatch.js";

/** Programs that read their input when they are given nothing else to read. */
const readers = [
  "cat",
  "read line",
  "grep x",
  "sort",
  "wc -c >/dev/null",
  "sh",
  "tr a b",
  "head -n 1",
  "sed p",
];

export const stdinAbsentCases = casesOf("stdin", {
  "end-by-default": {
    title: "programs that read their input find its end at once when none was given",
    rule: "SPEC 3.5",
    async run({ check, session, patience }) {
      for (const reader of readers) {
        const { value: result, ms } = await timed(() => session.execute(`${reader}; echo over`));
        check.printed(result, "over\n", reader);
        check.atMost(ms, patience(5_000), `milliseconds of ${reader}`);
      }
    },
  },
  "script-not-eaten": {
    title: "a program that reads its input cannot eat the rest of the script",
    rule: "DESIGN, the warm shell",
    async run({ check, session }) {
      check.printed(await session.execute("cat\nread -r x\nsh\necho after"), "after\n");
    },
  },
  "reader-in-loop": {
    title: "a loop that reads its own input is not disturbed by programs in it",
    rule: "SPEC 3.5",
    async run({ check, session }) {
      const script = "printf 'a\\nb\\nc\\n' | while read -r line; do echo $line; cat </dev/null; done";
      check.printed(await session.execute(script), "a\nb\nc\n");
    },
  },
  "asks-terminal": {
    title: "a program that asks the terminal fails at once: there is none",
    rule: "field 7.6, stdin",
    async run({ check, session, patience }) {
      const { value: result, ms } = await timed(() => session.execute("cat </dev/tty"));
      check.exitedNonZero(result);
      check.atMost(ms, patience(5_000), "milliseconds");
    },
  },
  "no-terminal": {
    title: "none of a command's streams is a terminal",
    rule: "SPEC 3.12",
    async run({ check, session }) {
      const script = "for n in 0 1 2; do if [ -t $n ]; then echo terminal; else echo none; fi; done";
      check.printed(await session.execute(script), "none\nnone\nnone\n");
    },
  },
  heredoc: {
    title: "here-documents of any size feed the programs they are written for",
    rule: "field 6 E 113",
    async run({ check, session, nextCommandWorks }) {
      check.printed(
        await session.execute("cat <<'END'\n$HOME `id` \\\nEND\necho after"),
        "$HOME `id` \\\nafter\n",
      );
      const body = "0123456789abcde\n".repeat(20_000);
      check.printed(await session.execute(`wc -c <<'END' | tr -d ' '\n${body}END\n`), `${body.length}\n`);
      await nextCommandWorks();
    },
  },
  "heredoc-and-stdin": {
    title: "a here-document in a command that was given input takes nothing of it",
    rule: "SPEC 3.5",
    needs: ["stdin"],
    async run({ check, session }) {
      const script = "cat <<END\nfrom the script\nEND\ncat";
      check.printed(
        await session.execute(script, { stdin: "from outside\n" }),
        "from the script\nfrom outside\n",
      );
    },
  },
});
