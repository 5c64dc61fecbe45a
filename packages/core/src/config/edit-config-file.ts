import { dirname } from "node:path";
import { ConfigError } from "../errors/errors.js";
import { TalariaError } from "../errors/talaria-error.js";
import { applyChange, parseForEdit } from "./apply-change.js";
import { withConfigLock } from "./config-lock.js";
import type { KeyChange } from "./key-change.js";
import type { ParsedYaml } from "./parse-yaml.js";
import { makePrivateFolder } from "./private-folder.js";
import { readConfigFile } from "./read-config-file.js";
import { replaceFile } from "./replace-file.js";

/**
 * Reads, changes and replaces a configuration file in one step; `changesFor` sees what it says at that moment.
 * Returns whether its text changed. Throws ConfigError, and then nothing was changed.
 */
export async function editConfigFile(
  file: string,
  changesFor: (parsed: ParsedYaml) => readonly KeyChange[],
): Promise<boolean> {
  try {
    await makePrivateFolder(dirname(file));
    return await withConfigLock(file, async () => {
      const before = (await readConfigFile(file)) ?? "";
      let after = before;
      for (const change of changesFor(await parseForEdit(file, before))) {
        after = await applyChange(file, after, change);
      }
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
