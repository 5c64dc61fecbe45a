import { describe, expect, it } from "vitest";
import { hostRunner, seen } from "../support/host-shell.js";

const driverWords = [
  "builtin",
  "exec",
  "printf",
  "trap",
  "kill",
  "read",
  "export",
  "unset",
  "eval",
  "set",
  "declare",
  "alias",
  "cd",
  "umask",
  "exit",
  "shopt",
  "command",
  "wait",
  "test",
  "rm",
  "mkfifo",
  "disown",
  "local",
  "return",
  "source",
  ":",
  "[",
  "true",
];

describe("functions and aliases named like what the driver uses", () => {
  it.each(driverWords)("a function called %s hurts neither its command nor the next ones", async (name) => {
    const runner = hostRunner();
    await runner.run("export KEPT=kept");
    const script = `function ${name} { /bin/echo "mine: $*" >&2; }\n/bin/echo defined`;
    expect(seen(await runner.run(script))).toEqual(["defined\n", "", "exited 0"]);
    expect(await runner.hurt(" $KEPT")).toBeUndefined();
    // What the user calls by that name is the user's, and state still goes from command to command.
    const set = await runner.run("\\command -V KEPT 2>/dev/null; KEPT=again; cd / 2>/dev/null");
    expect(set.outcome.kind).toBe("exited");
    expect((await runner.run("\\unset -f " + name + " 2>/dev/null; \\builtin pwd")).outcome.kind).toBe(
      "exited",
    );
  });

  it("all of them at once are carried over and still do not hurt", async () => {
    const runner = hostRunner();
    const define = driverWords.map((name) => `function ${name} { /bin/echo hurt; }`).join("\n");
    await runner.run(`export KEPT=kept\n${define}`);
    expect(seen(await runner.run("echo fine"))).toEqual(["fine\n", "", "exited 0"]);
    expect(seen(await runner.run("printf x"))[0]).toBe("hurt\n");
    expect(seen(await runner.run("exec echo x"))[0]).toBe("hurt\n");
    expect(await runner.hurt()).toBeUndefined();
    // New channels start from the same state.
    const results = await Promise.all([1, 2, 3].map((number) => runner.run(`echo ${number}; printf x`)));
    expect(results.map(({ stdout }) => stdout)).toEqual(["1\nhurt\n", "2\nhurt\n", "3\nhurt\n"]);
  });

  it.each([
    ["readonly -f", "builtin() { echo no; }; readonly -f builtin"],
    ["exported", "unset() { echo no; }; exec() { echo no; }; export -f unset exec"],
    ["of a special builtin in POSIX mode", "set() { :; }; set -o posix"],
    ["that exits", "read() { exit 9; }; printf() { exit 9; }; trap() { exit 9; }"],
    ["that never ends", "read() { while \\builtin :; do \\builtin :; done; }"],
  ])("a function %s does not hurt", async (_, script) => {
    const runner = hostRunner();
    await runner.run("export KEPT=kept");
    expect((await runner.run(script)).outcome).toMatchObject({ kind: "exited" });
    expect(await runner.hurt(" $KEPT")).toBeUndefined();
  });

  it("aliases of the driver's words are the user's alone", async () => {
    const runner = hostRunner();
    const words = ["builtin", "exec", "printf", "trap", "read", "eval", "unset"];
    const define = words.map((name) => `alias '${name}'='echo hurt'`).join("; ");
    await runner.run(`shopt -s expand_aliases; ${define}; export KEPT=kept`);
    expect(await runner.hurt(" $KEPT")).toBeUndefined();
    expect(seen(await runner.run("printf x"))[0]).toBe("hurt x\n");
  });
});

describe("variables named like the driver's", () => {
  const names = [
    ..."abcdefghijklmnopqrstuvwxyz".split("").map((letter) => `__tl_${letter}`),
    "__tl_w1",
    "__tl_w2",
  ];

  it("readonly ones do not hurt", async () => {
    const runner = hostRunner();
    const script = `readonly ${names.map((name) => `${name}=x`).join(" ")}; echo done`;
    expect(seen(await runner.run(script))).toEqual(["done\n", "", "exited 0"]);
    expect(await runner.hurt()).toBeUndefined();
  });

  it("exported ones do not reach the next command or a new channel", async () => {
    const runner = hostRunner();
    await runner.run(`export ${names.map((name) => `${name}=x`).join(" ")}`);
    expect(await runner.hurt()).toBeUndefined();
    const both = await Promise.all([runner.run("env | grep -c __tl"), runner.run("env | grep -c __tl")]);
    expect(both.map(({ stdout }) => stdout)).toEqual(["0\n", "0\n"]);
  });

  it("integer, array and name-reference ones do not hurt", async () => {
    const runner = hostRunner();
    await runner.run(
      "export KEPT=kept; declare -i __tl_r __tl_n; declare -a __tl_o=(1 2); declare -n __tl_f=PWD; exit 3",
    );
    expect(await runner.hurt(" $KEPT")).toBeUndefined();
  });

  it("a script cannot see the driver's own", async () => {
    const runner = hostRunner();
    const { stdout } = await runner.run('compgen -v __tl_; echo "[${!__tl_@}]"; env | grep __tl_');
    // The script's own text and the few the end needs are left.
    expect(stdout?.split("\n").filter((line) => /__tl_[^acf]/.test(line))).toEqual([]);
  });
});

describe("builtins that are switched off", () => {
  it.each([
    "builtin",
    "printf",
    "read",
    "trap",
    "unset",
    "export",
    "declare",
    "alias",
    "umask",
    "eval",
    "set",
    "exit",
  ])("enable -n %s hurts only its own command", async (name) => {
    const runner = hostRunner();
    await runner.run("export KEPT=kept");
    const { outcome, stdout } = await runner.run(`enable -n ${name}; echo still here`);
    expect(stdout).toBe("still here\n");
    expect(outcome).toEqual({ kind: "exited", code: 0 });
    expect(await runner.hurt(" $KEPT")).toBeUndefined();
  });
});
