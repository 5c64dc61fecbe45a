import { ConfigError } from "../errors/errors.js";

const key = "terminal.credential_files";

/**
 * Checks the names of credential files: relative to `<TALARIA_HOME>`, going nowhere else. Throws ConfigError that names
 * the key. Returns them as paths without `.` and doubled slashes, each once.
 */
export function checkCredentialFiles(names: readonly string[]): readonly string[] {
  return [...new Set(names.map(checkName))];
}

function checkName(name: string): string {
  const parts = name.split("/").filter((part) => part !== "" && part !== ".");
  const problem =
    name.includes("\0") || name.includes("\\")
      ? "holds a character that no such name has"
      : name.startsWith("/") || name.startsWith("~") || /^[A-Za-z]:/.test(name)
        ? "is not relative to TALARIA_HOME"
        : parts.includes("..")
          ? 'leads out of it by ".."'
          : parts.length === 0 || name.endsWith("/")
            ? "names no file"
            : parts[0] === "cache" || parts[0] === ".cache-sync"
              ? "lies in a folder that is mirrored, or kept, by Talaria already"
              : undefined;
  if (problem === undefined) return parts.join("/");
  throw new ConfigError(`${key} names ${JSON.stringify(name)}, which ${problem}.`, {
    operation: "cache.sync",
    key,
    hint: "Give the path of one file below TALARIA_HOME, for example google/token.json.",
  });
}
