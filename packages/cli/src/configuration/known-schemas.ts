import { ProviderRegistry, listBackends, loadBackend, loadConfig, type KnownSchemas } from "@talaria/core";

/**
 * The schemas of the installed backends, so that their fields can be judged; of one only when a key of it is given. What
 * cannot be loaded has no schema here: a broken plugin or file must not keep a value from being corrected.
 */
export async function knownSchemas(key?: string): Promise<KnownSchemas> {
  const wanted = key === undefined ? undefined : /^terminal\.backends\.([^.]+)\./.exec(key)?.[1];
  if (key !== undefined && wanted === undefined) return {};
  try {
    const config = await loadConfig();
    const registry = new ProviderRegistry();
    const rows = await listBackends({ config });
    const schemas = await Promise.all(
      rows
        .filter(({ name, status }) => status === "installed" && (wanted === undefined || wanted === name))
        .map(async ({ name }) => {
          const loaded = await loadBackend(name, { config, registry }).catch(() => undefined);
          return loaded === undefined ? [] : [[name, loaded.flags.configSchema] as const];
        }),
    );
    return Object.fromEntries(schemas.flat());
  } catch {
    return {};
  }
}
