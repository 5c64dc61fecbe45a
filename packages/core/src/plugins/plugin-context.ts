import { RegistrationError } from "../errors/errors.js";
import type { TerminalEnvironmentProvider } from "../provider/provider.js";
import { readProviderFlags } from "../provider/read-flags.js";
import { pluginApi, type PluginManifest } from "./plugin-manifest.js";

/** What a plugin's `register(ctx)` is given. */
export interface PluginContext {
  /** The version of this interface. */
  readonly api: number;
  /** The plugin's own id. */
  readonly pluginId: string;
  /** `<TALARIA_HOME>`. */
  readonly talariaHome: string;
  /**
   * Offers a backend. Its flags are read now; it can be used once `register` has ended. Throws RegistrationError when a
   * flag is wrong or the name is not one that the plugin's manifest lists.
   */
  registerTerminalEnvironmentProvider(provider: TerminalEnvironmentProvider): void;
}

/** A context, and what was offered through it. */
export interface OpenPluginContext {
  readonly context: PluginContext;
  readonly offered: readonly TerminalEnvironmentProvider[];
  /** After it, a late call is refused: nobody would look at what it offers. */
  close(): void;
}

/** Makes the context of one load of one plugin. */
export function openPluginContext(manifest: PluginManifest, talariaHome: string): OpenPluginContext {
  const offered: TerminalEnvironmentProvider[] = [];
  let isOpen = true;
  const context: PluginContext = {
    api: pluginApi,
    pluginId: manifest.id,
    talariaHome,
    registerTerminalEnvironmentProvider(provider) {
      const { name } = readProviderFlags(provider, manifest.id);
      if (!isOpen) {
        throw new RegistrationError(
          `"${name}" was offered by ${manifest.id} after its register(ctx) had ended.`,
          {
            backend: name,
            operation: "register",
            hint: "Return a promise from register that ends when all backends are registered.",
          },
        );
      }
      // Loading is by name through the manifest: a backend that is not listed there would appear and disappear by chance.
      if (!manifest.backends.includes(name)) {
        throw new RegistrationError(
          `"${name}" was offered by ${manifest.id}, whose manifest lists ${manifest.backends.join(", ")}.`,
          {
            backend: name,
            operation: "register",
            hint: `List "${name}" as a name in the plugin's manifest.`,
          },
        );
      }
      offered.push(provider);
    },
  };
  return { context: Object.freeze(context), offered, close: () => void (isOpen = false) };
}
