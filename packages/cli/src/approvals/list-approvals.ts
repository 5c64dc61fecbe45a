import { listCommandRules, loadConfig, showSource, type Config } from "@talaria/core";
import { success } from "../exit-status.js";
import { formatDocument } from "../output/json-document.js";
import { formatTable } from "../output/table.js";
import { visibleText } from "../output/visible-text.js";
import type { Invocation } from "../program/invocation.js";

/** Prints the rules, and what is allowed and denied by whom. */
export async function listApprovals({ stdout, style }: Invocation, json: boolean): Promise<number> {
  const config = await loadConfig();
  const rules = await listCommandRules();
  const [allow, deny] = [config.get("approvals.allow"), config.get("approvals.deny")];
  const sources = {
    mode: sourceOf(config, "approvals.mode"),
    allow: sourceOf(config, "approvals.allow"),
    deny: sourceOf(config, "approvals.deny"),
  };
  if (json) {
    const mode = config.get("approvals.mode");
    const timeoutSeconds = config.get("approvals.timeout_seconds");
    await stdout.write(formatDocument({ mode, timeoutSeconds, allow, deny, sources, rules }));
    return success;
  }
  stdout.line(`${style.bold("mode")}  ${config.get("approvals.mode")}  ${style.dim(sources.mode)}`);
  printPatterns("never run", deny, sources.deny);
  printPatterns("run without a question", allow, sources.allow);
  for (const [level, title] of [
    ["hardline", "never run, and nothing can allow them"],
    ["dangerous", "are asked about"],
  ] as const) {
    stdout.line();
    stdout.line(style.bold(title));
    const rows = rules
      .filter((rule) => rule.level === level)
      .map(({ id, category, description, why }) => [
        id,
        { text: category.replaceAll("_", " "), look: style.dim },
        `${description.replaceAll("`", "")}: ${why}`,
      ]);
    for (const line of formatTable(rows, "  ")) stdout.line(line);
  }
  return success;

  function printPatterns(title: string, patterns: readonly string[], source: string): void {
    stdout.line();
    stdout.line(`${style.bold(title)}  ${style.dim(source)}`);
    if (patterns.length === 0) stdout.line("  nothing");
    for (const pattern of patterns) stdout.line(`  ${visibleText(pattern).replaceAll("\n", "\\n")}`);
  }
}

function sourceOf(config: Config, key: "approvals.mode" | "approvals.allow" | "approvals.deny"): string {
  const source = config.value(key)?.source;
  return source === undefined || source.kind === "default" ? "default" : showSource(source);
}
