import { readFileSync } from "node:fs";
import { Readable } from "node:stream";
import {
  InvalidArgumentError,
  type ProcessExit,
  type SandboxProcess,
  type TerminalSize,
  type TtyOptions,
} from "@talaria/core";
import { endOnAbort } from "../process/end-on-abort.js";
import { signalGroup, type SignalTarget } from "../process/process-group.js";
import { parseSignal, signalNameOf } from "../process/signal-name.js";
import {
  argumentsTooLong,
  explainSpawnFailure,
  hasOversizedString,
  programFailure,
  workdirFailure,
} from "../process/spawn-failure.js";
import type { StartRequest } from "../process/start-request.js";
import { forgetMaster, registerMaster, withoutDescriptors } from "../process/inheritable-descriptors.js";
import { loadPty } from "./pty-binding.js";
import { TerminalOutput } from "./terminal-output.js";
import { terminalInput } from "./terminal-input.js";

function checkSize({ columns, rows }: TerminalSize): void {
  for (const [name, value] of Object.entries({ columns, rows })) {
    if (Number.isInteger(value) && value >= 1 && value <= 65_535) continue;
    throw new InvalidArgumentError(name, `a terminal cannot have ${value} ${name}`, {
      backend: "local",
      operation: "spawn",
      hint: "Give a whole number from 1 to 65535.",
    });
  }
}

/** Starts a process on a terminal of its own: session leader, the terminal its controlling one. */
export function startTerminal(request: StartRequest, size: TtyOptions, bash: string): SandboxProcess {
  checkSize(size);
  // The child of a fork can only say "exit 1" when it cannot start the program: what can be known is asked before.
  const failure = workdirFailure(request.cwd) ?? programFailure(request);
  if (failure !== undefined) throw failure;
  if (hasOversizedString(request)) throw argumentsTooLong(request.argv[0]);

  const { binding, helperPath } = loadPty();
  let isReaped = false;
  let isOpen = true;
  let report: (exit: ProcessExit) => void = () => {};
  const exit = new Promise<ProcessExit>((resolve) => (report = resolve));
  const onExit = (code: number, signalNumber: number): void => {
    isReaped = true;
    output.drain();
    report(
      signalNumber === 0
        ? { kind: "exited", code }
        : { kind: "signaled", signal: signalNameOf(signalNumber), signalNumber },
    );
  };
  const [program, ...words] = withoutDescriptors(request.argv, bash);
  const variables = Object.entries(request.env).map(([name, value]) => `${name}=${value}`);
  const { columns, rows } = size;
  const forked = fork(request, () =>
    binding.fork(program, words, variables, request.cwd, columns, rows, -1, -1, true, helperPath, onExit),
  );
  registerMaster(forked.fd);
  const output = new TerminalOutput(forked.fd, () => {
    isOpen = false;
    forgetMaster(forked.fd);
  });
  const stdin = terminalInput(forked.fd, () => isOpen);
  stdin.on("error", () => {});
  output.stream.on("error", () => {});

  const target: SignalTarget = {
    pid: forked.pid,
    get isReaped() {
      return isReaped;
    },
  };
  const signalAll = (signal: NodeJS.Signals | 0): boolean => {
    // An interactive shell gives each of its jobs a group of its own.
    const foreground = isReaped ? undefined : foregroundGroup(forked.pid);
    const reached = foreground !== undefined && signalGroup({ pid: foreground, isReaped: false }, signal);
    return signalGroup(target, signal) || reached;
  };
  endOnAbort(request.signal, { signalAll, exit });
  return {
    pid: forked.pid,
    stdin,
    stdout: output.stream,
    stderr: Readable.from([]),
    exit,
    async kill(name = "SIGTERM") {
      signalAll(parseSignal(name));
    },
    resize(next) {
      checkSize(next);
      if (isOpen) binding.resize(forked.fd, next.columns, next.rows);
    },
  };
}

function fork<T>(request: StartRequest, start: () => T): T {
  try {
    return start();
  } catch (cause) {
    throw explainSpawnFailure(request, cause);
  }
}

/** The group in the foreground of the terminal of `pid`, when it is not that of `pid` itself. Linux only. */
function foregroundGroup(pid: number): number | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
    // The name, in parentheses, may hold anything; after it: state, parent, group, session, terminal, foreground group.
    const group = Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[5]);
    return group > 1 && group !== pid ? group : undefined;
  } catch {
    return undefined;
  }
}
