import { RegistrationError, UnknownBackendError } from "../errors/errors.js";
import { nearestName } from "../provider/nearest-name.js";
import type { ProviderFlags } from "../provider/provider-flags.js";
import type { TerminalEnvironmentProvider } from "../provider/provider.js";
import { readProviderFlags } from "../provider/read-flags.js";
import { normaliseBackendName } from "./backend-name.js";
import {
  identityOf,
  mayUseReservedName,
  type OriginDescription,
  type PluginOrigin,
} from "./plugin-origin.js";
import { absentPackage, firstPartyPackageOf, isReservedName, reservedNames } from "./reserved-names.js";

/** A provider as the registry holds it. */
export interface RegisteredProvider {
  readonly name: string;
  readonly provider: TerminalEnvironmentProvider;
  readonly flags: ProviderFlags;
  /** Who registered it: a description, not the origin itself, which is the right to replace and remove it. */
  readonly origin: OriginDescription;
}

interface Entry {
  readonly registered: RegisteredProvider;
  readonly identity: string | symbol;
}

/**
 * The backends that are known. A registration takes effect as a whole or not at all: the provider's own code (its
 * getters) runs before, never between the check of a name and its taking, so two that race for a name have one winner.
 */
export class ProviderRegistry {
  readonly #entries = new Map<string, Entry>();
  readonly #loading = new Map<string, Promise<RegisteredProvider>>();

  /**
   * Registers a provider. Throws RegistrationError when a flag is wrong, the name is reserved for another package, or
   * the name is taken by another plugin. The same plugin may register again and thereby replaces its own provider.
   */
  register(provider: TerminalEnvironmentProvider, origin: PluginOrigin): RegisteredProvider {
    const identity = identityOf(origin);
    const flags = readProviderFlags(provider, origin.id);
    const { name } = flags;
    if (isReservedName(name) && !mayUseReservedName(origin, name)) {
      throw new RegistrationError(
        `"${name}" cannot be registered by ${origin.id}: the name is reserved for ${firstPartyPackageOf(name)}.`,
        {
          backend: name,
          operation: "register",
          hint: "Give the provider a name of its own. To use it without a registration, hand the provider to openSession({ backend: provider }).",
        },
      );
    }
    const holder = this.#entries.get(name);
    if (holder !== undefined && holder.identity !== identity) {
      const other = holder.registered.origin;
      throw new RegistrationError(
        `"${name}" cannot be registered by ${describe(origin)}: ${describe(other)} has registered it already.`,
        {
          backend: name,
          operation: "register",
          hint: `Disable one of the two: talaria plugins disable ${other.id} (or ${origin.id}).`,
        },
      );
    }
    const { id, directory, version } = origin;
    const registered = Object.freeze({
      name,
      provider,
      flags,
      origin: Object.freeze({ id, directory, version }),
    });
    this.#entries.set(name, { registered, identity });
    return registered;
  }

  /** Removes what this origin registered (all of it, or one name) and nothing else. Returns the names removed. */
  unregister(origin: PluginOrigin, name?: string): readonly string[] {
    const identity = identityOf(origin);
    const only = name === undefined ? undefined : normaliseBackendName(name);
    const removed = [...this.#entries]
      .filter(([key, entry]) => entry.identity === identity && (only === undefined || only === key))
      .map(([key]) => key);
    for (const key of removed) this.#entries.delete(key);
    return removed.sort();
  }

  /** The provider of that name, or undefined. Throws InvalidArgumentError for what cannot be a name. */
  get(name: string): RegisteredProvider | undefined {
    return this.#entries.get(normaliseBackendName(name))?.registered;
  }

  /** The provider of that name. Throws UnknownBackendError that lists the known ones and says what to install. */
  lookup(name: string): RegisteredProvider {
    const wanted = normaliseBackendName(name);
    const entry = this.#entries.get(wanted);
    if (entry !== undefined) return entry.registered;
    throw unknownBackend(wanted, [...this.#entries.keys()]);
  }

  /** All providers, sorted by name. A copy: later registrations do not change it. */
  list(): readonly RegisteredProvider[] {
    return [...this.#entries.keys()].sort().flatMap((name) => this.#entries.get(name)?.registered ?? []);
  }

  /** Runs `load` once for callers that ask for one key at the same time. For the loader. @internal */
  loadOnce(key: string, load: () => Promise<RegisteredProvider>): Promise<RegisteredProvider> {
    const running = this.#loading.get(key);
    if (running !== undefined) return running;
    const started = load().finally(() => this.#loading.delete(key));
    this.#loading.set(key, started);
    return started;
  }
}

/** The error for a name nobody registered. `known` are the names that would have worked. */
export function unknownBackend(
  name: string,
  known: readonly string[],
  advice?: { readonly reason: string; readonly hint: string },
): UnknownBackendError {
  const list = known.length === 0 ? "no backend is registered" : `known are ${[...known].sort().join(", ")}`;
  const nearest = nearestName(name, [...known, ...reservedNames]);
  const { reason, hint } =
    advice ??
    (isReservedName(name)
      ? absentPackage(name)
      : {
          reason: "no plugin has it",
          hint:
            nearest === undefined
              ? "Choose one of these, or install and enable the plugin that has it: talaria plugins list"
              : `Did you mean "${nearest}"?`,
        });
  return new UnknownBackendError(`The backend "${name}" cannot be used: ${reason}; ${list}.`, {
    backend: name,
    operation: "lookup",
    hint,
  });
}

function describe(origin: OriginDescription): string {
  return origin.directory === undefined ? origin.id : `${origin.id} (${origin.directory})`;
}
