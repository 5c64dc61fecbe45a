import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { signalGroup } from "../process/process-group.js";
import { loginCommand, type LoginShell } from "./login-shell.js";

export type CaptureResult =
  | { readonly kind: "captured"; readonly env: Readonly<Record<string, string>> }
  /** In words that follow "the login environment could not be read: ". */
  | { readonly kind: "failed"; readonly reason: string };

export interface CaptureOptions {
  readonly shell: LoginShell;
  /** What the shell starts from. */
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
  readonly deadlineMs: number;
  readonly signal?: AbortSignal | undefined;
}

/** What start-up files that are ended get for cleaning up. */
const graceMs = 500;
const lookAgainMs = 10;

/** More than any environment the kernel would pass on. */
const maxOutputBytes = 8 * 1024 * 1024;

/** Runs the user's login shell once and reads the environment it ends up with. Throws only when aborted. */
export async function captureLoginEnvironment(options: CaptureOptions): Promise<CaptureResult> {
  const until = performance.now() + options.deadlineMs;
  const first = await runShell(options, "terminal", options.deadlineMs);
  // A start-up file that ends or replaces an interactive shell leaves time for the second way; one that hangs does not.
  const leftMs = until - performance.now();
  if (first.kind === "captured" || leftMs <= 0) return first;
  const second = await runShell(options, "login", leftMs);
  return second.kind === "captured" ? second : first;
}

function runShell(
  { shell, env, cwd, signal, deadlineMs }: CaptureOptions,
  mode: "terminal" | "login",
  leftMs: number,
): Promise<CaptureResult> {
  // Start-up files print what they like: the nonce tells their words from ours, and NUL occurs in no word.
  const nonce = randomUUID();
  const frame = Buffer.from(`${nonce}\0`);
  // `exec`: nothing of the shell, no trap and no logout file, runs after the last word.
  const script = `printf '%s\\0' ${nonce}; command env -0; exec printf '%s\\0' ${nonce}`;
  const [program, ...words] = loginCommand(shell, mode, script);

  return new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    // A session of its own: no terminal to ask questions on, and one group to end.
    const child = spawn(program, words, { cwd, env, detached: true, stdio: ["ignore", "pipe", "ignore"] });
    let output = Buffer.alloc(0);
    let isReaped = false;
    let isFinished = false;
    const finish = (settle: () => void, kill: boolean): void => {
      if (isFinished) return;
      isFinished = true;
      clearTimeout(timer);
      signal?.removeEventListener("abort", abort);
      // A daemon started by a start-up file may hold the pipe for ever.
      child.stdout.destroy();
      child.unref();
      if (kill && child.pid !== undefined) void endGroup(child.pid, () => isReaped).then(settle);
      else settle();
    };
    const fail = (reason: string, kill = true): void =>
      finish(() => resolve({ kind: "failed", reason }), kill);
    const abort = (): void =>
      finish(() => reject(signal?.reason instanceof Error ? signal.reason : new Error("aborted")), true);
    const timer = setTimeout(
      () =>
        fail(`${shell.path} and its start-up files took longer than ${deadlineMs / 1_000} s and were ended`),
      leftMs,
    );
    signal?.addEventListener("abort", abort, { once: true });

    child.once("error", (error) => fail(`${shell.path} could not be started (${error.message})`, false));
    child.once("exit", () => (isReaped = true));
    // Not `exit`: what the shell wrote may still be on its way.
    child.once("close", () => fail(`${shell.path} ended within its start-up files`, false));
    child.stdout.on("data", (bytes: Buffer) => {
      output = Buffer.concat([output, bytes]);
      const end = output.lastIndexOf(frame);
      const begin = output.indexOf(frame);
      if (begin !== -1 && end > begin) {
        const env = parseEnvironment(output.subarray(begin + frame.length, end));
        finish(() => resolve({ kind: "captured", env }), false);
      } else if (output.length > maxOutputBytes) {
        fail(`the start-up files of ${shell.path} printed more than ${maxOutputBytes} bytes`);
      }
    });
  });
}

/**
 * Ends the shell with all it has started: first as a closed terminal would, so that start-up files can take away what
 * they hold (pyenv's lock, left behind, makes each new shell of the user wait for a minute), then without asking.
 */
async function endGroup(pid: number, isReaped: () => boolean): Promise<void> {
  const signalAll = (name: NodeJS.Signals | 0): boolean => signalGroup({ pid, isReaped: isReaped() }, name);
  // One after the other: a second signal would end what the first one's traps have begun, the `rm` of a lock say.
  for (const name of ["SIGHUP", "SIGTERM"] as const) {
    signalAll(name);
    const end = performance.now() + graceMs / 2;
    // Of a group nobody is told when its last member has gone.
    while (performance.now() < end) {
      if (!signalAll(0)) return;
      await delay(lookAgainMs);
    }
  }
  signalAll("SIGKILL");
}

/** Reads the output of `env -0`. A value that is not UTF-8 could not be passed on unchanged, and is left out. */
function parseEnvironment(bytes: Buffer): Record<string, string> {
  const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
  const env: Record<string, string> = {};
  for (let start = 0; start < bytes.length;) {
    const stop = bytes.indexOf(0, start);
    const entry = bytes.subarray(start, stop === -1 ? bytes.length : stop);
    start += entry.length + 1;
    const equals = entry.indexOf("=");
    if (equals <= 0) continue;
    try {
      env[decoder.decode(entry.subarray(0, equals))] = decoder.decode(entry.subarray(equals + 1));
    } catch {
      continue;
    }
  }
  return env;
}
