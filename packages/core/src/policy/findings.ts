import { Analyser, type Analysis, type ShellParser } from "./analyser.js";
import type { CommandRule } from "./command-rule.js";
import type { FoundCommand } from "./found-command.js";
import { showMarks, withoutMarks } from "./marks.js";
import { plainHardline } from "./plain-hardline.js";
import { commandRules, rulesFor } from "./rules/all-rules.js";
import { Scope, type JudgedPlace } from "./scope.js";

/** A rule that a command falls under. */
export interface Finding {
  readonly rule: CommandRule;
  /** The command, as the shell would see it. */
  readonly matched: string;
  /** The command and what runs it, each as the shell would see it. */
  readonly texts: readonly string[];
  /** What could not be understood, where that is the finding. */
  readonly problem?: string | undefined;
}

/** All that is to be said about a text, whatever the user allows or denies. */
export interface Findings {
  readonly commands: readonly FoundCommand[];
  /** The hardline floor first, then in the order of the rules. */
  readonly findings: readonly Finding[];
}

/** A longer text is not parsed but asked about. */
const maximalLength = 2_097_152;

/** Words that mean to a shell what they say: no parser is needed. */
const plainWords = /^[A-Za-z0-9_./:@%+,-]+(?: +[A-Za-z0-9_./:@%+,=-]+)*$/u;
const reserved =
  /^(?:if|then|else|elif|fi|for|while|until|do|done|case|esac|in|function|select|time|coproc)\b/u;

/** Analyses a text and finds the rules that it falls under. */
export function findingsOf(text: string, place: JudgedPlace, parser: ShellParser): Findings {
  const analysis = analyse(text, place, parser);
  const findings: Finding[] = [];
  for (const command of analysis.commands) {
    for (const rule of rulesFor(command.name)) {
      if (rule.matches(command)) findings.push(findingOf(rule, command));
    }
  }
  if (analysis.forkBomb !== undefined) findings.push(textFinding("fork_bomb", text));
  if (analysis.problems.length > 0) {
    const plain = plainHardline(text);
    if (plain !== undefined) findings.push(textFinding(plain, text));
    findings.push(textFinding("unparsable", text, analysis.problems.join("; ")));
  }
  return {
    commands: analysis.commands,
    findings: findings.length > 1 ? findings.toSorted(byOrder) : findings,
  };
}

function analyse(text: string, place: JudgedPlace, parser: ShellParser): Analysis {
  if (text.length > maximalLength) {
    return { commands: [], problems: ["it is longer than 2 MiB"], forkBomb: undefined };
  }
  const analyser = new Analyser(parser);
  if (!plainWords.test(text) || reserved.test(text))
    return analyser.analyse(withoutMarks(text), new Scope(place));
  analyser.runner.run({
    words: text.split(/ +/u),
    assignments: [],
    redirects: [],
    input: undefined,
    substitutions: [],
    outer: undefined,
    scope: new Scope(place),
  });
  return analyser;
}

const order = new Map(commandRules.map((rule, index) => [rule.id, index]));

function byOrder(one: Finding, other: Finding): number {
  return (order.get(one.rule.id) ?? 0) - (order.get(other.rule.id) ?? 0);
}

/** A command's words as one would write them. */
export function commandText(command: FoundCommand): string {
  return showMarks(command.words.join(" ")).trim();
}

function findingOf(rule: CommandRule, command: FoundCommand): Finding {
  const texts: string[] = [];
  for (let one: FoundCommand | undefined = command; one !== undefined; one = one.outer)
    texts.push(commandText(one));
  const redirects = command.redirects
    .map(({ operator, target }) => ` ${operator} ${showMarks(target)}`)
    .join("");
  return { rule, matched: `${texts[0] ?? ""}${redirects}`.trim(), texts };
}

function textFinding(id: string, text: string, problem?: string): Finding {
  const rule = commandRules.find((one) => one.id === id);
  if (rule === undefined) throw new RangeError(`There is no rule "${id}".`);
  return { rule, matched: text, texts: [], problem };
}
