import type { Config } from "../config/config.js";
import { PluginError } from "../errors/errors.js";
import { normaliseBackendName } from "../registry/backend-name.js";
import {
  unknownBackend,
  type ProviderRegistry,
  type RegisteredProvider,
} from "../registry/provider-registry.js";
import { firstPartyPackageOf, isReservedName, reservedNames } from "../registry/reserved-names.js";
import { discoverPlugins, findPlugin } from "./discover-plugins.js";
import { loadPlugin } from "./load-plugin.js";
import type { PluginManifest } from "./plugin-manifest.js";
import { pluginPermission, requireInProcess } from "./plugin-permission.js";
import type { FoundPlugin } from "./read-manifest.js";

export interface LoadBackendOptions {
  readonly config: Config;
  /** Where the provider is registered. What is registered there already is used as it is. */
  readonly registry: ProviderRegistry;
  /** Folder whose packages count besides the project's: the one the CLI or the application is installed in. Default: core's own. */
  readonly baseDirectory?: string | undefined;
}

/**
 * The provider of a backend, by name; loads the one plugin that has it, and no other. A reserved name resolves through
 * core's own table; any other through the manifests of `plugins.enabled`. Two calls at the same time load once.
 * Throws UnknownBackendError (with the known names and what to install or enable), PluginError, RegistrationError.
 */
export async function loadBackend(name: string, options: LoadBackendOptions): Promise<RegisteredProvider> {
  const wanted = normaliseBackendName(name);
  const registered = options.registry.get(wanted);
  if (registered !== undefined) return registered;
  return options.registry.loadOnce(wanted, () =>
    isReservedName(wanted)
      ? loadFirstParty(wanted, firstPartyPackageOf(wanted), options)
      : loadEnabled(wanted, options),
  );
}

async function loadFirstParty(
  name: string,
  packageName: string,
  options: LoadBackendOptions,
): Promise<RegisteredProvider> {
  const permission = pluginPermission(packageName, true, options.config);
  if ("reason" in permission) throw unknownBackend(name, await usableNames(options), permission);
  const plugin = await findPlugin(packageName, options);
  if (plugin === undefined) throw unknownBackend(name, await usableNames(options));
  return loadFound(name, plugin, options);
}

async function loadEnabled(name: string, options: LoadBackendOptions): Promise<RegisteredProvider> {
  const enabled = options.config
    .get("plugins.enabled")
    .filter((id) => pluginPermission(id, false, options.config).kind === "enabled");
  const found = await Promise.all([...new Set(enabled)].map((id) => findPlugin(id, options)));
  const having = found.filter((plugin) => plugin?.ok === true && plugin.manifest.backends.includes(name));
  const [plugin, rival] = having;
  if (plugin?.ok === true && rival?.ok === true) {
    throw new PluginError(
      `The backend "${name}" is offered by two enabled plugins, ${plugin.manifest.id} and ${rival.manifest.id}: neither was loaded.`,
      {
        backend: name,
        operation: "plugins.load",
        hint: `Disable one: talaria plugins disable ${rival.manifest.id}`,
      },
    );
  }
  if (plugin !== undefined) return loadFound(name, plugin, options);
  throw await notEnabled(name, options);
}

async function loadFound(
  name: string,
  plugin: FoundPlugin,
  options: LoadBackendOptions,
): Promise<RegisteredProvider> {
  if (!plugin.ok) {
    throw new PluginError(
      `The backend "${name}" cannot be loaded: its manifest is unusable. ${plugin.reason}`,
      {
        backend: name,
        operation: "plugins.load",
        hint: `Reinstall ${plugin.id}, or report it to its author.`,
      },
    );
  }
  requireInProcess(plugin.manifest.id, options.config);
  const providers = await loadPlugin(plugin.manifest, options.registry, options.config.talariaHome);
  const wanted = providers.find((provider) => provider.name === name);
  if (wanted !== undefined) return wanted;
  throw unknownBackend(name, await usableNames(options), {
    reason: `${plugin.manifest.id} does not have it (it has ${plugin.manifest.backends.join(", ")})`,
    hint: `Install a newer version: npm install ${plugin.manifest.id}@latest`,
  });
}

/** Looks through everything installed for what would have the name, so that the text can say what is missing. */
async function notEnabled(name: string, options: LoadBackendOptions): Promise<Error> {
  const { plugins } = await discoverPlugins(options);
  const manifests = plugins.flatMap((plugin) => (plugin.ok ? [plugin.manifest] : []));
  const known = namesInReach(manifests, options);
  const having = manifests.find(({ backends }) => backends.includes(name));
  if (having !== undefined) {
    const permission = pluginPermission(having.id, having.isFirstParty, options.config);
    if ("reason" in permission) return unknownBackend(name, known, permission);
  }
  const broken = plugins.find(
    (plugin) => !plugin.ok && (plugin.id === name || plugin.id.endsWith(`-${name}`)),
  );
  if (broken?.ok === false) {
    return unknownBackend(name, known, { reason: broken.reason, hint: `Reinstall or repair ${broken.id}.` });
  }
  return unknownBackend(name, known);
}

async function usableNames(options: LoadBackendOptions): Promise<readonly string[]> {
  const { plugins } = await discoverPlugins(options);
  return namesInReach(
    plugins.flatMap((plugin) => (plugin.ok ? [plugin.manifest] : [])),
    options,
  );
}

function namesInReach(
  manifests: readonly PluginManifest[],
  { config, registry }: LoadBackendOptions,
): readonly string[] {
  const loadable = manifests.filter(
    ({ id, isFirstParty }) => !("reason" in pluginPermission(id, isFirstParty, config)),
  );
  const names = [...registry.list().map(({ name }) => name), ...loadable.flatMap(({ backends }) => backends)];
  return [...new Set(names)].sort((left, right) => order(left) - order(right) || (left < right ? -1 : 1));
}

/** First-party ones first. */
function order(name: string): number {
  return reservedNames.some((reserved) => reserved === name) ? 0 : 1;
}
