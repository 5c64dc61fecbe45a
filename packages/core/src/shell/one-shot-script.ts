import type { EnvironmentExecuteOptions } from "../environment/execute-options.js";
import { callEnvText } from "./prelude.js";
import { shellQuote } from "./quote.js";
import { toShellBytes } from "./shell-bytes.js";

/** What is needed to run one command in a plain `sh`. Texts in shell bytes but for `script`. */
export interface OneShotRequest {
  readonly script: string;
  readonly command: EnvironmentExecuteOptions;
  readonly directory: string;
  /** A file name in the sandbox that nobody else uses; the command's files begin with it. */
  readonly file: string;
  readonly nonce: string;
}

/** The program a plain `sh` gets as an argument: it holds no user text. The user's comes on standard input. */
export interface OneShotScript {
  readonly program: string;
  readonly input: Buffer;
}

const problem = (nonce: string): string =>
  `p=missing; [ ! -e "$d" ] || p=not_a_directory; [ ! -d "$d" ] || p=not_permitted; ` +
  `printf '%s w 0 0 0\\n%s\\n' '${nonce}' "$p"; trap - EXIT; exit 0`;

function enter(directory: string, ifMissing: "fail" | "nearest" | "home", nonce: string): string {
  const otherwise = {
    fail: problem(nonce),
    nearest: `while d=\${d%/*}; ! cd "\${d:-/}" 2>/dev/null; do [ -n "$d" ] || break; done; __tl_a=$PWD`,
    home: `{ cd 2>/dev/null || cd /; }; __tl_a=$PWD`,
  }[ifMissing];
  const word = directory.startsWith("-") ? `./${directory}` : directory;
  return `d=${shellQuote(word)}; cd "$d" 2>/dev/null || { ${otherwise}; }; `;
}

/**
 * The script goes into a file of its own, so that it may be long and the command's standard input stays free: the first
 * bytes of the input, as many as the program says, are the file, the rest belongs to the command.
 */
export function oneShotScript({ script, command, directory, file, nonce }: OneShotRequest): OneShotScript {
  const start = command.start;
  const prelude =
    callEnvText(command.env ?? {}).replaceAll("builtin ", "") +
    enter(directory, start?.ifMissing ?? "fail", nonce) +
    (start?.relative === undefined ? "" : enter(toShellBytes(start.relative), "fail", nonce)) +
    "unset d p; ";
  const text = Buffer.concat([Buffer.from(prelude, "latin1"), Buffer.from(`${script}\n`, "utf8")]);
  const given =
    command.stdin === undefined ? Buffer.alloc(0) : Buffer.from(command.stdin as string | Uint8Array);
  const merge = command.separate === true ? "" : "exec 2>&1; ";
  const keep =
    command.stdin === undefined
      ? "exec </dev/null; "
      : `tail -c +${text.length + 1} <"$f" >"$f.i"; exec <"$f.i"; `;
  const program =
    `u=$(umask); umask 077; set -C; f=${shellQuote(file)}; cat >"$f" || exit 125; set +C; ${merge}${keep}` +
    `trap 'r=$?; rm -f "$f" "$f.i" "$f.s"; printf "%s x %s 0 0\\n%s\\n%s\\n" "${nonce}" "$r" "$PWD" "$__tl_a"' EXIT; ` +
    `head -c ${text.length} <"$f" >"$f.s"; __tl_a=; umask "$u"; . "$f.s"`;
  return { program, input: Buffer.concat([text, given]) };
}
