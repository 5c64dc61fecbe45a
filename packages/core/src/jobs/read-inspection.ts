import { signalName } from "../shell/signal-names.js";
import { fromShellBytes } from "../shell/shell-bytes.js";
import type { JobInfo, JobState } from "./job-info.js";
import { parseSpec, type JobSpec } from "./job-spec.js";

/** A job as the journal shows it, with what only Talaria itself needs. */
export interface InspectedJob {
  readonly info: JobInfo;
  readonly spec: JobSpec;
  /** Its supervisor ran; else nobody has begun the command yet. */
  readonly begun: boolean;
}

/** How long a job may be on its way between its folder and its supervisor. */
const startingMs = 30_000;

/**
 * Reads the answer of `inspectText`, in shell bytes. Undefined when the journal itself is gone. A folder whose spec
 * cannot be read is left out.
 */
export function readInspection(answer: string, mark: string): readonly InspectedJob[] | undefined {
  const [, ...parts] = answer.split(`${mark} `);
  if (parts[0]?.startsWith("gone") === true) return undefined;
  const sizes = parts.pop() ?? "";
  if (!sizes.startsWith("sizes\n")) return undefined;
  const [, now = "", ...listed] = sizes.split("\n");
  const bytes = new Map(listed.map(readListed));
  return parts.flatMap((part) => {
    const [id = "", spec = "", supervisor = "", pid = "", result = "", alive, flags = "", ...cwd] =
      part.split("\n");
    const parsed = parseSpec(spec);
    if (parsed === undefined || parsed.id !== id) return [];
    const info = infoOf(parsed, {
      pid,
      result,
      isAlive: alive === "1",
      flags: flags.trim().split(" "),
      ageMs: Number(now) * 1000 - parsed.created_at,
      bytes: bytes.get(id) ?? 0,
      cwd: fromShellBytes(cwd.join("\n").replace(/\n$/, "")),
    });
    return [{ info, spec: parsed, begun: supervisor !== "" || flags.includes("starting") }];
  });
}

/** `-rw------- 1 0 0 17 Dec  1 00:50 0123456789ab/log` */
function readListed(line: string): readonly [string, number] {
  const match = /^\S+\s+\d+\s+\d+\s+\d+\s+(\d+)\s.*?([0-9a-f]+)\/log$/.exec(line);
  return match === null ? ["", 0] : [match[2] ?? "", Number(match[1])];
}

interface Facts {
  readonly pid: string;
  readonly result: string;
  readonly isAlive: boolean;
  readonly flags: readonly string[];
  readonly ageMs: number;
  readonly bytes: number;
  readonly cwd: string;
}

/** The end of a job, as its supervisor wrote it: `exited|signaled number stopped ended-at bytes`. */
export interface JobEnd {
  readonly state: JobState;
  readonly exitCode: number | null;
  readonly signal: string | null;
  readonly endedAt: Date | null;
  /** Length of the log at the end. */
  readonly bytes: number;
}

/** Undefined for a line that a supervisor does not write. */
export function readJobEnd(line: string): JobEnd | undefined {
  const match = /^(exited|signaled) (\d+) ([01]) ([\d.]+) (\d+)$/.exec(line);
  if (match === null) return undefined;
  const [, kind, number, stopped, endedAt, bytes] = match;
  const isSignal = kind === "signaled";
  return {
    state: stopped === "1" ? "stopped" : isSignal ? "signaled" : "exited",
    exitCode: isSignal ? 128 + Number(number) : Number(number),
    signal: isSignal ? signalName(Number(number)) : null,
    endedAt: new Date(Number(endedAt) * 1000),
    bytes: Number(bytes),
  };
}

function infoOf(spec: JobSpec, facts: Facts): JobInfo {
  const [pid, , started] = facts.pid.split(" ");
  const end = readJobEnd(facts.result);
  // Without a supervisor it may still be on its way, but not for ever.
  const isComing =
    (facts.flags.includes("idle") || facts.flags.includes("starting")) && facts.ageMs < startingMs;
  const state: JobState = end?.state ?? (facts.isAlive || isComing ? "running" : "lost");
  return {
    id: spec.id,
    state,
    exitCode: end?.exitCode ?? null,
    signal: end?.signal ?? null,
    pid: pid === undefined || pid === "" ? null : Number(pid),
    startedAt: new Date(started === undefined ? spec.created_at : Number(started) * 1000),
    endedAt: end?.endedAt ?? null,
    bytes: facts.bytes,
    command: spec.command,
    cwd: facts.cwd,
    label: spec.label,
    key: spec.key,
    tty: spec.tty,
    stdin: spec.stdin,
    logComplete: !facts.flags.includes("log-failed"),
  };
}
