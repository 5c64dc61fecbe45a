import type { CommandRule } from "../command-rule.js";
import { administrationRules } from "./administration.js";
import { cloudRules } from "./cloud.js";
import { containerRules } from "./containers.js";
import { databaseRules } from "./database.js";
import { deletionRules } from "./deletion.js";
import { gitRules } from "./git.js";
import { hardlineRules } from "./hardline.js";
import { permissionRules } from "./permissions.js";
import { persistenceRules } from "./persistence.js";
import { processRules } from "./processes.js";
import { remoteCodeRules } from "./remote-code.js";
import { secretRules } from "./secrets.js";
import { systemRules } from "./system.js";
import { unclearRules } from "./unclear.js";

/** Every rule, the hardline floor first. Of several that match a command, the first is named. */
export const commandRules: readonly CommandRule[] = [
  ...hardlineRules,
  ...persistenceRules,
  ...secretRules,
  ...remoteCodeRules,
  ...deletionRules,
  ...systemRules,
  ...permissionRules,
  ...processRules,
  ...administrationRules,
  ...gitRules,
  ...databaseRules,
  ...containerRules,
  ...cloudRules,
  ...unclearRules,
];

const general = commandRules.filter(({ programs }) => programs === undefined);
const byProgram = new Map<string, readonly CommandRule[]>();
for (const rule of commandRules) {
  for (const program of rule.programs ?? []) {
    if (!byProgram.has(program)) byProgram.set(program, []);
  }
}
for (const program of byProgram.keys()) {
  byProgram.set(
    program,
    commandRules.filter(({ programs }) => programs === undefined || programs.includes(program)),
  );
}

/** The rules that can say something about a program. */
export function rulesFor(program: string): readonly CommandRule[] {
  return byProgram.get(program) ?? general;
}
