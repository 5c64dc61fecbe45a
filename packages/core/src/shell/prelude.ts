import type { StartDirectory } from "../environment/execute-options.js";
import {
  aliasChanges,
  envChanges,
  functionChanges,
  optionChanges,
  type CarriedState,
} from "./carried-state.js";
import { shellQuote } from "./quote.js";
import type { ShellFunction } from "./state-dump.js";

/** Turns text into the latin1 form the shell's state is kept in: one character a byte. */
export function toShellBytes(text: string): string {
  return Buffer.from(text, "utf8").toString("latin1");
}

/** Back from bytes to text. What is no UTF-8 becomes U+FFFD. */
export function fromShellBytes(bytes: string): string {
  return Buffer.from(bytes, "latin1").toString("utf8");
}

/** Words the driver depends on: functions of these names never reach a channel's own bash. */
const driverWords = ["builtin", "exec"];

/** What a channel's own bash holds and every subshell of it inherits. */
export interface InheritedState {
  readonly functions: ReadonlyMap<string, ShellFunction>;
  readonly aliases: ReadonlyMap<string, string>;
}

/**
 * Text that brings functions and aliases from what the channel holds to what the state says. Each definition is its own
 * `eval`, so that one which no longer parses cannot take the others with it. Functions that would get in the driver's way
 * are left out: see `lateFunctionsText`.
 */
export function inheritText(held: InheritedState, wanted: InheritedState): string {
  const lines: string[] = [];
  const functions = functionChanges(held.functions, wanted.functions);
  for (const name of driverWords) functions.delete(name);
  if (functions.size > 0) {
    lines.push("builtin shopt -s extglob");
    for (const [name, definition] of functions) {
      lines.push(`builtin unset -f -- ${shellQuote(name)}`);
      if (definition === undefined) continue;
      lines.push(...definitionLines(name, definition));
    }
    lines.push("builtin shopt -u extglob");
  }
  for (const [name, value] of aliasChanges(held.aliases, wanted.aliases)) {
    const word = shellQuote(value === undefined ? name : `${name}=${value}`);
    lines.push(`builtin ${value === undefined ? "unalias" : "alias"} -- ${word}`);
  }
  return lines.length === 0 ? "" : `${lines.join("\n")}\n`;
}

function definitionLines(name: string, definition: ShellFunction): string[] {
  const define = `builtin eval ${shellQuote(definition.body)}`;
  return definition.exported ? [define, `builtin export -f -- ${shellQuote(name)}`] : [define];
}

/**
 * Functions that only a subshell may have, after the driver's last use of the word: `exec`. A function called `builtin`
 * is never carried over.
 */
export function lateFunctionsText(wanted: InheritedState): string {
  const definition = wanted.functions.get("exec");
  return definition === undefined ? "" : `${definitionLines("exec", definition).join("\n")}\n`;
}

/** Text that brings a fresh subshell's variables, umask and options from the sandbox's start to the state. */
export function stateText(base: CarriedState, state: CarriedState): string {
  if (base === state) return "";
  const lines: string[] = [];
  for (const [name, value] of envChanges(base, state)) {
    lines.push(
      value === undefined ? `builtin unset -v ${name}` : `builtin export ${name}=${shellQuote(value)}`,
    );
  }
  if (state.umask !== base.umask) lines.push(`builtin umask ${state.umask}`);
  for (const [name, on] of optionChanges(base.shopt, state.shopt))
    lines.push(`builtin shopt -${on ? "s" : "u"} ${name}`);
  for (const [name, on] of optionChanges(base.options, state.options))
    lines.push(`builtin set ${on ? "-" : "+"}o ${name}`);
  return lines.length === 0 ? "" : `${lines.join("\n")}\n`;
}

/** Variables of one call. */
export function callEnvText(env: Readonly<Record<string, string>>): string {
  return Object.entries(env)
    .map(([name, value]) => `builtin export ${name}=${shellQuote(toShellBytes(value))}\n`)
    .join("");
}

/** Why a start directory could not be entered, as the driver reports it. */
export type StartProblem = "missing" | "not_a_directory" | "not_permitted";

/**
 * Text that enters the start directory, given as `directory` in shell bytes. A directory that cannot be entered ends the subshell before any user text ran
 * (`fail`), or gives way to its nearest ancestor or the home, which `__tl_a` then reports.
 */
export function startText(start: StartDirectory, directory: string, oldCwd: string | undefined): string {
  const word = shellQuote(directory);
  const lines = [`builtin cd -- ${word} 2>/dev/null || ${otherwise(start.ifMissing, word)}`];
  if (start.relative !== undefined) {
    const next = shellQuote(toShellBytes(start.relative));
    lines.push(
      `builtin cd -P -- ${start.relative === "-" ? "./-" : next} 2>/dev/null || ${otherwise("fail", next)}`,
    );
  }
  if (oldCwd !== undefined && oldCwd !== "") lines.push(`OLDPWD=${shellQuote(oldCwd)}`);
  return `${lines.join("\n")}\n`;
}

function otherwise(ifMissing: StartDirectory["ifMissing"], word: string): string {
  switch (ifMissing) {
    case "fail":
      return (
        `{ __tl_x=missing; [[ ! -e ${word} ]] || __tl_x=not_a_directory; [[ ! -d ${word} ]] || __tl_x=not_permitted; ` +
        `builtin trap - EXIT; builtin printf "%s w %s\\n" "$__tl_n" "$__tl_x" >|"$__tl_d.s"; builtin exit 0; }`
      );
    case "nearest":
      return (
        `{ __tl_x=${word}; while [[ $__tl_x == ?*/* ]]; do __tl_x=\${__tl_x%/*}; ` +
        `builtin cd -- "\${__tl_x:-/}" 2>/dev/null && break; done; [[ -n $__tl_x && $PWD = "$__tl_x" ]] || builtin cd /; __tl_a=$PWD; }`
      );
    case "home":
      return `{ builtin cd -- ~ 2>/dev/null || builtin cd /; __tl_a=$PWD; }`;
  }
}
