import type { Function as FunctionNode } from "unbash";
import type { Analyser } from "./analyser.js";
import { builtins } from "./builtins.js";
import { codeActions } from "./code-actions.js";
import type { CommandInput, FoundCommand, FoundRedirect } from "./found-command.js";
import { interpreterCode } from "./interpreter-code.js";
import { itemCommands } from "./item-commands.js";
import { knownOutput } from "./known-output.js";
import { hasUnknown, isUnknown, marks, toShellText } from "./marks.js";
import { programName } from "./program-name.js";
import { resolvePath } from "./sandbox-location.js";
import type { Scope } from "./scope.js";
import { shellCode, shellNames } from "./shell-invocation.js";
import { unwrap } from "./unwrap.js";
import { joined } from "./word-values.js";

/** A command on its way to being run. */
export interface Call {
  readonly words: readonly string[];
  readonly assignments: readonly (readonly [name: string, value: string])[];
  readonly redirects: readonly FoundRedirect[];
  readonly input: CommandInput | undefined;
  readonly substitutions: readonly FoundCommand[];
  readonly outer: FoundCommand | undefined;
  readonly scope: Scope;
  /** The program's name is what another command printed. */
  readonly isComputed?: boolean | undefined;
}

/** Decides what one command does: runs another, reads shell text, changes the shell, or is what it says. */
export class CommandRunner {
  readonly #analyser: Analyser;

  constructor(analyser: Analyser) {
    this.#analyser = analyser;
  }

  /** Adds a command to what was found. */
  emit(call: Call, isWrapper = false, fetched = false): FoundCommand {
    const { scope, words, assignments, redirects, input, substitutions, outer, isComputed } = call;
    const found: FoundCommand = {
      name: programName(words[0] ?? ""),
      words,
      assignments,
      redirects,
      input,
      substitutions,
      outer,
      isWrapper,
      cwd: scope.cwd,
      tree: scope.tree,
      home: scope.home,
      isContained: scope.isContained,
      fetched,
      isComputed,
    };
    this.#analyser.commands.push(found);
    return found;
  }

  /** Runs a command; returns what it prints, with marks for what is not known. */
  run(call: Call): string {
    if (!this.#analyser.budget.step()) return marks.unknown;
    const output = this.#run(call);
    this.remember(call.redirects, output, call.scope);
    this.#noteFetched(call);
    return call.redirects.some(({ operator }) => operator.startsWith(">") || operator.startsWith("&>"))
      ? ""
      : output;
  }

  /** Keeps what is written into files: the same text may run them. */
  remember(redirects: readonly FoundRedirect[], output: string, scope: Scope): void {
    for (const { operator, target } of redirects) {
      if (!/^(?:>|>>|>\||&>|&>>)$/u.test(operator) || hasUnknown(target)) continue;
      const before = operator.endsWith(">>") ? (scope.files.get(target) ?? "") : "";
      if (scope.files.size < 256) scope.files.set(target, joined(before, output));
    }
  }

  #noteFetched({ words, redirects, input, scope }: Call): void {
    const name = programName(words[0] ?? "");
    const isPiped =
      name === "tee" && input?.producers.some((producer) => /^(?:curl|wget)$/u.test(producer.name)) === true;
    if (!/^(?:curl|wget|aria2c|scp)$/u.test(name) && !isPiped) return;
    const targets = redirects.filter(({ operator }) => operator.startsWith(">")).map(({ target }) => target);
    const named = words.filter(
      (word, at) =>
        at > 0 &&
        (isPiped || /^-(?:[a-zA-Z]*[oO]|-output|-output-document|-out)$/u.test(words[at - 1] ?? "")),
    );
    const attached = words.flatMap(
      (word) => /^--?(?:output|output-document|out)=(.+)$/u.exec(word)?.[1] ?? [],
    );
    const url = words.findLast((word) => /^https?:/u.test(word));
    const remote = url?.replace(/[?#].*$/u, "").replace(/^.*\//u, "") ?? "";
    for (const path of [...targets, ...named, ...attached, remote])
      if (path !== "" && path !== "-") scope.fetched.add(plainPath(path));
  }

  #run(call: Call): string {
    const { words, scope, input } = call;
    const [first = ""] = words;
    const definition = scope.functions.get(first);
    if (definition !== undefined) return this.#function(first, definition, call);
    const alias = scope.aliases.get(first);
    if (alias !== undefined && !scope.calls.includes(`alias ${first}`))
      return this.#alias(first, alias, call);
    const name = programName(first);
    const builtin = builtins.get(name);
    if (builtin !== undefined) return builtin(call, this.emit(call), this.#analyser);
    const unwrapped = unwrap(name, words);
    if (unwrapped !== undefined) return this.#wrapped(call, unwrapped);
    if (shellNames.has(name)) return this.#shell(call);
    const code = interpreterCode(name, words);
    if (code !== undefined) return this.#interpreter(call, code);
    const items = itemCommands(name, words, input?.text);
    const found = this.emit(
      call,
      items !== undefined,
      first.includes("/") && scope.fetched.has(plainPath(first)),
    );
    if (items !== undefined) {
      for (const item of items) {
        if (typeof item === "string") this.#analyser.runText(item, scope.fork(), undefined, found);
        else if (item.length > 0)
          this.run({ ...call, words: item, redirects: [], outer: found, assignments: [] });
      }
      return name === "xargs" ? marks.unknown : knownOutput(name, words, input?.text, scope, scope.files);
    }
    this.#fileRun(first, call, found);
    if (name === "at" || name === "batch") this.#text(input, scope, found);
    if (name === "tee") {
      for (const path of words.slice(1)) if (!path.startsWith("-")) scope.files.set(path, input?.text ?? "");
    }
    return knownOutput(name, words, input?.text, scope, scope.files);
  }

  /** `./x` where the text wrote x. */
  #fileRun(path: string, { scope, words }: Call, found: FoundCommand): void {
    const text = path.includes("/") ? this.#fileText(path, scope) : undefined;
    if (text !== undefined) this.#script(text, words.slice(1), scope.fork(), found, undefined);
  }

  #fileText(path: string, scope: Scope): string | undefined {
    const plain = path.replace(/^\.\//u, "");
    return scope.files.get(path) ?? scope.files.get(plain) ?? scope.files.get(`./${plain}`);
  }

  #function(name: string, definition: FunctionNode, call: Call): string {
    const { scope, words } = call;
    if (scope.calls.includes(definition)) {
      this.#analyser.noteRecursion(name, scope);
      return marks.unknown;
    }
    const before = { positionals: scope.positionals, calls: scope.calls, guards: scope.guards };
    scope.positionals = words.slice(1);
    if (scope.calls.length === 0) scope.callsFrom = this.#analyser.commands.length;
    scope.calls = [...scope.calls, definition];
    // What the function itself does is what counts for whether it can end.
    scope.guards = 0;
    try {
      return this.#analyser.runFunction(name, definition.body, scope, call.outer);
    } finally {
      scope.positionals = before.positionals;
      scope.calls = before.calls;
      scope.guards = before.guards;
    }
  }

  #alias(name: string, value: string, call: Call): string {
    const { scope } = call;
    const before = scope.calls;
    scope.calls = [...before, `alias ${name}`];
    try {
      const rest = call.words.slice(1).map((word) => `'${word.replaceAll("'", `'\\''`)}'`);
      return this.#analyser.runText([value, ...rest].join(" "), scope, call.input, call.outer);
    } finally {
      scope.calls = before;
    }
  }

  #wrapped(call: Call, unwrapped: NonNullable<ReturnType<typeof unwrap>>): string {
    const { scope } = call;
    const found = this.emit(call, true);
    const inside = unwrapped.place === undefined && unwrapped.cwd === undefined ? scope : scope.fork();
    if (unwrapped.place === "remote") inside.cwd = inside.home;
    if (unwrapped.place === "contained") {
      inside.isContained = true;
      inside.cwd = marks.unknown;
    }
    if (unwrapped.cwd !== undefined) inside.cwd = resolvePath(unwrapped.cwd, scope);
    if (unwrapped.script !== undefined) {
      return this.#analyser.runText(unwrapped.script, inside, call.input, found);
    }
    if (unwrapped.words.length === 0) {
      // `sudo -s`, `ssh host`, `su -` and `docker exec -i x` with text on stdin are shells.
      if (/^(?:ssh|su|sudo|doas)$/u.test(found.name)) this.#text(call.input, inside.fork(), found);
      if (found.name === "command" && call.words.length === 3) return toShellText(call.words[2] ?? "");
      return marks.unknown;
    }
    return this.run({
      ...call,
      words: unwrapped.words,
      assignments: [...call.assignments, ...unwrapped.assignments],
      redirects: [],
      outer: found,
      scope: inside,
    });
  }

  #shell(call: Call): string {
    const code = shellCode(call.words);
    const isFetched = code.kind === "file" && call.scope.fetched.has(plainPath(code.path));
    const found = this.emit(call, code.kind !== "none", isFetched);
    const inside = call.scope.fork();
    switch (code.kind) {
      case "text":
        if (code.zero !== undefined) inside.variables.set("0", [code.zero]);
        return this.#script(code.text, code.positionals, inside, found, call.input);
      case "stdin":
        inside.positionals = code.positionals;
        this.#text(call.input, inside, found);
        return marks.unknown;
      case "file": {
        const text = this.#fileText(code.path, inside);
        if (text !== undefined) return this.#script(text, code.positionals, inside, found, call.input);
        return marks.unknown;
      }
      case "none":
        return marks.unknown;
    }
  }

  #script(
    text: string,
    positionals: readonly string[],
    scope: Scope,
    outer: FoundCommand,
    input: CommandInput | undefined,
  ): string {
    scope.positionals = positionals;
    const shebang = /^#!\s*(\S+)(?:\s+(\S+))?/u.exec(text);
    const program = programName(shebang?.[1] ?? "");
    const code = interpreterCode(program === "env" ? (shebang?.[2] ?? "") : program, ["x"]);
    if (code !== undefined) {
      this.#code(text, scope, outer);
      return marks.unknown;
    }
    return isUnknown(text) ? marks.unknown : this.#analyser.runText(text, scope, input, outer);
  }

  /** Runs what a shell reads on its stdin. */
  #text(input: CommandInput | undefined, scope: Scope, outer: FoundCommand): void {
    if (input !== undefined && !isUnknown(input.text))
      this.#analyser.runText(input.text, scope, undefined, outer);
  }

  #interpreter(call: Call, code: NonNullable<ReturnType<typeof interpreterCode>>): string {
    const isFetched = code.kind === "file" && call.scope.fetched.has(plainPath(code.path));
    const found = this.emit(call, false, isFetched);
    if (code.kind === "text") this.#code(code.text, call.scope, found);
    if (code.kind === "stdin" && call.input !== undefined) this.#code(call.input.text, call.scope, found);
    if (code.kind === "file") {
      const text = this.#fileText(code.path, call.scope);
      if (text !== undefined) this.#code(text, call.scope, found);
    }
    return this.#printedBy(code.kind === "text" ? code.text : "");
  }

  /** `python -c 'print("rm -rf /")'` and no more than that. */
  #printedBy(code: string): string {
    const printed = /^\s*(?:print|puts|say|console\.log)\s*\(?\s*(["'])([^"'\\]*)\1\s*\)?;?\s*$/u.exec(code);
    return printed === null ? marks.unknown : `${printed[2] ?? ""}\n`;
  }

  #code(code: string, scope: Scope, outer: FoundCommand): void {
    const actions = codeActions(toShellText(code));
    const inside = scope.fork();
    if (actions.multiplies) this.#analyser.forkBomb ??= outer.name;
    for (const script of actions.scripts)
      this.#analyser.runText(script, inside.fork(), undefined, outer, false);
    for (const words of actions.commands) {
      this.run({
        words,
        assignments: [],
        redirects: [],
        input: undefined,
        substitutions: [],
        outer,
        scope: inside.fork(),
      });
    }
  }
}

function plainPath(path: string): string {
  return path.replace(/^\.\//u, "");
}
