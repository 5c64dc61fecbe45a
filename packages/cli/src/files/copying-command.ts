import type { Command } from "commander";
import { addJson, addVerbosity } from "../program/command-action.js";
import { describeCommand } from "../program/command-help.js";
import type { Invocation } from "../program/invocation.js";
import { addSessionChoice } from "../program/session-options.js";
import type { CopyOptions } from "./copy-files.js";

/** `cp`. */
export function defineCopying(parent: Command, invocation: Invocation): void {
  const copy = addSessionChoice(
    parent
      .command("cp")
      .summary("copy files and trees between the host and sandboxes")
      .argument("<from>", "host:PATH, sandbox:PATH, SESSION:PATH, or - for stdin")
      .argument("<to>", "the same; - for stdout"),
  )
    .option("-p, --parents", "make missing directories of the target's path")
    .option("-n, --no-overwrite", "replace no file that is there: then it fails, and nothing is changed")
    .option("-x, --exclude <pattern>", "leave out of a tree what fits (repeatable)", addPattern)
    .option("--skip-outside-links", "leave out links that lead out of the tree (default: refuse them)")
    .option("--verify", "of a single file compare the SHA-256 of both sides as well")
    .option("--allow-sensitive", "also what steers logins, shells or Talaria itself");
  describeCommand(
    copy,
    "Copies a file or a whole tree. A path without a name before a colon is on the host. Onto a directory that is there, it is copied into it.",
    [
      "talaria files cp ./app work:/srv             # becomes /srv/app in the session `work`",
      "talaria files cp work:report.pdf .",
      "talaria files cp sandbox:/etc/hostname -     # to stdout, from a new session",
      "talaria files cp work:data other:/tmp/data   # from sandbox to sandbox",
      "pg_dump shop | talaria files cp - work:shop.sql",
    ],
  );
  addVerbosity(addJson(copy), invocation).action(async (from: string, to: string, options: CopyOptions) => {
    const { copyFiles } = await import("./copy-files.js");
    invocation.status = await copyFiles(invocation, from, to, options);
  });
}

function addPattern(pattern: string, before: readonly string[] = []): readonly string[] {
  return [...before, pattern];
}
