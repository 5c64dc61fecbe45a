import { InvalidArgumentError } from "../errors/errors.js";

const maxAlternatives = 100;

/**
 * Writes out the alternatives of a glob, `{a,b}`, also one in another. As in a shell, braces without a comma stand for
 * themselves. Throws InvalidArgumentError when there are too many.
 */
export function expandBraces(argument: string, glob: string): readonly string[] {
  const done: string[] = [];
  const waiting = [glob];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const parts = firstBraces(next);
    if (parts === undefined) done.push(next);
    else {
      const { before, choices, after } = parts;
      waiting.push(...choices.map((choice) => before + choice + after).toReversed());
    }
    if (done.length + waiting.length > maxAlternatives) {
      throw new InvalidArgumentError(
        argument,
        `The glob has more than ${maxAlternatives} alternatives in its braces.`,
        { operation: "search", hint: "Give a wider glob, or search more than once." },
      );
    }
  }
  return done;
}

interface Braces {
  readonly before: string;
  readonly choices: readonly string[];
  readonly after: string;
}

/** The first braces that hold a comma and are closed. */
function firstBraces(glob: string): Braces | undefined {
  for (const { index } of glob.matchAll(/\\[^]|\[[!^]?\]?[^\]]*\]|\{/gu)) {
    const choices = glob[index] === "{" ? choicesAt(glob, index + 1) : undefined;
    if (choices !== undefined) return { before: glob.slice(0, index), ...choices };
  }
  return undefined;
}

function choicesAt(glob: string, from: number): Omit<Braces, "before"> | undefined {
  const choices: string[] = [];
  let depth = 0;
  let begin = from;
  for (const { 0: sign, index } of glob.slice(from).matchAll(/\\[^]|\[[!^]?\]?[^\]]*\]|[{},]/gu)) {
    const at = from + index;
    if (sign === "{") depth += 1;
    else if (sign === "}" && depth > 0) depth -= 1;
    else if (depth === 0 && (sign === "," || sign === "}")) {
      choices.push(glob.slice(begin, at));
      begin = at + 1;
      if (sign === "}") return choices.length > 1 ? { choices, after: glob.slice(begin) } : undefined;
    }
  }
  return undefined;
}
