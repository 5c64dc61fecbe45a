import { openSession, loadBackend, loadConfig, ProviderRegistry } from "@talaria/core";
import { namedSessions } from "../inspect/named-sessions.js";
import { stateText } from "../jobs/job-member.js";
import { defaultJobSession } from "../jobs/job-options.js";
import type { Candidate } from "./complete-words.js";

/** TAB is pressed often and must answer soon: what takes longer offers nothing. */
const deadlineMs = 2_000;

/**
 * The jobs of the session that the line names. Only where commands run on this host: anywhere else a sandbox would be
 * made, or a network asked, by pressing TAB.
 */
export async function jobNames(given: (option: string) => string | undefined): Promise<readonly Candidate[]> {
  const config = await loadConfig();
  const name = given("session") ?? defaultJobSession;
  // A session that nobody has used has no jobs, and must not be made by pressing TAB.
  if (!(await namedSessions(config.talariaHome)).includes(name)) return [];
  const registry = new ProviderRegistry();
  const backend = given("backend") ?? config.get("terminal.backend");
  const { flags } = await loadBackend(backend, { config, registry });
  if (flags.isRemote || flags.isContainer) return [];
  const signal = AbortSignal.timeout(deadlineMs);
  const session = await openSession({
    config,
    registry,
    backend,
    session: name,
    audit: false,
    signal,
  });
  try {
    const jobs = await session.jobs.list();
    return jobs.map((job) => ({
      value: job.id,
      description: `${stateText(job)}: ${job.label ?? job.command}`,
    }));
  } finally {
    await session.close();
  }
}
