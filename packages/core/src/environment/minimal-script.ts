import { InvalidArgumentError } from "../errors/errors.js";
import { shellQuote } from "../shell/quote.js";
import type { StartDirectory } from "./execute-options.js";

/**
 * Wraps a command for an environment that can do nothing but run shell text: one POSIX script that enters the start
 * directory, sets the variables, evaluates the command in a subshell, and tells in-band where it began and ended.
 *
 * The command is one quoted word of `eval`, so nothing in it can end the wrapping; the subshell's EXIT trap tells the
 * directory even after `exit 3` or a syntax error. Frames are `<nonce>:<kind>:<path>\n.:<nonce>`; the dot keeps a line
 * feed at a path's end from being cut off. The nonce differs in each call. Where a command lists its traps, the nonce is
 * shown, but not as a frame.
 */
export function minimalScript(command: string, nonce: string, start: StartDirectory, env: Variables): string {
  const trap =
    `{ _talaria_s=$?; set +xv; } 2>/dev/null; ` +
    `command printf '%s:%s:%s:%s' ${nonce} "$_talaria_s" "$(command pwd -P; command printf .)" ${nonce}`;
  return [
    ...enter(start, nonce),
    tell(nonce, "start"),
    `( trap ${shellQuote(trap)} EXIT`,
    ...variables(env),
    // The line feed ends a comment or a heredoc that the command leaves open.
    `eval ${shellQuote(`${command}\n`)} ) </dev/null 2>&1`,
  ].join("\n");
}

type Variables = Readonly<Record<string, string>>;

/** What a script told, and the command's output without it. */
export interface MinimalReport {
  readonly output: string;
  /** Where the command began; undefined when the environment lost it. */
  readonly start: string | undefined;
  /** The directory asked for was not there, so it began in `start` instead. */
  readonly isAdjusted: boolean;
  /** The directory asked for was not there, and the command did not run. */
  readonly failedToEnter: boolean;
  /** How the command's shell ended; undefined when a signal, `exec` or a trap of its own kept it from telling. */
  readonly end: { readonly status: number; readonly cwd: string } | undefined;
}

/** Takes the frames out of the output. The last frame of a kind counts. */
export function readMinimalReport(output: string, nonce: string): MinimalReport {
  const found = new Map<string, string>();
  const rest = output.replaceAll(
    new RegExp(`${nonce}:(start|adjusted|failed|\\d{1,3}):([^]*?)\\r?\\n\\.:${nonce}`, "g"),
    (_frame, kind: string, path: string) => {
      found.set(/^\d/.test(kind) ? "end" : kind, /^\d/.test(kind) ? `${kind}:${path}` : path);
      return "";
    },
  );
  const end = found.get("end");
  const colon = end?.indexOf(":") ?? -1;
  return {
    output: rest,
    start: found.get("start"),
    isAdjusted: found.has("adjusted"),
    failedToEnter: found.has("failed"),
    end: end === undefined ? undefined : { status: Number(end.slice(0, colon)), cwd: end.slice(colon + 1) },
  };
}

function tell(nonce: string, kind: string): string {
  return `printf '%s:%s:%s:%s' ${nonce} ${kind} "$(pwd -P; printf .)" ${nonce}`;
}

function enter({ path, relative, ifMissing }: StartDirectory, nonce: string): readonly string[] {
  const fail = `{ ${tell(nonce, "failed")}; exit 1; }`;
  const adjusted = tell(nonce, "adjusted");
  const steps: string[] = [];
  if (path !== null) {
    const word = path === "~" ? "~" : shellQuote(path);
    const otherwise = {
      fail,
      home: `{ cd -P -- ~ 2>/dev/null || cd /; ${adjusted}; }`,
      nearest:
        `{ _talaria_d=${word}; until cd -P -- "\${_talaria_d:-/}" 2>/dev/null; do case $_talaria_d in ` +
        `*/*) _talaria_d=\${_talaria_d%/*};; *) break;; esac; done; unset _talaria_d; ${adjusted}; }`,
    }[ifMissing];
    steps.push(`cd -P -- ${word} 2>/dev/null || ${otherwise}`);
  }
  if (relative !== undefined) steps.push(`cd -P -- ${shellQuote(`./${relative}`)} 2>/dev/null || ${fail}`);
  return steps;
}

/** What every command finds set (SPEC 3.12), and over it what the call sets. */
function variables(env: Variables): readonly string[] {
  const all = { PAGER: "cat", GIT_PAGER: "cat", GIT_TERMINAL_PROMPT: "0", TERM: "dumb", ...env };
  return Object.entries(all).map(([name, value]) => {
    if (!/^[A-Za-z_][A-Za-z0-9_]*$/.test(name)) {
      throw new InvalidArgumentError(
        "env",
        `The variable "${name}" cannot be set here: a shell has no such name.`,
        {
          operation: "execute",
          hint: "Use letters, digits and _ only, or another backend.",
        },
      );
    }
    return `export ${name}=${shellQuote(value)}`;
  });
}
