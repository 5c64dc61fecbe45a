import { readShellWord } from "./shell-word.js";

/** A function as bash prints it. */
export interface ShellFunction {
  readonly body: string;
  readonly exported: boolean;
}

/** What one subshell carried at its end. One byte per character (latin1). */
export interface StateDump {
  /** `set -o` options that are on. */
  readonly options: ReadonlySet<string>;
  /** `shopt` options that are on. */
  readonly shopt: ReadonlySet<string>;
  readonly cwd: string;
  readonly oldCwd: string;
  /** The directory the command really started in, when it was not the one asked for. */
  readonly adjustedStart: string;
  readonly umask: string;
  readonly aliases: ReadonlyMap<string, string>;
  readonly env: ReadonlyMap<string, string>;
  /** Absent when the dump was asked for without functions. */
  readonly functions: ReadonlyMap<string, ShellFunction> | undefined;
}

/** Not carried: what the shell sets by itself, and what would hurt the next command (SPEC 3.11). */
const droppedOptions = new Set(
  "errexit nounset noexec xtrace verbose monitor posix onecmd privileged interactive-comments".split(" "),
);
const droppedShopt = new Set(["login_shell", "restricted_shell", "interactive_comments"]);
const droppedNames = new Set(["PWD", "OLDPWD", "SHLVL", "_", "TALARIA_CHANNEL", "POSIXLY_CORRECT"]);

function optionSet(line: string, dropped: ReadonlySet<string>): Set<string> {
  return new Set(line.split(":").filter((name) => name !== "" && !dropped.has(name)));
}

/** Ends a dump that is whole. bash writes line by line: a leftover process may print between the lines of an answer. */
export const wholeMark = "\u001e.\n";

/** Parses what the driver's dump prints. */
export function parseStateDump(dumped: string): StateDump {
  const text = dumped.endsWith(wholeMark) ? dumped.slice(0, -wholeMark.length) : dumped;
  let at = 0;
  const line = (): string => {
    const end = text.indexOf("\n", at);
    const value = text.slice(at, end < 0 ? text.length : end);
    at = end < 0 ? text.length : end + 1;
    return value;
  };
  const options = optionSet(line(), droppedOptions);
  const shopt = optionSet(line(), droppedShopt);
  const cwd = readShellWord(line(), 0).value;
  const oldCwd = readShellWord(line(), 0).value;
  const adjustedStart = readShellWord(line(), 0).value;
  const posixlyCorrect = readShellWord(line(), 0).value;
  const umask = line();
  line();
  const aliases = new Map<string, string>();
  at = readAssignments(text, at, ["alias "], (name, value) => aliases.set(name, value));
  const env = new Map<string, string>();
  // POSIX mode, where the end could not leave it, says `export`.
  at = readAssignments(text, at, ["declare ", "export "], (name, value) => {
    if (!droppedNames.has(name) && !name.startsWith("__tl_")) env.set(name, value);
  });
  // The dump itself has to unset this one. `y` is what `set -o posix` makes of it, an option that is not carried.
  if (posixlyCorrect !== "" && posixlyCorrect !== "y") env.set("POSIXLY_CORRECT", posixlyCorrect);
  const functions = at < text.length ? parseFunctions(text.slice(at)) : undefined;
  return { options, shopt, cwd, oldCwd, adjustedStart, umask, aliases, env, functions };
}

/** Reads statements up to the next section mark. Returns the start of the section after it. */
function readAssignments(
  text: string,
  from: number,
  commands: readonly string[],
  take: (name: string, value: string) => void,
): number {
  let at = from;
  while (at < text.length) {
    if (text.startsWith("\u001e", at)) return at + 2;
    const start = at;
    const command = commands.find((word) => text.startsWith(word, start));
    if (command === undefined) {
      const end = text.indexOf("\n", at);
      at = end < 0 ? text.length : end + 1;
      continue;
    }
    at += command.length;
    let attributes = "";
    if (text.startsWith("-", at)) {
      const end = text.indexOf(" ", at);
      attributes = text.slice(at, end);
      at = end + 1;
    }
    const nameEnd = /[=\n]/g;
    nameEnd.lastIndex = at;
    const stop = nameEnd.exec(text)?.index ?? text.length;
    const name = text.slice(at, stop);
    if (text.charAt(stop) !== "=") {
      at = stop + 1;
      continue;
    }
    const word = readShellWord(text, stop + 1);
    at = word.end + 1;
    // Arrays cannot be passed on to a process, whatever their attributes say.
    if (!/[aA]/.test(attributes)) take(name, word.value);
  }
  return at;
}

/** Splits `declare -F` and `declare -f`, which list the same functions in the same order. */
function parseFunctions(text: string): Map<string, ShellFunction> {
  const functions = new Map<string, ShellFunction>();
  const mark = text.indexOf("\u001e");
  const listed = text.slice(0, mark < 0 ? text.length : mark).split("\n");
  const bodies = mark < 0 ? "" : text.slice(mark + 2);
  let at = 0;
  const names = listed.flatMap((entry) => {
    const match = /^declare -(\S+) (.*)$/.exec(entry);
    return match === null ? [] : [{ attributes: match[1] ?? "", name: match[2] ?? "" }];
  });
  names.forEach(({ attributes, name }, index) => {
    const next = names[index + 1];
    const end = next === undefined ? -1 : bodies.indexOf(`\n${next.name} () \n`, at);
    const body = bodies.slice(at, end < 0 ? bodies.length : end);
    at = end < 0 ? bodies.length : end + 1;
    functions.set(name, { body: body.replace(/\n$/, ""), exported: attributes.includes("x") });
  });
  return functions;
}
