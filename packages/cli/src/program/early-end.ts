import { writeSync } from "node:fs";

/** What Node ends with when a module waits at its top level for what can never happen. */
const waitedInVain = 13;

/**
 * Watches that this process does not end as if all were well before its work is done: a backend that promises something
 * it then forgets leaves nothing to wait for, and one that calls `process.exit` would look like a success. Then the status
 * is `status`, and stderr says so. Returns what to call when the work is done.
 */
export function watchForEarlyEnd(status: number): () => void {
  let isIdle = false;
  const onIdle = (): void => {
    isIdle = true;
  };
  const onExit = (code: number): void => {
    if (code !== 0 && code !== waitedInVain) return;
    process.exitCode = status;
    const why = isIdle
      ? "what it waited for can never happen: a backend promised an answer and then forgot it"
      : "something in this process ended it before its work was done";
    try {
      writeSync(
        2,
        `talaria: ${why}\n  hint: look which plugin the backend comes from: talaria plugins list\n`,
      );
    } catch {
      // Nobody reads stderr: the status has to say it.
    }
  };
  process.on("beforeExit", onIdle);
  process.on("exit", onExit);
  return () => {
    process.off("beforeExit", onIdle);
    process.off("exit", onExit);
  };
}
