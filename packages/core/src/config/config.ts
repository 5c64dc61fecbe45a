import {
  configKeyNames,
  configKeys,
  isConfigKeyName,
  type ConfigKeyName,
  type ConfigValues,
} from "./config-keys.js";
import type { ConfigValue } from "./config-value.js";
import { targetOfKey } from "./key-target.js";
import { unknownKeyError } from "./unknown-key-error.js";
import type { HostEnvironment } from "./talaria-home.js";

/** What a Config is made of. */
export interface ConfigContents {
  readonly talariaHome: string;
  readonly cwd: string | undefined;
  readonly env: HostEnvironment;
  readonly values: readonly ConfigValue[];
  readonly warnings: readonly string[];
  readonly projectFile: string | undefined;
}

/** The configuration of one moment: every layer merged, each value with where it came from. Never changes. */
export class Config {
  /** `<TALARIA_HOME>`. */
  readonly talariaHome: string;
  /** The directory whose project file and packages count. Undefined when the process has none any more. */
  readonly cwd: string | undefined;
  /** The project file that was read, if there is one. */
  readonly projectFile: string | undefined;
  /** What was ignored, and why, in sentences. */
  readonly warnings: readonly string[];
  /** Variables that may hold a backend's secrets. Not shown by anything that prints a Config. */
  readonly #env: HostEnvironment;
  readonly #values: ReadonlyMap<string, ConfigValue>;

  constructor(contents: ConfigContents) {
    this.talariaHome = contents.talariaHome;
    this.cwd = contents.cwd;
    this.projectFile = contents.projectFile;
    this.warnings = Object.freeze([...contents.warnings]);
    this.#env = contents.env;
    this.#values = new Map(contents.values.map((value) => [value.key, Object.freeze(value)]));
  }

  /**
   * The value of a key. Undefined where nobody set it and it has no default.
   * Throws ConfigError for a key that does not exist: a misspelt key must not read as "not set".
   */
  get<Key extends ConfigKeyName>(key: Key): ConfigValues[Key];
  get(key: string): unknown;
  get(key: string): unknown {
    return this.value(key)?.value;
  }

  /** The value of a key with its source; undefined where there is none. Throws ConfigError for an unknown key. */
  value(key: string): ConfigValue | undefined {
    const known = this.#values.get(key);
    if (known !== undefined) return known;
    const target = targetOfKey(key);
    if ("reason" in target) throw unknownKeyError(target, "config.get");
    return undefined;
  }

  /** All values there are, defaults included: fixed keys in the order of the docs, then the others sorted. */
  entries(): readonly ConfigValue[] {
    const fixed = configKeyNames.flatMap((key) => this.#values.get(key) ?? []);
    const others = [...this.#values.values()]
      .filter(({ key }) => !isConfigKeyName(key))
      .sort((left, right) => (left.key < right.key ? -1 : 1));
    return [...fixed, ...others];
  }

  /**
   * The fields set under `terminal.backends.<name>`, as they are written. What nobody set is not there.
   * `resolveBackendConfig` judges them by the backend's schema and adds secrets from variables.
   */
  backend(name: string): Record<string, unknown> {
    return Object.fromEntries(this.backendValues(name).map(({ field, value }) => [field, value.value]));
  }

  /** The same with provenance. */
  backendValues(name: string): readonly { readonly field: string; readonly value: ConfigValue }[] {
    const prefix = `terminal.backends.${name}.`;
    return [...this.#values.values()]
      .filter(({ key }) => key.startsWith(prefix))
      .map((value) => ({ field: value.key.slice(prefix.length), value }));
  }

  /** All variables the configuration was loaded with. They may hold secrets: for looking for those, never for showing. */
  get environmentVariables(): HostEnvironment {
    return this.#env;
  }

  /** One variable of the environment the configuration was loaded with. */
  environmentVariable(name: string): string | undefined {
    return Object.hasOwn(this.#env, name) ? this.#env[name] : undefined;
  }
}

/** The lowest layer. */
export function defaultValues(): readonly ConfigValue[] {
  return configKeyNames.flatMap((key): ConfigValue[] => {
    const field = configKeys[key];
    if (!("default" in field)) return [];
    return [{ key, value: field.default, source: { kind: "default", where: "built in" }, isSecret: false }];
  });
}
