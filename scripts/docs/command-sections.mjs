// @ts-check

/**
 * What a page says about one command.
 *
 * @typedef {object} CommandSection
 * @property {string} command `config get`
 * @property {ReadonlySet<string>} options as they are written, without quotes: `-b`, `--backend <backend>`
 */

/**
 * The sections whose heading names a command, each up to the next heading.
 *
 * @param {string} prose
 * @returns {readonly CommandSection[]}
 */
export function commandSections(prose) {
  return prose.split(/^#+ /m).flatMap((section) => {
    const [, command] = /^talaria ([a-z ]+)\n/.exec(section) ?? [];
    return command === undefined ? [] : [{ command, options: quotedOptions(section) }];
  });
}

/** @param {string} text */
function quotedOptions(text) {
  return new Set([...text.matchAll(/`(--?[A-Za-z][^`]*)`/g)].map(([, option = ""]) => option));
}

/**
 * The options and subcommands that a `--help` lists.
 *
 * @param {string} help
 */
export function readHelp(help) {
  const part = (/** @type {string} */ title) =>
    new RegExp(`^${title}:\\n((?: .*\\n?)*)`, "m").exec(help)?.[1]?.split("\n") ?? [];
  const options = part("Options")
    .map((line) => /^ {2}(-.*?)(?: {2,}|$)/.exec(line)?.[1])
    .flatMap((flags) => flags?.split(", ") ?? []);
  const commands = part("Commands").flatMap((line) => /^ {2}([a-z]+)/.exec(line)?.[1] ?? []);
  const universal = new Set(["-h", "--help", "-V", "--version"]);
  return {
    options: options.filter((option) => !universal.has(option)),
    commands: commands.filter((name) => name !== "help"),
  };
}

/**
 * The calls of the command in a page: behind a prompt, in a block or in quotes, and not the word in a sentence.
 *
 * @param {string} text
 */
export function calledCommands(text) {
  return [...text.matchAll(/(?:^(?: {4}|\$ )|`|\(|\| )(?:\.\/)?talaria( [^`\n]*)/gm)].map(([, rest = ""]) => {
    const [own = ""] = rest.split(/ -- | --$|#|\)/);
    const [, words = ""] = /^((?: [a-z]+){0,2})(?= |$)/.exec(own) ?? [];
    return { words: words.trim().split(" "), options: own.match(/--[a-z][a-z-]*/g) ?? [] };
  });
}
