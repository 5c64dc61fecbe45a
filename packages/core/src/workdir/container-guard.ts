import { isAtOrBelow, normalizePath } from "./normalize-path.js";
import { isDrivePath } from "./paths.js";

/** What the guard knows about the sandbox when it judges a value. */
export interface GuardFacts {
  /** The provider's declared `defaultCwd`, or null. */
  readonly declared: string | null;
  /** All names of the home the sandbox really has; null when it has none; undefined when it was not asked yet. */
  readonly homes: readonly string[] | null | undefined;
}

export type GuardVerdict =
  | { readonly isUsable: true }
  | {
      readonly isUsable: false;
      /** Ends a sentence that begins with the value. */
      readonly reason: string;
      /** The home, which was not asked yet, could change the verdict. */
      readonly dependsOnHome: boolean;
    };

/** `/Users/…`, `/home/…`, `X:\…` or `X:/…`: most likely a path of the host. */
function looksLikeHostPath(path: string): boolean {
  if (isDrivePath(path)) return true;
  const normal = normalizePath(path);
  return path.startsWith("/") && (normal.startsWith("/Users/") || normal.startsWith("/home/"));
}

/**
 * Whether an untyped value can be a directory inside a container (SPEC 2.2, 2.3). Mount translation comes before it;
 * a directory observed in the sandbox never comes here.
 */
export function judgeContainerPath(value: string, facts: GuardFacts): GuardVerdict {
  if (!value.startsWith("/") && !isDrivePath(value)) {
    return { isUsable: false, reason: "is not an absolute path", dependsOnHome: false };
  }
  if ((facts.homes ?? []).some((home) => covers(home, value))) return { isUsable: true };
  if (facts.declared !== null && legalizes(facts.declared) && covers(facts.declared, value)) {
    return { isUsable: true };
  }
  if (looksLikeHostPath(value)) {
    return {
      isUsable: false,
      reason: "looks like a path of this machine, and no mount makes it visible in the sandbox",
      dependsOnHome: facts.homes === undefined && !isDrivePath(value),
    };
  }
  return { isUsable: true };
}

/** A declaration makes `/home/…` paths usable, never `/Users/…` or drive paths: no sandbox is declared to be a Mac. */
function legalizes(declared: string): boolean {
  return declared.startsWith("/") && !normalizePath(declared).startsWith("/Users/");
}

/** The root covers nothing here: "below /" is true of every host path and says nothing about the sandbox. */
function covers(base: string, path: string): boolean {
  return base.startsWith("/") && normalizePath(base) !== "/" && isAtOrBelow(path, base);
}
