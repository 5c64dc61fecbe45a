import { findTargets } from "./known-output.js";
import { escapedCommands } from "./escaped-commands.js";
import { marks } from "./marks.js";

/**
 * The commands that a program runs once for each of many items, by their words, or as shell text; `find -delete` counts
 * as what it does. Undefined when the program is none of these.
 */
export function itemCommands(
  name: string,
  words: readonly string[],
  input: string | undefined,
): readonly (readonly string[] | string)[] | undefined {
  switch (name) {
    case "find":
      return findCommands(words);
    case "xargs":
      return xargsCommands(words, input);
    case "parallel":
      return parallelCommands(words, input);
    case "fd":
    case "fdfind":
      return fdCommands(words);
    case "git":
      return gitCommands(words);
    case "tar":
    case "bsdtar":
      return optionTexts(words, /^--(?:checkpoint-action=exec|to-command|use-compress-program)=(.*)$/su);
    case "rsync":
      return rsyncCommands(words);
    default:
      return escapedCommands(name, words, input);
  }
}

function findCommands(words: readonly string[]): readonly (readonly string[])[] | undefined {
  const targets = findTargets(words);
  const commands: (readonly string[])[] = [];
  for (let at = 1; at < words.length; at += 1) {
    const word = words[at] ?? "";
    if (word === "-delete") commands.push(["rm", "-rf", ...targets]);
    if (!/^-(?:exec|execdir|ok|okdir)$/u.test(word)) continue;
    const rest = words.slice(at + 1);
    const end = rest.findIndex((one) => one === ";" || one === "+");
    const command = end < 0 ? rest : rest.slice(0, end);
    commands.push(command.flatMap((one) => filled(one, "{}", targets)));
    at += command.length;
  }
  return commands.length === 0 ? undefined : commands;
}

function filled(word: string, placeholder: string, values: readonly string[]): readonly string[] {
  return word.includes(placeholder)
    ? values.map((value) => word.replaceAll(placeholder, () => value))
    : [word];
}

function itemsOf(input: string | undefined): readonly string[] {
  const items = (input ?? marks.unknown).split(/[\s\0]+/u).filter((item) => item !== "");
  return items.length === 0 ? [marks.unknown] : items.slice(0, 64);
}

function xargsCommands(words: readonly string[], input: string | undefined): readonly (readonly string[])[] {
  let placeholder: string | undefined;
  let at = 1;
  for (; at < words.length; at += 1) {
    const word = words[at] ?? "";
    if (word === "--") {
      at += 1;
      break;
    }
    if (!word.startsWith("-")) break;
    const replace = /^(?:-[Ii]|-[a-zA-Z0-9]*I|--replace=?)(.*)$/u.exec(word);
    if (replace !== null) {
      placeholder = replace[1] === "" ? (word.startsWith("-I") ? (words[at + 1] ?? "{}") : "{}") : replace[1];
      if (word === "-I") at += 1;
    } else if (
      /^-[nPLsdaE]$|^--(?:max-args|max-procs|max-lines|delimiter|arg-file|max-chars|eof)$/u.test(word)
    )
      at += 1;
  }
  const command = words.slice(at);
  if (command.length === 0) return [];
  const items = itemsOf(input);
  const mark = placeholder;
  return mark === undefined
    ? [[...command, ...items]]
    : [command.flatMap((word) => filled(word, mark, items))];
}

function parallelCommands(words: readonly string[], input: string | undefined): readonly string[] {
  let at = 1;
  for (; at < words.length; at += 1) {
    const word = words[at] ?? "";
    if (!word.startsWith("-")) break;
    if (/^-[jNnLSIda]$|^--(?:jobs|joblog|results|delay|timeout|retries|colsep|tmpdir|workdir)$/u.test(word))
      at += 1;
  }
  const rest = words.slice(at);
  const list = rest.findIndex((word) => /^:::[:+]*$/u.test(word));
  const command = (list < 0 ? rest : rest.slice(0, list)).join(" ");
  const items = list < 0 ? itemsOf(input) : rest.slice(list + 1).filter((word) => !word.startsWith(":::"));
  if (command === "") return items;
  const placeholder = /\{[#%./]*\}/u;
  return items.map((item) =>
    placeholder.test(command) ? command.replace(/\{[#%./]*\}/gu, () => item) : `${command} ${item}`,
  );
}

function fdCommands(words: readonly string[]): readonly (readonly string[])[] | undefined {
  const at = words.findIndex((word) => /^(?:-[xX]|--exec|--exec-batch)$/u.test(word));
  if (at < 0) return undefined;
  const command = words.slice(at + 1).filter((word) => word !== ";");
  const options = words.slice(1, at);
  // The value of an option, a letter as in `-t f`, is no directory.
  const [, root = "."] = options.filter(
    (word, index) => !word.startsWith("-") && !/^-[tedEScj]$/u.test(options[index - 1] ?? ""),
  );
  const item = `${root}/${marks.unknown}`;
  return [
    command.some((word) => word.includes("{"))
      ? command.map((word) => word.replace(/\{\S*\}/u, item))
      : [...command, item],
  ];
}

/** Aliases with `!` and filters run shell text. */
function gitCommands(words: readonly string[]): readonly (readonly string[] | string)[] | undefined {
  const texts = optionTexts(
    words,
    /^(?:alias\.[\w-]+=!|core\.(?:pager|editor|sshcommand|fsmonitor)=|--(?:tree|index|msg|env|commit)-filter=|--upload-pack=)(.*)$/isu,
  );
  const at = words.findIndex((word) => /^(?:--(?:tree|index|msg|env|commit)-filter|--exec|-x)$/u.test(word));
  const alias = words.findIndex((word) => word.startsWith("alias."));
  const bisect = words.indexOf("run");
  const more = [
    ...(at > 0 && words[at + 1] !== undefined ? [words[at + 1] ?? ""] : []),
    ...(alias > 0 && words[alias + 1]?.startsWith("!") === true ? [(words[alias + 1] ?? "").slice(1)] : []),
    ...(words[1] === "bisect" && bisect > 0 ? [words.slice(bisect + 1)] : []),
    ...(words[1] === "submodule" && words[2] === "foreach"
      ? [
          words
            .slice(3)
            .filter((word) => word !== "--recursive")
            .join(" "),
        ]
      : []),
  ];
  return texts === undefined && more.length === 0 ? undefined : [...(texts ?? []), ...more];
}

function rsyncCommands(words: readonly string[]): readonly string[] | undefined {
  const at = words.findIndex((word) => word === "-e" || word === "--rsh");
  return at > 0 && words[at + 1] !== undefined ? [words[at + 1] ?? ""] : optionTexts(words, /^--rsh=(.*)$/su);
}

function optionTexts(words: readonly string[], pattern: RegExp): readonly string[] | undefined {
  const texts = words.flatMap((word) => pattern.exec(word)?.[1] ?? []);
  return texts.length === 0 ? undefined : texts;
}
