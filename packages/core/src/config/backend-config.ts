import { ConfigError } from "../errors/errors.js";
import type { ConfigField, ConfigSchema } from "../provider/config-schema.js";
import { nearestName } from "../provider/nearest-name.js";
import { checkValue } from "./check-value.js";
import type { Config } from "./config.js";
import { showSource } from "./config-value.js";
import { parseText } from "./parse-text.js";

/** Fields of a backend, judged. */
export interface ResolvedBackendConfig {
  /** For `createEnvironment`. What the user did not set is not there: defaults of the schema are the provider's to apply. */
  readonly values: Readonly<Record<string, unknown>>;
  /** Unknown fields, in sentences. */
  readonly warnings: readonly string[];
}

/**
 * Judges `terminal.backends.<name>` by the backend's schema. A field that no layer sets is taken from the variable its
 * schema names. Throws ConfigError that names key, source and line; the value of a secret is in no text.
 */
export function resolveBackendConfig(
  config: Config,
  name: string,
  schema: ConfigSchema,
): ResolvedBackendConfig {
  const values: Record<string, unknown> = {};
  const warnings: string[] = [];
  for (const { field, value } of config.backendValues(name)) {
    const declared = Object.hasOwn(schema, field) ? schema[field] : undefined;
    const source = showSource(value.source);
    if (declared === undefined) {
      const nearest = nearestName(field, Object.keys(schema));
      const meant = nearest === undefined ? "" : ` Did you mean "${nearest}"?`;
      warnings.push(`Unknown key "${value.key}" in ${source} is ignored: ${name} has no such field.${meant}`);
      continue;
    }
    // Before the schema was known, a variable could only be read by the look of its text: "1234" may be a token.
    const typed =
      value.source.kind === "environment"
        ? parseText(declared, config.environmentVariable(value.source.where) ?? "")
        : value.value;
    values[field] = judge(name, field, declared, typed, source);
  }
  for (const [field, declared] of Object.entries(schema)) {
    if (values[field] !== undefined) continue;
    const variable = declared.environmentVariable;
    const text = variable === undefined ? undefined : config.environmentVariable(variable);
    if (variable !== undefined && text !== undefined && text !== "") {
      values[field] = judge(name, field, declared, parseText(declared, text), variable);
    } else if (declared.required === true && declared.default === undefined) {
      const key = `terminal.backends.${name}.${field}`;
      const orVariable = variable === undefined ? "" : `, or set the variable ${variable}`;
      throw new ConfigError(`The backend "${name}" needs ${key}, and nothing sets it.`, {
        backend: name,
        operation: "config.load",
        key,
        hint: `Set it: talaria config set ${key} <value>${orVariable}.`,
      });
    }
  }
  return { values: Object.freeze(values), warnings };
}

function judge(name: string, field: string, declared: ConfigField, value: unknown, source: string): unknown {
  const checked = checkValue(declared, value);
  if (checked.ok) return checked.value;
  const key = `terminal.backends.${name}.${field}`;
  throw new ConfigError(`${key} in ${source} must be ${checked.expected}, but is ${checked.found}`, {
    backend: name,
    operation: "config.load",
    key,
    source,
    hint: `${declared.description} Correct it in ${source}.`.trim(),
  });
}
