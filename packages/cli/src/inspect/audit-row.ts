import type { Config } from "@talaria/core";
import { constants } from "node:fs";
import { access, lstat } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { DoctorRow } from "./doctor-row.js";

/** Where the audit of a configuration's home is. */
export function auditPath({ talariaHome }: Config): string {
  return join(talariaHome, "audit");
}

/** Whether the audit can be written: what it could not write fails no command, so nobody would notice. */
export async function auditRow(config: Config): Promise<DoctorRow> {
  const row = { backend: null, id: "audit", label: "audit" };
  if (!config.get("audit.enabled")) {
    return {
      ...row,
      status: "info",
      reason: "audit_off",
      detail: "off (audit.enabled): what agents do is not kept",
    };
  }
  const folder = auditPath(config);
  const problem = await folderProblem(folder);
  if (problem === undefined) return { ...row, status: "ok", reason: "ok", detail: folder };
  const hint = `make it writable for you alone: chmod 700 ${folder}, or set audit.enabled to false`;
  return { ...row, status: "failed", reason: "audit_not_writable", detail: `${folder} ${problem}`, hint };
}

/** Why entries could not be kept there. A folder that is not there yet is made by the first of them. */
async function folderProblem(folder: string): Promise<string | undefined> {
  for (let path = folder; ; path = dirname(path)) {
    const stats = await lstat(path).catch(() => undefined);
    if (stats === undefined) {
      if (dirname(path) === path) return "cannot be made";
      continue;
    }
    if (!stats.isDirectory())
      return path === folder ? "is no folder" : `cannot be made: ${path} is no folder`;
    const isWritable = await access(path, constants.W_OK | constants.X_OK).then(
      () => true,
      () => false,
    );
    if (!isWritable) return path === folder ? "cannot be written" : `cannot be made in ${path}`;
    const own = process.getuid?.();
    const isOpen =
      path === folder && ((own !== undefined && stats.uid !== own) || (stats.mode & 0o022) !== 0);
    return isOpen ? "is not private to you" : undefined;
  }
}
