import { looksSecret } from "../provider/looks-secret.js";
import { checkValue } from "./check-value.js";
import type { ConfigLayer } from "./config-layer.js";
import type { ConfigProblem, ConfigValue } from "./config-value.js";
import { targetOfKey, type KnownSchemas } from "./key-target.js";
import { parseText } from "./parse-text.js";

/**
 * Reads flags: dotted keys with values, already typed or as text. `undefined` is a flag that was not given. An unknown
 * key is an error here, not a warning: who passes a flag means it now.
 */
export function readFlagLayer(flags: Readonly<Record<string, unknown>>, schemas: KnownSchemas): ConfigLayer {
  const values: ConfigValue[] = [];
  const problems: ConfigProblem[] = [];
  for (const [key, given] of Object.entries(flags)) {
    if (given === undefined) continue;
    const target = targetOfKey(key, schemas, looksSecret);
    if ("reason" in target) {
      problems.push({
        severity: "error",
        message: `The flag ${key} is unknown: ${target.reason}.`,
        key,
        source: `flag ${key}`,
        hint:
          target.nearest === undefined
            ? "talaria config get lists all keys."
            : `Did you mean ${target.nearest}?`,
      });
      continue;
    }
    const where = target.field?.option ?? `flag ${target.key}`;
    const value = typeof given === "string" ? parseText(target.field, given) : given;
    const checked = checkValue(target.field, value);
    if (checked.ok) {
      values.push({
        key: target.key,
        value: checked.value,
        source: { kind: "flag", where },
        isSecret: target.isSecret,
      });
    } else {
      problems.push({
        severity: "error",
        message: `${target.key} from ${where} must be ${checked.expected}, but is ${checked.found}`,
        key: target.key,
        source: where,
        hint: `Give ${checked.expected}.`,
      });
    }
  }
  return { values, problems };
}
