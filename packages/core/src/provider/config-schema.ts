/** Kinds of a field under `terminal.backends.<name>`. */
export type ConfigFieldType = "boolean" | "list" | "number" | "secret" | "select" | "string" | "text";

/** One field of a backend's configuration. Keys match `[A-Za-z0-9_-]+`. A secret carries no default, example or options. */
export interface ConfigField {
  readonly type: ConfigFieldType;
  /** One line for pickers and error texts. */
  readonly description: string;
  readonly default?: boolean | number | string | readonly string[] | undefined;
  readonly example?: string | undefined;
  /** Only for `select`. */
  readonly options?: readonly string[] | undefined;
  /** For `number`: inclusive bounds. */
  readonly minimum?: number | undefined;
  readonly maximum?: number | undefined;
  /** Variable that may hold the value of a secret instead of the file. */
  readonly environmentVariable?: string | undefined;
  readonly required?: boolean | undefined;
}

export type ConfigSchema = Readonly<Record<string, ConfigField>>;
