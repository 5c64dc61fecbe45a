import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { fromShellBytes } from "../../src/shell/shell-bytes.js";
import { hostRunner, openHost, Runner, seen } from "../support/host-shell.js";

const everyByte = Array.from({ length: 255 }, (_, index) => String.fromCharCode(index + 1)).join("");

/** A bash word for any bytes, in pure ASCII. */
const ansi = (bytes: string): string =>
  `$'${Array.from(bytes, (byte) => `\\${byte.charCodeAt(0).toString(8).padStart(3, "0")}`).join("")}'`;

/** Prints variables so that every byte can be compared. */
const show = (names: readonly string[]): string =>
  names.map((name) => `printf '%s' "$${name}" | od -An -v -tx1 | tr -d ' \\n'; echo`).join("\n");

const hex = (bytes: string): string => Buffer.from(bytes, "latin1").toString("hex");

describe("exported variables", () => {
  it("keep every byte but NUL, on the same channel, on another and in another environment", async () => {
    const environment = openHost();
    const runner = new Runner(environment);
    await runner.run(`export ALL=${ansi(everyByte)} EMPTY= LINES=$'a\\n\\nb\\n' Q=${ansi("'\"$`\\!")}`);
    const expected = `${hex(everyByte)}\n\n${hex("a\n\nb\n")}\n${hex("'\"$`\\!")}\n`;
    const script = show(["ALL", "EMPTY", "LINES", "Q"]);
    const [here, there] = await Promise.all([runner.run(script), runner.run(`sleep 0.05\n${script}`)]);
    expect(here.stdout).toBe(expected);
    expect(there.stdout).toBe(expected);
    const snapshot = JSON.parse(JSON.stringify(await environment.exportShellState())) as Awaited<
      ReturnType<typeof environment.exportShellState>
    >;
    const other = openHost();
    await other.importShellState(snapshot, "mine");
    expect((await new Runner(other, "mine").run(script)).stdout).toBe(expected);
    expect((await new Runner(other).run('echo "${ALL-none}"')).stdout).toBe("none\n");
  });

  it("keep any values", async () => {
    const runner = hostRunner();
    const value = fc.string({ unit: fc.constantFrom(...everyByte.split("")), maxLength: 40 });
    await fc.assert(
      fc.asyncProperty(fc.array(value, { minLength: 1, maxLength: 8 }), async (values) => {
        const names = values.map((_, index) => `V${index}`);
        await runner.run(`export ${values.map((text, index) => `V${index}=${ansi(text)}`).join(" ")}`);
        const { stdout } = await runner.run(show(names));
        expect(stdout).toBe(values.map((text) => `${hex(text)}\n`).join(""));
      }),
      { numRuns: 40 },
    );
  });

  it("are unset for good, and an array is not carried", async () => {
    const runner = hostRunner({ FROM_START: "1" });
    await runner.run(
      "export A=1 ARR; ARR=(1 2); unset FROM_START HOME; declare -x -i N=5; declare -x -u UP=low",
    );
    const { stdout } = await runner.run(
      'echo "$A|${ARR-none}|${FROM_START-none}|${HOME-none}|$N|$UP"; env | grep -c ARR',
    );
    expect(stdout).toBe("1|none|none|none|5|LOW\n0\n");
    await runner.run("export -n A");
    expect((await runner.run('echo "${A-none}"')).stdout).toBe("none\n");
  });

  it("may be 1 MB large and 2,000 in number", async () => {
    const runner = hostRunner();
    await runner.run('for ((n = 0; n < 2000; n++)); do export "MANY_$n=value $n"; done');
    expect((await runner.run('env | grep -c ^MANY_; echo "$MANY_1999"')).stdout).toBe("2000\nvalue 1999\n");
    await runner.run(
      "big=$(head -c 100000 /dev/zero | tr '\\0' x); for n in 0 1 2 3 4 5 6 7 8 9; do export \"BIG_$n=$big\"; done",
    );
    expect((await runner.run('echo "${#BIG_0} ${#BIG_9}"; /bin/echo ran')).stdout).toBe(
      "100000 100000\nran\n",
    );
    const [one, two] = await Promise.all([
      runner.run("echo ${#BIG_9}"),
      runner.run("echo ${#BIG_3}; exit 3"),
    ]);
    expect([one.stdout, two.stdout, two.exitCode]).toEqual(["100000\n", "100000\n", 3]);
    await runner.run("unset ${!BIG_@} ${!MANY_@}");
    expect((await runner.run("env | grep -cE '^(MANY|BIG)_'")).stdout).toBe("0\n");
    expect(await runner.hurt()).toBeUndefined();
  });
});

describe("functions", () => {
  const definitions = [
    'plain() { echo plain "$@"; }',
    "heredoc() { cat <<EOF\n}\nlast () {\n'\"$1\nEOF\n}",
    "quoted() { cat <<'E O F'\n$(not run) `nor this`\n}\nE O F\n}",
    "subshell() ( echo in subshell )",
    "redirected() { echo err >&2; } 2>&1",
    "recursive() { if (( $1 > 0 )); then recursive $(( $1 - 1 )); else echo bottom; fi; }",
    "nested() { inner() { echo inner; }; inner; unset -f inner; }",
    "cases() { case $1 in a|b) echo ab;; *) echo other;; esac; }",
    "arrays() { local -a list=(1 '2 3'); echo \"${#list[@]} ${list[1]}\"; }",
    "extglobbed() { case $1 in +([0-9])) echo number;; esac; }",
    "process() { cat <(echo one) <(echo two); }",
    "time-it() { { time :; } 2>/dev/null; echo timed; }",
    "function with.dots { echo dots; }",
    "function a+b { echo plus; }",
    "function x:y { echo colon; }",
    "function é { echo unicode; }",
    "function @at { echo at; }",
    'last() { echo $\'tab\\there\' "it\'s" $"loc"; }',
    "background() { sleep 0 & wait; echo waited; }",
    "loops() { for ((i = 0; i < 2; i++)); do echo $i; done; until true; do :; done; select x in; do :; done; }",
  ];
  const calls = [
    "plain 'a b'; heredoc arg; quoted; subshell; redirected; recursive 3; nested; cases b; arrays; extglobbed 12",
    "process; time-it; with.dots; a+b; x:y; é; @at; last; background; loops",
  ].join("\n");

  it("are the same in the next command, on another channel and after a session file", async () => {
    const environment = openHost();
    const runner = new Runner(environment);
    const first = await runner.run(["shopt -s extglob", ...definitions, calls].join("\n"));
    expect(seen(first)[2]).toBe("exited 0");
    expect(first.stdout).toContain("unicode");
    const expected = [first.stdout, first.stderr];
    const again = await Promise.all([runner.run(calls), runner.run(`sleep 0.05\n${calls}`)]);
    for (const { stdout, stderr } of again) expect([stdout, stderr]).toEqual(expected);
    const other = openHost();
    await other.importShellState(await environment.exportShellState());
    const elsewhere = await new Runner(other).run(calls);
    expect([elsewhere.stdout, elsewhere.stderr]).toEqual(expected);
  });

  it("print the same definition after any number of commands", async () => {
    const runner = hostRunner();
    await runner.run(["shopt -s extglob", ...definitions].join("\n"));
    const before = await runner.run("declare -f");
    await runner.run("plain again() { :; }; changed=1");
    await runner.run("plain() { echo changed; }");
    await runner.run('eval "plain() { echo plain \\"\\$@\\"; }"');
    expect((await runner.run("declare -f")).stdout).toBe(before.stdout);
  });

  it("that bash itself prints wrongly are lost without a word, and take no other with them", async () => {
    const runner = hostRunner();
    await runner.run("function before { echo before; }; function g {\n(\n!\n)\n}; function z { echo z; }");
    expect(seen(await runner.run("before; z; exit 200"))).toEqual(["before\nz\n", "", "exited 200"]);
    expect(seen(await runner.run("before; z; exit 200"))).toEqual(["before\nz\n", "", "exited 200"]);
    expect(await runner.hurt()).toBeUndefined();
  });

  it("are exported, unexported and unset", async () => {
    const runner = hostRunner();
    await runner.run("f() { echo f:$1; }; g() { echo g; }; export -f f; readonly -f g");
    expect((await runner.run("bash -c 'f x; type g' 2>/dev/null")).stdout).toBe("f:x\n");
    await runner.run("export -fn f");
    expect((await runner.run("f y; bash -c 'f x' 2>/dev/null || echo none")).stdout).toBe("f:y\nnone\n");
    await runner.run("unset -f f");
    expect((await runner.run("f 2>/dev/null || echo gone; g")).stdout).toBe("gone\ng\n");
  });

  it("may be 3,000", { timeout: 60_000 }, async () => {
    const runner = hostRunner();
    await runner.run('for ((n = 0; n < 3000; n++)); do eval "many_$n() { echo $n \\"\\$@\\"; }"; done');
    expect((await runner.run("many_2999 a; declare -F | wc -l")).stdout).toBe("2999 a\n3000\n");
    const [one, two] = await Promise.all([runner.run("many_0"), runner.run("many_1500; unset -f many_7")]);
    expect([one.stdout, two.stdout]).toEqual(["0\n", "1500\n"]);
    expect((await runner.run("declare -F | wc -l; many_7 2>/dev/null || echo gone")).stdout).toBe(
      "2999\ngone\n",
    );
    expect(await runner.hurt()).toBeUndefined();
  });
});

describe("aliases", () => {
  it("keep quotes, line ends and odd names, and are removed", async () => {
    const runner = hostRunner();
    const { stdout } = await runner.run(
      "alias q='echo '\\''it'\\''\"s\"' lines=$'echo a\\necho b' ..='cd ..' é='echo e' end='sudo '; alias -p",
    );
    expect((await runner.run("alias -p")).stdout).toBe(stdout);
    expect((await runner.run("shopt -s expand_aliases\nq\nlines\né")).stdout).toBe("its\na\nb\ne\n");
    await runner.run("unalias q ..");
    expect((await runner.run("alias -p | wc -l")).stdout).toBe("4\n");
    await runner.run("unalias -a");
    expect((await runner.run("alias -p | wc -l")).stdout).toBe("0\n");
  });
});

describe("names and paths in another character set", () => {
  it("come out as text that goes back to the same bytes", async () => {
    const runner = hostRunner();
    const { cwd } = await runner.run(
      "d=$(mktemp -d); mkdir \"$d\"/$'new\\nline \\377\\376'; cd \"$d\"/$'new\\nline \\377\\376'",
    );
    expect(cwd.endsWith(fromShellBytes("new\nline \u00ff\u00fe"))).toBe(true);
    expect(
      (await runner.run("pwd | od -An -c | tail -2 | tr -s ' '; cd ..; rm -r n*; rmdir \"$PWD\"")).stdout,
    ).toContain("377 376");
  });
});
