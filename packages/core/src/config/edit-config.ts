import { ConfigError } from "../errors/errors.js";
import { TalariaError } from "../errors/talaria-error.js";
import { looksSecret } from "../provider/looks-secret.js";
import { normaliseBackendName } from "../registry/backend-name.js";
import { checkValue } from "./check-value.js";
import { editConfigFile } from "./edit-config-file.js";
import { targetOfKey, type KeyTarget, type KnownSchemas } from "./key-target.js";
import { unknownKeyError } from "./unknown-key-error.js";
import { parseText } from "./parse-text.js";
import { configPath, type HostEnvironment } from "./talaria-home.js";

export interface EditConfigOptions {
  readonly talariaHome?: string | undefined;
  readonly env?: HostEnvironment | undefined;
  /** Schemas of backends that are known: their fields are then judged too. */
  readonly schemas?: KnownSchemas | undefined;
}

/** What an edit did. */
export interface ConfigEdit {
  /** The file. */
  readonly path: string;
  readonly key: string;
  /** The value as it is written now. Show it by `showValue`, which hides a secret. Undefined after an unset. */
  readonly value: unknown;
  readonly isSecret: boolean;
  /** False when the file said so already. */
  readonly changed: boolean;
}

/**
 * Sets a dotted key in `<TALARIA_HOME>/config.yaml`, keeping comments and order. A text is read by the key's type
 * (`"180"` becomes a number for `terminal.timeout`). Checked before anything is written; written as a whole, mode 0600.
 * Throws ConfigError for an unknown key, a wrong value, or a file that cannot be read or is broken; it is then untouched.
 */
export async function setConfigValue(
  key: string,
  value: unknown,
  options: EditConfigOptions = {},
): Promise<ConfigEdit> {
  const target = editableTarget(key, options);
  const checked = checkedValue(target, value);
  const path = configPath(options);
  const changed = await editConfigFile(path, () => [{ path: target.path, value: checked }]);
  return { path, key: target.key, value: checked, isSecret: target.isSecret, changed };
}

/** Removes a dotted key from `<TALARIA_HOME>/config.yaml`; its default holds again. Throws as `setConfigValue` does. */
export async function unsetConfigValue(key: string, options: EditConfigOptions = {}): Promise<ConfigEdit> {
  const target = editableTarget(key, options, true);
  const path = configPath(options);
  const changed = await editConfigFile(path, () => [{ path: target.path, value: undefined }]);
  return { path, key: target.key, value: undefined, isSecret: target.isSecret, changed };
}

/**
 * Sets and removes several keys as one step, from what the file says at that moment: nobody can edit it in between.
 * `undefined` removes a key. Throws as `setConfigValue` does, and then nothing is changed.
 */
export async function setConfigValues(
  change: (current: (key: string) => unknown) => readonly (readonly [key: string, value: unknown])[],
  options: EditConfigOptions = {},
): Promise<{ readonly path: string; readonly changed: boolean }> {
  const path = configPath(options);
  const changed = await editConfigFile(path, (parsed) => {
    const current = (key: string): unknown => {
      const found: unknown = parsed.document.getIn(editableTarget(key, options).path);
      return parsed.yaml.isNode(found) ? found.toJS(parsed.document) : found;
    };
    return change(current).map(([key, value]) => {
      const target = editableTarget(key, options);
      return { path: target.path, value: value === undefined ? undefined : checkedValue(target, value) };
    });
  });
  return { path, changed };
}

function checkedValue(target: KeyTarget, value: unknown): unknown {
  const wanted = typeof value === "string" ? parseText(target.field, value) : value;
  const checked = checkValue(target.field, wanted);
  if (!checked.ok) {
    throw new ConfigError(
      `${target.key} must be ${checked.expected}, but is ${checked.found}. Nothing was changed.`,
      { operation: "config.set", key: target.key, hint: target.field?.description },
    );
  }
  return target.key === "terminal.backend" ? checkedBackend(String(checked.value)) : checked.value;
}

function editableTarget(key: string, options: EditConfigOptions, mayBeForeign = false): KeyTarget {
  const target = targetOfKey(key, options.schemas, looksSecret);
  if (!("reason" in target)) return target;
  // A key of an older or misspelt configuration must be removable.
  const path = key.split(".");
  if (mayBeForeign && target.kind === "absent" && path.every((segment) => segment !== "")) {
    return { key, path, field: undefined, isSecret: looksSecret(key) };
  }
  throw unknownKeyError(target, "config.set", " Nothing was changed.");
}

function checkedBackend(name: string): string {
  try {
    return normaliseBackendName(name);
  } catch (error) {
    if (!TalariaError.isInstance(error)) throw error;
    throw new ConfigError(`terminal.backend cannot be set: ${error.message}. Nothing was changed.`, {
      operation: "config.set",
      key: "terminal.backend",
      hint: error.hint,
      cause: error,
    });
  }
}
