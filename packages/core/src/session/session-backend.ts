import { loadConfig } from "../config/load-config.js";
import { resolveBackendConfig } from "../config/backend-config.js";
import type { Config } from "../config/config.js";
import type { DescribedSession } from "../description/describe-environment.js";
import type { MinimalEnvironment, TerminalEnvironment } from "../environment/environment.js";
import { isMinimalEnvironment, WrappedEnvironment } from "../environment/minimal-environment.js";
import { ContractError, InvalidArgumentError } from "../errors/errors.js";
import { discoverPlugins, manifestsOf } from "../plugins/discover-plugins.js";
import { loadBackend } from "../plugins/load-backend.js";
import { describeValue } from "../provider/describe-value.js";
import type { ProviderFlags } from "../provider/provider-flags.js";
import type { TerminalEnvironmentProvider } from "../provider/provider.js";
import { readDefaultCwd } from "../provider/read-default-cwd.js";
import { readProviderFlags } from "../provider/read-flags.js";
import { ProviderRegistry } from "../registry/provider-registry.js";
import { allStripEnvKeys } from "../secrets/strip-env-keys.js";
import { backendDefaultCwd } from "../workdir/backend-default-cwd.js";
import { MountTable } from "../workdir/mount-table.js";
import { resolveStart } from "../workdir/resolve-start.js";
import type { OpenSessionOptions } from "./session-options.js";
import type { PlaceFacts } from "./session-place.js";
import {
  configuredCwd,
  configuredImage,
  containerConfig,
  passedVariables,
  refusedVariables,
} from "./session-settings.js";

/** Where a session's commands are going to run. */
export interface SessionBackend {
  readonly config: Config | undefined;
  readonly place: PlaceFacts;
  /** Credential variables of all installed backends. */
  readonly stripEnvKeys: readonly string[];
  /** What isolates its commands from this host, as declared. */
  readonly skipContainerGuards: boolean;
  /** Where the synced cache lands inside; null: host paths are right as they are. */
  readonly cachePathBase: string | null;
  /** What a model is told about it before anything is known of its sandbox. */
  readonly told: Pick<DescribedSession, "envDescription" | "kind" | "isPersistent">;
  /** The backend's own configuration, with what its schema calls secret. */
  readonly configured: BackendValues | undefined;
  /** For the first result: what was asked for and is not done. */
  readonly notes: readonly string[];
  /** The environment was handed in and stays the caller's. */
  readonly isHandedIn: boolean;
  /** Makes the environment, or takes the one that was handed in. */
  open(sessionId: string): Promise<TerminalEnvironment>;
}

/** The resolved fields of `terminal.backends.<name>`. */
export interface BackendValues {
  readonly name: string;
  readonly values: Readonly<Record<string, unknown>>;
  readonly secretFields: readonly string[];
}

/** What a handed-in backend without a name of its own is called. */
const namelessBackend = "custom";

/** Finds out what `backend` means. `kept` is the backend of the named session that is continued. Starts nothing. */
export async function sessionBackend(
  options: OpenSessionOptions,
  kept: string | undefined,
): Promise<SessionBackend> {
  const { backend } = options;
  if (typeof backend === "string" || backend === undefined) return namedBackend(backend ?? kept, options);
  if (isProvider(backend)) {
    const registered = { provider: backend, flags: readProviderFlags(backend) };
    return providerBackend(
      registered,
      options,
      options.config,
      allStripEnvKeys({ registry: options.registry }),
    );
  }
  return handedInBackend(checkEnvironmentShape(backend, namelessBackend), options);
}

async function namedBackend(name: string | undefined, options: OpenSessionOptions): Promise<SessionBackend> {
  const config = options.config ?? (await loadConfig({ talariaHome: options.talariaHome }));
  const registry = options.registry ?? new ProviderRegistry();
  const places = { config, baseDirectory: options.baseDirectory };
  const [registered, discovered] = await Promise.all([
    loadBackend(name ?? config.get("terminal.backend"), { ...places, registry }),
    discoverPlugins(places),
  ]);
  const manifests = manifestsOf(discovered);
  return providerBackend(registered, options, config, allStripEnvKeys({ registry, manifests }));
}

function providerBackend(
  { provider, flags }: { readonly provider: TerminalEnvironmentProvider; readonly flags: ProviderFlags },
  options: OpenSessionOptions,
  config: Config | undefined,
  others: readonly string[],
): SessionBackend {
  const stripEnvKeys = [...new Set([...others, ...flags.stripEnvKeys])].sort();
  const place: PlaceFacts = {
    isContainer: flags.isContainer,
    isRemote: flags.isRemote,
    canBeRecreated: flags.isContainer || flags.isRemote,
    configured: configuredCwd(options.cwd, config),
    readDefaultCwd: () => readDefaultCwd(provider),
    ownDefault: backendDefaultCwd(flags),
  };
  const backendConfig =
    config === undefined ? {} : resolveBackendConfig(config, flags.name, flags.configSchema).values;
  const secretFields = Object.entries(flags.configSchema).flatMap(([field, { type }]) =>
    type === "secret" ? [field] : [],
  );
  return {
    config,
    place,
    stripEnvKeys,
    skipContainerGuards: flags.skipContainerGuards,
    cachePathBase: flags.cachePathBase,
    told: {
      envDescription: flags.envDescription,
      kind: flags.isContainer ? "container" : flags.isRemote ? "machine" : "host",
      isPersistent: flags.isContainer ? config?.get("terminal.container_persistent") : undefined,
    },
    configured: { name: flags.name, values: backendConfig, secretFields },
    notes: config === undefined ? [] : refusedVariables(config, stripEnvKeys),
    isHandedIn: false,
    open: async (sessionId) => {
      // A plugin without a build hands in a plain object, which may leave out what has a default.
      await provider.checkRequirements?.(backendConfig);
      const environment = await provider.createEnvironment({
        cwd: cwdForCreation(flags.name, place),
        timeoutMs: config === undefined ? undefined : config.get("terminal.timeout") * 1000,
        taskId: options.taskId ?? options.session ?? sessionId,
        image: config === undefined ? undefined : configuredImage(config, flags.name),
        containerConfig: config !== undefined && flags.isContainer ? containerConfig(config) : undefined,
        backendConfig,
        passEnv: config === undefined ? {} : passedVariables(config, stripEnvKeys),
        stripEnvKeys,
        talariaHome: options.talariaHome ?? config?.talariaHome,
        signal: options.signal,
      });
      if (typeof environment !== "object" || environment === null) {
        throw new ContractError(
          `createEnvironment() of "${flags.name}" gave ${describeValue(environment)}.`,
          {
            backend: flags.name,
            operation: "createEnvironment",
            hint: "It has to give an environment; the smallest is { execute, cleanup }.",
          },
        );
      }
      return complete(checkEnvironmentShape(environment, flags.name), flags.name);
    },
  };
}

function handedInBackend(
  environment: TerminalEnvironment | MinimalEnvironment,
  options: OpenSessionOptions,
): SessionBackend {
  return {
    config: options.config,
    place: {
      // Nothing is declared, so nothing is guessed: the environment's own default, and paths as they are.
      isContainer: false,
      isRemote: false,
      canBeRecreated: true,
      configured: configuredCwd(options.cwd, options.config),
      readDefaultCwd: () => ({ kind: "none" }),
      ownDefault: null,
    },
    stripEnvKeys: allStripEnvKeys({ registry: options.registry }),
    // Nothing is declared about it, so it is taken for what it may well be: this host.
    skipContainerGuards: false,
    cachePathBase: null,
    told: { envDescription: "", kind: "undeclared", isPersistent: undefined },
    configured: undefined,
    notes: [],
    isHandedIn: true,
    open: async () => complete(environment, namelessBackend),
  };
}

/** What the user or the provider set, as it is; undefined when it comes down to a default of ours. */
function cwdForCreation(backend: string, place: PlaceFacts): string | undefined {
  const { readDefaultCwd: read, ...facts } = place;
  const start = resolveStart({ ...facts, backend, mounts: new MountTable(), defaultCwd: read() });
  return start.source === "backendDefault" ? undefined : (start.path ?? undefined);
}

function complete(
  environment: TerminalEnvironment | MinimalEnvironment,
  backend: string,
): TerminalEnvironment {
  return isMinimalEnvironment(environment) ? new WrappedEnvironment(environment, { backend }) : environment;
}

function isProvider(value: object): value is TerminalEnvironmentProvider {
  return "createEnvironment" in value;
}

/** A third party may hand over anything. Throws ContractError that names what is missing. */
function checkEnvironmentShape<T extends TerminalEnvironment | MinimalEnvironment>(
  value: T,
  backend: string,
): T {
  if (typeof value !== "object" || value === null) {
    throw new InvalidArgumentError(
      "backend",
      "The backend is neither a name, nor a provider, nor an environment.",
      {
        operation: "openSession",
        hint: 'Give a name ("local"), a provider (local()), or { execute, cleanup }.',
      },
    );
  }
  for (const member of ["execute", "cleanup"] as const) {
    if (typeof value[member] === "function") continue;
    throw new ContractError(`The environment of "${backend}" has no method "${member}".`, {
      backend,
      operation: "openSession",
      hint: "The smallest environment is { execute, cleanup }.",
    });
  }
  return value;
}
