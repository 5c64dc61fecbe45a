import type { Assignment, Command, Redirection, Word, WordPart } from "unbash";
import type { Analyser } from "./analyser.js";
import type { Call, CommandRunner } from "./command-runner.js";
import type { CommandInput, FoundCommand, FoundRedirect } from "./found-command.js";
import { marks } from "./marks.js";
import type { Scope } from "./scope.js";
import { fieldsOfWord, joined, textOfParts, valuesOfWord } from "./word-values.js";

interface ReadCommand {
  readonly assignments: readonly (readonly [name: string, value: string])[];
  readonly redirects: readonly FoundRedirect[];
  readonly given: CommandInput | undefined;
  /** The beginnings that it may have. */
  readonly names: readonly (readonly string[])[];
  readonly words: readonly string[];
}

/** Reads simple commands: assignments, redirections, and what becomes of their words. */
export class CommandReader {
  readonly #analyser: Analyser;
  readonly #runner: CommandRunner;

  constructor(analyser: Analyser, runner: CommandRunner) {
    this.#analyser = analyser;
    this.#runner = runner;
  }

  /** Reads a command and runs it; returns what it prints. */
  run(node: Command, scope: Scope, input: CommandInput | undefined, outer: FoundCommand | undefined): string {
    const [read, substitutions] = this.#analyser.withSubstitutions(() => this.#read(node, scope));
    if (read === undefined) return marks.unknown;
    const { assignments, redirects, given, names, words } = read;
    const call: Omit<Call, "words"> = {
      assignments,
      redirects,
      input: given ?? input,
      substitutions,
      outer,
      scope,
      isComputed: node.name?.parts?.some((part) => part.type === "CommandExpansion") === true,
    };
    if (names.length === 0) {
      if (redirects.length > 0) this.#runner.emit({ ...call, words: [""] });
      return "";
    }
    let output = "";
    for (const name of names) output = this.#runner.run({ ...call, words: [...name, ...words] });
    return output;
  }

  #read(node: Command, scope: Scope): ReadCommand | undefined {
    const assignments: (readonly [string, string])[] = [];
    for (const item of node.prefix) {
      if (item.type === "Assignment") this.#assignment(item, scope, assignments, node.name === undefined);
    }
    const { redirects, input: given } = this.redirects(node.redirects, scope);
    const names = node.name === undefined ? [] : this.#names(node.name, scope);
    const words = node.args.flatMap((word) =>
      word.type === "Word" ? fieldsOfWord(word, scope, this.#analyser) : this.#declared(word, scope),
    );
    return this.#analyser.budget.words(words.length)
      ? { assignments, redirects, given, names, words }
      : undefined;
  }

  /** The beginnings that a command may have: one, unless its name is a variable with several values. */
  #names(word: Word, scope: Scope): readonly (readonly string[])[] {
    if (isSequence(word.parts)) {
      const fields = fieldsOfWord(word, scope, this.#analyser);
      return fields.length === 0 ? [] : [fields];
    }
    return valuesOfWord(word, scope, this.#analyser).flatMap((value) => {
      const fields = value.split(marks.split).filter((field) => field !== "");
      return fields.length === 0 ? [] : [fields];
    });
  }

  /** An argument of `export`, `local` … that assigns. */
  #declared(assignment: Assignment, scope: Scope): readonly string[] {
    const kept: (readonly [string, string])[] = [];
    this.#assignment(assignment, scope, kept, true);
    return kept.map(([name, value]) => `${name}=${value}`);
  }

  #assignment(
    assignment: Assignment,
    scope: Scope,
    kept: (readonly [string, string])[],
    isForShell: boolean,
  ): void {
    const { name, value, append, index } = assignment;
    if (index !== undefined) valuesOfWord(index, scope, this.#analyser);
    const values =
      value.type === "Word"
        ? valuesOfWord(value, scope, this.#analyser).map((text) => text.replaceAll(marks.split, " "))
        : [value.elements.flatMap((element) => fieldsOfWord(element, scope, this.#analyser))].flat();
    const known =
      append === true
        ? scope.valuesOf(name).flatMap((old) => values.map((more) => joined(old, more)))
        : values;
    const all = known.length === 0 ? [""] : known;
    if (isForShell) scope.assign(name, all);
    if (runVariables.test(name)) {
      // LESSOPEN tells by a bar in front that its command writes to a pipe.
      for (const text of all)
        this.#analyser.runText(text.replace(/^[|-]+/u, ""), scope.fork(), undefined, undefined, false);
    }
    kept.push([name, all[0] ?? ""]);
  }

  redirects(
    nodes: readonly Redirection[],
    scope: Scope,
  ): { readonly redirects: readonly FoundRedirect[]; readonly input: CommandInput | undefined } {
    const redirects: FoundRedirect[] = [];
    let input: CommandInput | undefined;
    for (const node of nodes) {
      if (node.type === "HereDoc") {
        const { body } = node;
        const text = body.parts === undefined ? body.text : textOfParts(body.parts, scope, this.#analyser);
        input = { text, producers: [] };
      } else if (node.target !== undefined) {
        for (const target of valuesOfWord(node.target, scope, this.#analyser)) {
          if (node.type === "HereString")
            input = { text: `${target}\n`, producers: this.#analyser.substitutedSoFar() };
          else {
            redirects.push({ operator: node.operator, target });
            if (node.operator === "<") {
              input = {
                text: scope.files.get(target) ?? marks.unknown,
                producers: this.#analyser.substitutedSoFar(),
              };
            }
          }
        }
      }
    }
    return { redirects, input };
  }
}

/** Values that variables tell the shell to run, now or with the next prompt, page or connection. */
const runVariables =
  /^(?:PROMPT_COMMAND|GIT_SSH_COMMAND|(?:GIT_|MAN)?PAGER|EDITOR|VISUAL|GIT_EDITOR|GIT_SEQUENCE_EDITOR|GIT_ASKPASS|LESSOPEN|RSYNC_RSH|SUDO_ASKPASS)$/u;

/** Whether the values of a word are several words in a row, and not one of several. */
function isSequence(parts: readonly WordPart[] | undefined): boolean {
  return (
    parts?.some((part) => {
      switch (part.type) {
        case "BraceExpansion":
          return true;
        case "SimpleExpansion":
          return part.text === "$@" || part.text === "$*";
        case "ParameterExpansion":
          return /^[@*]$/u.test(part.parameter) || /^[@*]$/u.test(part.index?.text ?? "");
        case "DoubleQuoted":
          return isSequence(part.parts);
        default:
          return false;
      }
    }) === true
  );
}
