import { marks } from "./marks.js";
import { wrappers, type WrapperShape } from "./wrapper-table.js";

/** What a wrapper runs. */
export interface Unwrapped {
  /** The command's words; empty when it runs none. */
  readonly words: readonly string[];
  /** Shell text, in the place of words. */
  readonly script?: string | undefined;
  readonly assignments: readonly (readonly [name: string, value: string])[];
  readonly place?: "remote" | "contained" | undefined;
  /** The directory it is started in, where the wrapper names one. */
  readonly cwd?: string | undefined;
}

const nothing: Unwrapped = { words: [], assignments: [] };

/** Sees through a wrapper. Undefined when the program is none. */
export function unwrap(name: string, words: readonly string[]): Unwrapped | undefined {
  const shape = wrappers.get(name);
  if (shape === undefined) return undefined;
  const start = afterVerb(words, shape);
  if (start === undefined) return undefined;
  return readWords(words, start, shape, name);
}

/** Behind `run` of `uv run`. Options may stand between: `docker --context x exec`. */
function afterVerb(words: readonly string[], { verbs }: WrapperShape): number | undefined {
  if (verbs === undefined) return 1;
  for (let at = 1; at < Math.min(words.length, 6); at += 1) {
    const word = words[at] ?? "";
    if (verbs.includes(word)) return at + 1;
    if (verbs.includes(`${word} ${words[at + 1] ?? ""}`)) return at + 2;
  }
  return undefined;
}

function readWords(
  words: readonly string[],
  start: number,
  shape: WrapperShape,
  name: string,
): Unwrapped | undefined {
  const assignments: (readonly [string, string])[] = [];
  let positionals = shape.positionals ?? 0;
  let script: string | undefined;
  let cwd: string | undefined;
  let at = start;
  for (; at < words.length; at += 1) {
    const word = words[at] ?? "";
    if (word === "--") {
      if (positionals > 0 && positionals < 99) continue;
      at += 1;
      break;
    }
    if (shape.query?.test(word) === true) return nothing;
    if (word.startsWith("-") && word.length > 1) {
      const option = readOption(word, words[at + 1], shape);
      if (option.isScript) script = option.value;
      if (name === "env" && option.name === "C") cwd = option.value;
      if (name === "env" && (option.name === "S" || option.name === "split-string")) {
        const rest = words.slice(at + (option.takesNext ? 2 : 1));
        return { words: [], script: [option.value ?? "", ...rest].join(" "), assignments };
      }
      if (option.takesNext) at += 1;
      continue;
    }
    const pair = shape.takesAssignments === true ? /^([A-Za-z_]\w*)=([\s\S]*)$/u.exec(word) : null;
    if (pair !== null) {
      assignments.push([pair[1] ?? "", pair[2] ?? ""]);
      continue;
    }
    if (positionals === 0) break;
    positionals -= 1;
  }
  if (script !== undefined) return { words: [], script, assignments, place: shape.place };
  const rest = words.slice(at);
  if (shape.joins === true && rest.length > 0) {
    return { words: [], script: rest.join(" "), assignments, place: shape.place };
  }
  return { words: rest, assignments, place: shape.place, cwd };
}

interface ReadOption {
  readonly name: string;
  readonly value?: string | undefined;
  readonly takesNext: boolean;
  readonly isScript: boolean;
}

function readOption(word: string, next: string | undefined, shape: WrapperShape): ReadOption {
  if (word.startsWith("--")) {
    const equals = word.indexOf("=");
    const name = equals < 0 ? word.slice(2) : word.slice(2, equals);
    const isScript = shape.script !== undefined && (name === "command" || name === "call");
    if (equals >= 0) return { name, value: word.slice(equals + 1), takesNext: false, isScript };
    const takesNext =
      isScript ||
      name === "split-string" ||
      shape.valuedLong?.includes(name) === true ||
      (shape.flags !== undefined && !shape.flags.test(word));
    return { name, value: takesNext ? next : undefined, takesNext, isScript };
  }
  if (shape.flags !== undefined) {
    return { name: word, takesNext: !shape.flags.test(word) && word.length === 2, isScript: false };
  }
  for (let at = 1; at < word.length; at += 1) {
    const letter = word.charAt(at);
    const isScript = letter === shape.script;
    const isSplit = letter === "S" && shape.takesAssignments === true && shape.valued === "uC";
    if (!isScript && !isSplit && shape.valued?.includes(letter) !== true) continue;
    const attached = word.slice(at + 1);
    return attached === ""
      ? { name: letter, value: next ?? marks.unknown, takesNext: true, isScript }
      : { name: letter, value: attached, takesNext: false, isScript };
  }
  return { name: word, takesNext: false, isScript: false };
}
