import type { Command } from "commander";
import { addJson, addVerbosity } from "../program/command-action.js";
import type { Invocation } from "../program/invocation.js";
import { modeNumber } from "../program/option-values.js";
import { addSessionChoice } from "../program/session-options.js";
import type { MakeOptions } from "./make-directories.js";
import type { MoveOptions } from "./move-file.js";
import type { RemoveCliOptions } from "./remove-files.js";

const sensitive = ["--allow-sensitive", "also what steers logins, shells or Talaria itself"] as const;

/** `mkdir`, `rm`, `mv`. */
export function defineChanging(parent: Command, invocation: Invocation): void {
  const make = addSessionChoice(
    parent.command("mkdir").summary("make directories").argument("<path...>", "the directories"),
  )
    .option("-p, --parents", "make what is missing of the path, and accept one that is there")
    .option("-m, --mode <bits>", "permissions, octal", modeNumber)
    .option(...sensitive);
  addVerbosity(addJson(make), invocation).action(async (paths: string[], options: MakeOptions) => {
    const { makeDirectories } = await import("./make-directories.js");
    invocation.status = await makeDirectories(invocation, paths, options);
  });

  const remove = addSessionChoice(
    parent.command("rm").summary("remove files and directories").argument("<path...>", "what to remove"),
  )
    .option("-r, --recursive", "directories with all that is in them")
    .option("-f, --force", "what is not there is no failure")
    .option(...sensitive);
  addVerbosity(addJson(remove), invocation).action(async (paths: string[], options: RemoveCliOptions) => {
    const { removeFiles } = await import("./remove-files.js");
    invocation.status = await removeFiles(invocation, paths, options);
  });

  const move = addSessionChoice(
    parent
      .command("mv")
      .summary("give a file or directory another name or place")
      .argument("<source>", "what to move")
      .argument("<target>", "its new name, or a directory to move it into"),
  )
    .option("-f, --force", "replace a file that has the new name")
    .option(...sensitive);
  addVerbosity(addJson(move), invocation).action(async (from: string, to: string, options: MoveOptions) => {
    const { moveFile } = await import("./move-file.js");
    invocation.status = await moveFile(invocation, from, to, options);
  });
}
