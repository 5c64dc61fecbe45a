import { onTestFinished, describe, expect, it } from "vitest";
import { hostRunner } from "../support/host-shell.js";

/** Bash of that compatibility keeps here-strings in files, as all did before 5.1. */
const withoutPipes = { BASH_COMPAT: "5.0" };

function endWithTest(pid: number): void {
  onTestFinished(() => {
    process.kill(pid, "SIGKILL");
  });
}

// Out of the session, and no output of the channel's: only what it inherits tells of it.
const startHidden = "setsid sleep 300 </dev/null >/dev/null 2>&1 & echo $!";

describe.skipIf(process.platform !== "linux").each([
  ["a pipe that /proc opens again", {}, /^pipe:\[\d+\]$/],
  ["a FIFO, where here-strings are files", withoutPipes, /\/[0-9]+\.[0-9a-f]+\.f$/],
])("the liveness pipe as %s", (_, env, place) => {
  it("is inherited by every command", async () => {
    const { stdout } = await hostRunner(env).run("readlink /proc/$BASHPID/fd/199");
    expect(stdout?.trim()).toMatch(place);
  });

  it("tells of a child that left the session, and of none where there is none", async () => {
    const runner = hostRunner(env);
    expect(await runner.run("/bin/true")).not.toHaveProperty("background");
    const { stdout, background } = await runner.run(startHidden);
    const pid = Number(stdout);
    endWithTest(pid);
    expect(background).toEqual([{ pid, command: "sleep 300" }]);
    expect(await runner.hurt()).toBeUndefined();
  });

  it("proves that a timeout left nothing", async () => {
    const runner = hostRunner(env);
    const { outcome } = await runner.run(`${startHidden}; sleep 300`, { timeoutMs: 500, killGraceMs: 500 });
    expect(outcome).toMatchObject({ kind: "timedOut", killed: "all", survivors: [] });
    expect(await runner.hurt()).toBeUndefined();
  });
});

describe.skipIf(process.platform !== "linux")("a channel whose FIFO a command has taken away", () => {
  it("runs the next commands, and keeps the state", async () => {
    const runner = hostRunner(withoutPipes);
    await runner.run("export KEPT=kept");
    const { stdout } = await runner.run(
      "fifo=$(readlink /proc/$BASHPID/fd/199); rm $fifo && [ ! -e $fifo ] && echo gone",
    );
    expect(stdout).toBe("gone\n");
    expect(await runner.hurt(" $KEPT")).toBeUndefined();
    expect(await runner.hurt(" $KEPT")).toBeUndefined();
  });
});
