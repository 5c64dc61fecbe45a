import type { CommandNode, Statement } from "unbash";
import type { Analyser } from "./analyser.js";
import type { CommandReader } from "./command-reader.js";
import type { CommandRunner } from "./command-runner.js";
import type { CommandInput, FoundCommand } from "./found-command.js";
import { marks } from "./marks.js";
import type { Scope } from "./scope.js";
import { fieldsOfWord, valuesOfWord } from "./word-values.js";

const longestOutput = 1_000_000;

/** Walks through lists, pipelines and compound commands. Each branch is taken, and nothing is repeated. */
export class NodeWalker {
  readonly #analyser: Analyser;
  readonly #reader: CommandReader;
  readonly #runner: CommandRunner;

  constructor(analyser: Analyser, reader: CommandReader, runner: CommandRunner) {
    this.#analyser = analyser;
    this.#reader = reader;
    this.#runner = runner;
  }

  statements(
    statements: readonly Statement[],
    scope: Scope,
    input: CommandInput | undefined,
    outer: FoundCommand | undefined,
  ): string {
    let output = "";
    for (const statement of statements) {
      if (!this.#analyser.budget.step()) return marks.unknown;
      const before = scope.isForked;
      if (statement.background === true) scope.isForked = true;
      output += this.node(statement.command, scope, input, outer);
      scope.isForked = before;
    }
    return output.length > longestOutput ? marks.unknown : output;
  }

  #conditional(
    statements: readonly Statement[],
    scope: Scope,
    input: CommandInput | undefined,
    outer: FoundCommand | undefined,
  ): string {
    scope.conditions += 1;
    scope.guards += 1;
    try {
      return this.statements(statements, scope, input, outer);
    } finally {
      scope.conditions -= 1;
      scope.guards -= 1;
    }
  }

  node(
    node: Statement["command"],
    scope: Scope,
    input: CommandInput | undefined,
    outer: FoundCommand | undefined,
  ): string {
    switch (node.type) {
      case "Command":
        return this.#reader.run(node, scope, input, outer);
      case "Pipeline":
        return this.#pipeline(node.commands, scope, input, outer);
      case "AndOr": {
        let output = "";
        for (const [index, command] of node.commands.entries()) {
          // After `||` it may not happen; after `&&` what was before has happened.
          const isUncertain = node.operators[index - 1] === "||";
          if (!this.#analyser.budget.step()) return marks.unknown;
          if (isUncertain) scope.conditions += 1;
          if (index > 0) scope.guards += 1;
          output += this.node(command, scope, input, outer);
          if (isUncertain) scope.conditions -= 1;
          if (index > 0) scope.guards -= 1;
        }
        return output;
      }
      case "If": {
        let output = this.statements(node.clause.commands, scope, input, outer);
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
        const words = node.wordlist?.flatMap((word) => fieldsOfWord(word, scope, this.#analyser));
        const values = words ?? scope.positionals ?? [marks.unknown];
        scope.assign(node.name.value, values.length === 0 ? [""] : values);
        return this.#conditional(node.body.commands, scope, input, outer);
      }
      case "While":
        this.#conditional(node.clause.commands, scope, input, outer);
        return this.#conditional(node.body.commands, scope, input, outer);
      case "ArithmeticFor":
        for (const expression of [node.initialize, node.test, node.update]) {
          if (expression !== undefined) this.#analyser.scripts(expression, scope);
        }
        return this.#conditional(node.body.commands, scope, input, outer);
      case "Subshell":
        return this.statements(node.body.commands, scope.fork(), input, outer);
      case "BraceGroup":
        return this.statements(node.body.commands, scope, input, outer);
      case "Case": {
        valuesOfWord(node.word, scope, this.#analyser);
        let output = "";
        for (const item of node.items) {
          for (const pattern of item.pattern) valuesOfWord(pattern, scope, this.#analyser);
          output += this.#conditional(item.body.commands, scope, input, outer);
        }
        return output;
      }
      case "Function":
        scope.functions.set(node.name.value, node);
        return "";
      case "Coproc":
        return node.body.type === "CompoundList"
          ? this.statements(node.body.commands, scope.fork(), undefined, outer)
          : this.node(node.body, scope.fork(), undefined, outer);
      case "Redirected":
        return this.#redirected(node, scope, input, outer);
      case "TestCommand":
      case "ArithmeticCommand":
        this.#analyser.scripts(node, scope);
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
    if (only !== undefined) return this.node(only, scope, first, outer);
    let input = first;
    let output = "";
    for (const command of commands) {
      if (!this.#analyser.budget.step()) return marks.unknown;
      const inside = scope.fork();
      inside.isForked = true;
      const before: CommandInput | undefined = input;
      const [printed, found] = this.#analyser.collect(() => this.node(command, inside, before, outer));
      output = printed;
      const text = printed.length > longestOutput ? marks.unknown : printed;
      input = { text, producers: [...(before?.producers ?? []), ...found].slice(-64) };
    }
    return output;
  }

  #redirected(
    node: Extract<CommandNode, { type: "Redirected" }>,
    scope: Scope,
    input: CommandInput | undefined,
    outer: FoundCommand | undefined,
  ): string {
    const { redirects, input: given } = this.#reader.redirects(node.redirects, scope);
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
    const output = this.node(node.command, scope, given ?? input, outer);
    this.#runner.remember(redirects, output, scope);
    return output;
  }
}
