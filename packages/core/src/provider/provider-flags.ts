import type { Capability } from "../environment/capabilities.js";
import type { ConfigSchema } from "./config-schema.js";

/**
 * What a provider declared, read once and frozen. Everything in core and in the surfaces looks here and never at the
 * provider's getters again, so a flag cannot change its answer between two looks. `defaultCwd` is the one exception
 * (`readDefaultCwd`).
 */
export interface ProviderFlags {
  /** Normalised: trimmed, case folded, `[a-z0-9_]+`. */
  readonly name: string;
  readonly displayName: string;
  readonly description: string;
  readonly isRemote: boolean;
  readonly isContainer: boolean;
  readonly skipContainerGuards: boolean;
  readonly cachePathBase: string | null;
  /** What the provider lists, and every variable its schema names as the source of a secret. Sorted, without repeats. */
  readonly stripEnvKeys: readonly string[];
  readonly sessionIsolatedWhenNonpersistent: boolean;
  readonly supportsStreams: boolean;
  readonly execPrefixJoinsWords: boolean;
  readonly capabilities: readonly Capability[];
  /** Declared by a provider made for a newer core. Shown, never acted on. */
  readonly unknownCapabilities: readonly string[];
  readonly configSchema: ConfigSchema;
  readonly envDescription: string;
}
