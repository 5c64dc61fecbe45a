import { describeValue } from "./describe-value.js";
import type { TerminalEnvironmentProvider } from "./provider.js";

/** What `defaultCwd` says at this moment. */
export type DefaultCwdReading =
  /** Not declared. */
  | { readonly kind: "none" }
  /** A text, not yet judged: the resolver decides whether it is usable as a directory. */
  | { readonly kind: "declared"; readonly path: string }
  /** The getter threw or gave something else: said in `result.notes` and by doctor, never taken for "not declared". */
  | { readonly kind: "unusable"; readonly reason: string };

/** Reads `defaultCwd`, which may change and so is read for every command. Never throws. */
export function readDefaultCwd(provider: Pick<TerminalEnvironmentProvider, "defaultCwd">): DefaultCwdReading {
  let value: unknown;
  try {
    value = provider.defaultCwd;
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return { kind: "unusable", reason: `the provider's defaultCwd threw: ${why}` };
  }
  if (value === null || value === undefined) return { kind: "none" };
  if (typeof value !== "string") {
    return {
      kind: "unusable",
      reason: `the provider's defaultCwd is ${describeValue(value)}, expected a path, "~" or null`,
    };
  }
  if (value === "") return { kind: "unusable", reason: "the provider's defaultCwd is an empty text" };
  if (value.includes("\0")) {
    return { kind: "unusable", reason: "the provider's defaultCwd contains a NUL character" };
  }
  return { kind: "declared", path: value };
}
