import { shellQuote } from "../shell/quote.js";
import { readPlan } from "./change-plan.js";
import { assign, type FilePath } from "./file-path.js";
import { missingWithNames } from "./read-script.js";
import { fail, resolveText } from "./resolve-script.js";

/** What a script looks for, in the words of the engines. */
export interface SearchPlan {
  readonly path: FilePath;
  readonly mode: "content" | "files" | "count" | "name";
  readonly ripgrep: string;
  /** One character a byte. */
  readonly grep: string;
  /** Globs of names that fit at least all files asked for; empty when all. */
  readonly names: readonly string[];
  readonly context: number;
  /** Matching lines that are enough of one file. */
  readonly enough: number;
  readonly hidden: boolean;
  /** False: ripgrep is not asked, and the answer comes in the order of paths. */
  readonly mayUseRipgrep: boolean;
}

/** Most bytes an answer may have. The engine is ended by its pipe then. */
export const maxAnswerBytes = 32 * 1024 * 1024;

/**
 * One round trip: goes there, then searches. Answer: `=`, physical path, `d` or `f`, engine, each up to a NUL; then for
 * ripgrep records `path NUL line:text LF`; for grep `path NUL`, lines `line:text LF`, NUL; for find `path NUL`.
 *
 * Both engines: no ignore files, no links followed, no file with a NUL byte in it, nothing but regular files (a pipe would
 * block), and not the kernel's own trees, where reading can block and other processes' variables stand.
 */
export function searchScript(plan: SearchPlan): string {
  return [
    resolveText(readPlan(plan.path, { followLast: true, onMissing: missingWithNames })),
    `w=d; if [ -d "./$b" ]; then case $r in /proc|/proc/*) ${fail("refused:process")};; esac`,
    `cd -P -- "./$b" 2>/dev/null && [ -r . ] || ${fail("permission")}`,
    `else [ -f "./$b" ] || ${fail("not_regular")}; [ -r "./$b" ] || ${fail("permission")}; w=f; fi`,
    plan.mode === "name" ? namesText(plan) : contentText(plan),
    "exit 0",
  ].join("\n");
}

function namesText(plan: SearchPlan): string {
  return [
    `printf '=%s\\0%s\\0find\\0' "$r" "$w"`,
    `if [ "$w" = f ]; then printf './%s\\0' "$b"; else ${findText(plan)}; fi`,
  ].join("\n");
}

function contentText(plan: SearchPlan): string {
  const grep = `G=grep; ${assign("P", grepWord(plan.grep))}; export P`;
  const head = `head -c ${maxAnswerBytes + 1}`;
  const useGrep = [
    grep,
    `printf x | grep -E -e "$P" >/dev/null; [ $? -le 1 ] || ${fail("failed")}`,
    `printf x | sort -z >/dev/null || ${fail("failed")}`,
    `printf '=%s\\0%s\\0grep\\0' "$r" "$w"`,
    // Where `-Z` means something else, names would end with a line feed.
    'if [ "$(printf x | grep -lZ x 2>/dev/null | tr \'\\000\' z | tail -c 1)" = z ]; then l=\'exec grep -lZ -E -e "$P" -- "$@"\'',
    `else l='grep -q -E -e "$P" -- "$@" || exit 0; for f; do ! grep -q -E -e "$P" -- "$f" || printf "%s\\0" "$f"; done'; fi`,
    `if [ "$w" = f ]; then printf './%s\\0' "$b"; else ${findText(plan)} | sort -z | xargs -0 -n 500 sh -c "$l" sh 2>/dev/null; fi |`,
    `xargs -0 -n 20 sh -c ${shellQuote(tellText(plan))} sh 2>/dev/null | ${head}`,
  ].join("\n");
  if (!plan.mayUseRipgrep) return useGrep;
  return [
    'if [ "$w" = d ] && command -v rg >/dev/null 2>&1; then',
    `printf '=%s\\0d\\0ripgrep\\0' "$r"`,
    `set --; [ "$r" != / ] || set -- -g '!/proc' -g '!/sys'`,
    `${ripgrepCommand(plan)} | ${head}`,
    `else\n${useGrep}\nfi`,
  ].join("\n");
}

/** What is told of each file with a match that has no NUL in it. The `:` lets a file be there that grep says nothing of. */
function tellText({ mode, context, enough }: SearchPlan): string {
  const what =
    mode === "content" ? `-n -m ${enough}${context > 0 ? ` -A ${context} -B ${context}` : ""}` : "-c";
  return (
    'for f; do [ "$(tr -dc "\\000" <"$f" | head -c 1 | wc -c)" -eq 0 ] || continue; ' +
    `printf "%s\\0" "$f"; grep ${what} -E -e "$P" <"$f"; printf "\\0"; done`
  );
}

function ripgrepCommand(plan: SearchPlan): string {
  const words = ["rg --no-config --no-ignore --no-messages --no-mmap --encoding none --color never -0 -H"];
  if (plan.hidden) words.push("--hidden");
  if (plan.mode === "content") {
    words.push(`-n --no-heading --no-column -m ${plan.enough}`);
    if (plan.context > 0) words.push(`-A ${plan.context} -B ${plan.context}`);
  } else words.push("-c");
  for (const name of plan.names) words.push("-g", shellQuote(name));
  words.push('"$@"', "-e", shellQuote(plan.ripgrep), "./ </dev/null");
  return words.join(" ");
}

function findText({ hidden, names }: SearchPlan): string {
  const wanted =
    names.length === 0 ? "" : `'(' ${names.map((name) => `-name ${shellQuote(name)}`).join(" -o ")} ')'`;
  const skip = hidden ? "" : "-name '.?*' -prune -o";
  return (
    `{ set --; [ "$r" != / ] || set -- '(' -path ./proc -o -path ./sys ')' -prune -o; ` +
    `find . "$@" ${skip} -type f ${wanted} -print0 2>/dev/null; }`
  );
}

/** Bytes above ASCII as the lone surrogates that `assign` turns into bytes again. */
function grepWord(bytes: string): string {
  return bytes.replaceAll(/[\x80-\xff]/g, (byte) => String.fromCharCode(0xdc00 + byte.charCodeAt(0)));
}

/** Answers `=` and how many NUL bytes (0 or 1) one file has. `relative` is below the searched directory. */
export function binaryScript(path: FilePath, relative: string): string {
  return [
    resolveText(readPlan(path, { followLast: true, onMissing: missingWithNames })),
    `cd -P -- "./$b" 2>/dev/null || ${fail("permission")}`,
    assign("f", `./${relative}`),
    `printf '=%s\\0' "$(tr -dc '\\000' <"$f" | head -c 1 | wc -c)"`,
    "exit 0",
  ].join("\n");
}
