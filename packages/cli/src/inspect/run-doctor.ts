import { checkConfig, configPath, listPlugins, loadConfig, type Config } from "@talaria/core";
import { existsSync } from "node:fs";
import { knownSchemas } from "../configuration/known-schemas.js";
import { failure, success } from "../exit-status.js";
import { formatDocument } from "../output/json-document.js";
import type { Look, Style } from "../output/style.js";
import { formatTable } from "../output/table.js";
import { visibleText } from "../output/visible-text.js";
import type { Invocation } from "../program/invocation.js";
import { auditRow } from "./audit-row.js";
import { backendRows } from "./backend-rows.js";
import { isBroken, type DoctorRow, type DoctorStatus } from "./doctor-row.js";
import { surveyBackends } from "./surveyed-backend.js";

export interface DoctorOptions {
  readonly json?: true;
  readonly strict?: true;
}

/** Checks everything and prints a row for each thing that was looked at. */
export async function runDoctor(
  invocation: Invocation,
  names: readonly string[],
  options: DoctorOptions,
): Promise<number> {
  const rows = [...(await configurationRows())];
  // A configuration with an error is used by nothing: every backend would fail for that one reason.
  if (!isBroken(rows, false)) {
    const config = await loadConfig();
    rows.push(await auditRow(config), ...(await pluginRows(config)));
    const surveyed = await surveyBackends(config, names.length === 0 ? undefined : names);
    const chosen = config.get("terminal.backend");
    for (const backend of surveyed) {
      rows.push(...(await backendRows(config, backend, names.length > 0 || backend.row.name === chosen)));
    }
  }
  const broken = isBroken(rows, options.strict === true);
  if (options.json) await invocation.stdout.write(formatDocument({ ok: !broken, checks: rows }));
  else print(invocation, rows);
  return broken ? failure : success;
}

async function configurationRows(): Promise<readonly DoctorRow[]> {
  const problems = await checkConfig({ schemas: await knownSchemas() });
  const row = { backend: null, id: "config", label: "configuration" };
  if (problems.length === 0) {
    const path = configPath();
    const detail = existsSync(path) ? path : `${path} (not there: defaults)`;
    return [{ ...row, status: "ok", reason: "ok", detail }];
  }
  return problems.map(({ severity, message, hint }) => ({
    ...row,
    status: severity === "error" ? "failed" : "warning",
    reason: severity === "error" ? "config_invalid" : "config_warning",
    detail: message,
    hint,
  }));
}

/** Plugins that cannot be loaded although somebody wants them. */
async function pluginRows(config: Config): Promise<readonly DoctorRow[]> {
  const plugins = await listPlugins({ config });
  return plugins
    .filter(({ status }) => status === "invalid" || status === "missing" || status === "shadowed")
    .map(({ id, status, reason, hint }) => ({
      backend: null,
      id: "plugin",
      status: "warning",
      reason: `plugin_${status}`,
      label: "plugin",
      detail: `${id}: ${reason ?? status}`,
      hint,
    }));
}

function print({ stdout, style }: Invocation, rows: readonly DoctorRow[]): void {
  const absent = rows.filter(isAbsent);
  const shown = rows.filter((row) => !isAbsent(row));
  for (const backend of new Set(shown.map((row) => row.backend))) {
    stdout.line(style.bold(backend ?? "talaria"));
    const own = shown.filter((row) => row.backend === backend);
    const lines = formatTable(
      own.map(({ status, label, detail }) => [{ text: status, look: lookOf(status, style) }, label, detail]),
      "  ",
    );
    for (const [index, line] of lines.entries()) {
      stdout.line(line);
      const row = own[index];
      if (row?.hint !== undefined && row.status !== "ok") stdout.line(`    hint: ${visibleText(row.hint)}`);
    }
  }
  if (absent.length > 0) {
    stdout.line();
    stdout.line(`not there: ${absent.map(({ backend }) => backend).join(", ")} (talaria backends)`);
  }
  const count = (status: DoctorStatus): number => rows.filter((row) => row.status === status).length;
  stdout.line();
  stdout.line(`${count("ok")} ok, ${count("warning")} warnings, ${count("failed")} failed`);
}

/** A backend that nobody asked for and that is not there: worth a name, not a row. */
function isAbsent({ status, reason }: DoctorRow): boolean {
  return status === "info" && (reason === "not_installed" || reason === "not_released");
}

function lookOf(status: DoctorStatus, style: Style): Look {
  return { ok: style.good, info: style.dim, warning: style.warning, failed: style.bad }[status];
}
