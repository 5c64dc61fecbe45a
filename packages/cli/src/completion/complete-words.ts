import type { Command, Option } from "commander";

/** One thing that could stand at the cursor. */
export interface Candidate {
  readonly value: string;
  readonly description: string;
}

/**
 * Names that are known only at run time, by what a placeholder is called: `<backend>`, `<session>`, `<key>`. `given` is
 * what an option before the cursor says: the names of jobs depend on the session.
 */
export type NameSource = (
  placeholder: string,
  given: (option: string) => string | undefined,
) => Promise<readonly Candidate[]>;

/** A source that knows what stands before the cursor. */
type NameNow = (placeholder: string) => Promise<readonly Candidate[]>;

/** What the shell's own completion of files serves: words of a command, and sides of a copy that are on the host. */
const filePlaceholders: ReadonlySet<string> = new Set(["command", "dir", "from", "to"]);

export interface Completion {
  readonly candidates: readonly Candidate[];
  /** True where the shell's own file completion is the right answer. */
  readonly files: boolean;
}

/**
 * What could stand in place of the last of `words` (which may be empty), the words before it given. bash splits
 * `--option=value` into three words, the others leave it whole; both are understood.
 */
export async function completeWords(
  program: Command,
  words: readonly string[],
  names: NameSource,
): Promise<Completion> {
  const before = words.slice(0, -1);
  const last = words.at(-1) ?? "";
  const given = new Map<string, string>();
  const namesHere: NameNow = (placeholder) => names(placeholder, (option) => given.get(option));
  let command = program;
  let positionals = 0;
  let pending: Option | undefined;
  for (const word of before) {
    if (pending !== undefined) {
      if (word === "=") continue;
      given.set(pending.attributeName(), word);
      pending = undefined;
      continue;
    }
    if (word === "--") return { candidates: [], files: true };
    if (word.startsWith("-")) {
      const [, flag, value] = /^(--[^=]+)=(.*)$/s.exec(word) ?? [];
      if (flag === undefined || value === undefined) pending = findOption(command, word);
      else given.set(findOption(command, flag)?.attributeName() ?? flag, value);
      continue;
    }
    const child = positionals === 0 ? command.commands.find((entry) => entry.name() === word) : undefined;
    if (child === undefined) positionals += 1;
    else command = child;
  }

  if (pending !== undefined) {
    const typed = last === "=" ? "" : last;
    return matching(await valuesOf(placeholderOf(pending), pending.argChoices, namesHere), typed);
  }
  const assigned = /^(--[^=]+)=(.*)$/s.exec(last);
  if (assigned !== null) {
    const [, flag = "", typed = ""] = assigned;
    const option = findOption(command, flag);
    if (option === undefined) return { candidates: [], files: false };
    const { candidates, files } = matching(
      await valuesOf(placeholderOf(option), option.argChoices, namesHere),
      typed,
    );
    return { candidates: candidates.map((entry) => ({ ...entry, value: `${flag}=${entry.value}` })), files };
  }
  if (last.startsWith("-")) return matching(optionsOf(command), last);
  if (command.commands.length > 0 && positionals === 0) return matching(childrenOf(command), last);
  const declared = command.registeredArguments;
  const argument = declared[Math.min(positionals, declared.length - 1)];
  if (argument === undefined || (positionals >= declared.length && !argument.variadic)) {
    return { candidates: [], files: false };
  }
  return matching(await valuesOf(argument.name(), argument.argChoices, namesHere), last);
}

/** The option a word names, if it takes a value that is not in the word itself. */
function findOption(command: Command, word: string): Option | undefined {
  return command.options.find(
    (option) => (option.long === word || option.short === word) && (option.required || option.optional),
  );
}

function placeholderOf(option: Option): string {
  return /[<[]([^>\]]+)[>\]]/.exec(option.flags)?.[1] ?? "";
}

async function valuesOf(
  placeholder: string,
  choices: readonly string[] | undefined,
  names: NameNow,
): Promise<readonly Candidate[] | "files"> {
  if (choices !== undefined) return choices.map((value) => ({ value, description: "" }));
  if (filePlaceholders.has(placeholder)) return "files";
  return names(placeholder);
}

function optionsOf(command: Command): Candidate[] {
  return command.options
    .filter((option) => !option.hidden)
    .map((option) => ({ value: option.long ?? option.short ?? "", description: option.description }));
}

function childrenOf(command: Command): Candidate[] {
  return command
    .createHelp()
    .visibleCommands(command)
    .map((child) => ({ value: child.name(), description: child.summary() }));
}

function matching(values: readonly Candidate[] | "files", typed: string): Completion {
  return values === "files"
    ? { candidates: [], files: true }
    : { candidates: values.filter(({ value }) => value.startsWith(typed)), files: false };
}
