import { Option, type Command } from "commander";
import { addJson, addVerbosity } from "../program/command-action.js";
import { describeCommand } from "../program/command-help.js";
import type { Invocation } from "../program/invocation.js";
import { modeNumber } from "../program/option-values.js";
import { addSessionChoice } from "../program/session-options.js";
import type { PatchOptions } from "./patch-from-words.js";
import type { WriteOptions } from "./write-stdin.js";

/** `write`, `patch`. */
export function defineWriting(parent: Command, invocation: Invocation): void {
  const write = addSessionChoice(
    parent.command("write").summary("write a file from stdin").argument("<path>", "the file"),
  )
    .option("-a, --append", "add to its end")
    .option("-m, --mode <bits>", "permissions, octal (default: those it has)", modeNumber)
    .addOption(
      new Option("--line-ending <how>", "exact: as given; keep: as the file that is there has them")
        .choices(["exact", "keep", "lf", "crlf"])
        .default("exact"),
    )
    .option("--if-version <version>", "only if the file still has this version, or `absent`")
    .option("--no-parents", "do not make missing directories")
    .option("--allow-sensitive", "also what steers logins, shells or Talaria itself");
  describeCommand(
    write,
    "Writes a whole file from stdin: who reads meanwhile sees the old or the new one, never a part.",
    [
      "talaria files write notes.txt < notes.txt",
      "date | talaria files write --append log.txt",
      "talaria files write --mode 755 --session work bin/run < run.sh",
    ],
  );
  addVerbosity(addJson(write), invocation).action(async (path: string, options: WriteOptions) => {
    const { writeStdin } = await import("./write-stdin.js");
    invocation.status = await writeStdin(invocation, path, options);
  });

  const patch = addSessionChoice(
    parent
      .command("patch")
      .summary("change a part of a file, or apply a patch from stdin")
      .argument("[path]", "the file, with --find; a V4A patch on stdin names its files itself"),
  )
    .option("--find <text>", "the text to replace; it has to be there once")
    .option("--replace <text>", "what to put in its place")
    .option("--all", "replace it everywhere")
    .option("-n, --dry-run", "say what would change, and change nothing")
    .option("--allow-sensitive", "also what steers logins, shells or Talaria itself");
  describeCommand(
    patch,
    "Replaces a text that stands in a file once, or applies a V4A patch (*** Begin Patch …) from stdin.",
    [
      "talaria files patch src/main.ts --find 'port = 80' --replace 'port = 8080'",
      "talaria files patch < change.patch",
    ],
  );
  addVerbosity(addJson(patch), invocation).action(async (path: string | undefined, options: PatchOptions) => {
    const { patchFromWords } = await import("./patch-from-words.js");
    invocation.status = await patchFromWords(invocation, path, options);
  });
}
