import { randomBytes } from "node:crypto";
import { shellQuote } from "../shell/quote.js";
import { changePlan } from "./change-plan.js";
import { checkMode } from "./check-number.js";
import { contentBytes } from "./content-bytes.js";
import { withContent, type ContentFeed } from "./content-feed.js";
import type { FileShell } from "./file-shell.js";
import { fail, resolveText } from "./resolve-script.js";
import { decodeVersion, statIntoZ, statText } from "./stat-text.js";
import type { WriteFileOptions, WrittenFile } from "./write-result.js";
import { writtenFile } from "./written-answer.js";

/** Writes a whole file through a new one beside it: who reads meanwhile sees the old one or the new one. */
export async function writeFile(
  shell: FileShell,
  asked: string,
  content: string | Uint8Array,
  options: WriteFileOptions,
): Promise<WrittenFile> {
  checkMode(options.mode);
  const path = shell.path(asked);
  const call = { operation: "write", path, signal: options.signal };
  const bytes = await contentBytes(shell, asked, content, options);
  const plan = await changePlan(shell, path, {
    followLast: true,
    allowSensitive: options.allowSensitive,
    createParents: options.createParents ?? true,
  });
  const answer = await withContent(shell, bytes, call, (feed) => {
    const script = [
      resolveText(plan),
      `[ ! -d "./$b" ] || ${fail("is_directory")}`,
      `c=; if [ -e "./$b" ] || [ -L "./$b" ]; then`,
      `[ -f "./$b" ] || ${fail("not_regular")}`,
      `[ -w "./$b" ] || ${fail("permission")}`,
      `${statIntoZ} || ${fail("failed")}; set -- \${z%%|*}`,
      "else c=1 z=; fi",
      versionText(options.ifVersion),
      stageText(feed, bytes.length, options.mode),
      modeText(options.mode),
      placeText(options.ifVersion),
      `${statIntoZ} || ${fail("failed")}`,
      `printf '=%s\\0%s\\0%s\\0' "$r" "$c" "$z"; exit 0`,
    ].join("\n");
    const input = feed.stdin === undefined ? {} : { stdin: feed.stdin };
    return shell.inTurn(path.name, () => shell.run(script, { ...call, ...input }));
  });
  return writtenFile(shell, answer, call, bytes.length);
}

/** Ends unless what is there, as `$z` tells it, is the version that was asked for. */
function versionText(ifVersion: string | undefined): string {
  if (ifVersion === undefined) return "";
  const wanted = ifVersion === "absent" ? "''" : shellQuote(decodeVersion(ifVersion));
  return `[ "\${z#*|}" = ${wanted} ] || ${fail("changed")}`;
}

/** Makes the new file under a name of its own, all of it. A call that is given up leaves nothing. */
function stageText({ text, stdin }: ContentFeed, sizeBytes: number, mode: number | undefined): string {
  return [
    `t=.talaria-write-${randomBytes(9).toString("hex")}`,
    "trap 'rm -f \"./$t\"; exit 1' HUP INT TERM",
    // Nobody else reads what is going to have other permissions than any new file.
    // In a shell of its own: what a script sets here would stay for the next one.
    `( ${mode === undefined ? '[ -n "$c" ] || umask 077' : "umask 077"}; set -C; : >"./$t" ) || ${fail("failed")}`,
    `${text} >>"./$t" || ${gone("failed")}`,
    // A shell's own printf says when it could not write all of it; an input may end early.
    ...(stdin === undefined ? [] : [`n=$(wc -c <"./$t") && [ "$n" -eq ${sizeBytes} ] || ${gone("failed")}`]),
  ].join("\n");
}

/** The permission bits asked for, those of the file that was there, or those of any new file. The owner stays if it can. */
function modeText(mode: number | undefined): string {
  const asked = mode === undefined ? undefined : (mode & 0o7777).toString(8);
  return [
    `if [ -n "$c" ]; then ${asked === undefined ? ":" : `chmod ${asked} "./$t" || ${gone("failed")}`}`,
    'else [ -O "./$b" ] && [ -G "./$b" ] || chown "$3:$4" "./$t" 2>/dev/null || chgrp "$4" "./$t" 2>/dev/null || :',
    `chmod ${asked ?? "$((0x$1 >> 9 & 7))$((0x$1 >> 6 & 7))$((0x$1 >> 3 & 7))$((0x$1 & 7))"} "./$t" || ${gone("failed")}; fi`,
  ].join("\n");
}

/** Ends with a failure after the new file was made, which goes. Text, not a function: that would stay in the shell. */
function gone(reason: string): string {
  return `{ rm -f "./$t"; ${fail(reason)}; }`;
}

/**
 * Gives the new file its name, and never moves it into a directory that has taken the name meanwhile. Where `mv` has no
 * `-T` it is looked at afterwards, and taken out of such a directory again.
 */
const replaceText = [
  'mv -fT "./$t" "./$b" 2>/dev/null || {',
  `[ ! -d "./$b" ] || ${gone("is_directory")}`,
  `mv -f "./$t" "./$b" || ${gone("failed")}`,
  `[ ! -d "./$b" ] || { rm -f "./$b/$t"; ${fail("is_directory")}; }; }`,
].join("\n");

/** Puts the new file into its place, if that still is as it has to be. A link of a name that is taken fails by itself. */
function placeText(ifVersion: string | undefined): string {
  if (ifVersion === undefined) return replaceText;
  if (ifVersion === "absent") {
    return [
      // A directory of that name would take the link into it.
      `[ ! -d "./$b" ] || ${gone("changed")}`,
      'if ln "./$t" "./$b" 2>/dev/null; then rm -f "./$t"',
      `else [ ! -e "./$b" ] && [ ! -L "./$b" ] || ${gone("changed")}`,
      `${replaceText}; fi`,
    ].join("\n");
  }
  const now = `$(${statText('"./$b"', true)} 2>/dev/null)`;
  return `q=${now}; [ "\${q#*|}" = ${shellQuote(decodeVersion(ifVersion))} ] || ${gone("changed")}\n${replaceText}`;
}
