import type { StartDirectory } from "../environment/execute-options.js";
import {
  aliasChanges,
  envChanges,
  functionChanges,
  optionChanges,
  type CarriedState,
} from "./carried-state.js";
import { shellQuote } from "./quote.js";
import { toShellBytes } from "./shell-bytes.js";
import type { ShellFunction } from "./state-dump.js";

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
export function inheritText(held: InheritedState, wanted: InheritedState, nowhere = "&194"): string {
  if (held.functions === wanted.functions && held.aliases === wanted.aliases) return "";
  const lines: string[] = [];
  const functions = functionChanges(held.functions, wanted.functions);
  for (const name of driverWords) functions.delete(name);
  if (functions.size > 0) {
    lines.push("\\builtin shopt -s extglob");
    for (const [name, definition] of functions) {
      lines.push(`\\builtin unset -f -- ${shellQuote(name)}`);
      if (definition === undefined) continue;
      lines.push(...definitionLines(name, definition, nowhere));
    }
    lines.push("\\builtin shopt -u extglob");
  }
  for (const [name, value] of aliasChanges(held.aliases, wanted.aliases)) {
    const word = shellQuote(value === undefined ? name : `${name}=${value}`);
    lines.push(`\\builtin ${value === undefined ? "unalias" : "alias"} -- ${word}`);
  }
  return lines.length === 0 ? "" : `${lines.join("\n")}\n`;
}

/** bash prints some functions in a form that it does not take back, `( ! )` for one: those are lost without a word. */
function definitionLines(name: string, definition: ShellFunction, nowhere: string): string[] {
  const define = `\\builtin eval ${shellQuote(definition.body)} 2>${nowhere}`;
  return definition.exported ? [define, `\\builtin export -f -- ${shellQuote(name)}`] : [define];
}

/**
 * Functions that only a subshell may have, after the driver's last use of the word: `exec`. The driver evaluates `__tl_j`
 * then. A function called `builtin` is never carried over.
 */
export function lateFunctionsText(wanted: InheritedState): string {
  const definition = wanted.functions.get("exec");
  if (definition === undefined) return "";
  return `__tl_j=${shellQuote(definitionLines("exec", definition, "/dev/null").join("\n"))}\n`;
}

/** Text that brings a fresh subshell's variables, umask and options from the sandbox's start to the state. */
export function stateText(base: CarriedState, state: CarriedState): string {
  if (base === state) return "";
  const lines: string[] = [];
  for (const [name, value] of envChanges(base, state)) {
    lines.push(
      value === undefined ? `\\builtin unset -v ${name}` : `\\builtin export ${name}=${shellQuote(value)}`,
    );
  }
  if (state.umask !== base.umask) lines.push(`\\builtin umask ${state.umask}`);
  for (const [name, on] of optionChanges(base.shopt, state.shopt))
    lines.push(`\\builtin shopt -${on ? "s" : "u"} ${name}`);
  for (const [name, on] of optionChanges(base.options, state.options))
    lines.push(`\\builtin set ${on ? "-" : "+"}o ${name}`);
  return lines.length === 0 ? "" : `${lines.join("\n")}\n`;
}

/** Variables of one call. */
export function callEnvText(env: Readonly<Record<string, string>>): string {
  return Object.entries(env)
    .map(([name, value]) => `\\builtin export ${name}=${shellQuote(toShellBytes(value))}\n`)
    .join("");
}

/** `..` after a link means the parent of its target; a path without it is kept as it was given. */
export function isPhysical(directory: string): boolean {
  return /(?:^|\/)\.\.(?:\/|$)/.test(directory);
}

const onWrongDirectory: Readonly<Record<StartDirectory["ifMissing"], string>> = {
  fail: "$__tl_w1",
  nearest: "$__tl_w2",
  home: "$__tl_w3",
};

function enter(directory: string, option: string, ifMissing: StartDirectory["ifMissing"]): string {
  // A bare `-` would mean the directory before, and other bare names are looked up in CDPATH.
  const word = shellQuote(directory.startsWith("/") ? directory : `./${directory}`);
  return `__tl_x=${word}; \\builtin cd ${option} "$__tl_x" 2>&194 || \\builtin eval "${onWrongDirectory[ifMissing]}"`;
}

/**
 * Text that enters the start directory, given as `directory` in shell bytes. When it cannot be entered the subshell ends
 * before any user text ran (`fail`), or the nearest ancestor or the home takes its place, which `__tl_a` then reports.
 */
export function startText(start: StartDirectory, directory: string, oldCwd: string | undefined): string {
  const option = isPhysical(directory) ? "-P --" : "--";
  const lines = [enter(directory, option, start.ifMissing)];
  if (start.relative !== undefined) lines.push(enter(toShellBytes(start.relative), "-P --", "fail"));
  if (oldCwd !== undefined && oldCwd !== "") lines.push(`OLDPWD=${shellQuote(oldCwd)}`);
  return `${lines.join("\n")}\n`;
}
