import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import * as parser from "unbash";
import { expect, it } from "vitest";
import type { CommandRule } from "../../src/policy/command-rule.js";
import { findingsOf } from "../../src/policy/findings.js";
import { commandRules } from "../../src/policy/rules/all-rules.js";
import { verdictOf, type PolicyLists } from "../../src/policy/verdict-of.js";

const page = fileURLToPath(new URL("../../../../docs/guide/approvals.md", import.meta.url));

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(" | ")} |`;
  return [line(head), `|${"---|".repeat(head.length)}`, ...rows.map(line)].join("\n");
}

function ruleTable(level: CommandRule["level"], withCategory: boolean): string {
  const rows = commandRules
    .filter((rule) => rule.level === level)
    .map(({ id, category, description, why }) => [
      `\`${id}\``,
      ...(withCategory ? [category] : []),
      description.replaceAll("|", "\\|"),
      why,
    ]);
  return table(["rule", ...(withCategory ? ["category"] : []), "commands", "because"], rows);
}

/** What becomes of one command of each kind, as the policy itself says. */
function placeTable(): string {
  const base: PolicyLists = { mode: "ask", deny: ["curl"], allow: ["git clean -fd"], skipsQuestions: false };
  const kinds: readonly (readonly [kind: string, command: string])[] = [
    ["the hardline floor", "rm -rf /"],
    ["a command of `approvals.deny`", "curl x"],
    ["a dangerous command of `approvals.allow`", "git clean -fd"],
    ["another dangerous command", "git reset --hard"],
    ["any other command", "ls"],
  ];
  const places: readonly (readonly [place: string, lists: PolicyLists])[] = [
    ["`local`, `ssh`, a container with host paths", base],
    ["an isolated container", { ...base, skipsQuestions: true }],
    ["`mode: deny`", { ...base, mode: "deny" }],
    ["`mode: off`", { ...base, mode: "off" }],
  ];
  const words = { allow: "runs", ask: "asks", deny: "refused" } as const;
  return table(
    ["", ...places.map(([place]) => place)],
    kinds.map(([kind, command]) => [
      kind,
      ...places.map(
        ([, lists]) => words[verdictOf(command, findingsOf(command, {}, parser), lists).decision],
      ),
    ]),
  );
}

function withPart(text: string, name: string, part: string): string {
  const [begin, end] = [`<!-- ${name}: begin -->`, `<!-- ${name}: end -->`];
  const [from, to] = [text.indexOf(begin), text.indexOf(end)];
  if (from < 0 || to < from) throw new Error(`${page} has no part "${name}".`);
  return `${text.slice(0, from + begin.length)}\n\n${part}\n\n${text.slice(to)}`;
}

// `npx vitest run -u` on this file writes the page anew.
it("the page about approvals says what the rules say", async () => {
  const text = await readFile(page, "utf8");
  let wanted = withPart(text, "places", placeTable());
  wanted = withPart(wanted, "hardline", ruleTable("hardline", false));
  wanted = withPart(wanted, "dangerous", ruleTable("dangerous", true));
  await expect(wanted).toMatchFileSnapshot(page);
});
