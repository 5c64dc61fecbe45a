import type { Mount } from "../workdir/mount-table.js";
import type { EnvironmentFacts } from "./environment-facts.js";

/** What is known about a session's environment without asking it. */
export interface DescribedSession {
  readonly backend: string;
  /** The provider's `envDescription`; empty when there is none. */
  readonly envDescription: string;
  /** What the provider declares; `undeclared` of an environment that was handed in without one. */
  readonly kind: "host" | "machine" | "container" | "undeclared";
  /** Where the session stands; null until known. */
  readonly cwd: string | null;
  readonly timeoutMs: number;
  readonly maxForegroundMs: number;
  /** Whether the sandbox's files outlive the session; undefined when nothing is known. */
  readonly isPersistent: boolean | undefined;
  readonly mounts: readonly Mount[];
  /** What happens to dangerous commands. */
  readonly approvals: "asked" | "refused" | "allowed";
}

/** What a model should be told about where it is. */
export interface EnvironmentDescription {
  /** A few short lines, in a stable order, without secrets. */
  readonly text: string;
  /** What the sandbox told; null when it was not asked, because there is none yet. */
  readonly facts: EnvironmentFacts | null;
}

const longestText = 1_500;

/**
 * Says it in sentences. Facts of this host are only ever those of a sandbox that is this host: of one that is elsewhere
 * nothing is said that it did not tell itself.
 */
export function describeEnvironment(
  session: DescribedSession,
  facts: EnvironmentFacts | null,
): EnvironmentDescription {
  const lines = [
    placeLine(session),
    ...(facts === null
      ? ["The sandbox has not been started yet: the first command does that."]
      : factLines(facts)),
    ...directoryLine(session.cwd ?? facts?.directory),
    timeLine(session),
    ...mountLines(session),
    ...(facts === null || facts.missingPrograms.length === 0
      ? []
      : [`Not installed: ${facts.missingPrograms.join(", ")}.`]),
    ...(facts?.hasNetwork === false ? ["Network: there is no route out."] : []),
    ...(session.isPersistent === false ? ["Files are gone when the session ends."] : []),
    approvalLine(session.approvals),
  ];
  // One line each, whatever a sandbox calls its user: a description is no place to give orders from.
  const text = lines.map((line) => line.replaceAll(/[\u0000-\u001F\u007F\u2028\u2029]+/g, " ")).join("\n");
  return { text: text.length > longestText ? `${text.slice(0, longestText - 1)}…` : text, facts };
}

const kinds: Readonly<Record<DescribedSession["kind"], string>> = {
  host: "this machine itself, without isolation",
  machine: "another machine",
  container: "an isolated sandbox with a file system of its own",
  undeclared: "an environment that does not say what it is",
};

function placeLine({ backend, envDescription, kind }: DescribedSession): string {
  const own = envDescription.trim().replace(/[.\s]+$/, "");
  return `Commands run on ${kinds[kind]} (backend ${backend}${own === "" ? "" : `: ${own}`}).`;
}

function factLines(facts: EnvironmentFacts): readonly string[] {
  const { os, user, uid, home, shell } = facts;
  const who = user ?? (uid === null ? null : `uid ${uid}`);
  const account =
    who === null
      ? []
      : [`User: ${who}${uid === 0 ? " (root)" : " (not root)"}${home === null ? "" : `, home ${home}`}.`];
  const limits = [
    ...(facts.cpus === null ? [] : [`${round(facts.cpus)} CPU${facts.cpus === 1 ? "" : "s"}`]),
    ...(facts.memoryBytes === null ? [] : [`${gibibytes(facts.memoryBytes)} memory`]),
    ...(facts.diskFreeBytes === null ? [] : [`${gibibytes(facts.diskFreeBytes)} free disk`]),
  ];
  return [
    ...(os === null ? [] : [`System: ${os}.`]),
    ...account,
    `Shell: ${shell}.`,
    ...(limits.length === 0 ? [] : [`Resources: ${limits.join(", ")}.`]),
  ];
}

function directoryLine(directory: string | null | undefined): readonly string[] {
  return directory === null || directory === undefined ? [] : [`Directory: ${directory}.`];
}

function timeLine({ timeoutMs, maxForegroundMs }: DescribedSession): string {
  return (
    `A command is ended after ${timeoutMs / 1000} s unless it is given longer, ` +
    `${maxForegroundMs / 1000} s at most; what runs longer is started as a job.`
  );
}

function mountLines({ mounts }: DescribedSession): readonly string[] {
  if (mounts.length === 0) return [];
  const shown = mounts.map(
    ({ sandboxPath, readOnly }) => `${sandboxPath}${readOnly === true ? " (read-only)" : ""}`,
  );
  return [`Folders shared with the host: ${shown.join(", ")}.`];
}

function approvalLine(approvals: DescribedSession["approvals"]): string {
  switch (approvals) {
    case "asked":
      return "Dangerous commands are asked about before they run; a few are never run.";
    case "refused":
      return "Dangerous commands are refused.";
    case "allowed":
      return "Dangerous commands run without a question; a few are never run.";
  }
}

function gibibytes(bytes: number): string {
  return `${round(bytes / 1024 ** 3)} GiB`;
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
