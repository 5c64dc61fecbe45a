import type { Function as FunctionNode } from "unbash";
import type { CommandPlace } from "./found-command.js";
import { marks } from "./marks.js";

/** Where a command is judged: what is known of the session. */
export interface JudgedPlace {
  /** Where the session stands. Deleting below it is an agent's daily work. Default: not known by name. */
  readonly cwd?: string | undefined;
  /** The home inside the sandbox. Default: known as `~` and `$HOME` only. */
  readonly home?: string | undefined;
}

/** What a shell would know at one point of a text. */
export class Scope implements CommandPlace {
  cwd: string;
  readonly tree: string;
  readonly home: string;
  isContained = false;
  /** Each with every value that it may have. */
  variables = new Map<string, readonly string[]>();
  functions = new Map<string, FunctionNode>();
  aliases = new Map<string, string>();
  /** What the text itself wrote into files. */
  files = new Map<string, string>();
  /** Files that the text has fetched from the network. */
  fetched = new Set<string>();
  /** `$1` …; undefined where they are not known. */
  positionals: readonly string[] | undefined;
  /** Functions and aliases that are being run: the latter by their name. */
  calls: readonly (FunctionNode | string)[] = [];
  /** How many commands had been found when the outermost of them began. */
  callsFrom = 0;
  /** Above 0: what is assigned may or may not have been. */
  conditions = 0;
  /** Above 0: whether it comes to this depends on something. */
  guards = 0;
  /** In a pipeline or in the background: a function calling itself here multiplies. */
  isForked = false;

  constructor({ cwd, home }: JudgedPlace) {
    this.tree = cwd === undefined ? marks.tree : withoutTrailingSlash(cwd);
    this.cwd = this.tree;
    this.home = home === undefined ? marks.home : withoutTrailingSlash(home);
  }

  /** For a subshell: what it changes does not come back. Functions, aliases and files are shared. */
  fork(): Scope {
    const copy = new Scope({ cwd: this.tree, home: this.home });
    copy.cwd = this.cwd;
    copy.isContained = this.isContained;
    copy.variables = new Map(this.variables);
    copy.functions = this.functions;
    copy.aliases = this.aliases;
    copy.files = this.files;
    copy.fetched = this.fetched;
    copy.positionals = this.positionals;
    copy.calls = this.calls;
    copy.callsFrom = this.callsFrom;
    copy.conditions = this.conditions;
    copy.guards = this.guards;
    copy.isForked = this.isForked;
    return copy;
  }

  assign(name: string, values: readonly string[]): void {
    const before = this.conditions > 0 ? (this.variables.get(name) ?? []) : [];
    const all = new Set([
      ...before,
      ...values.map((value) => (value.length > longestValue ? marks.unknown : value)),
    ]);
    this.variables.set(name, [...all].slice(0, maximalValues));
  }

  /** Every value that a variable may have. */
  valuesOf(name: string): readonly string[] {
    const known = this.variables.get(name);
    if (known !== undefined) return known;
    const position = /^[1-9]\d*$/u.test(name) ? Number(name) : undefined;
    if (position !== undefined) {
      return this.positionals === undefined ? [marks.unknown] : [this.positionals[position - 1] ?? ""];
    }
    switch (name) {
      case "HOME":
        return [this.home];
      case "PWD":
        return [this.cwd];
      case "TMPDIR":
      case "RUNNER_TEMP":
        return ["/tmp/\uE000"];
      case "SHELL":
      case "BASH":
        return ["/bin/bash"];
      case "IFS":
        return [" "];
      case "@":
      case "*":
        return this.positionals ?? [marks.unknown];
      case "":
        return [""];
      default:
        return [marks.unknown];
    }
  }
}

export const maximalValues = 24;
const longestValue = 131_072;

function withoutTrailingSlash(path: string): string {
  return path.length > 1 ? path.replace(/\/+$/u, "") || "/" : path;
}
