import { InvalidArgumentError } from "@talaria/core";
import { conformanceGroups, type ConformanceCase, type ConformanceGroup } from "./case.js";

/** Which cases to run. Both: those that are in one of the groups and among the ids. */
export interface CaseSelection {
  /** Default all. */
  readonly groups?: readonly (ConformanceGroup | (string & {}))[] | undefined;
  /** Default all. */
  readonly ids?: readonly string[] | undefined;
}

/** The selected cases in the suite's order. A name that selects nothing is refused: it would look like a pass. */
export function selectCases(
  cases: readonly ConformanceCase[],
  { groups, ids }: CaseSelection,
): readonly ConformanceCase[] {
  for (const group of groups ?? []) {
    if (!conformanceGroups.some((known) => known === group)) {
      throw new InvalidArgumentError("groups", `There is no group "${group}" in the conformance suite.`, {
        operation: "conformance",
        hint: `The groups are: ${conformanceGroups.join(", ")}.`,
      });
    }
  }
  for (const id of ids ?? []) {
    if (!cases.some((known) => known.id === id)) {
      throw new InvalidArgumentError("ids", `There is no case "${id}" in the conformance suite.`, {
        operation: "conformance",
        hint: "Ids are written `<group>.<name>`; a run with `--json` lists them.",
      });
    }
  }
  return cases.filter(
    ({ id, group }) =>
      (groups === undefined || groups.includes(group)) && (ids === undefined || ids.includes(id)),
  );
}
