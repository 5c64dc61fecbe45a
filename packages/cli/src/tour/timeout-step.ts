import type { OutputChunk, TerminalSession } from "@talaria/core";
import { describeKill } from "../exec/explain-outcome.js";
import type { Cell } from "../output/table.js";
import { formatTable } from "../output/table.js";
import { isDead, lookAt, type ProcessState } from "./process-states.js";
import type { TourStep } from "./tour-step.js";

const timeoutMs = 800;
const killGraceMs = 300;

/** A tree of three: a plain child, one that ignores TERM, and one that has left the process group where setsid exists. */
const tree = `sleep 301 & echo $!
bash -c 'trap "" TERM; exec sleep 302' & echo $!
if command -v setsid >/dev/null; then setsid sleep 303 & echo $!; fi
echo started; wait`;

export async function endATree(session: TerminalSession): Promise<TourStep> {
  let heard = "";
  let started = (_pids: readonly number[]): void => undefined;
  const pids = new Promise<readonly number[]>((resolve) => {
    started = resolve;
  });
  const onOutput = ({ bytes }: OutputChunk): void => {
    heard += Buffer.from(bytes).toString("latin1");
    if (heard.includes("started"))
      started(
        heard
          .split("\n")
          .filter((line) => /^\d+$/.test(line))
          .map(Number),
      );
  };
  const running = session.execute(tree, { timeoutMs, killGraceMs, onOutput });
  // Looking while it runs needs no trick: commands of one session run side by side.
  const before = await Promise.race([pids.then((list) => lookAt(session, list)), running.then(() => [])]);
  const { outcome, timing } = await running;
  const after = await lookAt(
    session,
    before.map(({ pid }) => pid),
  );
  const ended = outcome.kind === "timedOut" && outcome.survivors.length === 0;
  return {
    title: "A timeout ends the whole process tree, and says what it could prove",
    lines: [
      ...tree.split("\n").map((line, index) => `${index === 0 ? "$" : " "} ${line}`),
      `timeout ${timeoutMs} ms, ${killGraceMs} ms of grace between TERM and KILL`,
      ...formatTable([["pid", "before", "after", "command"], ...rowsOf(before, after)], "  "),
      outcome.kind === "timedOut"
        ? `timed out after ${timing.exitMs.toFixed(0)} ms, killed: ${outcome.killed} (${describeKill(outcome)})`
        : `ended otherwise: ${outcome.kind}`,
      ...(after.some(({ state }) => state.startsWith("Z"))
        ? ["Z: ended, and not yet collected by the process that has to"]
        : []),
    ],
    ok: ended && before.length > 0 && before.every((one) => !isDead(one)) && after.every(isDead),
  };
}

function rowsOf(before: readonly ProcessState[], after: readonly ProcessState[]): (string | Cell)[][] {
  return before.map(({ pid, state, command }, index) => [
    String(pid),
    state,
    after[index]?.state ?? "unknown",
    command,
  ]);
}
