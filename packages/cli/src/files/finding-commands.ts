import type { Command } from "commander";
import { addJson, addVerbosity } from "../program/command-action.js";
import { describeCommand } from "../program/command-help.js";
import type { Invocation } from "../program/invocation.js";
import { countNumber, positiveNumber } from "../program/option-values.js";
import { addSessionChoice } from "../program/session-options.js";
import type { SearchCliOptions } from "./search-tree.js";
import type { WatchCliOptions } from "./watch-tree.js";

/** `search`, `watch`. */
export function defineFinding(parent: Command, invocation: Invocation): void {
  const search = addSessionChoice(
    parent
      .command("search")
      .summary("look for text in files, or for files by name")
      .argument("<pattern>", "an expression, with --literal the text itself, with --name a glob")
      .argument("[path]", "a directory or a file (default: where the session stands)"),
  )
    .option("-g, --glob <glob>", "only files whose name fits (repeatable)", addGlob)
    .option("-i, --ignore-case", "without regard to case")
    .option("-F, --literal", "the pattern is the text itself")
    .option("-C, --context <n>", "lines shown before and after a match", countNumber("context", "lines"))
    .option("-l, --files", "only the files with a match")
    .option("-c, --count", "only the number of matching lines in each file")
    .option("--name", "files whose name the pattern fits, whatever is in them")
    .option("--hidden", "names that begin with a dot as well")
    .option("--limit <n>", "most matches (default: 200)", positiveNumber("limit", "matches"));
  describeCommand(
    search,
    "Looks for text in files. Ends with 1 when nothing is found, as grep does. The order is that of the paths.",
    [
      "talaria files search 'fetch\\(' src --glob '*.ts'",
      "talaria files search --files --literal 'a.b' .",
      "talaria files search --name '*.test.ts'",
    ],
  );
  addVerbosity(addJson(search), invocation).action(
    async (pattern: string, path: string | undefined, options: SearchCliOptions) => {
      const { searchTree } = await import("./search-tree.js");
      invocation.status = await searchTree(invocation, pattern, path, options);
    },
  );

  const watch = addSessionChoice(
    parent
      .command("watch")
      .summary("tell what changes below a path, until Ctrl-C")
      .argument("[path]", "a directory or a file (default: where the session stands)"),
  )
    .option("--no-recursive", "only what is directly in the directory")
    .option(
      "--poll-ms <n>",
      "milliseconds between two looks where the sandbox cannot tell by itself (default: 500)",
      positiveNumber("poll-ms", "milliseconds"),
    );
  addVerbosity(addJson(watch), invocation).action(
    async (path: string | undefined, options: WatchCliOptions) => {
      const { watchTree } = await import("./watch-tree.js");
      invocation.status = await watchTree(invocation, path, options);
    },
  );
}

function addGlob(glob: string, before: readonly string[] = []): readonly string[] {
  return [...before, glob];
}
