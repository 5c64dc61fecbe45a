import { InvalidArgumentError } from "../../errors/errors.js";
import { toShellBytes } from "../../shell/shell-bytes.js";

/** Which names of a tree are left out. */
export interface Exclusion {
  /** Whether a path (bytes, one character each, relative to the tree) is left out by itself, not by a parent of it. */
  readonly matches: (path: string) => boolean;
  /** Patterns that every `tar` understands the same way, as bytes: it need not even send what they match. */
  readonly plainNames: readonly string[];
}

/**
 * Reads `exclude` patterns. Without a slash a pattern is looked for in every directory (`node_modules`, `*.log`); with
 * one it is a path from the top of the tree (`build/cache`, `docs/**\/*.pdf`). `*` and `?` stop at slashes, `**` does not,
 * `[abc]` and `[!abc]` are one of, or none of, these. A leading dot is like any other character. What is in an excluded
 * directory is left out with it.
 */
export function readExclusion(patterns: readonly string[] | undefined): Exclusion | undefined {
  if (patterns === undefined || patterns.length === 0) return undefined;
  const names: RegExp[] = [];
  const paths: RegExp[] = [];
  const plainNames: string[] = [];
  for (const pattern of patterns) {
    const bytes = toShellBytes(pattern).replace(/\/+$/, "");
    if (typeof pattern !== "string" || bytes === "" || bytes.includes("\0")) {
      throw new InvalidArgumentError("exclude", `The pattern ${JSON.stringify(pattern)} can match no name.`, {
        operation: "transfer",
        hint: 'Give names or globs such as "node_modules", "*.log", "build/**".',
      });
    }
    const anchored = bytes.replace(/^\.?\/+/, "");
    if (bytes.includes("/")) paths.push(toExpression(anchored));
    else names.push(toExpression(bytes));
    if (/^[A-Za-z0-9_][A-Za-z0-9._-]*$/.test(bytes)) plainNames.push(bytes);
  }
  return {
    plainNames,
    matches: (path) => {
      const name = path.slice(path.lastIndexOf("/") + 1);
      return (
        names.some((expression) => expression.test(name)) || paths.some((expression) => expression.test(path))
      );
    },
  };
}

function toExpression(glob: string): RegExp {
  let source = "";
  for (let at = 0; at < glob.length; at++) {
    const rest = glob.slice(at);
    const set = /^\[(!|\^)?(\]?[^\]]*)\]/.exec(rest);
    if (rest.startsWith("**/")) {
      source += "(?:[^/]+/)*";
      at += 2;
    } else if (rest.startsWith("**")) {
      source += ".*";
      at += 1;
    } else if (rest.startsWith("*")) source += "[^/]*";
    else if (rest.startsWith("?")) source += "[^/]";
    else if (set !== null) {
      const [whole, negation, members = ""] = set;
      source += `[${negation === undefined ? "" : "^/"}${members.replaceAll(/[\\\]^[]/g, "\\$&")}]`;
      at += whole.length - 1;
    } else if (rest.startsWith("\\") && rest.length > 1) {
      source += escape(rest.charAt(1));
      at += 1;
    } else source += escape(rest.charAt(0));
  }
  return new RegExp(`^${source}$`, "s");
}

function escape(character: string): string {
  return character.replace(/[\\^$.*+?()[\]{}|/-]/, "\\$&");
}
