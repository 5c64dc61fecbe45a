import { mkdir } from "node:fs/promises";
import { dirname } from "node:path";
import { ConfigError } from "../errors/errors.js";
import { TalariaError } from "../errors/talaria-error.js";
import { withConfigLock } from "./config-lock.js";
import { configErrorOf, parseYaml, type ParsedYaml } from "./parse-yaml.js";
import { readConfigFile } from "./read-config-file.js";
import { replaceFile } from "./replace-file.js";

/** Changes a parsed file in place. */
export type DocumentEdit = (parsed: ParsedYaml) => void;

/** Reads, edits and replaces a configuration file in one step. Returns whether its text changed. */
export async function editConfigFile(file: string, edit: DocumentEdit): Promise<boolean> {
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

async function editedText(file: string, before: string, edit: DocumentEdit): Promise<string> {
  const parsed = await parse(file, before);
  const valueBefore: unknown = parsed.document.toJS({ maxAliasCount: 100 });
  edit(parsed);
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
