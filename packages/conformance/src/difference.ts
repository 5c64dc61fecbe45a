import { InvalidArgumentError } from "@talaria/core";
import type { ConformanceCase } from "./case.js";

/** A legitimate difference of a backend from the contract, stated in words. Its cases are `unsupported`, and counted so. */
export interface Difference {
  /** A short name: `no-bash`, `no-signal-names`. */
  readonly id: string;
  /** Why this backend cannot do otherwise. Shown with every case it concerns. */
  readonly because: string;
  /** The cases that cannot hold. At least one: a difference without consequence is not one. */
  readonly unsupported: readonly string[];
}

/** Case id to the difference that concerns it. Refuses differences that name no case, an unknown one or one twice. */
export function differencesByCase(
  differences: readonly Difference[],
  cases: readonly ConformanceCase[],
): ReadonlyMap<string, Difference> {
  const known = new Set(cases.map(({ id }) => id));
  const byCase = new Map<string, Difference>();
  for (const difference of differences) {
    const refuse = (why: string): never => {
      throw new InvalidArgumentError("differences", `The difference "${difference.id}" ${why}.`, {
        operation: "conformance",
        hint: "List the ids with `talaria conformance <backend> --json`, and name each case once.",
      });
    };
    if (difference.because.trim() === "") refuse("does not say why (`because` is empty)");
    if (difference.unsupported.length === 0) refuse("names no case, so it would change nothing");
    for (const id of difference.unsupported) {
      if (!known.has(id)) refuse(`names the case "${id}", which does not exist`);
      if (byCase.has(id)) refuse(`names the case "${id}", which "${byCase.get(id)?.id}" names already`);
      byCase.set(id, difference);
    }
  }
  return byCase;
}
