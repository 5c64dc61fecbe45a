import { hasOption, operandsOf, optionValue } from "./command-words.js";
import type { FoundCommand } from "./found-command.js";

/** The paths that a command writes to, replaces or changes in place. */
export function writtenPaths(command: FoundCommand): readonly string[] {
  const { redirects } = command;
  const programs = byProgram(command);
  if (redirects.length === 0) return programs;
  const targets = redirects
    .filter(({ operator, target }) => operator !== "<" && operator !== "<&" && !/^(?:\d+|-)$/u.test(target))
    .map(({ target }) => target);
  return [...targets, ...programs];
}

const none: readonly string[] = [];

function byProgram(command: FoundCommand): readonly string[] {
  const { name, words } = command;
  switch (name) {
    case "tee":
    case "truncate":
    case "sponge":
      return operandsOf(command, "sr");
    case "cp":
    case "mv":
    case "install":
    case "ln":
    case "rsync":
    case "gcp":
      return destination(command);
    case "scp":
      return destination(command).filter((path) => !path.includes(":"));
    case "dd":
      return words.flatMap((word) => (word.startsWith("of=") ? [word.slice(3)] : []));
    case "sed":
    case "gsed":
    case "perl":
      return hasOption(command, "i", "in-place")
        ? operandsOf(command, "ef").slice(editsBehind(command))
        : none;
    case "sort":
      return given(optionValue(command, "o", "output"));
    case "curl":
      return given(optionValue(command, "o", "output"));
    case "wget":
      return given(optionValue(command, "O", "output-document"));
    case "tar":
    case "bsdtar":
      return hasOption(command, "x", "extract") || /^[a-z]*x/u.test(words[1] ?? "")
        ? given(optionValue(command, "C", "directory"))
        : none;
    case "unzip":
      return given(optionValue(command, "d", "directory"));
    case "patch":
      return operandsOf(command, "pidDro").slice(0, 1);
    default:
      return none;
  }
}

/** `sed -i s/a/b/ file`: the script is no file, unless it came by an option. */
function editsBehind(command: FoundCommand): number {
  return command.words.some((word) => /^-[a-zA-Z]*[ef]$|^--(?:expression|file)/u.test(word)) ? 0 : 1;
}

function destination(command: FoundCommand): readonly string[] {
  if (command.name === "install" && hasOption(command, "d", "directory")) return operandsOf(command, "mog");
  const target = /^(?:cp|mv|ln|install)$/u.test(command.name)
    ? optionValue(command, "t", "target-directory")
    : undefined;
  if (target !== undefined) return [target];
  const operands = operandsOf(command, command.name === "install" ? "mogS" : "eS");
  return operands.length > 1 ? operands.slice(-1) : none;
}

function given(value: string | undefined): readonly string[] {
  return value === undefined || value === "-" ? none : [value];
}
