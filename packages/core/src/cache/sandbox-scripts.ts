import { assign } from "../files/file-path.js";
import type { SyncPlan } from "./plan-sync.js";

/*
 * The scripts of a sync, for any POSIX sh. They begin with the base as `$b`; everything else is relative to it. What is
 * made is this account's alone, whatever its umask.
 */

/** Folder below the base for what Talaria has to remember about it. */
export const recordFolder = ".cache-sync";
/** A script is kept below what one argument of a program can hold: some environments pass it on as one. */
const maxScriptBytes = 48 * 1024;

/** Goes to the base, which is made where it is missing. */
export function enterBase(base: string): string {
  return `umask 077; ${assign("b", base)}; mkdir -p -- "$b" && cd -P -- "$b" || exit 4\n`;
}

/**
 * First contact: lines `shared` or `own`, `tar` or `none`, the physical base (empty when there is none yet), and then the
 * record as it is.
 */
export function lookScript(base: string, homeId: string, probe: string): string {
  return (
    `exec 2>/dev/null; ${assign("b", base)}; ${assign("p", probe)}\n` +
    `if [ -e "$b/cache/$p" ]; then echo shared; else echo own; fi\n` +
    `if command -v tar >/dev/null; then echo tar; else echo none; fi\n` +
    `cd -P -- "$b" && pwd -P || { echo; exit 0; }\n` +
    `cat "${recordFolder}/${homeId}.json"; exit 0\n`
  );
}

/** Puts standard input into a file, with a rename at the end. Expects to be in the base. */
export function putScript(path: string, mode: number): string {
  const octal = mode.toString(8).padStart(4, "0");
  return (
    `${assign("p", `./${path}`)}; mkdir -p -- "\${p%/*}" && cat >"$p.cache-sync" && chmod ${octal} -- "$p.cache-sync" && ` +
    `mv -f -- "$p.cache-sync" "$p" || { rm -f -- "$p.cache-sync"; exit 5; }\n`
  );
}

/** Adds a piece of a file to what is going to be it: for a sandbox whose commands have no standard input. */
export function addPieceScript(path: string, piece: Buffer, isFirst: boolean): string {
  return (
    `${assign("p", `./${path}`)}; mkdir -p -- "\${p%/*}" || exit 5; ` +
    `printf %s '${piece.toString("base64")}' | base64 -d ${isFirst ? ">" : ">>"}"$p.cache-sync" || exit 5\n`
  );
}

/** Makes what was added piece by piece the file. */
export function endPiecesScript(path: string, mode: number): string {
  const octal = mode.toString(8).padStart(4, "0");
  return `${assign("p", `./${path}`)}; chmod ${octal} "$p.cache-sync" && mv -f -- "$p.cache-sync" "$p" || exit 5\n`;
}

/** Unpacks a tar archive from standard input. Modes are exactly those in it, owners are this account. */
export const unpackScript = "umask 000; exec tar -xof -\n";

/** Names the paths that could not be changed, one a line after a mark, and fails. */
export const failedMark = "!failed ";
const changes =
  `f=0; bad() { printf '${failedMark}%s\\n' "$p"; f=1; }\n` +
  // A folder in the place of our file is somebody else's: our file is gone.
  `d() { if [ -d "$p" ] && [ ! -L "$p" ]; then return 0; fi; rm -f -- "$p" 2>/dev/null && return 0; ` +
  `q=\${p%/*}; if [ -e "$q" ] && [ ! -d "$q" ]; then return 0; fi; bad; }\n` +
  `r() { rmdir -- "$p" 2>/dev/null || :; }\n` +
  `k() { mkdir -p -- "$p" || bad; }\n`;
const changesEnd = `[ "$f" = 0 ] || exit 3\n`;

/** The deletions and folders of a plan, in scripts of bounded size. Each expects to be in the base. */
export function changeScripts(plan: SyncPlan): readonly string[] {
  const lines = [
    ...plan.deletions.map((path) => `${assign("p", `./${path}`)}; d\n`),
    ...plan.emptied.map((path) => `${assign("p", `./${path}`)}; r\n`),
    ...plan.folders.map((path) => `${assign("p", `./${path}`)}; k\n`),
  ];
  const scripts: string[] = [];
  let script = "";
  for (const line of lines) {
    if (script.length + line.length > maxScriptBytes) {
      scripts.push(script);
      script = "";
    }
    script += line;
  }
  if (script !== "") scripts.push(script);
  return scripts.map((text) => changes + text + changesEnd);
}
