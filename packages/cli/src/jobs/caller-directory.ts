import { loadBackend, loadConfig, ProviderRegistry, type TerminalSession } from "@talaria/core";
import { defaultJobSession } from "./job-options.js";

/**
 * Where a command of the session that nobody named starts: where the person is, and not where its last command was
 * started from. Undefined for a session that was named, and where commands do not see this host's directories.
 */
export async function callerDirectory({ name, backend }: TerminalSession): Promise<string | undefined> {
  if (name !== defaultJobSession) return undefined;
  const { flags } = await loadBackend(backend, {
    config: await loadConfig(),
    registry: new ProviderRegistry(),
  });
  return flags.isRemote || flags.isContainer ? undefined : process.cwd();
}
