import { ConfigError } from "../errors/errors.js";
import type { UnknownKey } from "./key-target.js";

/** The error for a key that a person asked for. `consequence` is a sentence of its own. */
export function unknownKeyError(
  { key, kind, reason, nearest }: UnknownKey,
  operation: string,
  consequence = "",
): ConfigError {
  const why = kind === "absent" ? "" : `: ${reason}`;
  return new ConfigError(`There is no configuration key "${key}"${why}.${consequence}`, {
    operation,
    key,
    hint: nearest === undefined ? "talaria config get lists all keys." : `Did you mean "${nearest}"?`,
  });
}
