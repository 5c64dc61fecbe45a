import { randomBytes } from "node:crypto";
import { EnvironmentConnectionError, JobError, UnsupportedCapabilityError } from "../errors/errors.js";
import { checkStart } from "./check-start.js";
import { newJobId } from "./job-id.js";
import type { JobStartOptions } from "./job-options.js";
import { hashOfCommand, parseSpec, specOf, type JobSpec } from "./job-spec.js";
import type { Journal } from "./journal.js";
import type { JournalPlace } from "./journal-place.js";
import { launchText } from "./launch-text.js";
import { expireText, prepareText } from "./prepare-text.js";
import { shellQuote } from "../shell/quote.js";

/** A job that has been started, or found by its key. */
export interface StartedJob {
  readonly id: string;
  /** False when its key was known: it runs or ran already. */
  readonly isNew: boolean;
  /** Its shell's first state, in shell bytes, when that was asked for. */
  readonly state: string | undefined;
}

export interface StartParts extends JobStartOptions {
  /** Where the job's shell leaves its last state. Default: nowhere. */
  readonly adopt?: string | undefined;
  /** Id of the job. Default: from the key, else random. */
  readonly id?: string | undefined;
}

const launchTimeoutMs = 30_000;
const stateBytes = 16 * 1024 * 1024;

/**
 * Starts a job, in two steps: its folder is made, whole, in a shell of Talaria's own; then the supervisor is launched from
 * the session's shell. Of any number of launches one runs the command: the supervisor that makes `run`. So a start that
 * died in between is taken over by the next one with the same key, and none runs twice.
 */
export async function startJob(journal: Journal, command: string, options: StartParts): Promise<StartedJob> {
  checkStart(command, options);
  const id = options.id ?? newJobId(options.key);
  const { signal } = options;
  signal?.throwIfAborted();
  const spec = specOf(id, command, options);
  const { place, answer } = await prepare(journal, command, spec, options);
  if (answer.kind === "existing") {
    if (answer.spec.command_hash !== hashOfCommand(command)) throw otherCommand(journal, answer.spec);
    if (answer.begun) return { id, isNew: false, state: undefined };
  }
  const withState = options.adopt !== undefined && place.isBash;
  const { outputBytes, outcome } = await journal.access.run(
    launchText(place, `${place.folder}/jobs/${id}`, withState),
    {
      shell: "session",
      separate: false,
      workdir: options.workdir,
      env: options.env,
      timeoutMs: launchTimeoutMs,
      maxOutputBytes: stateBytes,
      signal,
    },
  );
  const output = Buffer.from(outputBytes).toString("latin1");
  const word = /^@start (\S+)/m.exec(output)?.[1];
  if (word === "taken") return { id, isNew: false, state: undefined };
  if (word !== "up") {
    signal?.throwIfAborted();
    throw new EnvironmentConnectionError(
      `The job "${id}" did not come up in the sandbox of "${journal.access.backend}" (${word ?? outcome.kind}).`,
      {
        backend: journal.access.backend,
        operation: "jobs.start",
        retryHint: "Look at the list of jobs before it is started again: with a key it cannot run twice.",
      },
    );
  }
  const stateAt = output.indexOf("@state\n");
  return { id, isNew: true, state: withState && stateAt >= 0 ? output.slice(stateAt + 7) : undefined };
}

type Prepared =
  | { readonly kind: "made" }
  | { readonly kind: "existing"; readonly begun: boolean; readonly spec: JobSpec };

async function prepare(
  journal: Journal,
  command: string,
  spec: JobSpec,
  options: StartParts,
): Promise<{ readonly place: JournalPlace; readonly answer: Prepared }> {
  // The second time its folder is made anew: somebody had cleaned up the first one.
  for (let attempt = 1; ; attempt++) {
    const place = await journal.place(options.signal);
    if (options.tty !== undefined && place.terminal === "") throw noTerminal(journal);
    const text = prepareText(place, {
      spec,
      command,
      adopt: place.isBash ? options.adopt : undefined,
      tty: options.tty,
      attempt: randomBytes(6).toString("hex"),
    });
    const { output } = await journal.run(text, { signal: options.signal });
    const [line = "", found = ""] = output.trimEnd().split("\n").slice(-2);
    const match = /^(made|existing) ([01])$/.exec(line);
    if (match?.[1] === "made") return { place, answer: { kind: "made" } };
    const existing = parseSpec(found);
    if (match !== null && existing !== undefined) {
      return { place, answer: { kind: "existing", begun: match[2] === "1", spec: existing } };
    }
    if (!output.includes("gone") || attempt >= 2) {
      throw new EnvironmentConnectionError(
        `The journal of jobs in "${place.folder}" could not be written: ${journal.access.redact(output.trim().slice(0, 500))}`,
        {
          backend: journal.access.backend,
          operation: "jobs.start",
          retryHint: "Nothing was started. Is the disk of the sandbox full?",
        },
      );
    }
    journal.reopen();
  }
}

/** Removes what has been finished for a day, in every session of this account. */
export async function expireJobs(journal: Journal): Promise<void> {
  const { folder } = await journal.place();
  await journal.run(`(folder=${shellQuote(folder)}\n${expireText}\n:)`);
}

function otherCommand(journal: Journal, spec: JobSpec): JobError {
  return new JobError(
    "job_invalid",
    spec.id,
    `The key "${spec.key ?? ""}" belongs to another command: ${journal.access.redact(spec.command.slice(0, 200))}`,
    {
      backend: journal.access.backend,
      operation: "jobs.start",
      hint: "Use a key for one command only, or remove that job first.",
    },
  );
}

function noTerminal(journal: Journal): UnsupportedCapabilityError {
  return new UnsupportedCapabilityError(
    "tty",
    `The sandbox of "${journal.access.backend}" has nothing that makes a terminal for a job: neither python3 nor perl.`,
    {
      backend: journal.access.backend,
      operation: "jobs.start",
      hint: "Install one of them there, or start the job without tty.",
    },
  );
}
