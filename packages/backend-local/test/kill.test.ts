import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { lineOf, openEnvironment } from "./local-bed.js";

/** A zombie has ended: only its parent has not looked yet. */
function isAlive(pid: number): boolean {
  try {
    return !readFileSync(`/proc/${pid}/stat`, "latin1").includes(") Z");
  } catch {
    return false;
  }
}

/** Waits for a process that is not our child; its end is no event for us. */
async function ended(pid: number): Promise<void> {
  const until = performance.now() + 10_000;
  while (isAlive(pid)) {
    if (performance.now() > until) throw new Error(`process ${pid} lives on`);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

const stubborn = `trap '' TERM; bash -c "trap '' TERM; echo ready \\$BASHPID; while :; do sleep 60; done" & wait; wait`;

describe("kill", () => {
  test("reaches the whole group", async () => {
    const process_ = await openEnvironment().spawn(["bash", "-c", "sleep 60 & echo child $!; wait"]);
    const [, child] = await lineOf(process_, /child (\d+)\n/);
    await process_.kill();
    expect(await process_.exit).toEqual({ kind: "signaled", signal: "SIGTERM", signalNumber: 15 });
    await ended(Number(child));
  });

  test("by SIGKILL ends a tree that ignores SIGTERM", async () => {
    const process_ = await openEnvironment().spawn(["bash", "-c", stubborn]);
    const [, child] = await lineOf(process_, /ready (\d+)\n/);
    await process_.kill("SIGTERM");
    await process_.kill("SIGKILL");
    expect(await process_.exit).toMatchObject({ kind: "signaled", signal: "SIGKILL" });
    await ended(Number(child));
  });

  test("still reaches the children of a leader that has ended", async () => {
    const script = `bash -c "trap '' TERM; echo ready \\$BASHPID; while :; do sleep 60; done" & wait`;
    const process_ = await openEnvironment().spawn(["bash", "-c", script]);
    const [, child] = await lineOf(process_, /ready (\d+)\n/);
    await process_.kill("SIGTERM");
    await process_.exit;
    expect(isAlive(Number(child))).toBe(true);
    await process_.kill("SIGKILL");
    await ended(Number(child));
  });

  test("does nothing once nobody is left, however often it is called", async () => {
    const process_ = await openEnvironment().spawn(["true"]);
    await process_.exit;
    await expect(Promise.all([process_.kill(), process_.kill("SIGKILL")])).resolves.toBeDefined();
  });

  test("takes a signal with or without SIG and refuses what is none", async () => {
    const process_ = await openEnvironment().spawn(["sleep", "60"]);
    await expect(process_.kill("NOPE")).rejects.toMatchObject({
      code: "invalid_argument",
      argument: "signal",
    });
    await process_.kill("int");
    expect(await process_.exit).toMatchObject({ signal: "SIGINT" });
  });
});

describe("an abort signal", () => {
  test("that has fired before the start refuses it with its reason", async () => {
    const reason = new Error("not wanted");
    await expect(openEnvironment().spawn(["true"], { signal: AbortSignal.abort(reason) })).rejects.toBe(
      reason,
    );
  });

  test("ends the tree, first asking and then not", async () => {
    const controller = new AbortController();
    const process_ = await openEnvironment().spawn(["bash", "-c", stubborn], { signal: controller.signal });
    const [, child] = await lineOf(process_, /ready (\d+)\n/);
    controller.abort();
    expect(await process_.exit).toMatchObject({ kind: "signaled", signal: "SIGKILL" });
    await ended(Number(child));
  });
});
