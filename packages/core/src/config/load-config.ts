import { TalariaError } from "../errors/talaria-error.js";
import { normaliseBackendName } from "../registry/backend-name.js";
import { Config, defaultValues } from "./config.js";
import { configKeys, isConfigKeyName } from "./config-keys.js";
import { emptyLayer, type ConfigLayer } from "./config-layer.js";
import { showSource, type ConfigProblem, type ConfigValue } from "./config-value.js";
import { readEnvironmentLayer } from "./environment-layer.js";
import { readFileLayer } from "./file-layer.js";
import { readFlagLayer } from "./flag-layer.js";
import type { KnownSchemas } from "./key-target.js";
import { configErrorOf } from "./parse-yaml.js";
import { findProjectFile, restrictProjectLayer, strangerOf } from "./project-file.js";
import { configPath, talariaHomePath, type HostEnvironment } from "./talaria-home.js";

export interface LoadConfigOptions {
  /** Default: the variable TALARIA_HOME, else `~/.talaria`. */
  readonly talariaHome?: string | undefined;
  /** Where the search for a project file starts. Default: the process's. */
  readonly cwd?: string | undefined;
  /** Default: the process's. */
  readonly env?: HostEnvironment | undefined;
  /** Dotted keys with values, from a command line. They win over everything. */
  readonly flags?: Readonly<Record<string, unknown>> | undefined;
  /** Schemas of backends that are known already: their fields are then judged too. */
  readonly schemas?: KnownSchemas | undefined;
}

/**
 * Loads the configuration: defaults, `<TALARIA_HOME>/config.yaml`, the nearest `.talaria.yaml`, `TALARIA_*` variables,
 * flags; the later wins. Throws ConfigError for what cannot be read or has the wrong type, naming key, file and line.
 */
export async function loadConfig(options: LoadConfigOptions = {}): Promise<Config> {
  const { config, problems } = await gatherConfig(options);
  const errors = problems.filter(({ severity }) => severity === "error");
  const [first] = errors;
  if (first !== undefined) throw configErrorOf(first, errors.length - 1);
  return config;
}

/** All that is wrong with the configuration, errors and warnings, in the order of the layers. Throws nothing. */
export async function checkConfig(options: LoadConfigOptions = {}): Promise<readonly ConfigProblem[]> {
  return (await gatherConfig(options)).problems;
}

async function gatherConfig(
  options: LoadConfigOptions,
): Promise<{ readonly config: Config; readonly problems: readonly ConfigProblem[] }> {
  const env = options.env ?? process.env;
  const talariaHome = options.talariaHome ?? talariaHomePath(env);
  const schemas = options.schemas ?? {};
  const cwd = options.cwd ?? currentDirectory();
  const projectFile = cwd === undefined ? undefined : await findProjectFile(cwd);
  const [user, project] = await Promise.all([
    readFileLayer(configPath({ talariaHome }), "user", schemas),
    projectFile === undefined ? emptyLayer : readProjectLayer(projectFile, schemas),
  ]);
  const layers = [
    { values: defaultValues(), problems: [] },
    user,
    restrictProjectLayer(project, schemas),
    readEnvironmentLayer(env, schemas),
    readFlagLayer(options.flags ?? {}, schemas),
  ];
  const merged = new Map<string, ConfigValue>();
  const problems: ConfigProblem[] = layers.flatMap((layer) => layer.problems);
  for (const value of layers.flatMap((layer) => layer.values)) {
    const before = merged.get(value.key);
    const normalised = normalise(value, problems);
    merged.set(value.key, normalised);
    const moved = movesToHost(normalised, before);
    if (moved !== undefined) problems.push(moved);
  }
  for (const value of merged.values()) {
    const note = notActedOn(value);
    if (note !== undefined) problems.push(note);
  }
  const config = new Config({
    talariaHome,
    cwd,
    env,
    projectFile,
    values: [...merged.values()],
    warnings: problems.filter(({ severity }) => severity === "warning").map(({ message }) => message),
  });
  return { config, problems };
}

async function readProjectLayer(path: string, schemas: KnownSchemas): Promise<ConfigLayer> {
  const why = await strangerOf(path);
  if (why === undefined) return readFileLayer(path, "project", schemas);
  const hint = "If its values are wanted, write them into a file of your own.";
  return {
    values: [],
    problems: [
      { severity: "warning", message: `The project file ${path} is ignored: ${why}.`, source: path, hint },
    ],
  };
}

function currentDirectory(): string | undefined {
  try {
    return process.cwd();
  } catch {
    // The directory was deleted under the process: there is no project then, and everything else still works.
    return undefined;
  }
}

function normalise(value: ConfigValue, problems: ConfigProblem[]): ConfigValue {
  if (value.key !== "terminal.backend" || typeof value.value !== "string") return value;
  try {
    return { ...value, value: normaliseBackendName(value.value) };
  } catch (error) {
    if (!TalariaError.isInstance(error)) throw error;
    const source = showSource(value.source);
    problems.push({
      severity: "error",
      message: `terminal.backend in ${source} is unusable: ${error.message}`,
      key: value.key,
      source,
      hint: error.hint,
    });
    return value;
  }
}

/** A project may choose the backend. That it moves commands out of a sandbox the user chose must be seen. */
function movesToHost(value: ConfigValue, before: ConfigValue | undefined): ConfigProblem | undefined {
  if (value.key !== "terminal.backend" || value.source.kind !== "project" || value.value !== "local")
    return undefined;
  if (before?.source.kind !== "user" || before.value === "local") return undefined;
  const source = showSource(value.source);
  return {
    severity: "warning",
    message: `The project file ${source} replaces the backend "${String(before.value)}" of ${showSource(before.source)} by "local": commands run on this host.`,
    key: value.key,
    source,
    hint: `To keep the sandbox: TALARIA_TERMINAL_BACKEND=${String(before.value)}, or --backend ${String(before.value)}.`,
  };
}

function notActedOn(value: ConfigValue): ConfigProblem | undefined {
  if (value.source.kind === "default" || !isConfigKeyName(value.key)) return undefined;
  const field = configKeys[value.key];
  if (!("notActedOn" in field)) return undefined;
  const source = showSource(value.source);
  return {
    severity: "warning",
    message: `${value.key} in ${source} has no effect yet: ${field.notActedOn}.`,
    key: value.key,
    source,
  };
}
