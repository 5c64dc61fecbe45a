import type { EnvironmentExecuteOptions } from "../environment/execute-options.js";
import { callEnvText, isPhysical } from "./prelude.js";
import { shellQuote } from "./quote.js";
import { toShellBytes } from "./shell-bytes.js";

/** What is needed to run one command in a plain `sh`. Texts in shell bytes but for `script`. */
export interface OneShotRequest {
  readonly script: string;
  readonly command: EnvironmentExecuteOptions;
  /** Variables of the session. */
  readonly env: Readonly<Record<string, string | null>>;
  readonly directory: string;
  /** A file name in the sandbox that nobody else uses; the command's files begin with it. */
  readonly file: string;
  readonly nonce: string;
}

/**
 * The programs a plain `sh` gets as arguments, which hold no user text, and the file with the user's. Where the command
 * has a standard input of its own the file is stored by a process before it, else it comes on that input.
 */
export interface OneShotScript {
  readonly store: string;
  readonly run: string;
  readonly storeAndRun: string;
  readonly text: Buffer;
}

function enter(directory: string, ifMissing: "fail" | "nearest" | "home", nonce: string): string {
  const otherwise = {
    fail:
      `p=missing; [ ! -e "$d" ] || p=not_a_directory; [ ! -d "$d" ] || p=not_permitted; ` +
      `printf '%s w 0 0 0\n%s%s' '${nonce}' "$p" '${nonce}'; trap - EXIT; exit 0`,
    nearest: `while d=\${d%/*}; ! cd -- "\${d:-/}" 2>/dev/null; do [ -n "$d" ] || break; done; __tl_a=$PWD`,
    home: `{ cd 2>/dev/null || cd /; }; __tl_a=$PWD`,
  }[ifMissing];
  const word = directory === "-" ? "./-" : directory;
  return `d=${shellQuote(word)}; cd ${isPhysical(directory) ? "-P " : ""}-- "$d" 2>/dev/null || { ${otherwise}; }; `;
}

function sessionEnvText(env: Readonly<Record<string, string | null>>): string {
  return Object.entries(env)
    .map(([name, value]) => (value === null ? `unset ${name}; ` : `export ${name}=${shellQuote(value)}; `))
    .join("");
}

/** Builds the programs for one command. */
export function oneShotScript({
  script,
  command,
  env,
  directory,
  file,
  nonce,
}: OneShotRequest): OneShotScript {
  const start = command.start;
  const prelude =
    sessionEnvText(env) +
    callEnvText(command.env ?? {}).replaceAll("builtin ", "") +
    enter(directory, start?.ifMissing ?? "fail", nonce) +
    (start?.relative === undefined ? "" : enter(toShellBytes(start.relative), "fail", nonce)) +
    "unset d p; ";
  const name = shellQuote(file);
  const merge = command.separate === true ? "" : "exec 2>&1; ";
  const store = `u=$(umask); umask 077; set -C; cat >${name} || exit 125; set +C; umask "$u"; `;
  const trap =
    `trap 'r=$?; rm -f ${name.replaceAll("'", `'\\''`)}; ` +
    `printf "%s x %s 0 0\\n%s%s%s%s" "${nonce}" "$r" "$PWD" "${nonce}" "$__tl_a" "${nonce}"' EXIT; `;
  const run = `${merge}__tl_a=; ${trap}. ${name}`;
  return {
    store,
    run,
    storeAndRun: `${store}exec </dev/null; ${run}`,
    text: Buffer.concat([Buffer.from(prelude, "latin1"), Buffer.from(`${script}\n`, "utf8")]),
  };
}
