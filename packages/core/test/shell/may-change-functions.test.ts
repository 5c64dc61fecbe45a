import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { mayChangeFunctions } from "../../src/shell/may-change-functions.js";
import { realBash } from "../support/real-bash.js";

const long = "x".repeat(3_000);
const functions = new Map([
  ["known", { body: `known () \n{ \n    fresh () { :; }; : ${long}\n}` }],
  ["with-dash", { body: "with-dash () \n{ \n    unset -f known\n}" }],
]);
const aliases = new Map([["short", "known"]]);

describe("mayChangeFunctions", () => {
  it.each([
    "f() { :; }",
    "function f { :; }",
    "f ()\n(:)",
    "unset -f known",
    "unset known",
    "eval 'f() { :; }'",
    ". ./lib.sh",
    "source lib.sh",
    "known",
    "echo a; known",
    "echo a | known",
    "true && with-dash",
    "short",
    "A=1 known",
    "'known'",
    '"kno"wn',
    "kno\\wn",
    "$x",
    "`echo known`",
    "\\\n known",
    "trap known EXIT",
    "export -f known",
    "export -fn known",
    "declare -fx known",
    "builtin eval a",
    "command known",
    "if known; then :; fi",
    "{ known; }",
    "! known",
    "time known",
    ">out known",
    "unset -f kno*",
    "readonly -f known",
    "enable -f /lib/x known",
    "mapfile -C known -c 1 arr",
    "complete -F known x",
    "x=known\nr$x",
  ])("is true for %j", (script) => {
    expect(mayChangeFunctions(script, functions, aliases)).toBe(true);
  });

  it.each([
    "$(echo known)",
    "echo a; $x",
    'echo "a"; "$x" b',
    'echo "$(known)"; known',
    'echo $((1)); eval "$x"',
    "for i in $x; do known; done",
    'if [ -n "$x" ]; then . "$x"; fi',
    "A=$x known",
    '2>"$x" known',
    'echo "$x" | known',
    'echo "${x:-$(known)}" && source "$x"',
    "case $x in a) known ;; esac",
    "cat <<E\n$x\nE\nknown",
    'f() { echo "$x"; }',
    'trap "$x" EXIT',
    'export "$x"',
    "export -f $x",
    "echo $'a\\'; known #'",
    'echo ${x#"}"}; known',
    "( known ); echo $x; x=(known)",
    "let x=$y; known",
    "time $x",
    "{ $x; }",
  ])("is true for %j, whose expansions could hide it", (script) => {
    expect(mayChangeFunctions(script, functions, aliases)).toBe(true);
  });

  it.each([
    'echo "$HOME"',
    'echo "$(known)"',
    'for f in *.ts; do echo "$f: $(wc -l <"$f")"; done',
    'if [ -n "$x" ] && [[ -f $y ]]; then printf "%s\\n" "${x:-none}"; fi',
    'A="$x" make -C "$dir" 2>&1 | tail -n 20',
    'cd "$HOME/src" && git log --oneline -n 5 >"$out" # known',
    'test -d "$x" || mkdir -p "$x"; exit $?',
    "export PATH=/usr/bin:/bin",
    "(cd /tmp; ls $x)",
    'diff <(sort "$a") <(sort "$b")',
    'cat <<<"$x"',
    'while read -r line; do echo "${line#known}"; done <"$file"',
  ])("is false for %j, in which every command can be read off", (script) => {
    expect(mayChangeFunctions(script, functions, aliases)).toBe(false);
  });

  it.each(["true", "ls -la | wc -l", "cd /tmp && pwd", "export A=1", "sh -c 'exit 3'", "git status --short"])(
    "is false for %j, which a dump of many functions would only slow down",
    (script) => {
      expect(mayChangeFunctions(script, functions, aliases)).toBe(false);
    },
  );

  it("is always true while the functions are few, because dumping them costs nothing", () => {
    expect(mayChangeFunctions("true", new Map([["f", { body: "f () \n{ \n    :\n}" }]]), new Map())).toBe(
      true,
    );
  });

  it(
    "is false only for scripts that leave a real bash's functions as they were",
    { timeout: 120_000 },
    () => {
      const word = fc.constantFrom(
        ..."known fresh with-dash short unset -f -n -- f eval echo function source . declare -fx export -fn builtin"
          .split(" ")
          .concat(
            "command",
            "trap",
            "EXIT",
            "DEBUG",
            "a=known",
            "'known'",
            'k"nown"',
            "alias",
            "s=short",
            "readonly",
            '"$v"',
            "$v",
            "$(known)",
            "${v:-x}",
            "if",
            "then",
            "fi",
            "for",
            "do",
            "done",
            "{",
            "}",
            "(",
            ")",
            "case",
            "[[",
            "]]",
            "()",
            "x=(known)",
            "#",
            "'",
            '"',
            "$((1))",
            "\\",
            "!",
            "time",
            "<(known)",
          ),
      );
      const separator = fc.constantFrom(
        " ",
        " ",
        " ",
        ";",
        "\n",
        " && ",
        " | ",
        " || ",
        "&",
        "\t",
        ">/dev/null ",
        "<<<",
      );
      const script = fc
        .array(fc.tuple(word, separator), { minLength: 1, maxLength: 7 })
        .map((parts) => parts.flat().join(""));
      const scripts = fc
        .sample(script, { numRuns: 8_000, seed: 7 })
        .filter((text) => !mayChangeFunctions(text, functions, aliases));
      expect(scripts.length).toBeGreaterThan(100);
      // Each in a subshell of one bash, at the end of which an EXIT trap says what functions there are.
      const setUp = [
        "shopt -s expand_aliases",
        ...[...functions.values()].map(({ body }) => body),
        "alias short=known",
        "v=known",
        "before=$(declare -F; declare -f)",
      ];
      const runs = scripts.map(
        (text, index) =>
          `( trap 'after=$(builtin declare -F; builtin declare -f); [[ $after == "$before" ]] || ` +
          `builtin echo changed ${index} >&3' EXIT; builtin eval '${text.replaceAll("'", "'\\''")}' ) </dev/null >/dev/null 2>&1`,
      );
      const { stdout, status } = realBash([...setUp, "exec 3>&1", ...runs, "echo done", ""].join("\n"));
      const changed = [...stdout.matchAll(/changed (\d+)/g)].map(([, index]) => scripts[Number(index)]);
      expect(changed).toEqual([]);
      expect(stdout).toContain("done");
      expect(status).toBe(0);
    },
  );
});
