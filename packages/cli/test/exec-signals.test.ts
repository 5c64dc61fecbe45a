import { constants } from "node:os";
import { describe, expect, it } from "vitest";
import { livingAs, until } from "./support/processes.js";
import { showProgram } from "./support/pty.js";
import { bin, cliEnv, startCli, temporaryFolder } from "./support/run-cli.js";

let count = 0;
const newMark = (): string => `talaria-tree-${process.pid}-${(count += 1)}`;

/** Shell text of a tree of four: two plain, one that ignores TERM, one in a session of its own. */
function tree(mark: string): string {
  return [
    `(exec -a ${mark}-a sleep 300) &`,
    `(exec -a ${mark}-b bash -c "sleep 300; true") &`,
    `(trap "" TERM; exec -a ${mark}-c sleep 300) &`,
    `setsid bash -c 'exec -a ${mark}-d sleep 300' &`,
    `echo started; wait`,
  ].join("\n");
}

describe("a signal to exec", () => {
  it.each([
    ["SIGINT", 130],
    ["SIGTERM", 143],
    ["SIGHUP", 129],
    ["SIGQUIT", 131],
  ] as const)("%s cancels the command with its whole tree and ends with %d", async (signal, status) => {
    const mark = newMark();
    const child = startCli(temporaryFolder(), ["exec", "--", tree(mark)]);
    let stderr = "";
    child.stderr?.on("data", (bytes: Buffer) => (stderr += bytes.toString()));
    await until("the tree stands", () => livingAs(mark).length >= 4);
    child.kill(signal);
    const ended = await new Promise((resolve) => child.on("close", (code) => resolve(code)));
    expect(livingAs(mark)).toEqual([]);
    expect(ended).toBe(status);
    expect(stderr).toMatch(/cancelled: .*gone/);
  });

  it("does not wait for the grace after a second SIGINT", async () => {
    const mark = newMark();
    const child = startCli(temporaryFolder(), [
      "exec",
      "--",
      `trap '' INT TERM; echo started; while :; do bash -c 'trap "" TERM; exec -a ${mark} sleep 300'; done`,
    ]);
    await until("the command stands", () => livingAs(mark).length === 1);
    const first = Date.now();
    child.kill("SIGINT");
    await until("the first signal was taken", () => Date.now() - first > 100);
    child.kill("SIGINT");
    const ended = await new Promise((resolve) => child.on("exit", (code) => resolve(code)));
    expect(ended).toBe(130);
    // The grace alone is 2,000 ms.
    expect(Date.now() - first).toBeLessThan(1_500);
    await until("nothing is left", () => livingAs(mark).length === 0);
  });
});

describe("a terminal that is closed under exec", () => {
  it("cancels the command with its tree and ends by SIGHUP, not by an abort of Node", async () => {
    const mark = newMark();
    const shown = showProgram(process.execPath, [bin, "exec", "--", tree(mark)], cliEnv(temporaryFolder()));
    await until("the tree stands", () => livingAs(mark).length >= 4);
    // What a closed window does; node-pty has it and does not list it among the members of IPty.
    (shown.pty as unknown as { destroy(): void }).destroy();
    expect((await shown.exit).signal).toBe(constants.signals.SIGHUP);
    await until("nothing is left", () => livingAs(mark).length === 0);
  });
});

describe("Ctrl-C typed on a terminal", () => {
  it("cancels the command and its tree, and leaves nothing", async () => {
    const mark = newMark();
    const shown = showProgram(process.execPath, [bin, "exec", "--", tree(mark)], cliEnv(temporaryFolder()));
    await shown.shows("started");
    await until("the tree stands", () => livingAs(mark).length >= 4);
    shown.pty.write("\u0003");
    const { exitCode } = await shown.exit;
    expect(exitCode).toBe(130);
    expect(livingAs(mark)).toEqual([]);
  });

  it("is not needed when the terminal is closed: the command ends with it", async () => {
    const mark = newMark();
    const shown = showProgram(process.execPath, [bin, "exec", "--", tree(mark)], cliEnv(temporaryFolder()));
    await until("the tree stands", () => livingAs(mark).length >= 4);
    shown.pty.kill("SIGHUP");
    await shown.exit;
    await until("nothing is left", () => livingAs(mark).length === 0);
    expect(livingAs(mark)).toEqual([]);
  });
});
