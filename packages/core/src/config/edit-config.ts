import { mkdir } from "node:fs/promises";
import { dirname } from "node:path";
import { ConfigError } from "../errors/errors.js";
import { TalariaError } from "../errors/talaria-error.js";
import { looksSecret } from "../provider/looks-secret.js";
import { normaliseBackendName } from "../registry/backend-name.js";
import { checkValue } from "./check-value.js";
import { withConfigLock } from "./config-lock.js";
import { deleteInDocument, setInDocument } from "./edit-document.js";
import { targetOfKey, type KeyTarget, type KnownSchemas } from "./key-target.js";
import { parseText } from "./parse-text.js";
import { configErrorOf, parseYaml, type ParsedYaml } from "./parse-yaml.js";
import { readConfigFile } from "./read-config-file.js";
import { replaceFile } from "./replace-file.js";
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
  const wanted = typeof value === "string" ? parseText(target.field, value) : value;
  const checked = checkValue(target.field, wanted);
  if (!checked.ok) {
    throw new ConfigError(
      `${key} must be ${checked.expected}, but is ${checked.found}. Nothing was changed.`,
      {
        operation: "config.set",
        key,
        hint: target.field?.description,
      },
    );
  }
  const checkedValue =
    target.key === "terminal.backend" ? checkedBackend(String(checked.value)) : checked.value;
  return editConfig(options, target, checkedValue, (file, parsed) => {
    setInDocument(file, parsed, target.path, checkedValue);
  });
}

/** Removes a dotted key from `<TALARIA_HOME>/config.yaml`; its default holds again. Throws as `setConfigValue` does. */
export function unsetConfigValue(key: string, options: EditConfigOptions = {}): Promise<ConfigEdit> {
  const target = editableTarget(key, options, true);
  return editConfig(options, target, undefined, (file, parsed) => {
    deleteInDocument(file, parsed, target.path);
  });
}

async function editConfig(
  options: EditConfigOptions,
  target: KeyTarget,
  value: unknown,
  edit: (file: string, parsed: ParsedYaml) => void,
): Promise<ConfigEdit> {
  const changed = await editConfigFile(options, edit);
  return { path: configPath(options), key: target.key, value, isSecret: target.isSecret, changed };
}

/** Reads, edits and replaces the user's file in one step. Returns whether its text changed. */
export async function editConfigFile(
  options: EditConfigOptions,
  edit: (file: string, parsed: ParsedYaml) => void,
): Promise<boolean> {
  const file = configPath(options);
  try {
    await mkdir(dirname(file), { recursive: true, mode: 0o700 });
    return await withConfigLock(file, async () => {
      const before = (await readConfigFile(file)) ?? "";
      const after = await editedText(file, before, edit);
      if (after === before) return false;
      await replaceFile(file, after);
      return true;
    });
  } catch (error) {
    if (TalariaError.isInstance(error)) throw error;
    const why = error instanceof Error ? error.message : String(error);
    throw new ConfigError(`${file} cannot be written: ${why}. Nothing was changed.`, {
      operation: "config.set",
      source: file,
      hint: "Check the folder's permissions and free space, or choose another folder by TALARIA_HOME.",
      cause: error,
    });
  }
}

async function editedText(
  file: string,
  before: string,
  edit: (file: string, parsed: ParsedYaml) => void,
): Promise<string> {
  const parsed = await parse(file, before);
  const valueBefore: unknown = parsed.document.toJS({ maxAliasCount: 100 });
  edit(file, parsed);
  const expected: unknown = parsed.document.toJS({ maxAliasCount: 100 });
  if (JSON.stringify(valueBefore) === JSON.stringify(expected)) return before;
  const isEmpty = parsed.yaml.isMap(parsed.document.contents) && parsed.document.contents.items.length === 0;
  let after = parsed.document.toString({ lineWidth: 0, flowCollectionPadding: false });
  if (isEmpty) after = after.replace(/^\{\}\n?/m, "");
  if (before.includes("\r\n")) after = after.replaceAll(/\r?\n/g, "\r\n");
  // What was written must read back as what was meant, or the user's file is kept.
  const readBack: unknown = (await parse(file, after)).document.toJS({ maxAliasCount: 100 });
  if (JSON.stringify(readBack ?? {}) !== JSON.stringify(expected ?? {})) {
    throw new ConfigError(`${file} cannot be edited without changing other values. Nothing was changed.`, {
      operation: "config.set",
      source: file,
      hint: "Make the change in an editor.",
    });
  }
  return after;
}

async function parse(file: string, text: string): Promise<ParsedYaml> {
  const parsed = await parseYaml(file, text);
  if ("document" in parsed) return parsed;
  const [first] = parsed;
  throw configErrorOf(
    first ?? { severity: "error", message: `${file} is not valid YAML` },
    parsed.length - 1,
  );
}

function editableTarget(key: string, options: EditConfigOptions, mayBeForeign = false): KeyTarget {
  const target = targetOfKey(key, options.schemas, looksSecret);
  if (!("reason" in target)) return target;
  // A key of an older or misspelt configuration must be removable.
  const path = key.split(".");
  if (mayBeForeign && target.reason === "there is no such key" && path.every((segment) => segment !== "")) {
    return { key, path, field: undefined, isSecret: looksSecret(key) };
  }
  throw new ConfigError(`There is no configuration key "${key}": ${target.reason}. Nothing was changed.`, {
    operation: "config.set",
    key,
    hint:
      target.nearest === undefined
        ? "talaria config get lists all keys."
        : `Did you mean "${target.nearest}"?`,
  });
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
