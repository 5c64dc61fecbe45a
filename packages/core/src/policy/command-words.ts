import type { FoundCommand } from "./found-command.js";

/** Whether a command has an option: a letter, alone or among others, or a long name (its beginning is enough for `=`). */
export function hasOption(command: FoundCommand, letters: string, ...long: readonly string[]): boolean {
  const { words } = command;
  for (let at = 1; at < words.length; at += 1) {
    const word = words[at] ?? "";
    if (word === "--") return false;
    if (word.startsWith("--")) {
      const equals = word.indexOf("=");
      const name = equals < 0 ? word.slice(2) : word.slice(2, equals);
      // GNU programs take a beginning of the name for the name.
      if (long.some((one) => one === name || (name.length > 2 && one.startsWith(name)))) return true;
    } else if (word.startsWith("-") && word.length > 1) {
      for (const letter of letters) if (word.includes(letter)) return true;
    }
  }
  return false;
}

/** The words that are no options. `valued`: short options whose value is the next word. */
export function operandsOf(command: FoundCommand, valued = ""): readonly string[] {
  const { words } = command;
  const operands: string[] = [];
  let isRest = false;
  for (let at = 1; at < words.length; at += 1) {
    const word = words[at] ?? "";
    if (isRest || word === "-" || !word.startsWith("-")) operands.push(word);
    else if (word === "--") isRest = true;
    else if (valued !== "" && word.length === 2 && valued.includes(word.charAt(1))) at += 1;
  }
  return operands;
}

/** The value of an option: `-o x`, `-ox`, `--output x`, `--output=x`. */
export function optionValue(command: FoundCommand, letter: string, long: string): string | undefined {
  const { words } = command;
  for (let at = 1; at < words.length; at += 1) {
    const word = words[at] ?? "";
    if (word === `--${long}`) return words[at + 1];
    if (word.startsWith(`--${long}=`)) return word.slice(long.length + 3);
    if (!/^-[A-Za-z]/u.test(word)) continue;
    const found = word.indexOf(letter);
    if (found < 1) continue;
    return found === word.length - 1 ? words[at + 1] : word.slice(found + 1);
  }
  return undefined;
}

/** The first words that are no options: a program's verbs. */
export function verbsOf(command: FoundCommand, valued = ""): string {
  return operandsOf(command, valued).slice(0, 4).join(" ");
}
