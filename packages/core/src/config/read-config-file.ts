import { constants } from "node:fs";
import { lstat, open, readlink } from "node:fs/promises";
import { ConfigError } from "../errors/errors.js";

/** A configuration is written by hand; a file beyond this is something else. */
const largestBytes = 1024 * 1024;

/**
 * The text of a configuration file, or undefined when there is none. Throws ConfigError that names the file for
 * everything else: a folder or a device in its place, no permission, a link to nowhere, too large, not UTF-8.
 */
export async function readConfigFile(path: string): Promise<string | undefined> {
  const refuse = (why: string, hint: string, cause?: unknown): never => {
    throw new ConfigError(`The configuration file ${path} cannot be read: ${why}. Nothing was changed.`, {
      operation: "config.load",
      source: path,
      hint,
      cause,
    });
  };
  // Not blocking: opening a named pipe would otherwise wait for a writer for ever.
  const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK).catch(async (error: unknown) => {
    const code = codeOf(error);
    if (code === "ENOENT" || code === "ENOTDIR") {
      const target = await danglingTarget(path);
      if (target === undefined) return undefined;
      return refuse(
        `it is a link to ${target}, which does not exist`,
        "Restore the link's target, or remove the link.",
        error,
      );
    }
    if (code === "EACCES" || code === "EPERM") {
      return refuse("permission is denied", `Make it readable for this user: chmod u+r ${path}`, error);
    }
    if (code === "ELOOP") return refuse("its links lead in a circle", "Remove the link.", error);
    return refuse(error instanceof Error ? error.message : String(error), "Check the file.", error);
  });
  if (file === undefined) return undefined;
  try {
    const stats = await file.stat();
    if (!stats.isFile()) {
      const kind = stats.isDirectory() ? "a folder" : "not a regular file";
      return refuse(`it is ${kind}`, "Move it away; a configuration is one YAML file.");
    }
    if (stats.size > largestBytes) {
      return refuse(
        `it has ${stats.size} bytes, more than the ${largestBytes} allowed`,
        "Is it the right file?",
      );
    }
    return new TextDecoder("utf-8", { fatal: true }).decode(await file.readFile());
  } catch (error) {
    if (error instanceof ConfigError) throw error;
    const isEncoding = error instanceof TypeError;
    return refuse(
      isEncoding ? "it is not UTF-8 text" : error instanceof Error ? error.message : String(error),
      isEncoding ? "Save it as UTF-8." : "Check the file.",
      error,
    );
  } finally {
    await file.close();
  }
}

async function danglingTarget(path: string): Promise<string | undefined> {
  try {
    return (await lstat(path)).isSymbolicLink() ? await readlink(path) : undefined;
  } catch {
    return undefined;
  }
}

function codeOf(error: unknown): unknown {
  return typeof error === "object" && error !== null && "code" in error ? error.code : undefined;
}
