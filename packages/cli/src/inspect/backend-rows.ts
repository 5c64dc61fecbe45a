import {
  TalariaError,
  resolveBackendConfig,
  type Config,
  type DoctorCheck,
  type RegisteredProvider,
} from "@talaria/core";
import type { DoctorRow, DoctorStatus } from "./doctor-row.js";
import { toolRows } from "./tool-rows.js";
import { wholeProvider } from "./whole-provider.js";
import type { SurveyedBackend } from "./surveyed-backend.js";

/** The rows of one backend. `wanted`: it is the configured one or was named, so that not being ready is a failure. */
export async function backendRows(
  config: Config,
  { row, registered, probe, hint }: SurveyedBackend,
  wanted: boolean,
): Promise<readonly DoctorRow[]> {
  const health: DoctorRow = {
    backend: row.name,
    id: "probe",
    status: healthStatus(probe.status === "ready", row.status === "installed", wanted),
    reason: probe.reason,
    label: probe.status.replaceAll("_", " "),
    detail: probe.detail,
    hint,
  };
  if (registered === undefined) return [health];
  const checks = await ownChecks(registered);
  return [
    health,
    ...checks.map((check) => checkRow(row.name, check, wanted)),
    ...configRows(config, registered),
    ...(wanted ? await toolRows(registered) : []),
  ];
}

function healthStatus(ready: boolean, installed: boolean, wanted: boolean): DoctorStatus {
  if (ready) return "ok";
  if (wanted) return "failed";
  return installed ? "warning" : "info";
}

async function ownChecks({ provider }: RegisteredProvider): Promise<readonly DoctorCheck[]> {
  try {
    return await wholeProvider(provider).doctorChecks();
  } catch (error) {
    const detail = `its own checks failed: ${error instanceof Error ? error.message : String(error)}`;
    return [{ id: "doctor_checks", label: "own checks", status: "failed", detail }];
  }
}

function checkRow(
  backend: string,
  { id, label, status, detail, hint }: DoctorCheck,
  wanted: boolean,
): DoctorRow {
  return {
    backend,
    id,
    status: status === "failed" && !wanted ? "warning" : status,
    reason: status === "ok" ? "ok" : id,
    label,
    detail,
    hint,
  };
}

function configRows(config: Config, { name, flags }: RegisteredProvider): readonly DoctorRow[] {
  const row = { backend: name, id: "config", label: "configuration" };
  try {
    const { warnings } = resolveBackendConfig(config, name, flags.configSchema);
    return warnings.map((detail) => ({ ...row, status: "warning", reason: "config_warning", detail }));
  } catch (error) {
    const detail = error instanceof Error ? error.message : String(error);
    const hint = TalariaError.isInstance(error) ? error.hint : undefined;
    return [{ ...row, status: "failed", reason: "config_invalid", detail, hint }];
  }
}
