import { randomBytes } from "node:crypto";
import type { CommandResult } from "../environment/execute-result.js";
import type { SandboxAccess, ScriptOptions } from "../environment/sandbox-access.js";
import { EnvironmentConnectionError, JobError } from "../errors/errors.js";
import { inspectText } from "./inspect-text.js";
import type { JobInfo } from "./job-info.js";
import { openJournal, type JournalPlace } from "./journal-place.js";
import { readInspection, type InspectedJob } from "./read-inspection.js";

const inspectionBytes = 64 * 1024 * 1024;

/** The journal of a session's jobs, in its sandbox. Knows where it is; a sandbox made anew has another one. */
export class Journal {
  readonly access: SandboxAccess;
  #opening: { readonly generation: number; readonly place: Promise<JournalPlace> } | undefined;

  constructor(access: SandboxAccess) {
    this.access = access;
  }

  /** Where it is. Opened once per sandbox. */
  async place(signal?: AbortSignal): Promise<JournalPlace> {
    const { generation } = this.access.environment;
    if (this.#opening?.generation !== generation) {
      const place = openJournal(this.access, signal);
      const opening = { generation, place };
      this.#opening = opening;
      // A failure is not kept: the next call tries again.
      place.catch(() => {
        if (this.#opening === opening) this.#opening = undefined;
      });
    }
    return this.#opening.place;
  }

  /** Forgets where it is: its folder was removed under it. */
  reopen(): void {
    this.#opening = undefined;
  }

  /** Runs a script about the journal, wherever the session stands. Streams merged: a script names no file it may miss. */
  async run(script: string, options: ScriptOptions = {}): Promise<CommandResult> {
    const result = await this.access.run(script, { workdir: "/", separate: false, ...options });
    options.signal?.throwIfAborted();
    if (result.outcome.kind === "exited") return result;
    throw new EnvironmentConnectionError(
      `The sandbox of "${this.access.backend}" did not answer about its jobs: ${result.outcome.kind}.`,
      { backend: this.access.backend, operation: "jobs", retryHint: "Ask again; the jobs themselves go on." },
    );
  }

  /** What it says of some jobs, or of all. Those it does not have are left out. */
  async inspect(ids?: readonly string[], signal?: AbortSignal): Promise<readonly InspectedJob[]> {
    const { folder } = await this.place(signal);
    const mark = `talaria${randomBytes(12).toString("hex")}`;
    const { outputBytes } = await this.run(inspectText(folder, mark, ids), {
      maxOutputBytes: inspectionBytes,
      signal,
    });
    const jobs = readInspection(Buffer.from(outputBytes).toString("latin1"), mark);
    if (jobs === undefined) this.reopen();
    return (jobs ?? []).map((job) => ({ ...job, info: this.#shown(job.info) }));
  }

  /** What a person reads of a job lacks secrets, as all command lines do. */
  #shown(info: JobInfo): JobInfo {
    const command = this.access.redact(info.command);
    return { ...info, command, label: info.label === null ? null : this.access.redact(info.label) };
  }

  /** One job. Throws JobError when it is not there. */
  async inspectOne(id: string, signal?: AbortSignal): Promise<InspectedJob> {
    const [job] = await this.inspect([id], signal);
    if (job === undefined) throw this.unknown(id);
    return job;
  }

  /** The folder of one job. */
  async folderOf(id: string, signal?: AbortSignal): Promise<string> {
    return `${(await this.place(signal)).folder}/jobs/${id}`;
  }

  /** The error for a job that is not there. */
  unknown(id: string): JobError {
    const { backend, environment, sessionName } = this.access;
    return environment.generation > 1
      ? new JobError(
          "job_lost",
          id,
          `The job "${id}" is not in the journal: the sandbox of "${backend}" was made anew, and its jobs ended with the old one.`,
          { backend, operation: "jobs", hint: "Start it again if it is still needed." },
        )
      : new JobError("job_not_found", id, `There is no job "${id}" in the session "${sessionName}".`, {
          backend,
          operation: "jobs",
          hint: "List the jobs of the session: one that has ended is kept for 24 hours.",
        });
  }
}
