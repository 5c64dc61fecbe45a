import { assign } from "../file-path.js";
import { enterText } from "./receive-file-script.js";
import type { SandboxTarget } from "./sandbox-place.js";
import { transferScript, type TransferScript } from "./transfer-script.js";

/** What stands in front of every name of a tree's archive on its way into a sandbox. */
export const treePrefix = "tree/";
/** The last member of such an archive. Without it the archive was cut off, maybe between two members. */
export const endMember = "end";

/** Whatever its modes are, it goes. */
const removeText = 'gone() { chmod -R u+rwx "./$s" 2>/dev/null; rm -rf "./$s"; say "$@"; exit 1; }';

const eachText =
  'for e in "$1"/* "$1"/.[!.]* "$1"/..?*; do [ -e "$e" ] || [ -L "$e" ] || continue; t=$2/${e##*/}';
const isDirectory = (word: string): string => `[ -d "$${word}" ] && [ ! -L "$${word}" ]`;
/** What was read-only in the archive is ours until it has been moved. */
const openText = '{ [ -r "$e" ] && [ -w "$e" ] && [ -x "$e" ]; } || chmod u+rwx "$e" || gone failed';

/** Looks at everything before anything is moved, so that a conflict changes nothing. */
function checkText(overwrite: boolean): string {
  return [
    'clash() { printf \'%s\\n\' "${t#./}" >&2; gone clash "$1"; }',
    `check() { ${eachText}`,
    '[ -e "$t" ] || [ -L "$t" ] || continue',
    `if ${isDirectory("e")}; then`,
    '[ ! -L "$t" ] || clash link; [ -d "$t" ] || clash file',
    `${openText}; check "$e" "$t"`,
    `elif ${isDirectory("t")}; then clash directory`,
    ...(overwrite ? [] : ["else clash exists"]),
    "fi; done; }",
  ].join("\n");
}

/** Entries are moved one by one, files of one directory at once: a program for each would take a millisecond each. */
const moveText = [
  `merge() { ${eachText}`,
  `${isDirectory("e")} || continue`,
  `if ${isDirectory("t")}; then merge "$e" "$t"`,
  'else l=; [ -w "$e" ] || { l=1; chmod u+w "$e" || gone failed; }',
  'mv -f "$e" "$t" || gone failed; [ -z "$l" ] || chmod u-w "$t"; fi; done',
  `find "$1/." ! -name . -prune ! -type d -exec sh -c 'd=$0; mv -f "$@" "$d/"' "$2" {} + || gone failed; }`,
].join("\n");

/**
 * Takes a tree from standard input: its archive is extracted into a private directory beside the target (in it, where it
 * exists), and moved into place when it is whole.
 */
export function receiveTreeScript(target: SandboxTarget, stage: string, overwrite: boolean): TransferScript {
  const isMerge = target.state === "merge";
  return transferScript(
    [
      enterText(isMerge ? target.path : target.directory),
      `${assign("b", target.name)}; s=${stage}`,
      removeText,
      "trap 'gone ended' HUP INT TERM",
      "command -v tar >/dev/null 2>&1 || { say no-tar; exit 1; }",
      'umask 077; mkdir "./$s" || { say failed; exit 1; }',
      '( cd "./$s" && umask 0 && exec tar -xof - ) || gone failed',
      `[ -f "./$s/${endMember}" ] || gone short`,
      ...(isMerge
        ? [checkText(overwrite), moveText, 'check "./$s/tree" .', 'merge "./$s/tree" .']
        : [
            '[ ! -e "./$b" ] && [ ! -L "./$b" ] || gone exists',
            'l=; [ -w "./$s/tree" ] || { l=1; chmod u+w "./$s/tree" || gone failed; }',
            'mv "./$s/tree" "./$b" || gone failed; [ -z "$l" ] || chmod u-w "./$b"',
          ]),
      'chmod -R u+rwx "./$s" 2>/dev/null; rm -rf "./$s"; say done',
    ].join("\n"),
  );
}

/** Removes what a script that was killed could not. */
export function removeStageText(directory: string, stage: string): string {
  return `${assign("d", directory)}; cd -P -- "$d" || exit 0; [ -e "./${stage}" ] || exit 0; chmod -R u+rwx "./${stage}"; rm -rf "./${stage}"`;
}
