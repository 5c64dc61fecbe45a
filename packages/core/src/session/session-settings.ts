import type { Config } from "../config/config.js";
import { configKeys, isConfigKeyName } from "../config/config-keys.js";
import { showSource } from "../config/config-value.js";
import { ConfigError } from "../errors/errors.js";
import type { ContainerConfig } from "../provider/provider.js";
import { refusedPassthrough } from "../secrets/agent-environment.js";
import { asHostPath, type HostPath } from "../workdir/paths.js";
import type { ConfiguredCwd } from "../workdir/start-inputs.js";
import { longestTimerMs, type CommandLimits } from "./check-command.js";

/** What commands of a session are held to. */
export interface CommandSettings {
  readonly limits: CommandLimits;
  /** Default timeout of a command; undefined = the environment's own. */
  readonly timeoutMs: number | undefined;
}

const maxForegroundKey = "terminal.max_foreground_seconds";

/** Without a configuration the built-in defaults hold. Throws ConfigError when the two limits contradict each other. */
export function commandSettings(config: Config | undefined): CommandSettings {
  const maxForegroundSeconds = config?.get(maxForegroundKey) ?? configKeys[maxForegroundKey].default;
  const limits = { maxForegroundMs: maxForegroundSeconds * 1000, maxForegroundKey };
  if (config === undefined) return { limits, timeoutMs: undefined };
  const timeout = config.value("terminal.timeout");
  const timeoutSeconds = config.get("terminal.timeout");
  if (timeoutSeconds > maxForegroundSeconds) {
    const source = timeout === undefined ? undefined : showSource(timeout.source);
    throw new ConfigError(
      `terminal.timeout (${timeoutSeconds} s, from ${source}) is above ${maxForegroundKey} (${maxForegroundSeconds} s).`,
      {
        operation: "openSession",
        key: "terminal.timeout",
        source,
        hint: `Lower terminal.timeout, or raise ${maxForegroundKey}.`,
      },
    );
  }
  if (timeoutSeconds * 1000 > longestTimerMs) {
    throw new ConfigError(`terminal.timeout (${timeoutSeconds} s) is longer than a timer can run.`, {
      operation: "openSession",
      key: "terminal.timeout",
      source: timeout === undefined ? undefined : showSource(timeout.source),
      hint: `Set it to at most ${Math.floor(longestTimerMs / 1000)}.`,
    });
  }
  return { limits, timeoutMs: timeoutSeconds * 1000 };
}

/** The directory somebody set, the caller's before the configuration's. */
export function configuredCwd(
  option: string | undefined,
  config: Config | undefined,
): ConfiguredCwd | undefined {
  if (option !== undefined) {
    return { value: option, key: "cwd", origin: "openSession", baseDirectory: processDirectory() };
  }
  const set = config?.value("terminal.cwd");
  if (typeof set?.value !== "string") return undefined;
  // A project file's relative value has been joined to its folder already; the user's file has no folder of work.
  const isSaidHere = set.source.kind === "environment" || set.source.kind === "flag";
  const baseDirectory = isSaidHere && config?.cwd !== undefined ? asHostPath(config.cwd) : undefined;
  return { value: set.value, key: "terminal.cwd", origin: showSource(set.source), baseDirectory };
}

/** Resources for a backend with its own filesystem. What nobody set stays undefined. */
export function containerConfig(config: Config): ContainerConfig {
  return {
    cpu: config.get("terminal.container_cpu"),
    memoryMb: config.get("terminal.container_memory"),
    diskMb: config.get("terminal.container_disk"),
    persistent: config.get("terminal.container_persistent"),
  };
}

/** The image of a backend that has a key for it. */
export function configuredImage(config: Config, backend: string): string | undefined {
  const key = `terminal.${backend}_image`;
  const image: unknown = isConfigKeyName(key) ? config.get(key) : undefined;
  return typeof image === "string" ? image : undefined;
}

/** The variables that `terminal.env_passthrough` names and that hold no credential of a backend. */
export function passedVariables(
  config: Config,
  stripEnvKeys: readonly string[],
): Readonly<Record<string, string>> {
  const passed = new Map<string, string>();
  for (const name of config.get("terminal.env_passthrough")) {
    const value = config.environmentVariable(name);
    if (value !== undefined && !stripEnvKeys.includes(name)) passed.set(name, value);
  }
  return Object.fromEntries(passed);
}

/** Says which names of `terminal.env_passthrough` are not passed on. */
export function refusedVariables(config: Config, stripEnvKeys: readonly string[]): readonly string[] {
  return refusedPassthrough(config.get("terminal.env_passthrough"), stripEnvKeys).map(
    (name) =>
      `terminal.env_passthrough names ${name}, which holds the credential of a backend: commands do not get it.`,
  );
}

function processDirectory(): HostPath | undefined {
  try {
    return asHostPath(process.cwd());
  } catch {
    // Deleted under the process: a relative value then has nothing to be relative to.
    return undefined;
  }
}
