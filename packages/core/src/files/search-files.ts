import { InvalidArgumentError } from "../errors/errors.js";
import { fromShellBytes } from "../shell/shell-bytes.js";
import { asSandboxPath } from "../workdir/paths.js";
import { wholeNumber } from "./check-number.js";
import { answerFields, pathField } from "./file-failure.js";
import type { FileShell } from "./file-shell.js";
import { SearchAnswerReader } from "./search-answer.js";
import { SearchCollector, type FoundFile } from "./search-collector.js";
import { parseGlobs } from "./search-glob.js";
import { SearchMatcher } from "./search-matcher.js";
import { shownMatches } from "./search-matches.js";
import { parsePattern } from "./search-pattern.js";
import { grepText, ripgrepText } from "./search-pattern-text.js";
import type { SearchOptions, SearchResult } from "./search-result.js";
import { binaryScript, maxAnswerBytes, searchScript, type SearchPlan } from "./search-script.js";

const modes = ["content", "files", "count", "name"] as const;

/**
 * Looks for text in files, or for files by name. ripgrep answers as it finds, on all cores, and the host keeps the first
 * by path; where that would be too much, and where there is no ripgrep, grep goes through the sorted files and is ended at
 * the limit.
 */
export async function searchFiles(
  shell: FileShell,
  pattern: string,
  options: SearchOptions,
): Promise<SearchResult> {
  const mode = modes.find((one) => one === (options.mode ?? "content"));
  if (mode === undefined) {
    throw new InvalidArgumentError("mode", `There is no mode of search "${String(options.mode)}".`, {
      operation: "search",
      hint: `Give one of ${modes.join(", ")}.`,
    });
  }
  const limit = wholeNumber("limit", options.limit ?? 200, 1, 10_000);
  const context = wholeNumber("context", options.context ?? 0, 0, 50);
  const maxLineBytes = wholeNumber("maxLineBytes", options.maxLineBytes ?? 500, 1, 65_536);
  const tree =
    mode === "name"
      ? undefined
      : parsePattern(pattern, {
          literal: options.literal ?? false,
          ignoreCase: options.ignoreCase ?? false,
        });
  const asked = [options.glob ?? []].flat().flatMap((glob) => parseGlobs("glob", glob));
  const named = mode === "name" ? parseGlobs("pattern", pattern) : [];
  const narrowing = mode === "name" ? named : asked;
  const isAll = narrowing.length === 0 || narrowing.some(({ wider }) => wider === "*");
  const plan: SearchPlan = {
    path: shell.path(options.path ?? "."),
    mode,
    ripgrep: tree === undefined ? "" : ripgrepText(tree),
    grep: tree === undefined ? "" : grepText(tree),
    names: isAll ? [] : narrowing.map(({ wider }) => wider),
    context,
    enough: limit + 1,
    hidden: options.hidden ?? false,
    mayUseRipgrep: true,
  };
  const takes = (bytes: string, isOneFile: boolean): boolean => {
    if (!plan.hidden && !isOneFile && /(^|\/)\./.test(bytes)) return false;
    if (narrowing.length === 0) return true;
    const path = fromShellBytes(bytes);
    return [asked, named].every((globs) => globs.length === 0 || globs.some(({ fits }) => fits(path)));
  };
  const run: Run = { shell, limit, takes, signal: options.signal };
  const found = (await search(run, plan)) ?? (await search(run, { ...plan, mayUseRipgrep: false }));
  if (found === undefined) throw new Error("A search without ripgrep has no other to fall back to.");
  const lines =
    tree === undefined || mode !== "content"
      ? undefined
      : await shownMatches(found.files, {
          matcher: new SearchMatcher(tree),
          limit,
          context,
          maxLineBytes,
          signal: options.signal,
        });
  const shown = found.files.slice(0, lines?.files ?? limit);
  return {
    path: found.path,
    mode,
    matches: lines?.matches ?? [],
    files: shown.map(({ path, count }) => ({
      path: fromShellBytes(path),
      count: mode === "count" ? count : 0,
    })),
    truncated: found.isMore || (lines?.isMore ?? found.files.length > limit),
    engine: found.engine,
  };
}

interface Run {
  readonly shell: FileShell;
  readonly limit: number;
  readonly takes: (path: string, isOneFile: boolean) => boolean;
  readonly signal: AbortSignal | undefined;
}

interface Found {
  readonly path: SearchResult["path"];
  readonly engine: SearchResult["engine"];
  readonly files: readonly FoundFile[];
  readonly isMore: boolean;
}

/** Undefined when it has to be done without ripgrep. */
async function search(run: Run, plan: SearchPlan): Promise<Found | undefined> {
  const { shell, limit, takes } = run;
  const call = { operation: "search", path: plan.path };
  const where = { backend: shell.access.backend, ...call };
  const enough = new AbortController();
  let head = Buffer.alloc(0);
  let received = 0;
  let isOneFile = false;
  let reader: SearchAnswerReader | undefined;
  const engines: SearchResult["engine"][] = [];
  const collector = new SearchCollector(limit, plan.mode === "content", (path) => takes(path, isOneFile));
  const read = (bytes: Buffer): void => {
    received += bytes.length;
    reader?.push(bytes);
    // grep tells in order: what comes after this is beyond the limit.
    if (engines[0] === "grep" && collector.total > limit + 1) enough.abort();
  };
  const take = (bytes: Uint8Array): void => {
    const piece = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    if (reader !== undefined) return read(piece);
    head = Buffer.concat([head, piece]);
    const found = /^=[^\0]*\0([df])\0(ripgrep|grep|find)\0/.exec(head.toString("latin1"));
    if (found === null) return;
    isOneFile = found[1] === "f";
    const engine = found[2] === "ripgrep" ? "ripgrep" : found[2] === "grep" ? "grep" : "find";
    engines.push(engine);
    reader = new SearchAnswerReader(engine, {
      record: (record) => {
        if (engine !== "grep" || plan.mode === "content" || record.number > 0) collector.add(record);
      },
      binary: (path) => collector.drop(path),
    });
    read(head.subarray(found[0].length));
  };
  const signals = [enough.signal, ...(run.signal === undefined ? [] : [run.signal])];
  let complaint = "";
  try {
    const answer = await shell.run(searchScript(plan), {
      ...call,
      signal: AbortSignal.any(signals),
      maxAnswerBytes: maxAnswerBytes + 65_536,
      onAnswer: take,
    });
    complaint = answer.complaint;
  } catch (error) {
    if (!enough.signal.aborted || run.signal?.aborted === true) throw error;
  }
  reader?.end();
  const { fields } = answerFields({ bytes: head, complaint }, 3, where);
  const [engine = "find"] = engines;
  const isOverflow = plan.mode !== "name" && received > maxAnswerBytes;
  // An old ripgrep does not know an option, another cannot take so large an expression.
  if (engine === "ripgrep" && (isOverflow || complaint !== "")) return undefined;
  const files = collector.first();
  const last = files.find(({ matches }) => matches > limit);
  if (engine === "ripgrep" && last !== undefined && (await isBinary(run, plan, last.path))) return undefined;
  return { path: asSandboxPath(pathField(fields, 0)), engine, files, isMore: isOverflow };
}

/** ripgrep stops in a file at the limit, and does not see a NUL that comes later. At most one file of a result is such. */
async function isBinary({ shell, signal }: Run, plan: SearchPlan, path: string): Promise<boolean> {
  const call = { operation: "search", path: plan.path, signal };
  const answer = await shell.run(binaryScript(plan.path, fromShellBytes(path)), call);
  const { fields } = answerFields(answer, 1, { backend: shell.access.backend, ...call });
  return Number(fields[0]) > 0;
}
