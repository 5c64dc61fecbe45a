import { describeValue } from "../provider/describe-value.js";
import { isEnvironmentName } from "../provider/environment-name.js";
import { isInheritedByAgents } from "../provider/inherited-names.js";
import { normaliseBackendName } from "../registry/backend-name.js";
import { isReservedName, reservedNamesOf } from "../registry/reserved-names.js";

/** The version of the plugin interface this core speaks. */
export const pluginApi = 1;

/** What is known of a plugin without running any of its code. */
export interface PluginManifest {
  /** The package's or folder's name: what `plugins.enabled` lists. Not the backend's name. */
  readonly id: string;
  readonly source: "package" | "folder";
  /** Its folder, links resolved. */
  readonly directory: string;
  /** The backends it may register. */
  readonly backends: readonly string[];
  readonly version: string | undefined;
  readonly description: string | undefined;
  /** Its entry module, relative to the folder. Undefined for a package: then its `exports` decide. */
  readonly entry: string | undefined;
  /** Variables that hold its credentials. */
  readonly stripEnvKeys: readonly string[];
  /** A package of Talaria's own, by its name in the table of reserved names. */
  readonly isFirstParty: boolean;
}

/** What is wrong with a manifest, in words that follow the file's name. */
export class ManifestProblem extends Error {}

/** Where a manifest was found, and what of it does not come from its fields. */
export interface ManifestOrigin {
  readonly id: string;
  readonly source: "package" | "folder";
  readonly directory: string;
  readonly version?: unknown;
  readonly description?: unknown;
}

/**
 * Judges the fields of a manifest: `kind`, `name` (one backend or a list), `api`, `entry`, `strip_env_keys`.
 * Unknown fields are left alone, newer plugins have more. Throws ManifestProblem.
 */
export function checkManifest(fields: unknown, origin: ManifestOrigin): PluginManifest {
  if (typeof fields !== "object" || fields === null || Array.isArray(fields)) {
    throw new ManifestProblem(`the manifest must be an object, but is ${describeValue(fields)}`);
  }
  const field = (...names: readonly string[]): unknown => {
    const name = names.find((candidate) => Object.hasOwn(fields, candidate));
    return name === undefined ? undefined : (Reflect.get(fields, name) as unknown);
  };
  const kind = field("kind");
  if (kind !== "backend") {
    throw new ManifestProblem(`kind is ${describeValue(kind)}, and "backend" is the only kind there is`);
  }
  const api = field("api") ?? pluginApi;
  if (api !== pluginApi) {
    throw new ManifestProblem(
      `it is made for plugin api ${describeValue(api)}, and this version of @talaria/core speaks api ${pluginApi}`,
    );
  }
  const isFirstParty = origin.source === "package" && reservedNamesOf(origin.id).length > 0;
  const backends = checkBackends(field("name"), origin, isFirstParty);
  return Object.freeze({
    id: origin.id,
    source: origin.source,
    directory: origin.directory,
    backends,
    version: line(field("version") ?? origin.version),
    description: line(field("description") ?? origin.description),
    entry: checkEntry(field("entry"), origin.source),
    stripEnvKeys: checkStripEnvKeys(field("strip_env_keys", "stripEnvKeys")),
    isFirstParty,
  });
}

function checkBackends(value: unknown, origin: ManifestOrigin, isFirstParty: boolean): readonly string[] {
  const given: unknown[] = Array.isArray(value) ? Array.from(value) : [value];
  if (given.length === 0) throw new ManifestProblem("name lists no backend");
  const names = given.map((name) => {
    if (typeof name !== "string")
      throw new ManifestProblem(`name is ${describeValue(name)}, expected a backend's name`);
    let normalised: string;
    try {
      normalised = normaliseBackendName(name);
    } catch (error) {
      throw new ManifestProblem(error instanceof Error ? error.message : String(error));
    }
    if (
      isReservedName(normalised) &&
      !reservedNamesOf(origin.source === "package" ? origin.id : "").includes(normalised)
    ) {
      throw new ManifestProblem(
        `the backend name "${normalised}" is reserved for a package of Talaria's own`,
      );
    }
    if (isFirstParty && !isReservedName(normalised)) {
      throw new ManifestProblem(`the backend name "${normalised}" does not belong to ${origin.id}`);
    }
    return normalised;
  });
  return Object.freeze([...new Set(names)]);
}

function checkEntry(value: unknown, source: "package" | "folder"): string | undefined {
  if (value === undefined) return source === "folder" ? "index.js" : undefined;
  if (typeof value !== "string" || value === "") {
    throw new ManifestProblem(`entry is ${describeValue(value)}, expected a path inside the plugin's folder`);
  }
  const leaves = value.startsWith("/") || /^[A-Za-z]:|[\\\0]/.test(value) || value.split("/").includes("..");
  if (leaves) throw new ManifestProblem(`entry ${JSON.stringify(value)} leads out of the plugin's folder`);
  return value;
}

function checkStripEnvKeys(value: unknown): readonly string[] {
  if (value === undefined) return [];
  if (!Array.isArray(value))
    throw new ManifestProblem(`strip_env_keys is ${describeValue(value)}, expected a list`);
  const keys = Array.from(value, (key: unknown) => {
    if (typeof key !== "string" || !isEnvironmentName(key) || isInheritedByAgents(key)) {
      throw new ManifestProblem(
        `strip_env_keys lists ${describeValue(key)}, expected a credential variable's name`,
      );
    }
    return key;
  });
  return Object.freeze(keys);
}

/** Text for a list: control characters could move the cursor of who reads it. */
function line(value: unknown): string | undefined {
  if (typeof value !== "string") return undefined;
  return value
    .replaceAll(/\p{Cc}+/gu, " ")
    .trim()
    .slice(0, 200);
}
