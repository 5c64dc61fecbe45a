import type { ConfigField } from "../provider/config-schema.js";

/** A key of Talaria's own configuration. */
export interface ConfigKey extends ConfigField {
  /** `seconds`, `MB` … for help and error texts. */
  readonly unit?: string | undefined;
  /** For `number`: whole numbers only. */
  readonly isWhole?: boolean | undefined;
  /** For `number`: the value must be above 0. */
  readonly isPositive?: boolean | undefined;
  /** Why a project file cannot set it. Absent: it can. */
  readonly refusedInProject?: string | undefined;
  /** The option of the CLI that sets it. */
  readonly option?: string | undefined;
  /** What is used when nobody sets it and it has no default of its own. */
  readonly whenUnset?: string | undefined;
  /** Said as a warning when somebody sets it: this version accepts the key and does not act on it. */
  readonly notActedOn?: string | undefined;
}
