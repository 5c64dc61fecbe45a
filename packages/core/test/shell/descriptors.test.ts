import { describe, expect, it } from "vitest";
import { hostRunner, seen } from "../support/host-shell.js";

const driverDescriptors = [193, 194, 195, 196, 197, 198, 199, 200];

describe.each([true, false])("descriptors of a command, with streams apart: %s", (separate) => {
  it.each([
    ...driverDescriptors.map((number) => `exec ${number}>&-`),
    ...driverDescriptors.map((number) => `exec ${number}</dev/null`),
    "exec 0<&-",
    "exec 1>&-",
    "exec 2>&-",
    "exec 0<&- 1>&- 2>&-",
    'for ((n = 3; n < 256; n++)); do eval "exec $n>&-"; done',
    "exec >/dev/null 2>&1",
    "exec 2>&1 1>/dev/full; echo x",
    "exec 1>&2 2>&1",
    "exec 255>&-",
    "exec {fd}>/dev/null",
    'for ((n = 10; n < 250; n++)); do eval "exec $n</dev/null"; done 2>/dev/null',
  ])("%s does not hurt the next one", async (script) => {
    const runner = hostRunner();
    await runner.run("export KEPT=kept");
    const { outcome } = await runner.run(`${script}\nexit 4`, { separate });
    expect(outcome).toEqual({ kind: "exited", code: 4 });
    expect(await runner.hurt(" $KEPT")).toBeUndefined();
  });

  it("are standard input at its end, both outputs, and nothing of the channel's that a command could use", async () => {
    const runner = hostRunner();
    const { output } = await runner.run('for f in /proc/$BASHPID/fd/*; do echo "${f##*/}"; done', {
      separate,
    });
    const open = output.trim().split("\n").map(Number);
    // 199 is the liveness pipe.
    expect(open.filter((number) => number >= 190 && number <= 210)).toEqual([199]);
    expect(open).toEqual(expect.arrayContaining([0, 1, 2]));
  });

  it("are writable by name", async () => {
    const runner = hostRunner();
    const script = "echo out > /dev/fd/1; echo err > /dev/fd/2; cat < /dev/null";
    const result = await runner.run(`${script} 2>/dev/null`, { separate });
    expect(seen(result)[2]).toBe("exited 0");
  });
});

describe("output redirected by a command", () => {
  it("goes where it says and ends there", async () => {
    const runner = hostRunner();
    expect(seen(await runner.run("exec 2>&1; echo err >&2"))).toEqual(["err\n", "", "exited 0"]);
    expect(seen(await runner.run("echo err >&2"))).toEqual(["", "err\n", "exited 0"]);
    expect(seen(await runner.run("exec 1>&2; echo moved"))).toEqual(["", "moved\n", "exited 0"]);
    expect(seen(await runner.run("echo back"))).toEqual(["back\n", "", "exited 0"]);
  });

  it("that is closed and merged still ends at once", async () => {
    const runner = hostRunner();
    const result = await runner.run("exec 1>&- 2>&-; /bin/echo lost; exit 7", { separate: false });
    expect([result.output, result.exitCode]).toEqual(["", 7]);
  });
});
