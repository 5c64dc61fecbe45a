/** Which layer a value came from. Later ones win: default, user, project, environment, flag. */
export type ConfigSourceKind = "default" | "user" | "project" | "environment" | "flag";

/** Where a value came from. */
export interface ConfigSource {
  readonly kind: ConfigSourceKind;
  /** The file's path, the variable's name, the flag; `built in` for a default. */
  readonly where: string;
  /** Line in the file, from 1. */
  readonly line?: number | undefined;
}

/** One value with its provenance. */
export interface ConfigValue {
  readonly key: string;
  readonly value: unknown;
  readonly source: ConfigSource;
  /** A secret is shown as `set` or `unset`, never by its value. */
  readonly isSecret: boolean;
}

/** Something wrong with a configuration. */
export interface ConfigProblem {
  /** An error keeps the configuration from being used; a warning does not. */
  readonly severity: "error" | "warning";
  readonly message: string;
  readonly key?: string | undefined;
  /** File and line, variable or flag. */
  readonly source?: string | undefined;
  readonly hint?: string | undefined;
}

/** `config.yaml:12`, for people. */
export function showSource(source: ConfigSource): string {
  return source.line === undefined ? source.where : `${source.where}:${source.line}`;
}

/** How a value may be shown: secrets only as `set` or `unset`. */
export function showValue(value: Pick<ConfigValue, "value" | "isSecret">): string {
  if (value.isSecret) return value.value === undefined || value.value === "" ? "unset" : "set";
  if (value.value === undefined) return "unset";
  return typeof value.value === "string" ? value.value : JSON.stringify(value.value);
}
