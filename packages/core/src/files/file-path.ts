import { InvalidArgumentError } from "../errors/errors.js";
import { shellQuote } from "../shell/quote.js";
import { toShellBytes } from "../shell/shell-bytes.js";

/** What a path argument means, in pieces that a script can put to use. Pure text: nothing was looked up. */
export interface FilePath {
  /** As it was asked for. */
  readonly asked: string;
  /** Where `directory` starts: at the root, at the sandbox's home, or where the session stands. */
  readonly base: "root" | "home" | "standing";
  /** All but the last name: absolute for `root`, else relative and possibly empty. */
  readonly directory: string;
  /** The last name; `.` when the path ends in `.`, `..` or names a whole directory. */
  readonly name: string;
  /** It ends in a slash: it can only be a directory. */
  readonly isDirectory: boolean;
}

/**
 * Reads a path argument: absolute, `~/…`, or relative to where the session stands. `..` stays for the sandbox to
 * resolve, physically. Throws InvalidArgumentError for an empty path, a NUL, and `~name`.
 */
export function parseFilePath(asked: string, toSandboxPath: (path: string) => string): FilePath {
  checkPath("path", asked);
  const inside = toSandboxPath(asked);
  if (/^~[^/]/.test(inside)) {
    throw new InvalidArgumentError(
      "path",
      `The path ${show(asked)} names the home of another account by "~".`,
      {
        operation: "files",
        hint: 'Give the absolute path. A file of that very name is "./~…".',
      },
    );
  }
  const base = inside.startsWith("/") ? "root" : inside.startsWith("~") ? "home" : "standing";
  const rest = base === "home" ? inside.slice(1).replace(/^\/+/, "") : inside;
  const trimmed = rest.replace(/\/+$/, "");
  const slash = trimmed.lastIndexOf("/");
  const last = trimmed.slice(slash + 1);
  const isDirectory = trimmed !== rest || trimmed === "" || last === "." || last === "..";
  if (last === "" || last === "." || last === "..") {
    return {
      asked,
      base,
      directory: trimmed === "" && base === "root" ? "/" : trimmed,
      name: ".",
      isDirectory,
    };
  }
  const directory = slash === 0 ? "/" : trimmed.slice(0, Math.max(0, slash));
  return { asked, base, directory, name: last, isDirectory };
}

/** Refuses what no path can be. */
function checkPath(argument: string, path: unknown): void {
  const problem =
    typeof path !== "string"
      ? "is not a text"
      : path === ""
        ? "is empty"
        : path.includes("\0")
          ? "contains a NUL character"
          : undefined;
  if (problem === undefined) return;
  throw new InvalidArgumentError(argument, `The path ${problem}.`, {
    operation: "files",
    hint: 'Give an absolute path, one relative to where the session stands, or one below "~/".',
  });
}

/**
 * A word of shell text that stands for these bytes: plain quotes, and for bytes that are no UTF-8, which a script cannot
 * hold, what `printf` makes of their numbers. Such a word forks; its last byte must not be a line feed, so a dot is added
 * and `trimmed` has to be taken off by the script: see `assign`.
 */
export function assign(variable: string, text: string): string {
  if (!/\p{Surrogate}/u.test(text)) return `${variable}=${shellQuote(text)}`;
  const format = Array.from(
    toShellBytes(text),
    (byte) => `\\${byte.charCodeAt(0).toString(8).padStart(3, "0")}`,
  ).join("");
  return `${variable}=$(printf '${format}.'); ${variable}=\${${variable}%.}`;
}

/** A path in a sentence: quoted, control characters and bytes that are no text shown as escapes. */
export function show(path: string): string {
  return JSON.stringify(path.length > 300 ? `${path.slice(0, 300)}…` : path);
}
