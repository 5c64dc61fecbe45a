import { configPath, loadConfig, showSource, showValue, type Config, type ConfigValue } from "@talaria/core";
import { existsSync } from "node:fs";
import { valueMember } from "../configuration/show-values.js";
import { failure, success } from "../exit-status.js";
import { formatDocument } from "../output/json-document.js";
import { formatTable, type Cell } from "../output/table.js";
import type { Invocation } from "../program/invocation.js";
import { auditPath } from "./audit-row.js";
import { namedSessions } from "./named-sessions.js";
import { backendMember } from "./show-backends.js";
import { surveyBackends } from "./surveyed-backend.js";

/** Prints what a command would run on. Status 1 when the chosen backend is not ready. */
export async function showStatus(invocation: Invocation, json: boolean): Promise<number> {
  const { stdout, style, messages } = invocation;
  const config = await loadConfig();
  const [backend] = await surveyBackends(config, [config.get("terminal.backend")]);
  if (backend === undefined) return failure;
  const ready = backend.probe.status === "ready";
  const values = config.entries().filter(isWorthShowing);
  const sessions = await namedSessions(config.talariaHome);
  const file = configPath({ talariaHome: config.talariaHome });
  if (json) {
    await stdout.write(
      formatDocument({
        backend: backendMember(backend),
        values: values.map(valueMember),
        talariaHome: config.talariaHome,
        configFile: { path: file, exists: existsSync(file) },
        projectFile: config.projectFile ?? null,
        sessions,
        approvals: {
          mode: config.get("approvals.mode"),
          allow: config.get("approvals.allow"),
          deny: config.get("approvals.deny"),
        },
        audit: { isEnabled: config.get("audit.enabled"), path: auditPath(config) },
        warnings: config.warnings,
      }),
    );
    return ready ? success : failure;
  }
  const { flags } = backend.registered ?? {};
  const rows: (Cell | string)[][] = [
    [{ text: "backend", look: style.bold }, `${backend.row.name}  ${flags?.description ?? ""}`.trimEnd()],
    [
      "",
      {
        text: `${backend.probe.status.replaceAll("_", " ")}: ${backend.probe.detail}`,
        look: ready ? style.good : style.bad,
      },
    ],
    ...(backend.hint === undefined ? [] : [["", `hint: ${backend.hint}`]]),
    [{ text: "config", look: style.bold }, existsSync(file) ? file : `${file} (not there: defaults)`],
    ...(config.projectFile === undefined
      ? []
      : [[{ text: "project", look: style.bold }, config.projectFile]]),
    [{ text: "sessions", look: style.bold }, sessions.length === 0 ? "none kept" : sessions.join(", ")],
    [{ text: "approvals", look: style.bold }, approvalsText(config)],
    [
      { text: "audit", look: style.bold },
      config.get("audit.enabled") ? auditPath(config) : "off (audit.enabled)",
    ],
  ];
  for (const line of formatTable(rows)) stdout.line(line);
  stdout.line();
  for (const line of formatTable(values.map((value) => valueRow(value, style)))) stdout.line(line);
  for (const warning of config.warnings) messages.warning(warning);
  return ready ? success : failure;
}

function approvalsText(config: Config): string {
  const [allowed, denied] = [config.get("approvals.allow").length, config.get("approvals.deny").length];
  return `${config.get("approvals.mode")} (${allowed} allowed, ${denied} denied; talaria approvals list)`;
}

function valueRow(value: ConfigValue, style: Invocation["style"]): (Cell | string)[] {
  const source = value.source.kind === "default" ? "default" : showSource(value.source);
  return [value.key, showValue(value), { text: source, look: style.dim }];
}

/** What decides where and how commands run, and everything that somebody has set. */
function isWorthShowing({ key, source }: ReturnType<Config["entries"]>[number]): boolean {
  return source.kind !== "default" || key.startsWith("terminal.");
}
