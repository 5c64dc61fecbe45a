import { casesOf } from "../case.js";

/** Constructs that a script begins and never ends. The shell must refuse each of them and stay in step. */
const unfinished = [
  'echo "abc',
  "echo 'abc",
  "echo `date",
  "echo $(date",
  "echo ${HOME",
  "echo $((1 + ",
  "( echo a",
  "{ echo a",
  "if true; then",
  "for word in a b",
  "while true; do",
  "case x in x)",
  "f() {",
  "echo a &&",
  "echo a |",
];

/** Constructs that are wrong where they stand. */
const misplaced = ["fi", "done", "}", ")", ";;", "esac", "then echo", "echo a ;; echo b", "| cat", "&& true"];

export const outcomeDamageCases = casesOf("outcome", {
  "syntax-error": {
    title: "a script that is no shell is exited with 1 or 2 and a message, and the next command works",
    rule: "DESIGN, the warm shell",
    async run({ check, session, nextCommandWorks }) {
      for (const script of misplaced) {
        const result = await session.execute(script);
        check.oneOf(result.exitCode, [1, 2], `status of ${script}`);
        check.that(result.output.length > 0, `${script}: expected a message`);
        await nextCommandWorks();
      }
    },
  },
  unfinished: {
    title: "a script with an unclosed quote, bracket or compound is refused, and the next command works",
    rule: "DESIGN, the warm shell",
    async run({ check, session, nextCommandWorks }) {
      for (const script of unfinished) {
        const result = await session.execute(script);
        check.oneOf(result.exitCode, [1, 2], `status of ${script}`);
        await nextCommandWorks();
      }
    },
  },
  "unterminated-heredoc": {
    title: "a here-document without its end runs to the end of the script and no further",
    rule: "DESIGN, the warm shell",
    async run({ check, session, nextCommandWorks }) {
      const result = await session.execute("cat <<END\nhello\nthere");
      check.exited(result, 0);
      check.includes(result.output, "hello\nthere", "output");
      await nextCommandWorks();
    },
  },
  "trailing-comment": {
    title: "a comment or a backslash at the end of a script hides nothing of what follows",
    rule: "DESIGN, the warm shell",
    async run({ check, session, nextCommandWorks }) {
      for (const script of ["echo a # comment", "echo a; \\\n", "echo a #'\"`$("]) {
        check.printed(await session.execute(script), "a\n", script);
        await nextCommandWorks();
      }
      // A backslash before nothing stands for itself in bash and for nothing in other shells.
      const backslash = await session.execute("echo a \\");
      check.exited(backslash, 0);
      check.oneOf(backslash.output, ["a \\\n", "a\n"], "output of a backslash at the end");
      await nextCommandWorks();
    },
  },
  "streams-closed": {
    title: "a command that closes its own streams and descriptors still reports its status",
    rule: "DESIGN, decision 3",
    async run({ check, session, nextCommandWorks }) {
      check.exited(await session.execute("exec 0<&- 1>&- 2>&-; exit 8"), 8, "streams closed");
      await nextCommandWorks();
      const closeAll = 'n=3; while [ $n -lt 256 ]; do eval "exec $n>&-"; n=$((n + 1)); done; exit 4';
      check.exited(await session.execute(closeAll), 4, "descriptors 3 to 255 closed");
      await nextCommandWorks();
    },
  },
  "own-footer": {
    title: "a command that prints all its shell knows cannot forge its end",
    rule: "DESIGN, decision 3",
    async run({ check, session, nextCommandWorks }) {
      const result = await session.execute(
        'all=$(set; declare -p; declare -f; trap -p; cat /proc/$$/cmdline /proc/$$/environ | tr "\\0" "\\n") 2>/dev/null\n' +
          'printf "%s\\n" "$all"; printf "%s" "$all" >&2; printf "%s\\n%s" "$all" "$all"; exit 5',
        { maxOutputBytes: 4_000_000 },
      );
      check.exited(result, 5);
      check.that(result.output.length > 200, "expected the shell's variables in the output");
      await nextCommandWorks();
    },
  },
  "footer-look-alikes": {
    title: "output that looks like a protocol's own words arrives exactly as it was written",
    rule: "DESIGN, the warm shell",
    async run({ check, session, nextCommandWorks }) {
      const tokens = Array.from({ length: 400 }, (_, index) => {
        const token = Buffer.from(`${index * 7_919}-${index}-look-alike`)
          .toString("base64url")
          .slice(0, 16);
        return `${token}. x ${index % 256} 0${index % 3 === 0 ? "\n" : " "}exit:${index}\u0000\u001E`;
      });
      const text = tokens.join("").replaceAll("\u0000", "") + "__END__ 0";
      const result = await session.execute(`cat <<'EOT'\n${text}\nEOT\nexit 7`, {
        maxOutputBytes: 1_000_000,
      });
      check.exited(result, 7);
      check.equal(result.output, `${text}\n`, "output");
      await nextCommandWorks();
    },
  },
  "descriptor-noise": {
    title: "a command that writes to every open descriptor cannot disturb what is reported",
    rule: "DESIGN, the warm shell",
    async run({ check, session, nextCommandWorks }) {
      const result = await session.execute(
        "n=3; while [ $n -lt 256 ]; do { printf '0 0 0\\nnoise\\n' >&$n; } 2>/dev/null; n=$((n + 1)); done; exit 6",
      );
      check.exited(result, 6);
      await nextCommandWorks();
    },
  },
});
