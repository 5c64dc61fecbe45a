import fc from "fast-check";
import { octalBytes, word, words } from "./script-words.js";

/** A word shaped like the one that opens the driver's frames, with and without what follows it there. */
const footerLookAlike = fc
  .tuple(
    fc.string({ minLength: 16, maxLength: 16, unit: fc.constantFrom(..."ABCxyz019-_".split("")) }),
    fc.constantFrom(
      " x 0 0 12\\n",
      " u 0 0 0\\n",
      " s 137 0 0\\n",
      " m 0 0 3800\\n",
      "",
      "\\n",
      " x 3 1 0\\nab",
    ),
    fc.constantFrom("", ">&2"),
    fc.integer({ min: 1, max: 18 }),
  )
  .map(([random, rest, stream, cut]) =>
    rest === ""
      ? `printf '\\002${random.slice(0, cut)}' ${stream}`
      : `printf '\\002${random}.${rest}' ${stream}`,
  );

const output = fc.oneof(
  { weight: 5, arbitrary: words.map((list) => `echo ${list}`) },
  { weight: 2, arbitrary: words.map((list) => `printf '<%s>\\n' ${list}`) },
  { weight: 2, arbitrary: words.map((list) => `echo ${list} >&2`) },
  { weight: 2, arbitrary: octalBytes.map((bytes) => `printf '${bytes}'`) },
  { weight: 1, arbitrary: octalBytes.map((bytes) => `printf '${bytes}' >&2`) },
  { weight: 2, arbitrary: footerLookAlike },
  {
    weight: 1,
    arbitrary: fc.constantFrom("echo -n", "echo -e 'a\\tb\\c' d", "printf '%5s|%-5d|%x' a 7 255"),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom("echo pid=$$", 'echo "$LINENO $# $0 $-"', 'echo "${FUNCNAME[0]-none}"'),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      "head -c 100000 /dev/zero | tr '\\0' x",
      "printf '%70000s' '' >&2",
      "seq 1 3000",
      "seq 1 2000 >&2",
    ),
  },
);

const assignment = fc.oneof(
  word.map((value) => `v=${value}`),
  word.map((value) => `export w=${value}`),
  word.map((value) => `v=${value} eval 'echo "$v"'`),
  fc.constantFrom(
    "arr=(a 'b c' d)",
    "arr+=(e)",
    "declare -A map=([k]=v [j]='x y')",
    "unset v",
    "unset 'arr[0]'",
    "declare -i n=7; n+=3; echo $n",
    "readonly fixed=1",
    "export -n w",
    "declare -x E=$'multi\\nline'",
    "declare -r arr2=(1 2)",
    "local x=1",
    "let v=3+4; echo $v",
    "((v++)); echo $v $?",
    'set -- p q \'r s\'; echo $# "$2"; shift; echo "$@"',
    "mapfile -t arr < <(printf 'x\\ny\\n')",
    'IFS=: read -r v w <<< a:b:c; echo "$v|$w"',
    "typeset -u v=lower; echo $v",
    "printf -v v '%03d' 5; echo $v",
    "unset -v nope HOME",
    "IFS=,; echo $v ${arr[*]}",
  ),
);

const input = fc.oneof(
  word.map((value) => `cat <<< ${value}`),
  word.map((value) => `cat <<EOF\n${value.replaceAll("EOF", "")} $v $(echo sub)\nEOF`),
  fc.constantFrom(
    "cat <<'EOF'\n$not `expanded` \\\nEOF",
    "cat <<-EOF\n\t\ttabs\n\tEOF",
    "cat <<A - <<B\nfirst\nA\nsecond\nB",
    'read v; echo $? "$v"',
    "read -r v w <<< 'x y z'; echo \"$v,$w\"",
    'while read -r l; do echo "<$l>"; done < a.txt',
    "cat",
    "cat a.txt 'c d.txt' missing.txt",
    "cat < missing.txt",
    "wc -l < a.txt",
    "read -t 0; echo $?",
    "read -d '' -r v <<< $'a\\nb'; echo \"$v\"",
    "head -n1",
    "diff <(echo a) <(echo b)",
    "cat <(printf one) <(printf two)",
    "tee >(cat >&2) <<< both >/dev/null; wait $!",
    "select x in a b; do echo $x; break; done",
  ),
);

const files = fc.constantFrom(
  "echo new > out.txt; cat out.txt",
  "echo more >> a.txt; cat a.txt",
  "set -C; echo no > a.txt; set +C",
  "echo x >| out.txt; ls",
  "exec 3> out.txt; echo three >&3; exec 3>&-; cat out.txt",
  'exec 4<a.txt; read -u 4 v; echo "$v"; exec 4<&-',
  "{ echo o; echo e >&2; } 2>&1",
  "{ echo o; echo e >&2; } 3>&1 1>&2 2>&3",
  "echo both &> out.txt; cat out.txt",
  "echo gone > nope/out.txt",
  "ls missing.txt 2>/dev/null || echo none",
  "cd sub && pwd | sed 's,.*/,,'",
  "cd nope",
  'cd sub; cd - > /dev/null; basename "$PWD"',
  "[[ $PWD == */work ]] && cd ..; ls",
  "cd /sys; pwd",
  "mkdir -p made/deep; cd made/deep",
  "mkdir -p doomed; cd doomed; rmdir ../doomed",
  "pushd sub > /dev/null; dirs | wc -l; popd > /dev/null",
  "umask 077; umask",
  "rm -f 'c d.txt'; echo *",
  "echo x >&7",
  "echo x >&-",
  "cat <&-",
  "exec 5<&0; read -u 5 v; echo $?",
  "[ -t 0 ] || [ -t 1 ] || echo 'no terminal'",
);

const missing = fc.constantFrom(
  "nosuchcommand",
  "./a.txt",
  "./sub",
  "/nope/x 1 2",
  "command nosuch",
  "''",
  ". missing.sh",
);

const tests = fc.constantFrom(
  "[[ $v == a* ]]; echo $?",
  '[[ abc =~ (b)(c) ]] && echo "${BASH_REMATCH[2]}"',
  "[ -f a.txt -a -d sub ] && echo yes",
  "[[ -n $v && ! -z $w ]] || echo no",
  "[ 1 -gt x ]",
  "[ a = ",
  "test -e 'c d.txt'; echo $?",
  "((1 > 2)); echo $?",
  "((0x10 == 16)) && echo hex",
  "(( x = ))",
  "[[ a -eq 0 ]]; echo $?",
);

/** One command without a body of other commands. */
export const simpleCommand = fc.oneof(
  { weight: 8, arbitrary: output },
  { weight: 4, arbitrary: assignment },
  { weight: 3, arbitrary: input },
  { weight: 3, arbitrary: files },
  { weight: 2, arbitrary: tests },
  { weight: 1, arbitrary: missing },
  { weight: 1, arbitrary: fc.constantFrom(":", "true", "false", "!", "! true", "# only a comment", "") },
);
