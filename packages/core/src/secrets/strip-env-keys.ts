import type { PluginManifest } from "../plugins/plugin-manifest.js";
import type { ProviderRegistry } from "../registry/provider-registry.js";
import type { ReservedName } from "../registry/reserved-names.js";

/**
 * Credentials of the first-party backends. They are here, and not only with their packages, so that a token in this
 * process's environment is kept from agents even where the package that would use it is not installed.
 */
const firstPartyKeys: Readonly<Record<ReservedName, readonly string[]>> = {
  local: [],
  docker: ["DOCKER_AUTH_CONFIG", "DOCKER_PASSWORD"],
  ssh: ["SSHPASS"],
  singularity: [
    "APPTAINER_DOCKER_PASSWORD",
    "APPTAINER_DOCKER_USERNAME",
    "APPTAINER_ENCRYPTION_PASSPHRASE",
    "SINGULARITY_DOCKER_PASSWORD",
    "SINGULARITY_DOCKER_USERNAME",
    "SINGULARITY_ENCRYPTION_PASSPHRASE",
    "SLURM_JWT",
  ],
  modal: ["MODAL_TOKEN_ID", "MODAL_TOKEN_SECRET"],
  managed_modal: [],
  daytona: ["DAYTONA_API_KEY", "DAYTONA_JWT_TOKEN"],
  vercel_sandbox: ["VERCEL_OIDC_TOKEN", "VERCEL_TOKEN"],
};

/**
 * Every variable that holds a credential of an installed backend, whether or not it is loaded or enabled: what the
 * first-party backends use, what manifests declare, what registered providers declare. Sorted, without repeats.
 */
export function allStripEnvKeys(sources: {
  readonly registry?: ProviderRegistry | undefined;
  /** Manifests of the plugins that are installed: `discoverPlugins`. */
  readonly manifests?: readonly Pick<PluginManifest, "stripEnvKeys">[] | undefined;
}): readonly string[] {
  const keys = new Set(Object.values(firstPartyKeys).flat());
  for (const { stripEnvKeys } of sources.manifests ?? []) for (const key of stripEnvKeys) keys.add(key);
  for (const { flags } of sources.registry?.list() ?? []) for (const key of flags.stripEnvKeys) keys.add(key);
  return Object.freeze([...keys].sort());
}
