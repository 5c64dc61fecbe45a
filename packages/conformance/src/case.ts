import type { Capability } from "@talaria/core";
import type { CaseContext } from "./case-context.js";

/** The groups of the suite, in the order they are run and shown. */
export const conformanceGroups = [
  "outcome",
  "completion",
  "kill",
  "output",
  "stdin",
  "quoting",
  "state",
  "environment",
  "concurrency",
  "lifecycle",
  "files",
  "jobs",
  "policy",
  "secrets",
] as const;

export type ConformanceGroup = (typeof conformanceGroups)[number];

/** What a case says of itself, apart from its name and group. */
export interface CaseDefinition {
  /** A sentence about behaviour: what a user of the backend may rely on. */
  readonly title: string;
  /** The rule it holds: a number of SPEC, a decision of DESIGN, or a report of the field's catalogue. */
  readonly rule: string;
  /** Capabilities without which it cannot be run: it is then `unsupported`, never passed. Default none. */
  readonly needs?: readonly Capability[] | undefined;
  /** Takes minutes: run only when asked for. */
  readonly long?: true | undefined;
  /** Measures memory or time of the host: never run beside another case. */
  readonly alone?: true | undefined;
  /** Milliseconds until it has failed, on a sandbox of ordinary speed. Default 30,000. */
  readonly deadlineMs?: number | undefined;
  run(context: CaseContext): Promise<void>;
}

/** One case of the suite, as data. */
export interface ConformanceCase extends CaseDefinition {
  /** `<group>.<name>`; stable across versions. */
  readonly id: string;
  readonly group: ConformanceGroup;
  readonly needs: readonly Capability[];
  readonly deadlineMs: number;
}

const defaultDeadlineMs = 30_000;

/** Makes the cases of one file: the keys are their names, so that two of one name cannot be. */
export function casesOf(
  group: ConformanceGroup,
  definitions: Readonly<Record<string, CaseDefinition>>,
): readonly ConformanceCase[] {
  return Object.entries(definitions).map(([name, definition]) => ({
    ...definition,
    id: `${group}.${name}`,
    group,
    needs: definition.needs ?? [],
    deadlineMs: definition.deadlineMs ?? defaultDeadlineMs,
  }));
}
