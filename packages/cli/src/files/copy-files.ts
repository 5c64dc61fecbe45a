import {
  InvalidArgumentError,
  talariaHomePath,
  type TerminalSession,
  type TransferOptions,
  type TransferResult,
} from "@talaria/core";
import { success } from "../exit-status.js";
import { namedSessions } from "../inspect/named-sessions.js";
import { formatBytes, formatSpan } from "../output/amounts.js";
import { formatDocument } from "../output/json-document.js";
import { pathMember, visiblePath } from "../output/path-text.js";
import { ProgressDisplay } from "../output/progress-display.js";
import { closeAndTell, inSession } from "../program/in-session.js";
import type { Invocation } from "../program/invocation.js";
import { openCliSession } from "../program/open-cli-session.js";
import { readCopySide, showCopySide, type CopySide } from "./copy-side.js";
import type { ChangeOptions } from "./file-options.js";
import { transfer } from "./transfer.js";

export interface CopyOptions extends ChangeOptions {
  readonly parents?: true;
  readonly overwrite: boolean;
  readonly exclude?: readonly string[];
  readonly skipOutsideLinks?: true;
  readonly verify?: true;
}

/** Copies between the host, sandboxes, and the standard streams. */
export async function copyFiles(
  invocation: Invocation,
  fromWord: string,
  toWord: string,
  options: CopyOptions,
): Promise<number> {
  const [from, to] = [readCopySide(fromWord), readCopySide(toWord)];
  requireOneSandbox(from, to);
  requireReadable(invocation, from, to, options);
  await requireSessions(from, to);
  const first = from.kind === "sandbox" ? from : to;
  return inSession(invocation, choiceOf(first, options), async (session, { signal }) => {
    const other = await openOther(invocation, from, to, options, session, signal);
    const display = makeDisplay(invocation, options, to);
    try {
      const transferOptions: TransferOptions = {
        overwrite: options.overwrite,
        exclude: options.exclude,
        verify: options.verify,
        outsideLinks: options.skipOutsideLinks ? "skip" : "refuse",
        createParents: options.parents,
        allowSensitive: options.allowSensitive,
        onProgress: ({ current, ...state }) => {
          display.show({ ...state, path: current });
        },
        signal,
      };
      const result = await transfer(
        invocation,
        { from, to, session, other: other ?? session },
        transferOptions,
      );
      display.end();
      await report(invocation, result, from, to, options, display.elapsedMs);
      return success;
    } finally {
      display.end();
      if (other !== undefined && other !== session) await closeAndTell(other, invocation.messages);
    }
  });
}

function requireOneSandbox(from: CopySide, to: CopySide): void {
  if (from.kind === "sandbox" || to.kind === "sandbox") return;
  throw new InvalidArgumentError("path", "neither side of the copy is in a sandbox", {
    operation: "files.cp",
    hint: "name one: talaria files cp FILE sandbox:PATH, or SESSION:PATH",
  });
}

/** A terminal is no file: nobody sees that it is waited for, and bytes would act on it. */
function requireReadable(
  { stdin, stdoutIsTty }: Invocation,
  from: CopySide,
  to: CopySide,
  { json }: CopyOptions,
): void {
  const [argument, why] =
    from.kind === "stream" && stdin.isTTY
      ? ["stdin", "the file is read from stdin, which is a terminal"]
      : to.kind === "stream" && stdoutIsTty
        ? ["stdout", "the file goes to stdout, which is a terminal"]
        : to.kind === "stream" && json
          ? ["json", "the file goes to stdout, where the document would be"]
          : [undefined, ""];
  if (argument === undefined) return;
  throw new InvalidArgumentError(argument, why, {
    operation: "files.cp",
    hint: "redirect it, or name a file; to look at one: talaria files read PATH",
  });
}

/** A name with a slip of the finger would be a new session, and the copy would go nowhere near what was meant. */
async function requireSessions(...sides: readonly CopySide[]): Promise<void> {
  const names = sides.flatMap((side) => (side.kind === "sandbox" ? (side.session ?? []) : []));
  if (names.length === 0) return;
  const kept = await namedSessions(talariaHomePath());
  const unknown = names.find((name) => !kept.includes(name));
  if (unknown === undefined) return;
  throw new InvalidArgumentError("session", `no session is called "${unknown}"`, {
    operation: "files.cp",
    hint: `the sessions there are: ${kept.join(", ") || "none"}. For a new one: --session ${unknown} and sandbox:PATH; for a file with a colon in its name: ./${unknown}:…`,
  });
}

function choiceOf(side: CopySide, { backend, session }: CopyOptions): { backend?: string; session?: string } {
  const name = side.kind === "sandbox" ? (side.session ?? session) : session;
  return { ...(backend === undefined ? {} : { backend }), ...(name === undefined ? {} : { session: name }) };
}

/** The session of the other side, when both are in sandboxes and not in the same one. */
async function openOther(
  invocation: Invocation,
  from: CopySide,
  to: CopySide,
  options: CopyOptions,
  session: TerminalSession,
  signal: AbortSignal,
): Promise<TerminalSession | undefined> {
  if (from.kind !== "sandbox" || to.kind !== "sandbox") return undefined;
  const choice = choiceOf(to, options);
  if (choice.session === choiceOf(from, options).session) return session;
  return openCliSession(invocation, { ...choice, signal });
}

function makeDisplay({ stderr, messages }: Invocation, { json }: CopyOptions, to: CopySide): ProgressDisplay {
  const isQuiet = json === true || messages.verbosity === "quiet";
  // A file on its way through stdout to another program's screen is no place for a bar.
  const isBar = process.stderr.isTTY && (to.kind !== "stream" || !process.stdout.isTTY);
  return new ProgressDisplay({
    writer: stderr,
    form: isQuiet ? "none" : isBar ? "bar" : "lines",
    columns: process.stderr.columns || 80,
  });
}

async function report(
  { stdout, messages }: Invocation,
  result: TransferResult,
  from: CopySide,
  to: CopySide,
  { json }: CopyOptions,
  elapsedMs: number,
): Promise<void> {
  const { path, skipped, notes, ...facts } = result;
  if (json) {
    const members = { ...pathMember("path", path), ...facts, notes };
    const left = skipped.map(({ path: name, reason }) => ({ ...pathMember("path", name), reason }));
    await stdout.write(
      formatDocument({ from: showCopySide(from), to: showCopySide(to), ...members, skipped: left }),
    );
    return;
  }
  const files = facts.kind === "file" ? "" : `${facts.files.toLocaleString("en-US")} files, `;
  const rate =
    elapsedMs < 1_000
      ? ""
      : ` in ${formatSpan(elapsedMs)}, ${formatBytes(Math.round((facts.bytes * 1_000) / elapsedMs))}/s`;
  messages.note(`copied ${files}${formatBytes(facts.bytes)} to ${visiblePath(path)}${rate}`);
  for (const note of notes) messages.note(note);
}
