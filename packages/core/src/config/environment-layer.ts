import { looksSecret } from "../provider/looks-secret.js";
import { nearestName } from "../provider/nearest-name.js";
import { checkValue } from "./check-value.js";
import { configKeyNames } from "./config-keys.js";
import type { ConfigLayer } from "./config-layer.js";
import type { ConfigProblem, ConfigValue } from "./config-value.js";
import { targetOfKey, type KnownSchemas } from "./key-target.js";
import { parseText } from "./parse-text.js";
import type { HostEnvironment } from "./talaria-home.js";

/** The short way to say what is said most often. */
const shortNames: Readonly<Record<string, string>> = { TALARIA_BACKEND: "terminal.backend" };

/** `terminal.max_foreground_seconds` is `TALARIA_TERMINAL_MAX_FOREGROUND_SECONDS`. */
export function environmentNameOf(key: string): string {
  return `TALARIA_${key.replaceAll(".", "_").toUpperCase()}`;
}

const keyOfName: ReadonlyMap<string, string> = new Map([
  ...Object.entries(shortNames),
  ...configKeyNames.map((key) => [environmentNameOf(key), key] as const),
]);

/** Variables of this prefix that are no configuration keys. */
const otherNames: readonly string[] = ["TALARIA_HOME", "TALARIA_DEBUG"];

const sectionPrefix = /^TALARIA_(TERMINAL|PLUGINS|APPROVALS|BOT_DESKTOP)_/;

/**
 * Reads `TALARIA_*` variables. An empty one counts as not set. A field of a backend is
 * `TALARIA_TERMINAL_BACKENDS__<NAME>__<FIELD>`, with two underscores because names contain single ones.
 */
export function readEnvironmentLayer(env: HostEnvironment, schemas: KnownSchemas): ConfigLayer {
  const values: ConfigValue[] = [];
  const problems: ConfigProblem[] = [];
  const names = Object.keys(env)
    .filter((name) => name.startsWith("TALARIA_"))
    .sort(
      (left, right) => Number(left in shortNames) - Number(right in shortNames) || (left < right ? -1 : 1),
    );
  for (const name of names) {
    const text = env[name];
    if (text === undefined || text === "" || otherNames.includes(name)) continue;
    const key = keyOfName.get(name) ?? backendKey(name);
    const target = key === undefined ? undefined : targetOfKey(key, schemas, looksSecret);
    if (target === undefined || "reason" in target) {
      const problem = unknownVariable(name);
      if (problem !== undefined) problems.push(problem);
      continue;
    }
    const value = parseText(target.field, text);
    const checked = checkValue(target.field, value);
    if (!checked.ok) {
      problems.push({
        severity: "error",
        message: `${target.key} from the variable ${name} must be ${checked.expected}, but is ${checked.found}`,
        key: target.key,
        source: name,
        hint: `Correct or unset ${name}.`,
      });
      continue;
    }
    const long = values.find((other) => other.key === target.key);
    if (long !== undefined) {
      if (long.value !== checked.value) {
        problems.push({
          severity: "warning",
          message: `${name} is ignored: ${long.source.where} sets ${target.key} too, to something else.`,
          key: target.key,
          source: name,
          hint: `Unset one of ${name} and ${long.source.where}.`,
        });
      }
      continue;
    }
    values.push({
      key: target.key,
      value: checked.value,
      source: { kind: "environment", where: name },
      isSecret: target.isSecret,
    });
  }
  return { values, problems };
}

function backendKey(name: string): string | undefined {
  const [, backend, field] = /^TALARIA_TERMINAL_BACKENDS__(.+?)__(.+)$/.exec(name) ?? [];
  if (backend === undefined || field === undefined) return undefined;
  return `terminal.backends.${backend.toLowerCase()}.${field.toLowerCase()}`;
}

/** Variables that are not ours to judge are passed over; what looks like a slip in one of ours is not. */
function unknownVariable(name: string): ConfigProblem | undefined {
  const nearest = nearestName(name, [...keyOfName.keys(), ...otherNames]);
  if (nearest === undefined && !sectionPrefix.test(name)) return undefined;
  return {
    severity: "warning",
    message: `The variable ${name} is ignored: it belongs to no configuration key.${
      nearest === undefined ? "" : ` Did you mean ${nearest}?`
    }`,
    source: name,
    hint: nearest === undefined ? `Unset ${name}.` : `Use ${nearest}.`,
  };
}
