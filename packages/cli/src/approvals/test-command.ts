import {
  loadBackend,
  loadCommandPolicy,
  loadConfig,
  ProviderRegistry,
  sessionPolicyOptions,
  type CommandPolicyOptions,
  type JudgedPlace,
  type Verdict,
} from "@talaria/core";
import { homedir } from "node:os";
import { commandText } from "../exec/command-text.js";
import { failure, success } from "../exit-status.js";
import { formatDocument } from "../output/json-document.js";
import type { Look, Style } from "../output/style.js";
import { formatTable } from "../output/table.js";
import type { Invocation } from "../program/invocation.js";
import { wouldChange } from "./would-change.js";

export interface TestOptions {
  readonly backend?: string;
  readonly json?: true;
}

/** Entries of a list that are tried one by one, to say which of them it is. */
const mostTried = 200;
const mostShown = 20;

/** Says what would become of a command, and runs nothing. Status 1 when it would not simply run. */
export async function testCommand(
  invocation: Invocation,
  words: readonly string[],
  options: TestOptions,
): Promise<number> {
  const command = commandText(words);
  const { policyOptions, place, isIsolated } = await policyFor(options.backend);
  const policy = await loadCommandPolicy(policyOptions);
  const verdict = policy.judge(command, place);
  const commands = policy.commandsOf(command, place);
  const allowedBy =
    verdict.level === "allowance" ? await entriesThatAllow(command, place, policyOptions) : [];
  const changes = wouldChange(verdict, policyOptions.mode ?? "ask", command);
  if (options.json) {
    const { backend, mode } = policyOptions;
    await invocation.stdout.write(
      formatDocument({ command, backend, mode, ...verdict, commands, allowedBy, isIsolated, changes }),
    );
  } else {
    print(invocation, verdict, { commands, allowedBy, changes, backend: policyOptions.backend, isIsolated });
  }
  return verdict.decision === "allow" ? success : failure;
}

/** The policy a new session on the backend would have, as far as that can be known without making a sandbox. */
async function policyFor(
  named: string | undefined,
): Promise<{ policyOptions: CommandPolicyOptions; place: JudgedPlace; isIsolated: boolean }> {
  const config = await loadConfig();
  const backend = named ?? config.get("terminal.backend");
  const { name, flags } = await loadBackend(backend, { config, registry: new ProviderRegistry() });
  const policyOptions = sessionPolicyOptions(
    {},
    {
      backend: name,
      session: "approvals-test",
      skipContainerGuards: flags.skipContainerGuards,
      hasHostPaths: false,
      config,
      talariaHome: config.talariaHome,
    },
  );
  const isHost = !flags.isRemote && !flags.isContainer;
  const place = isHost ? { cwd: process.cwd(), home: homedir() } : {};
  return { policyOptions, place, isIsolated: flags.skipContainerGuards };
}

/** The entries of `approvals.allow` that let it run by themselves. */
async function entriesThatAllow(
  command: string,
  place: JudgedPlace,
  options: CommandPolicyOptions,
): Promise<readonly string[]> {
  const found: string[] = [];
  for (const entry of (options.allow ?? []).slice(0, mostTried)) {
    const policy = await loadCommandPolicy({ ...options, allow: [entry] });
    if (policy.judge(command, place).decision === "allow") found.push(entry);
  }
  return found;
}

interface Explanation {
  readonly commands: readonly string[];
  readonly allowedBy: readonly string[];
  readonly changes: readonly string[];
  readonly backend: string;
  readonly isIsolated: boolean;
}

function print({ stdout, style }: Invocation, verdict: Verdict, explanation: Explanation): void {
  const { decision, level, rule, category, reason, matched } = verdict;
  const { commands, allowedBy, changes, backend, isIsolated } = explanation;
  const { word, look } = shownDecision(decision, style);
  const name = (text: string): { text: string; look: Look } => ({ text, look: style.bold });
  const rows = [
    [name("verdict"), { text: word, look }],
    [name("why"), reason],
    ...(rule === null
      ? []
      : [[name("rule"), `${rule} (${level}, ${(category ?? "unclear").replaceAll("_", " ")})`]]),
    ...(matched === null ? [] : [[name("part"), matched]]),
    ...allowedBy.map((entry) => [name("allowed by"), entry]),
    [name("backend"), isIsolated ? `${backend} (isolated, unless paths of this host are mounted)` : backend],
    ...commands.slice(0, mostShown).map((text, index) => [name(index === 0 ? "commands" : ""), text]),
    ...(commands.length > mostShown ? [[name(""), `and ${commands.length - mostShown} more`]] : []),
    ...changes.map((text, index) => [name(index === 0 ? "to change it" : ""), text]),
  ];
  for (const line of formatTable(rows)) stdout.line(line);
}

function shownDecision(decision: Verdict["decision"], style: Style): { word: string; look: Look } {
  switch (decision) {
    case "allow":
      return { word: "allow: it would run", look: style.good };
    case "ask":
      return {
        word: "ask: it runs when somebody approves it, and is refused where nobody can be asked",
        look: style.warning,
      };
    case "deny":
      return { word: "deny: it would be refused", look: style.bad };
  }
}
