import type { JobInfo } from "@talaria/core";

/** A job as a member of a document. */
export function jobMember({ startedAt, endedAt, ...info }: JobInfo): object {
  return { ...info, startedAt: startedAt.toISOString(), endedAt: endedAt?.toISOString() ?? null };
}

/** How a job stands, in a word or two: `running`, `exited 3`, `signaled SIGTERM`, `stopped`, `lost`. */
export function stateText({ state, exitCode, signal }: JobInfo): string {
  if (state === "exited") return `exited ${exitCode ?? "?"}`;
  return state === "signaled" && signal !== null ? `signaled ${signal}` : state;
}
