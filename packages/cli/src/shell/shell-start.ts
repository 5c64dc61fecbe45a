import { shellQuote } from "@talaria/core";

/** Shell text that prints the path of a new private file, in which the shell will leave the directory it ends in. */
export const makeCwdFile = `mktemp "\${TMPDIR:-/tmp}/talaria-shell.XXXXXX"`;

/**
 * Words that start an interactive bash as a login to the sandbox would, with the person's own start-up files. With
 * `cwdFile` the shell writes the directory it ends in there, unless those files claim the EXIT trap for themselves.
 */
export function shellWords(cwdFile: string | undefined): readonly string[] {
  if (cwdFile === undefined) return ["bash", "-i"];
  const leaveCwd = `printf %s "$PWD" > ${shellQuote(cwdFile)}`;
  const startup = [
    "if [ -r /etc/bash.bashrc ]; then . /etc/bash.bashrc; fi",
    "if [ -r ~/.bashrc ]; then . ~/.bashrc; fi",
    `if [ -z "$(trap -p EXIT)" ]; then trap ${shellQuote(leaveCwd)} EXIT; fi`,
    "",
  ].join("\n");
  return ["bash", "-c", 'exec bash --rcfile <(printf %s "$1") -i', "talaria-shell", startup];
}

/** Shell text that takes a session to the directory left in `cwdFile`, and removes the file. Fails where it is empty. */
export function followCwdFile(cwdFile: string): string {
  const file = shellQuote(cwdFile);
  // The x keeps newlines at the end of a directory's name, which $(…) would drop.
  return `left=$(cat -- ${file} && printf x); rm -f -- ${file}; [ "$left" != x ] && cd -- "\${left%x}"`;
}
