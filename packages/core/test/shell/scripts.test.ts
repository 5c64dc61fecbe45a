import { describe, expect, it } from "vitest";
import { hostRunner, openHost, Runner, seen } from "../support/host-shell.js";

describe("the text of a script", () => {
  it.each([
    ["", ["", "", "exited 0"]],
    [" ", ["", "", "exited 0"]],
    ["\n\n\n", ["", "", "exited 0"]],
    ["\t # only a comment", ["", "", "exited 0"]],
    ["# comment\necho after", ["after\n", "", "exited 0"]],
    ["-x", ["", "bash: line 1: -x: command not found\n", "exited 127"]],
    ["--", ["", "bash: line 1: --: command not found\n", "exited 127"]],
    ["echo a;", ["a\n", "", "exited 0"]],
    ["echo a \\\n  b", ["a b\n", "", "exited 0"]],
    ["echo 'crlf'\r\necho two", ["crlf\r\ntwo\n", "", "exited 0"]],
    ["true\r", ["", "bash: line 1: $'true\\r': command not found\n", "exited 127"]],
    ["#!/bin/sh\necho hi", ["hi\n", "", "exited 0"]],
    ["cat <<E\nx\nE", ["x\n", "", "exited 0"]],
    [
      "cat <<E\nx",
      [
        "x\n",
        "bash: line 2: warning: here-document at line 1 delimited by end-of-file (wanted `E')\n",
        "exited 0",
      ],
    ],
    ["printf '\\002AAAAAAAAAAAAAAAA.'; exit 9", ["\u0002AAAAAAAAAAAAAAAA.", "", "exited 9"]],
    ["echo $'\\x02'", ["\u0002\n", "", "exited 0"]],
    ["echo é→😀 ${#LANG}", ["é→😀 7\n", "", "exited 0"]],
    ["exit 300", ["", "", "exited 44"]],
    ["exit -1", ["", "", "exited 255"]],
  ])("%j", async (script, expected) => {
    const runner = hostRunner();
    expect(seen(await runner.run(script))).toEqual(expected);
    expect(await runner.hurt()).toBeUndefined();
  });

  it("may be 8 MiB", { timeout: 60_000 }, async () => {
    const runner = hostRunner();
    const line = ": 'abcdefghijklmnopqrstuvwxyz é'\n";
    const script = `${line.repeat((8 << 20) / Buffer.byteLength(line))}echo "end $LINENO"; exit 6`;
    const result = await runner.run(script, { timeoutMs: 50_000 });
    expect(seen(result)).toEqual([`end ${script.split("\n").length}\n`, "", "exited 6"]);
    expect(await runner.hurt()).toBeUndefined();
  });

  it("of any length around the size of a block arrives whole", async () => {
    const runner = hostRunner();
    for (const length of [
      400, 440, 441, 500, 510, 511, 512, 513, 514, 600, 4_095, 4_096, 4_097, 65_535, 65_536, 65_537,
    ]) {
      const text = "é".repeat(length / 2 - 10) + "x".repeat(length % 2);
      const { stdout } = await runner.run(`printf %s '${text}'`);
      expect(stdout).toBe(text);
    }
  });
});

describe("many commands", () => {
  it("alternate streams apart, merged and standard input without mixing", { timeout: 60_000 }, async () => {
    const runner = hostRunner();
    await runner.run("export COUNT=0");
    for (let count = 1; count <= 200; count++) {
      const script = `export COUNT=$((COUNT + 1)); echo "out $COUNT"; echo "err $COUNT" >&2`;
      const kind = count % 3;
      const input = `line ${count}\n`;
      const result = await runner.run(kind === 0 ? `${script}; cat` : script, {
        separate: kind !== 1,
        ...(kind === 0 ? { stdin: input } : {}),
      });
      const output =
        kind === 1
          ? [`out ${count}\nerr ${count}\n`, ""]
          : [`out ${count}\n${kind === 0 ? input : ""}`, `err ${count}\n`];
      expect(seen(result)).toEqual([...output, "exited 0"]);
    }
  });

  it("of many sessions on one environment keep to themselves", { timeout: 60_000 }, async () => {
    const environment = openHost({}, { maxChannels: 6 });
    const sessions = Array.from({ length: 20 }, (_, index) => new Runner(environment, `session ${index}`));
    await Promise.all(
      sessions.map(async (runner, index) => {
        await runner.run(
          `export ME=${index}; me() { echo "I am $ME in $PWD"; }; alias it=me; cd /usr; umask 0${index % 8}7`,
        );
        for (let round = 0; round < 10; round++) {
          const { stdout } = await runner.run(
            `me; umask; shopt -q nullglob && echo no; export ROUND=${round}; exit ${round}`,
          );
          expect(stdout).toBe(`I am ${index} in /usr\n00${index % 8}7\n`);
          const { stdout: next, exitCode } = await runner.run('echo "$ROUND $ME"; kill -0 $$');
          expect([next, exitCode]).toEqual([`${round} ${index}\n`, 0]);
        }
      }),
    );
  });

  it("of one session at once each start from its state and merge what they change", async () => {
    const runner = hostRunner();
    await runner.run("export A=1 B=1 C=1; f() { echo f; }");
    const results = await Promise.all([
      runner.run("sleep 0.1; export A=first; g() { echo g; }"),
      runner.run('sleep 0.05; export B=second; unset C; echo "$A$B"'),
      runner.run("sleep 0.15; export A=last D=4; f() { echo changed; }; shopt -s nullglob"),
      runner.run("sleep 0.2; true"),
    ]);
    expect(results[1]?.stdout).toBe("1second\n");
    const { stdout } = await runner.run('echo "$A $B ${C-none} $D"; f; g; shopt -q nullglob && echo on');
    expect(stdout).toBe("last second none 4\nchanged\ng\non\n");
  });
});
