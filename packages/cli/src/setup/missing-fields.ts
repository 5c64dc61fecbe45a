import type { Config, ConfigField, ProviderFlags } from "@talaria/core";

/** A field that a backend needs and nobody has set. */
export interface MissingField {
  readonly name: string;
  readonly field: ConfigField;
}

/** The required fields of a backend that neither a file nor their variable sets. */
export function missingFields(
  config: Config,
  { name, configSchema }: ProviderFlags,
): readonly MissingField[] {
  const set = config.backend(name);
  return Object.entries(configSchema)
    .filter(([field, { required, environmentVariable }]) => {
      const variable =
        environmentVariable === undefined ? undefined : config.environmentVariable(environmentVariable);
      return required === true && set[field] === undefined && (variable ?? "") === "";
    })
    .map(([field, declared]) => ({ name: field, field: declared }));
}
