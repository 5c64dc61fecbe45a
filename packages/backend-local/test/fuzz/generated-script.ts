import fc from "fast-check";
import { simpleCommand } from "./script-commands.js";

const status = fc.constantFrom(0, 1, 2, 3, 42, 124, 126, 127, 128, 130, 137, 255, 256, -1);

/** Settled before the script ends, or silent: what a child prints later has no place to be compared in. */
const background = fc.constantFrom(
  "sleep 0.02 &",
  "{ sleep 0.01; echo late > /dev/null; } &",
  "echo child & wait",
  "(sleep 0.01; exit 3) & wait $!; echo $?",
  "sleep 0.01 & sleep 0.01 & wait; echo both",
  "{ echo e >&2; exit 5; } & wait $!; echo $?",
  "sleep 5 & kill -KILL $!; wait $! 2>/dev/null; echo $?",
  "sleep 5 > /dev/null 2>&1 & disown; kill -KILL $!",
  'coproc { read -r l; echo "co:$l"; }; echo hi >&"${COPROC[1]}"; read -r l <&"${COPROC[0]}"; echo "$l"; wait',
  "setsid sleep 0.02 < /dev/null > /dev/null 2>&1 &",
  "(sleep 0.02 &)",
);

const signals = fc.oneof(
  fc
    .constantFrom("TERM", "KILL", "HUP", "INT", "USR1", "USR2", "PIPE", "ALRM", "ABRT", "SEGV", "VTALRM")
    .map((name) => `kill -${name} $BASHPID`),
  fc.constantFrom(
    "(kill -KILL $BASHPID); echo $?",
    "(kill -TERM $BASHPID; echo unreached); echo $?",
    "bash -c 'kill -TERM $$' || echo died-$?",
    "sh -c 'kill -SEGV $$; :'; echo $?",
    "kill -CHLD $BASHPID; kill -WINCH $BASHPID; echo alive",
    "kill -0 $BASHPID && echo there",
    "kill -NOPE $BASHPID",
    "yes | head -n 2",
    "timeout 0.02 sleep 5; echo $?",
  ),
);

const traps = fc.constantFrom(
  "trap 'echo on-exit $?' EXIT",
  "trap 'echo on-exit; exit 9' EXIT",
  "trap 'echo on-err $?' ERR",
  "trap 'echo got-term' TERM; kill -TERM $BASHPID",
  "trap '' INT; kill -INT $BASHPID; echo ignored",
  "trap 'echo usr1' USR1; kill -USR1 $BASHPID; trap - USR1",
  "trap 'echo ret' RETURN; r() { :; }; r",
  "trap 'n=$((n + 1))' DEBUG; true; true; trap - DEBUG; echo \"$n\"",
  "trap - EXIT",
  "trap 'exit 4' TERM; kill -TERM $BASHPID; echo unreached",
  "trap 'echo bad quote' NOSUCH",
);

const options = fc.constantFrom(
  "set -e",
  "set -e; false; echo unreached",
  "set -e; false || echo guarded",
  "set -e; (exit 7)",
  "set -e; x=$(false); echo unreached",
  "set -eo pipefail; false | true; echo unreached",
  "set -o pipefail; false | true; echo $?",
  "set +e",
  "set -f; echo *; set +f",
  "set -a; auto=1; env | grep ^auto; set +a",
  "set -k; set +k",
  "set -E",
  "set -T",
  "set -P",
  "set -B; echo {a,b}; set +B; echo {a,b}",
  "set -o posix; set +o posix",
  "set -o nope",
  "set -b; set -h; set +h",
  "set -n; echo unreached",
  "shopt -s nullglob; echo none*; shopt -u nullglob",
  "shopt -s extglob; [[ aab == +(a)b ]] && echo ext",
  "shopt -s extglob\necho !(a).txt",
  'shopt -s lastpipe; echo piped | read v; echo "$v"',
  "shopt -s nocasematch; [[ A == a ]] && echo same",
  "shopt -s dotglob globstar; echo **",
  "shopt -s inherit_errexit; set -e; echo $(false; echo unreached)",
  "shopt -s expand_aliases\nalias hi='echo hello'\nhi there",
  "alias zz='echo q'; unalias zz",
  "shopt nope",
  "shopt -q nullglob; echo $?",
  'set -u; echo "${nope:-fine}"',
  "LC_ALL=C; v=é; echo ${#v}",
);

const ends = fc.oneof(
  status.map((code) => `exit ${code}`),
  status.map((code) => `(exit ${code})`),
  fc.constantFrom(
    "exit",
    "exit abc",
    "exit 1 2",
    "exec echo replaced",
    "exec true",
    "exec sh -c 'exit 6'",
    "exec nosuchcommand",
    "exec > out.txt; echo hidden; cat out.txt >&2",
    "exec 2>&1; echo err >&2",
    "exec >&-; echo lost",
    "exec 2>&-; nosuchcommand",
    'exec < a.txt; read v; echo "$v"',
    "exec 1>&2; echo moved",
    "return 3",
    "break",
    "continue 2",
    "eval 'exit 12'",
    "eval 'echo )'",
    'eval "echo \'open"',
    "source /dev/null; echo $?",
    ". ./lib.sh; lib; echo $?",
    "command exit 8",
    "builtin exit 11",
  ),
);

/** Text that never becomes a whole command. */
const broken = fc.constantFrom(
  "echo 'open",
  'echo "open',
  "echo `open",
  "echo $(open",
  "echo ${open",
  "cat <<EOF\nno end",
  "cat <<'E F'\nno end\nE",
  "if true; then echo x",
  "while :; do",
  "for i in 1 2",
  "case x in",
  "f() {",
  "( echo x",
  "{ echo x",
  "echo )",
  "}",
  "fi",
  "done",
  ";;",
  "| echo",
  "echo a &&",
  "&& echo b",
  "[[ a",
  "$((1 +",
  "((",
  "echo >",
  "<<",
  "\\",
  "echo a ; ; echo b",
  "if; then",
  "function",
  "for in in in; do echo $in; done; (",
  "'",
  "\u0001\u0002",
);

const compound = (body: fc.Arbitrary<string>): fc.Arbitrary<string> =>
  fc.oneof(
    body.map((inner) => `(\n${inner}\n)`),
    body.map((inner) => `{\n${inner}\n}`),
    body.map((inner) => `f() {\n${inner}\n}\nf a b`),
    body.map((inner) => `function g {\n${inner}\n}; g || echo failed-$?`),
    body.map((inner) => `for i in 1 2; do\n${inner}\ndone`),
    body.map((inner) => `for ((i = 0; i < 2; i++)); do\n${inner}\ndone`),
    body.map((inner) => `i=0; while ((i++ < 2)); do\n${inner}\ndone`),
    body.map((inner) => `u=0; until ((u++ > 1)); do\n${inner}\ndone`),
    body.map((inner) => `case $v in a*) echo A;; *)\n${inner}\n;; esac`),
    body.map((inner) => `if [[ -n $v ]]; then\n${inner}\nelse echo empty; fi`),
    body.map((inner) => `{\n${inner}\n} 2>&1 | cat`),
    body.map((inner) => `{\n${inner}\n} 2>&1 | sed 's/$/;/'; echo "\${PIPESTATUS[@]:1}"`),
    body.map((inner) => `v=$({\n${inner}\n} 2>&1); echo "got:$v $?"`),
    body.map((inner) => `(\n${inner}\n) || echo failed-$?`),
    body.map((inner) => `! {\n${inner}\n}; echo $?`),
    body.map((inner) => `(\n${inner}\n) > out.txt 2>&1; cat out.txt`),
    body.map((inner) => `time (\n${inner}\n) 2> /dev/null`).map((text) => `{ ${text}; } 2> /dev/null`),
    body.map((inner) => `eval '${inner.replaceAll("'", "'\\''")}'`),
  );

const statement = (depth: number): fc.Arbitrary<string> => {
  const inner = depth === 0 ? simpleCommand : script(depth - 1, 3);
  return fc.oneof(
    { weight: 40, arbitrary: simpleCommand },
    { weight: 12, arbitrary: compound(inner) },
    { weight: 4, arbitrary: options },
    { weight: 4, arbitrary: traps },
    { weight: 4, arbitrary: background },
    { weight: 4, arbitrary: signals },
    { weight: 4, arbitrary: ends },
    { weight: 1, arbitrary: broken },
  );
};

function script(depth: number, maxLength: number): fc.Arbitrary<string> {
  return fc.array(statement(depth), { minLength: 1, maxLength }).map((lines) => lines.join("\n"));
}

/** The known differences: a few of each, so that it is seen that they are no worse than known. */
const knownToDiffer = fc.constantFrom(
  "set -x; echo traced",
  "set -v\necho shown",
  "trap",
  "set -u; echo $nope; echo unreached",
  "echo ${nope?fuzz-gone}; echo unreached",
  "echo $((1 / 0))\necho next line",
  "readonly fixed=1\nfixed=2\necho next line",
  "kill -QUIT $BASHPID; echo ignored",
  "trap 'echo usr2' USR2; kill -USR2 $$; echo after",
);

/** A whole script. */
export const generatedScript: fc.Arbitrary<string> = fc.oneof(
  { weight: 120, arbitrary: script(2, 6).filter((text) => text.trim() !== "") },
  { weight: 1, arbitrary: fc.tuple(script(1, 2), knownToDiffer).map((lines) => lines.join("\n")) },
);
