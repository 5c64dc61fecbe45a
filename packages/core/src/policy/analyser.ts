import type {
  ArithmeticExpression,
  Assignment,
  Command,
  CommandNode,
  CompoundList,
  ParsedScript,
  Redirection,
  Statement,
  SyntaxNode,
  Word,
  WordPart,
} from "unbash";
import { CommandRunner, type Call } from "./command-runner.js";
import type { CommandInput, FoundCommand, FoundRedirect } from "./found-command.js";
import { marks, toShellText } from "./marks.js";
import type { Scope } from "./scope.js";
import { fieldsOfWord, textOfParts, valuesOfWord, type WordRunner } from "./word-values.js";

/** The parser, as it is handed in: it is loaded only when a text needs it. */
export interface ShellParser {
  parse(text: string): ParsedScript;
  forEachChild(node: SyntaxNode, visit: (child: SyntaxNode) => void): void;
}

/** What a text would do. */
export interface Analysis {
  /** Every command that would be executed, wrappers too, in the order of the text. */
  readonly commands: readonly FoundCommand[];
  /** What could not be understood, in words. Empty when all was. */
  readonly problems: readonly string[];
  /** A function starts itself twice over: a fork bomb. Its text. */
  readonly forkBomb: string | undefined;
}

/** A text that holds more than this is not judged but asked about. */
const maximalSteps = 8_000;
const maximalDepth = 16;
const maximalWords = 100_000;
/** Characters that are parsed, texts inside texts counted again. */
const maximalParsed = 4_194_304;

/** Walks through parsed shell text as a shell would, running nothing, and collects the commands. */
export class Analyser implements WordRunner {
  readonly commands: FoundCommand[] = [];
  readonly problems: string[] = [];
  forkBomb: string | undefined;
  readonly #parser: ShellParser;
  readonly #runner: CommandRunner;
  readonly #called = new Set<string>();
  #steps = 0;
  #words = 0;
  #parsed = 0;
  #depth = 0;
  /** Commands inside the words of the one that is being read. */
  #substituted: FoundCommand[] = [];
  #processFiles = 0;

  constructor(parser: ShellParser) {
    this.#parser = parser;
    this.#runner = new CommandRunner(this);
  }

  /** Analyses a whole text. */
  analyse(text: string, scope: Scope): Analysis {
    this.runText(text, scope, undefined, undefined);
    // A function that this text only defines is there for the next command.
    for (const [name, definition] of scope.functions) {
      if (this.#called.has(name)) continue;
      const inside = scope.fork();
      inside.positionals = undefined;
      inside.calls = [name];
      this.runFunction(name, definition.body, inside, undefined);
    }
    return { commands: this.commands, problems: this.problems, forkBomb: this.forkBomb };
  }

  /** Runs shell text found in a text; returns what it prints. Problems inside count only for the outermost text. */
  runText(
    text: string,
    scope: Scope,
    input: CommandInput | undefined,
    outer: FoundCommand | undefined,
    isCertain = true,
  ): string {
    if (this.#depth >= maximalDepth) {
      this.#problem("it is nested too deeply");
      return marks.unknown;
    }
    this.#parsed += text.length;
    if (this.#parsed > maximalParsed) {
      this.tooLong();
      return marks.unknown;
    }
    const script = this.#parser.parse(toShellText(text));
    // Literals of another language need not be shell text at all.
    if (isCertain) for (const { message } of script.errors ?? []) this.#problem(message);
    // The parser gave up on depth, and every level below would be read anew.
    if (script.errors?.some(({ message }) => message.startsWith("maximum")) === true) {
      this.#problem("it is nested too deeply");
      return marks.unknown;
    }
    return this.runScript(script, scope, input, outer);
  }

  runScript(
    script: ParsedScript,
    scope: Scope,
    input: CommandInput | undefined,
    outer: FoundCommand | undefined,
  ): string {
    if (this.#depth >= maximalDepth) {
      this.#problem("it is nested too deeply");
      return marks.unknown;
    }
    this.#depth += 1;
    try {
      return this.#statements(script.commands, scope, input, outer);
    } finally {
      this.#depth -= 1;
    }
  }

  runFunction(
    name: string,
    body: CommandNode | CompoundList,
    scope: Scope,
    outer: FoundCommand | undefined,
  ): string {
    this.#called.add(name);
    if (this.#depth >= maximalDepth) return marks.unknown;
    this.#depth += 1;
    try {
      return body.type === "CompoundList"
        ? this.#statements(body.commands, scope, undefined, outer)
        : this.#node(body, scope, undefined, outer);
    } finally {
      this.#depth -= 1;
    }
  }

  /** A function was called from within itself. */
  noteRecursion(name: string, scope: Scope): void {
    this.#called.add(name);
    if (scope.isForked) this.forkBomb ??= name;
  }

  /** Counts work; false when a text is too much to be judged. */
  step(): boolean {
    this.#steps += 1;
    if (this.#steps >= maximalSteps) this.tooLong();
    return this.#steps < maximalSteps;
  }

  /** Says that the text is more than is looked at. */
  tooLong(): void {
    this.#problem("it is too long to be judged");
  }

  parseWord(text: string): Word | undefined {
    const [statement] = this.#parser.parse(`: ${text}`).commands;
    const command = statement?.command;
    const [word] = command?.type === "Command" ? command.args : [];
    return word?.type === "Word" ? word : undefined;
  }

  substitute(part: Extract<WordPart, { type: "CommandExpansion" }>, scope: Scope): string {
    if (part.script === undefined) return marks.unknown;
    const [output, found] = this.#collect(() => this.#nested(part.script, scope, undefined));
    this.#substituted.push(...found);
    return output.replace(/\n+$/u, "");
  }

  processFile(part: Extract<WordPart, { type: "ProcessSubstitution" }>, scope: Scope): string {
    this.#processFiles += 1;
    const path = `/dev/fd/${String(63 - this.#processFiles)}`;
    const [output, found] = this.#collect(() => this.#nested(part.script, scope, undefined));
    this.#substituted.push(...found);
    if (part.operator === "<") scope.files.set(path, output);
    return path;
  }

  arithmetic(part: { readonly expression: ArithmeticExpression | undefined }, scope: Scope): void {
    if (part.expression !== undefined) this.#scripts(part.expression, scope);
  }

  #nested(script: ParsedScript | undefined, scope: Scope, outer: FoundCommand | undefined): string {
    if (script === undefined) return marks.unknown;
    for (const { message } of script.errors ?? []) this.#problem(message);
    return this.runScript(script, scope.fork(), undefined, outer);
  }

  #problem(message: string): void {
    if (this.problems.length < 5 && !this.problems.includes(message)) this.problems.push(message);
  }

  #collect<T>(run: () => T): readonly [T, readonly FoundCommand[]] {
    const start = this.commands.length;
    const result = run();
    return [result, this.commands.slice(start)];
  }

  #statements(
    statements: readonly Statement[],
    scope: Scope,
    input: CommandInput | undefined,
    outer: FoundCommand | undefined,
  ): string {
    let output = "";
    for (const statement of statements) {
      if (!this.step()) return marks.unknown;
      const before = scope.isForked;
      if (statement.background === true) scope.isForked = true;
      output += this.#node(statement.command, scope, input, outer);
      scope.isForked = before;
    }
    return output.length > 1_000_000 ? marks.unknown : output;
  }

  #conditional(
    statements: readonly Statement[],
    scope: Scope,
    input: CommandInput | undefined,
    outer: FoundCommand | undefined,
  ): string {
    scope.conditions += 1;
    try {
      return this.#statements(statements, scope, input, outer);
    } finally {
      scope.conditions -= 1;
    }
  }

  #node(
    node: Statement["command"],
    scope: Scope,
    input: CommandInput | undefined,
    outer: FoundCommand | undefined,
  ): string {
    switch (node.type) {
      case "Command":
        return this.#command(node, scope, input, outer);
      case "Pipeline":
        return this.#pipeline(node.commands, scope, input, outer);
      case "AndOr": {
        let output = "";
        for (const [index, command] of node.commands.entries()) {
          // After `||` it may not happen; after `&&` what was before has happened.
          const isUncertain = node.operators[index - 1] === "||";
          if (!this.step()) return marks.unknown;
          if (isUncertain) scope.conditions += 1;
          output += this.#node(command, scope, input, outer);
          if (isUncertain) scope.conditions -= 1;
        }
        return output;
      }
      case "If": {
        let output = this.#statements(node.clause.commands, scope, input, outer);
        output += this.#conditional(node.then.commands, scope, input, outer);
        for (const { clause, then } of node.elif) {
          this.#conditional(clause.commands, scope, input, outer);
          output += this.#conditional(then.commands, scope, input, outer);
        }
        return (
          output + (node.else === undefined ? "" : this.#conditional(node.else.commands, scope, input, outer))
        );
      }
      case "For":
      case "Select": {
        const words = node.wordlist?.flatMap((word) => fieldsOfWord(word, scope, this));
        const values = words ?? scope.positionals ?? [marks.unknown];
        scope.assign(node.name.value, values.length === 0 ? [""] : values);
        return this.#conditional(node.body.commands, scope, input, outer);
      }
      case "While":
        this.#conditional(node.clause.commands, scope, input, outer);
        return this.#conditional(node.body.commands, scope, input, outer);
      case "ArithmeticFor":
        for (const expression of [node.initialize, node.test, node.update]) {
          if (expression !== undefined) this.#scripts(expression, scope);
        }
        return this.#conditional(node.body.commands, scope, input, outer);
      case "Subshell":
        return this.#statements(node.body.commands, scope.fork(), input, outer);
      case "BraceGroup":
        return this.#statements(node.body.commands, scope, input, outer);
      case "Case": {
        valuesOfWord(node.word, scope, this);
        let output = "";
        for (const item of node.items) {
          for (const pattern of item.pattern) valuesOfWord(pattern, scope, this);
          output += this.#conditional(item.body.commands, scope, input, outer);
        }
        return output;
      }
      case "Function":
        scope.functions.set(node.name.value, node);
        return "";
      case "Coproc":
        return node.body.type === "CompoundList"
          ? this.#statements(node.body.commands, scope.fork(), undefined, outer)
          : this.#node(node.body, scope.fork(), undefined, outer);
      case "Redirected":
        return this.#redirected(node, scope, input, outer);
      case "TestCommand":
      case "ArithmeticCommand":
        this.#scripts(node, scope);
        return "";
    }
  }

  #pipeline(
    commands: readonly CommandNode[],
    scope: Scope,
    first: CommandInput | undefined,
    outer: FoundCommand | undefined,
  ): string {
    const only = commands.length === 1 ? commands[0] : undefined;
    if (only !== undefined) return this.#node(only, scope, first, outer);
    let input = first;
    let output = "";
    for (const command of commands) {
      if (!this.step()) return marks.unknown;
      const inside = scope.fork();
      inside.isForked = true;
      const before: CommandInput | undefined = input;
      const [printed, found] = this.#collect(() => this.#node(command, inside, before, outer));
      output = printed;
      input = { text: printed, producers: [...(before?.producers ?? []), ...found].slice(-64) };
    }
    return output;
  }

  #redirected(
    node: Extract<CommandNode, { type: "Redirected" }>,
    scope: Scope,
    input: CommandInput | undefined,
    outer: FoundCommand | undefined,
  ): string {
    const { redirects, input: given } = this.#redirects(node.redirects, scope);
    if (redirects.length > 0) {
      this.#runner.emit({
        words: ["{"],
        assignments: [],
        redirects,
        input: undefined,
        substitutions: [],
        outer,
        scope,
      });
    }
    const output = this.#node(node.command, scope, given ?? input, outer);
    this.#runner.remember(redirects, output, scope);
    return output;
  }

  #command(
    node: Command,
    scope: Scope,
    input: CommandInput | undefined,
    outer: FoundCommand | undefined,
  ): string {
    const before = this.#substituted;
    this.#substituted = [];
    const assignments: (readonly [string, string])[] = [];
    for (const item of node.prefix) {
      if (item.type === "Assignment") this.#assignment(item, scope, assignments, node.name === undefined);
    }
    const { redirects, input: given } = this.#redirects(node.redirects, scope);
    const names = node.name === undefined ? [] : this.#names(node.name, scope);
    const words = node.args.flatMap((word) =>
      word.type === "Word" ? fieldsOfWord(word, scope, this) : this.#declared(word, scope),
    );
    this.#words += words.length;
    if (this.#words > maximalWords) {
      this.tooLong();
      return marks.unknown;
    }
    const substitutions = this.#substituted;
    this.#substituted = before;
    // What is inside the words of a command inside words is inside those too.
    before.push(...substitutions);
    const isComputed = node.name?.parts?.some((part) => part.type === "CommandExpansion") === true;
    const call: Omit<Call, "words"> = {
      assignments,
      redirects,
      input: given ?? input,
      substitutions,
      outer,
      scope,
      isComputed,
    };
    if (names.length === 0) {
      if (redirects.length > 0) this.#runner.emit({ ...call, words: [""] });
      return "";
    }
    let output = "";
    for (const name of names) output = this.#runner.run({ ...call, words: [...name, ...words] });
    return output;
  }

  /** The beginnings that a command may have: one, unless its name is a variable with several values. */
  #names(word: Word, scope: Scope): readonly (readonly string[])[] {
    if (isSequence(word.parts)) {
      const fields = fieldsOfWord(word, scope, this);
      return fields.length === 0 ? [] : [fields];
    }
    return valuesOfWord(word, scope, this).flatMap((value) => {
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
    if (index !== undefined) valuesOfWord(index, scope, this);
    const values =
      value.type === "Word"
        ? valuesOfWord(value, scope, this).map((text) => text.replaceAll(marks.split, " "))
        : [value.elements.flatMap((element) => fieldsOfWord(element, scope, this))].flat();
    const known =
      append === true ? scope.valuesOf(name).flatMap((old) => values.map((more) => old + more)) : values;
    const all = known.length === 0 ? [""] : known;
    if (isForShell) scope.assign(name, all);
    if (runVariables.test(name)) {
      for (const text of all) this.runText(text, scope.fork(), undefined, undefined, false);
    }
    kept.push([name, all[0] ?? ""]);
  }

  #redirects(
    nodes: readonly Redirection[],
    scope: Scope,
  ): { readonly redirects: readonly FoundRedirect[]; readonly input: CommandInput | undefined } {
    const redirects: FoundRedirect[] = [];
    let input: CommandInput | undefined;
    for (const node of nodes) {
      if (node.type === "HereDoc") {
        const { body } = node;
        const text = body.parts === undefined ? body.text : textOfParts(body.parts, scope, this);
        input = { text, producers: [] };
      } else if (node.target !== undefined) {
        for (const target of valuesOfWord(node.target, scope, this)) {
          if (node.type === "HereString") input = { text: `${target}\n`, producers: [...this.#substituted] };
          else {
            redirects.push({ operator: node.operator, target });
            if (node.operator === "<") {
              input = { text: scope.files.get(target) ?? marks.unknown, producers: [...this.#substituted] };
            }
          }
        }
      }
    }
    return { redirects, input };
  }

  /** Analyses the scripts that an expression holds. */
  #scripts(node: SyntaxNode, scope: Scope): void {
    if (!this.step()) return;
    if (node.type === "Word") valuesOfWord(node, scope, this);
    else if (node.type === "CommandExpansion") this.substitute(node, scope);
    else if (node.type === "ArithmeticCommandExpansion") this.#nested(node.script, scope, undefined);
    else this.#parser.forEachChild(node, (child) => this.#scripts(child, scope));
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
