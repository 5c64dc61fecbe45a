import { loadConfig, resolveBackendConfig, type RegisteredProvider } from "@talaria/core";
import { surveyBackends } from "../inspect/surveyed-backend.js";

/** An installed backend with its configuration, ready to be asked for its sandboxes. */
export interface AskedBackend {
  readonly name: string;
  readonly provider: RegisteredProvider["provider"];
  readonly backendConfig: Readonly<Record<string, unknown>>;
}

/** Why a backend has nothing to list. */
export interface SilentBackend {
  readonly name: string;
  readonly reason: string;
}

export interface BackendsToAsk {
  readonly asked: readonly AskedBackend[];
  readonly silent: readonly SilentBackend[];
}

/** The installed backends, or the one named: those that can list sandboxes, and why the others cannot. */
export async function backendsToAsk(name: string | undefined): Promise<BackendsToAsk> {
  const config = await loadConfig();
  const asked: AskedBackend[] = [];
  const silent: SilentBackend[] = [];
  for (const { row, registered, probe } of await surveyBackends(
    config,
    name === undefined ? undefined : [name],
  )) {
    if (registered === undefined) {
      // What is not installed has made nothing; it is worth a line only to somebody who named it.
      if (name !== undefined || row.status === "installed")
        silent.push({ name: row.name, reason: probe.detail });
    } else if (registered.provider.listSandboxes === undefined) {
      silent.push({ name: row.name, reason: "leaves no sandboxes behind" });
    } else {
      const { values } = resolveBackendConfig(config, row.name, registered.flags.configSchema);
      asked.push({ name: row.name, provider: registered.provider, backendConfig: values });
    }
  }
  return { asked, silent };
}
