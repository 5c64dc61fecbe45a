import { loadConfig } from "@talaria/core";
import { success } from "../exit-status.js";
import { formatDocument, snakeCase } from "../output/json-document.js";
import { formatTable, type Cell } from "../output/table.js";
import type { Invocation } from "../program/invocation.js";
import { surveyBackends, type SurveyedBackend } from "./surveyed-backend.js";

/** Prints every backend that is known, the chosen one marked. */
export async function showBackends(invocation: Invocation, json: boolean): Promise<number> {
  const { stdout, style } = invocation;
  const config = await loadConfig();
  const chosen = config.get("terminal.backend");
  const backends = await surveyBackends(config);
  if (json) {
    await stdout.write(formatDocument({ chosen, backends: backends.map(backendMember) }));
    return success;
  }
  const rows = backends.map(({ row, registered, probe, hint }): (Cell | string)[] => [
    row.name === chosen ? "*" : " ",
    { text: row.name, look: row.name === chosen ? style.bold : undefined },
    { text: stateWord(probe.status, row.status), look: probe.status === "ready" ? style.good : style.dim },
    row.version ?? "",
    registered?.flags.description ?? (row.status === "not_released" ? undefined : hint) ?? probe.detail,
  ]);
  for (const line of formatTable(rows)) stdout.line(line);
  return success;
}

/** A backend as a member of a document, with its flags where its code could be read. */
export function backendMember({ row, registered, probe, hint }: SurveyedBackend): object {
  return {
    name: row.name,
    plugin: row.pluginId,
    version: row.version,
    isFirstParty: row.isFirstParty,
    installation: row.status,
    status: probe.status,
    reason: probe.reason,
    detail: probe.detail,
    hint,
    flags: registered === undefined ? undefined : flagsMember(registered.flags),
  };
}

/** The declared flags, the fields of the schema as a list: their names are data. */
function flagsMember({
  configSchema,
  ...flags
}: NonNullable<SurveyedBackend["registered"]>["flags"]): object {
  const fields = Object.entries(configSchema).map(([name, field]) => ({ name, ...field }));
  return { ...flags, capabilities: flags.capabilities.map(snakeCase), configSchema: fields };
}

function stateWord(
  status: SurveyedBackend["probe"]["status"],
  installed: SurveyedBackend["row"]["status"],
): string {
  return (installed === "installed" ? status : installed).replaceAll("_", " ");
}
