import type {
  ArithmeticExpression,
  CommandNode,
  CompoundList,
  ParsedScript,
  SyntaxNode,
  Word,
  WordPart,
} from "unbash";
import { AnalysisBudget } from "./analysis-budget.js";
import { CommandReader } from "./command-reader.js";
import { CommandRunner } from "./command-runner.js";
import type { CommandInput, FoundCommand } from "./found-command.js";
import { marks, toShellText } from "./marks.js";
import { NodeWalker } from "./node-walker.js";
import type { Scope } from "./scope.js";
import { valuesOfWord, type WordRunner } from "./word-values.js";

/** The parser, as it is handed in: it is loaded with the policy and not with the package. */
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
  /** What starts itself twice over: a fork bomb. */
  readonly forkBomb: string | undefined;
}

/** Goes through shell text as a shell would, running nothing, and collects the commands. */
export class Analyser implements WordRunner, Analysis {
  readonly commands: FoundCommand[] = [];
  readonly budget = new AnalysisBudget();
  readonly runner: CommandRunner;
  forkBomb: string | undefined;
  readonly #parser: ShellParser;
  readonly #walker: NodeWalker;
  readonly #called = new Set<string>();
  /** Commands inside the words of the one that is being read. */
  #substituted: FoundCommand[] = [];
  #processFiles = 0;

  constructor(parser: ShellParser) {
    this.#parser = parser;
    this.runner = new CommandRunner(this);
    this.#walker = new NodeWalker(this, new CommandReader(this, this.runner), this.runner);
  }

  get problems(): readonly string[] {
    return this.budget.problems;
  }

  /** Analyses a whole text. */
  analyse(text: string, scope: Scope): Analysis {
    this.runText(text, scope, undefined, undefined);
    // A function that this text only defines is there for the next command.
    for (const [name, definition] of scope.functions) {
      if (this.#called.has(name)) continue;
      const inside = scope.fork();
      inside.positionals = undefined;
      inside.calls = [definition];
      this.runFunction(name, definition.body, inside, undefined);
    }
    return this;
  }

  /**
   * Runs shell text; returns what it prints. What cannot be parsed counts only where it is certain to be shell text:
   * literals of another language need not be.
   */
  runText(
    text: string,
    scope: Scope,
    input: CommandInput | undefined,
    outer: FoundCommand | undefined,
    isCertain = true,
  ): string {
    if (!this.budget.parse(text.length)) return marks.unknown;
    const script = this.#parser.parse(toShellText(text));
    if (isCertain) for (const { message } of script.errors ?? []) this.budget.note(message);
    // The parser gave up on depth, and every level below would be read anew.
    if (script.errors?.some(({ message }) => message.startsWith("maximum")) === true) {
      this.budget.tooDeep();
      return marks.unknown;
    }
    return this.#runScript(script, scope, input, outer);
  }

  runFunction(
    name: string,
    body: CommandNode | CompoundList,
    scope: Scope,
    outer: FoundCommand | undefined,
  ): string {
    this.#called.add(name);
    const output = this.budget.deeper(() =>
      body.type === "CompoundList"
        ? this.#walker.statements(body.commands, scope, undefined, outer)
        : this.#walker.node(body, scope, undefined, outer),
    );
    return output ?? marks.unknown;
  }

  /** A function was called from within itself. It multiplies where nothing can keep it from starting copies. */
  noteRecursion(name: string, scope: Scope): void {
    this.#called.add(name);
    const inside = this.commands.slice(scope.callsFrom);
    const canEnd = scope.guards > 0 || inside.some((command) => /^(?:return|exit)$/u.test(command.name));
    if (scope.isForked && !canEnd) this.forkBomb ??= name;
  }

  tooLong(): void {
    this.budget.tooLong();
  }

  parseWord(text: string): Word | undefined {
    const [statement] = this.#parser.parse(`: ${text}`).commands;
    const command = statement?.command;
    const [word] = command?.type === "Command" ? command.args : [];
    return word?.type === "Word" ? word : undefined;
  }

  substitute(part: Extract<WordPart, { type: "CommandExpansion" }>, scope: Scope): string {
    return this.#nested(part.script, scope).replace(/\n+$/u, "");
  }

  processFile(part: Extract<WordPart, { type: "ProcessSubstitution" }>, scope: Scope): string {
    this.#processFiles += 1;
    const path = `/dev/fd/${String(63 - this.#processFiles)}`;
    const output = this.#nested(part.script, scope);
    if (part.operator === "<") scope.files.set(path, output);
    return path;
  }

  arithmetic(part: { readonly expression: ArithmeticExpression | undefined }, scope: Scope): void {
    if (part.expression !== undefined) this.scripts(part.expression, scope);
  }

  /** Analyses the scripts that an expression holds. */
  scripts(node: SyntaxNode, scope: Scope): void {
    if (!this.budget.step()) return;
    if (node.type === "Word") valuesOfWord(node, scope, this);
    else if (node.type === "CommandExpansion") this.substitute(node, scope);
    else if (node.type === "ArithmeticCommandExpansion") this.#nested(node.script, scope);
    else this.#parser.forEachChild(node, (child) => this.scripts(child, scope));
  }

  /** Does work and tells the commands that it found. */
  collect<T>(work: () => T): readonly [T, readonly FoundCommand[]] {
    const start = this.commands.length;
    const result = work();
    return [result, this.commands.slice(start)];
  }

  /** Reads a command's words and tells the commands inside them. They are inside those of a command around it too. */
  withSubstitutions<T>(read: () => T): readonly [T, readonly FoundCommand[]] {
    const before = this.#substituted;
    const own: FoundCommand[] = [];
    this.#substituted = own;
    try {
      return [read(), own];
    } finally {
      this.#substituted = before;
      for (const command of own) before.push(command);
    }
  }

  /** The commands inside the words that have been read of this command. */
  substitutedSoFar(): readonly FoundCommand[] {
    return [...this.#substituted];
  }

  #nested(script: ParsedScript | undefined, scope: Scope): string {
    if (script === undefined) return marks.unknown;
    for (const { message } of script.errors ?? []) this.budget.note(message);
    const [output, found] = this.collect(() => this.#runScript(script, scope.fork(), undefined, undefined));
    for (const command of found) this.#substituted.push(command);
    return output;
  }

  #runScript(
    script: ParsedScript,
    scope: Scope,
    input: CommandInput | undefined,
    outer: FoundCommand | undefined,
  ): string {
    return (
      this.budget.deeper(() => this.#walker.statements(script.commands, scope, input, outer)) ?? marks.unknown
    );
  }
}
