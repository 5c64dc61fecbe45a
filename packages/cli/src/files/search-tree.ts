import { InvalidArgumentError, type SearchMatch, type SearchResult } from "@talaria/core";
import { failure, success } from "../exit-status.js";
import { formatDocument } from "../output/json-document.js";
import { pathBytes, pathMember, visiblePath } from "../output/path-text.js";
import { visibleText } from "../output/visible-text.js";
import { inSession } from "../program/in-session.js";
import type { Invocation } from "../program/invocation.js";
import type { FileOptions } from "./file-options.js";

export interface SearchCliOptions extends FileOptions {
  readonly glob?: readonly string[];
  readonly ignoreCase?: true;
  readonly literal?: true;
  readonly context?: number;
  readonly files?: true;
  readonly count?: true;
  readonly name?: true;
  readonly hidden?: true;
  readonly limit?: number;
}

/** Looks for text or for names. Status 1 when there is nothing. */
export async function searchTree(
  invocation: Invocation,
  pattern: string,
  path: string | undefined,
  options: SearchCliOptions,
): Promise<number> {
  const mode = modeOf(options);
  return inSession(invocation, options, async (session, { signal }) => {
    const result = await session.files.search(pattern, {
      path,
      mode,
      glob: options.glob,
      ignoreCase: options.ignoreCase,
      literal: options.literal,
      context: options.context,
      limit: options.limit,
      hidden: options.hidden,
      signal,
    });
    const found = result.files.length > 0 || result.matches.length > 0;
    if (options.json) await invocation.stdout.write(formatDocument(resultMember(result)));
    else await print(invocation, result);
    if (!options.json && result.truncated) invocation.messages.note("there is more; see it with --limit");
    invocation.messages.detail(`searched ${visiblePath(result.path)} with ${result.engine}`);
    return found ? success : failure;
  });
}

function modeOf({ files, count, name, context }: SearchCliOptions): SearchResult["mode"] {
  const wanted = [files && "--files", count && "--count", name && "--name"].filter(
    (word) => word !== undefined,
  );
  if (wanted.length > 1 || (wanted.length === 1 && context !== undefined)) {
    const both = [...wanted, ...(context === undefined ? [] : ["--context"])].join(" and ");
    throw new InvalidArgumentError("mode", `${both} cannot go together`, {
      operation: "files.search",
      hint: "choose one of --files, --count and --name; --context goes with none of them",
    });
  }
  if (files) return "files";
  if (count) return "count";
  return name ? "name" : "content";
}

function resultMember({ path, matches, files, ...rest }: SearchResult): object {
  return {
    ...pathMember("path", path),
    ...rest,
    matches: matches.map(({ path: file, ...match }) => ({ ...pathMember("path", file), ...match })),
    files: files.map(({ path: file, count }) => ({ ...pathMember("path", file), count })),
  };
}

async function print(invocation: Invocation, { mode, matches, files }: SearchResult): Promise<void> {
  if (mode === "content") return printMatches(invocation, matches);
  const { stdout, stdoutIsTty, style } = invocation;
  for (const { path, count } of files) {
    const name = stdoutIsTty ? Buffer.from(style.bold(visiblePath(path))) : pathBytes(path);
    await stdout.write(Buffer.concat([name, Buffer.from(mode === "count" ? `:${count}\n` : "\n")]));
  }
}

/** On a terminal under the name of each file; into a pipe each line on its own, as grep writes it. */
async function printMatches(invocation: Invocation, matches: readonly SearchMatch[]): Promise<void> {
  const { stdout, stdoutIsTty, style } = invocation;
  let before: SearchMatch | undefined;
  for (const match of matches) {
    const { path, line, text, isMatch } = match;
    const isNewFile = before?.path !== path;
    // Lines that do not follow each other where context was asked for: a mark between them, as grep has it.
    const isGap = before !== undefined && !isNewFile && line !== before.line + 1;
    const hasContext = !isMatch || before?.isMatch === false;
    if (isNewFile && stdoutIsTty) {
      await stdout.write(`${before === undefined ? "" : "\n"}${style.bold(visiblePath(path))}\n`);
    } else if (isGap && hasContext) {
      await stdout.write("--\n");
    }
    const sign = isMatch ? ":" : "-";
    if (stdoutIsTty) {
      const shown = visibleText(text);
      await stdout.write(`${style.dim(`${line}${sign}`)}${isMatch ? shown : style.dim(shown)}\n`);
    } else {
      await stdout.write(Buffer.concat([pathBytes(path), Buffer.from(`${sign}${line}${sign}${text}\n`)]));
    }
    before = match;
  }
}
