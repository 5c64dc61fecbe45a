import type { Command } from "commander";
import { addJson, addVerbosity } from "../program/command-action.js";
import { describeCommand } from "../program/command-help.js";
import type { Invocation } from "../program/invocation.js";
import { positiveNumber } from "../program/option-values.js";
import { addSessionChoice } from "../program/session-options.js";
import type { ListFilesOptions } from "./list-directory.js";
import type { ReadOptions } from "./print-file.js";
import type { StatFileOptions } from "./show-stat.js";

/** `read`, `ls`, `stat`. */
export function defineReading(parent: Command, invocation: Invocation): void {
  const read = addSessionChoice(
    parent
      .command("read")
      .summary("print a window of a file, its lines numbered")
      .argument("<path>", "the file"),
  )
    .option("--offset <line>", "first line, from 1", positiveNumber("offset", "lines"))
    .option("--limit <n>", "most lines (default: 2000)", positiveNumber("limit", "lines"))
    .option("--raw", "the whole file, byte for byte, without numbers");
  describeCommand(
    read,
    "Prints lines of a file with their numbers. What is no text is named and not printed (status 1), unless with --raw.",
    [
      "talaria files read src/main.ts",
      "talaria files read --offset 200 --limit 50 log.txt",
      "talaria files read --raw photo.png > photo.png",
    ],
  );
  addVerbosity(addJson(read), invocation).action(async (path: string, options: ReadOptions) => {
    const { printFile } = await import("./print-file.js");
    invocation.status = await printFile(invocation, path, options);
  });

  const list = addSessionChoice(
    parent
      .command("ls")
      .summary("list a directory")
      .argument("[path]", "the directory (default: where the session stands)"),
  )
    .option("-a, --all", "names that begin with a dot as well")
    .option("-l, --long", "with kind, permissions, size and time")
    .option("--depth <n>", "levels below the directory (default: 1)", positiveNumber("depth", "levels"))
    .option("--limit <n>", "most entries (default: 2000)", positiveNumber("limit", "entries"));
  addVerbosity(addJson(list), invocation).action(
    async (path: string | undefined, options: ListFilesOptions) => {
      const { listDirectory } = await import("./list-directory.js");
      invocation.status = await listDirectory(invocation, path, options);
    },
  );

  const stat = addSessionChoice(
    parent.command("stat").summary("show what the sandbox says of files").argument("<path...>", "the files"),
  ).option("--no-follow", "of a symbolic link itself, not of what it leads to");
  addVerbosity(addJson(stat), invocation).action(async (paths: string[], options: StatFileOptions) => {
    const { showStat } = await import("./show-stat.js");
    invocation.status = await showStat(invocation, paths, options);
  });
}
