import { spawn, type IPty } from "@lydell/node-pty";
import { onTestFinished } from "vitest";

/** A program on a terminal, and what it has shown so far. */
export interface ShownProgram {
  readonly pty: IPty;
  /** Everything shown, control sequences included. */
  readonly screen: () => string;
  readonly exit: Promise<{ readonly exitCode: number; readonly signal: number }>;
  /** Waits until the screen shows something that was not there before `after`. */
  readonly shows: (what: string | RegExp, after?: number) => Promise<void>;
}

const deadlineMs = 10_000;

/** Starts a program on a terminal of its own. It is ended with the test. */
export function showProgram(
  file: string,
  words: readonly string[],
  env: NodeJS.ProcessEnv,
  cwd?: string,
): ShownProgram {
  const pty = spawn(file, [...words], {
    cols: 100,
    rows: 30,
    name: "xterm-256color",
    env: { ...env, TERM: "xterm-256color" },
    ...(cwd === undefined ? {} : { cwd }),
  });
  let shown = "";
  const waiting = new Set<() => void>();
  pty.onData((text) => {
    shown += text;
    for (const look of waiting) look();
  });
  let ended = false;
  const exit = new Promise<{ exitCode: number; signal: number }>((resolve) => {
    pty.onExit(({ exitCode, signal }) => {
      ended = true;
      resolve({ exitCode, signal: signal ?? 0 });
    });
  });
  onTestFinished(() => {
    if (!ended) pty.kill("SIGKILL");
  });
  const shows = (what: string | RegExp, after = 0): Promise<void> =>
    new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        waiting.delete(look);
        reject(
          new Error(`not shown within ${deadlineMs} ms: ${String(what)}; shown: ${JSON.stringify(shown)}`),
        );
      }, deadlineMs);
      const look = (): void => {
        const text = shown.slice(after);
        if (typeof what === "string" ? !text.includes(what) : !what.test(text)) return;
        clearTimeout(timer);
        waiting.delete(look);
        resolve();
      };
      waiting.add(look);
      look();
    });
  return { pty, screen: () => shown, exit, shows };
}
