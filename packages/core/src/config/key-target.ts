import { forbiddenKeys, isKeySegment } from "../provider/check-config-schema.js";
import type { ConfigField, ConfigSchema } from "../provider/config-schema.js";
import { nearestName } from "../provider/nearest-name.js";
import type { ConfigKey } from "./config-key.js";
import { configKeyNames, configKeys, isConfigKeyName } from "./config-keys.js";

/** The schemas of the backends that are known at the moment, by backend name. */
export type KnownSchemas = Readonly<Record<string, ConfigSchema>>;

/** A key that can hold a value. */
export interface KeyTarget {
  /** Dotted, for people. */
  readonly key: string;
  /** The way through a YAML file. An id of a plugin may itself contain dots. */
  readonly path: readonly string[];
  /** What the value must be. Undefined for a field of a backend whose schema is not known. */
  readonly field: ConfigKey | undefined;
  /** Set for `terminal.backends.<backend>.<field>`. */
  readonly backend?: string | undefined;
  readonly isSecret: boolean;
}

/** A key that cannot. */
export interface UnknownKey {
  readonly key: string;
  readonly kind: "absent" | "forbidden" | "dotsInOnePiece" | "malformed";
  /** Why, in words. */
  readonly reason: string;
  readonly nearest: string | undefined;
}

const carriesCredentials =
  "a project could otherwise send this user's credentials to an address of its own choice";
const decidesWhatRuns = "a project could otherwise decide how a plugin's code runs";

const pluginSettings: Readonly<Record<string, ConfigKey>> = {
  isolation: {
    type: "select",
    description: "Where this plugin's code runs; over plugins.isolation.",
    options: ["in_process", "host"],
    refusedInProject: decidesWhatRuns,
  },
  grants: {
    type: "list",
    description: "What this plugin may do although it is isolated.",
    refusedInProject: decidesWhatRuns,
  },
};

/** Finds what a way through a file leads to. */
export function targetOfPath(
  path: readonly string[],
  schemas: KnownSchemas = {},
  secretLooking: (name: string) => boolean = () => false,
): KeyTarget | UnknownKey {
  const key = path.join(".");
  if (path.some((segment) => forbiddenKeys.has(segment))) {
    return { key, kind: "forbidden", reason: "the name is never allowed in a key", nearest: undefined };
  }
  // A fixed key written with its dots in one piece is not at its place in the file.
  const fixed = path.length === key.split(".").length;
  if (isConfigKeyName(key) && fixed) return { key, path, field: configKeys[key], isSecret: false };
  const [first, second, third, fourth] = path;
  if (first === "plugins" && second === "entries" && path.length === 4 && third !== undefined) {
    const field =
      fourth !== undefined && Object.hasOwn(pluginSettings, fourth) ? pluginSettings[fourth] : undefined;
    if (field !== undefined && third !== "") return { key, path, field, isSecret: false };
    return unknown(
      key,
      Object.keys(pluginSettings).map((name) => `plugins.entries.${third}.${name}`),
    );
  }
  if (first === "terminal" && second === "backends" && path.length === 4 && third && fourth) {
    return backendTarget(path, third, fourth, schemas, secretLooking);
  }
  if (isConfigKeyName(key)) {
    return {
      key,
      kind: "dotsInOnePiece",
      reason: "it is written with dots in one piece",
      nearest: undefined,
    };
  }
  return unknown(key, configKeyNames);
}

function backendTarget(
  path: readonly string[],
  backend: string,
  name: string,
  schemas: KnownSchemas,
  secretLooking: (name: string) => boolean,
): KeyTarget | UnknownKey {
  const key = path.join(".");
  if (!isKeySegment(name) || !/^[a-z0-9_]+$/.test(backend)) {
    return {
      key,
      kind: "malformed",
      reason: 'a backend is a-z, 0-9, _ and a field is letters, digits, "_", "-"',
      nearest: undefined,
    };
  }
  const schema = Object.hasOwn(schemas, backend) ? schemas[backend] : undefined;
  if (schema === undefined) {
    return { key, path, field: undefined, backend, isSecret: secretLooking(name) };
  }
  const field: ConfigField | undefined = Object.hasOwn(schema, name) ? schema[name] : undefined;
  if (field === undefined)
    return unknown(
      key,
      Object.keys(schema).map((known) => `terminal.backends.${backend}.${known}`),
    );
  return {
    key,
    path,
    field: { ...field, refusedInProject: carriesCredentials },
    backend,
    isSecret: field.type === "secret",
  };
}

/** Why a project file cannot set the key, or undefined when it can. */
export function refusalInProject(target: KeyTarget): string | undefined {
  return target.backend === undefined ? target.field?.refusedInProject : carriesCredentials;
}

/** Finds what a dotted key means. `plugins.entries.<id>.isolation` may have an id with dots and slashes. */
export function targetOfKey(
  key: string,
  schemas?: KnownSchemas,
  secretLooking?: (name: string) => boolean,
): KeyTarget | UnknownKey {
  const entry = /^plugins\.entries\.(.+)\.([^.]+)$/s.exec(key);
  const path = entry === null ? key.split(".") : ["plugins", "entries", entry[1] ?? "", entry[2] ?? ""];
  return targetOfPath(path, schemas, secretLooking);
}

/** True when the way leads to a group of keys. */
export function isSection(path: readonly string[]): boolean {
  const key = path.join(".");
  if (path.length !== key.split(".").length && path[1] !== "entries") return false;
  if (configKeyNames.some((name) => name.startsWith(`${key}.`))) return true;
  if (path.some((segment) => forbiddenKeys.has(segment))) return false;
  const isBackend = path[0] === "terminal" && path[1] === "backends";
  const isEntry = path[0] === "plugins" && path[1] === "entries";
  return (isBackend || isEntry) && path.length <= 3;
}

function unknown(key: string, candidates: readonly string[]): UnknownKey {
  const last = key.split(".").at(-1) ?? key;
  // A key at the wrong place (`timeout` for `terminal.timeout`) is as common as one with a slip of the finger.
  const nearest =
    nearestName(key, candidates) ??
    candidates.find((candidate) => candidate.split(".").at(-1) === last) ??
    candidates.find((candidate) =>
      candidate.endsWith(`.${nearestName(last, candidates.map(lastSegment)) ?? "\0"}`),
    );
  return { key, kind: "absent", reason: "there is no such key", nearest };
}

function lastSegment(key: string): string {
  return key.split(".").at(-1) ?? key;
}
