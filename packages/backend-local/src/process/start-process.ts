import { spawn, type ChildProcess } from "node:child_process";
import { closeSync } from "node:fs";
import { Socket } from "node:net";
import type { Readable, Writable } from "node:stream";
import { EnvironmentConnectionError, type ProcessExit, type SandboxProcess } from "@talaria/core";
import { withCoveredDescriptors, type ChildDescriptor } from "./inheritable-descriptors.js";
import { endOnAbort } from "./end-on-abort.js";
import { nothingToRead, nothingToWrite } from "./no-stream.js";
import { PipeReadable } from "./pipe-readable.js";
import { openEnds, type PipeSource } from "./pipe-source.js";
import { signalGroup, type SignalTarget } from "./process-group.js";
import { parseSignal, signalNumberOf } from "./signal-name.js";
import { explainSpawnFailure } from "./spawn-failure.js";
import type { StartRequest } from "./start-request.js";
import { widenWhenBusy, widenWhenFed } from "./widen-pipe.js";

interface Streams {
  readonly stdin: Writable;
  readonly stdout: Readable;
  readonly stderr: Readable;
}

/** Starts a process on pipes (or the files that it is given), in its own session and process group. Nothing stands between it and the caller. */
export async function startProcess(request: StartRequest, pipes: PipeSource): Promise<SandboxProcess> {
  const acquired = await pipes.acquire(streamFiles(request).filter((file) => file === undefined).length);
  const started = acquired === undefined ? startOnSockets(request) : startOnPipes(request, acquired, pipes);
  const { child, streams } = started;
  if (child.pid === undefined) {
    const cause = await new Promise<unknown>((resolve) => child.once("error", resolve));
    streams?.stdin.destroy();
    streams?.stdout.destroy();
    streams?.stderr.destroy();
    throw explainSpawnFailure(request, cause);
  }
  if (streams === undefined) {
    child.kill("SIGKILL");
    throw new EnvironmentConnectionError("the process was started without its streams", {
      backend: "local",
      operation: "spawn",
      retryHint: "Close some files or sessions, then try again.",
    });
  }
  return hold(child, child.pid, streams, request.signal);
}

/** What stands in place of the pipes of the three streams. */
function streamFiles({ stdinFile, stdoutFile }: StartRequest): readonly (number | undefined)[] {
  return [stdinFile, stdoutFile, undefined];
}

function run(request: StartRequest, streams: readonly ChildDescriptor[]): ChildProcess {
  const [program, ...words] = request.argv;
  try {
    // `detached`: setsid, so that the group can be signalled as one and no terminal of ours is its own.
    return withCoveredDescriptors(streams, (stdio) =>
      spawn(program, words, { cwd: request.cwd, env: request.env, detached: true, stdio }),
    );
  } catch (cause) {
    throw explainSpawnFailure(request, cause);
  }
}

function startOnSockets(request: StartRequest): { child: ChildProcess; streams: Streams | undefined } {
  request.signal?.throwIfAborted();
  const child = run(
    request,
    streamFiles(request).map((file) => file ?? "pipe"),
  );
  const stdin = request.stdinFile === undefined ? child.stdin : nothingToWrite();
  const stdout = request.stdoutFile === undefined ? child.stdout : nothingToRead();
  const { stderr } = child;
  const isWhole = stdin !== null && stdout !== null && stderr !== null;
  return { child, streams: isWhole ? { stdin, stdout, stderr } : undefined };
}

function startOnPipes(
  request: StartRequest,
  pipes: readonly number[],
  { readBuffer }: PipeSource,
): { child: ChildProcess; streams: Streams } {
  const toClose = [...pipes];
  const hostEnds: number[] = [];
  try {
    request.signal?.throwIfAborted();
    const spare = [...pipes];
    const [stdin, stdout, stderr] = streamFiles(request).map((file, index) => {
      if (file !== undefined) return { child: file, host: undefined };
      const pipe = spare.shift();
      if (pipe === undefined) throw new RangeError("too few pipes");
      const ends = openEnds(pipe, index === 0);
      toClose.push(ends.child);
      hostEnds.push(ends.host);
      return ends;
    });
    if (stdin === undefined || stdout === undefined || stderr?.host === undefined)
      throw new RangeError("three streams are needed");
    const child = run(request, [stdin.child, stdout.child, stderr.child]);
    const streams = {
      stdin: stdin.host === undefined ? nothingToWrite() : feedOf(stdin.host, request),
      stdout: stdout.host === undefined ? nothingToRead() : new PipeReadable(stdout.host, readBuffer),
      stderr: new PipeReadable(stderr.host, readBuffer),
    };
    // From here on they belong to the streams.
    hostEnds.length = 0;
    if (stdout.host !== undefined) widenWhenBusy(streams.stdout, stdout.host, request.env);
    return { child, streams };
  } catch (cause) {
    request.signal?.throwIfAborted();
    throw explainSpawnFailure(request, cause);
  } finally {
    for (const end of [...toClose, ...hostEnds]) closeSync(end);
  }
}

/** The writing end of a pipe as a stream. */
function feedOf(pipe: number, { env }: StartRequest): Socket {
  const stdin = new Socket({ fd: pipe, readable: false, writable: true });
  widenWhenFed(stdin, pipe, env);
  return stdin;
}

function hold(
  child: ChildProcess,
  pid: number,
  streams: Streams,
  signal: AbortSignal | undefined,
): SandboxProcess {
  let isReaped = false;
  const target: SignalTarget = {
    pid,
    get isReaped() {
      return isReaped;
    },
  };
  const exit = new Promise<ProcessExit>((resolve) => {
    child.once("exit", (code, name) => {
      isReaped = true;
      // Nobody is left to read what the caller would still write; a descendant sees the end of its input.
      streams.stdin.destroy();
      resolve(processExit(code, name));
    });
  });
  // A reader that ends early (EPIPE) is no error of ours, and must not become an uncaught one: a write's own
  // callback still gets it.
  for (const stream of [streams.stdin, streams.stdout, streams.stderr]) stream.on("error", () => {});
  endOnAbort(signal, { signalAll: (name) => signalGroup(target, name), exit });
  return {
    pid,
    ...streams,
    exit,
    async kill(name = "SIGTERM") {
      signalGroup(target, parseSignal(name));
    },
  };
}

function processExit(code: number | null, name: NodeJS.Signals | null): ProcessExit {
  if (name !== null) return { kind: "signaled", signal: name, signalNumber: signalNumberOf(name) ?? 0 };
  if (code !== null) return { kind: "exited", code };
  return { kind: "lost", reason: "the operating system reported neither a status nor a signal" };
}
