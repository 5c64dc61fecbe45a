import type { FileError } from "../../errors/errors.js";
import { entryError } from "./archive-error.js";
import { completeLimits, type ArchiveLimits, type CompleteLimits } from "./archive-limits.js";
import type { TarEntry } from "./tar-entry.js";

/** What the rules make of a member. */
export type Verdict =
  /** Where it goes, below the target: no `.`, no `..`, empty for the target itself. */
  | { readonly kind: "take"; readonly parts: readonly string[]; readonly linkParts?: readonly string[] }
  /** Left out because the caller asked for that. */
  | { readonly kind: "exclude" }
  /** Left out, with the reason for the caller. */
  | { readonly kind: "skip"; readonly reason: string };

export interface ArchiveRulesOptions {
  readonly limits?: ArchiveLimits | undefined;
  /** Links out of the target: an error, or left out and reported. Default `refuse`. */
  readonly outsideLinks?: "refuse" | "skip" | undefined;
  readonly excludes?: ((path: string) => boolean) | undefined;
}

/**
 * Judges the members of an archive that may be hostile, in order. Throws FileError with the member named: `refused` for
 * what would leave the target, `too_large` for what goes over a limit. Pure: the disk is looked at by who writes there.
 */
export class ArchiveRules {
  readonly #limits: CompleteLimits;
  readonly #options: ArchiveRulesOptions;
  /** Links that the archive has made: nothing may go through them. */
  readonly #links = new Set<string>();
  #entries = 0;
  #bytes = 0;

  constructor(options: ArchiveRulesOptions = {}) {
    this.#options = options;
    this.#limits = completeLimits(options.limits);
  }

  judge(entry: TarEntry): Verdict {
    this.#count(entry);
    const parts = this.#partsOf(entry.name, entry.name);
    if (this.#isExcluded(parts)) return { kind: "exclude" };
    this.#refuseThroughLink(entry, parts);
    switch (entry.kind) {
      case "characterDevice":
      case "blockDevice":
        return { kind: "skip", reason: "a device" };
      case "fifo":
        return { kind: "skip", reason: "a named pipe" };
      case "symlink":
        return this.#judgeSymlink(entry, parts);
      case "hardlink": {
        if (parts.length === 0) throw this.#refused(entry, "is a link in place of the target itself");
        const linkParts = this.#partsOf(entry.linkName, entry.name, "is a hard link to");
        this.#refuseThroughLink(entry, [...linkParts, ""]);
        this.#links.delete(parts.join("/"));
        return { kind: "take", parts, linkParts };
      }
      case "file":
        if (parts.length === 0) throw this.#refused(entry, "is a file in place of the target itself");
        this.#links.delete(parts.join("/"));
        return { kind: "take", parts };
      case "directory":
        if (this.#links.has(parts.join("/"))) {
          throw this.#refused(entry, "is a directory in place of a link that the archive made");
        }
        return { kind: "take", parts };
    }
  }

  #count(entry: TarEntry): void {
    this.#entries += 1;
    this.#bytes += entry.sizeBytes;
    const { maxBytes, maxEntries, maxNameBytes } = this.#limits;
    if (this.#entries > maxEntries) throw overLimit(entry.name, "maxEntries", `${maxEntries} entries`);
    if (this.#bytes > maxBytes) throw overLimit(entry.name, "maxBytes", `${maxBytes} bytes`);
    if (Math.max(entry.name.length, entry.linkName.length) > maxNameBytes) {
      throw overLimit(entry.name, "maxNameBytes", `${maxNameBytes} bytes of one name`);
    }
  }

  #partsOf(path: string, name: string, what = "has the name"): string[] {
    if (path.startsWith("/")) throw this.#refusedName(name, what, path, "an absolute path");
    const parts = path.split("/").filter((part) => part !== "" && part !== ".");
    if (parts.includes("..")) throw this.#refusedName(name, what, path, 'a path with ".."');
    if (path.includes("\0")) throw this.#refusedName(name, what, path, "a path with a NUL byte");
    if (parts.length > this.#limits.maxDepth) {
      throw overLimit(name, "maxDepth", `${this.#limits.maxDepth} directories within each other`);
    }
    return parts;
  }

  /**
   * A target stays inside when it goes up only at its beginning, and not above the top: then it walks down from a real
   * directory, through links that stay inside themselves. `a/..` could go up from wherever a link `a` leads.
   */
  #judgeSymlink(entry: TarEntry, parts: readonly string[]): Verdict {
    if (parts.length === 0) throw this.#refused(entry, "is a link in place of the target itself");
    const problem = outsideProblem(entry.linkName, parts.length - 1);
    if (problem === undefined) {
      this.#links.add(parts.join("/"));
      return { kind: "take", parts };
    }
    if (this.#options.outsideLinks === "skip") return { kind: "skip", reason: `a link ${problem}` };
    throw entryError(
      entry.name,
      "refused",
      `is a link ${problem}`,
      'Nothing was written to the target. Leave such links out with `outsideLinks: "skip"`, or by an `exclude` pattern.',
    );
  }

  #isExcluded(parts: readonly string[]): boolean {
    const { excludes } = this.#options;
    if (excludes === undefined) return false;
    let path = "";
    for (const part of parts) {
      path = path === "" ? part : `${path}/${part}`;
      if (excludes(path)) return true;
    }
    return false;
  }

  #refuseThroughLink(entry: TarEntry, parts: readonly string[]): void {
    if (this.#links.size === 0) return;
    let path = "";
    for (const part of parts.slice(0, -1)) {
      path = path === "" ? part : `${path}/${part}`;
      if (this.#links.has(path)) throw this.#refused(entry, "goes through a link that the archive made");
    }
  }

  #refused(entry: TarEntry, problem: string): FileError {
    return entryError(entry.name, "refused", problem);
  }

  #refusedName(name: string, what: string, path: string, why: string): FileError {
    const whose = path === name ? "" : ` ${JSON.stringify(path.slice(0, 200))}`;
    return entryError(name, "refused", `${what}${whose === "" ? " of" : `${whose},`} ${why}`);
  }
}

/** Why a link's target leaves the tree, or undefined when it cannot. */
function outsideProblem(target: string, depth: number): string | undefined {
  if (target === "") return "that leads nowhere";
  if (target.startsWith("/")) return "to an absolute path";
  let up = 0;
  let hasGoneDown = false;
  for (const part of target.split("/")) {
    if (part === "" || part === ".") continue;
    if (part !== "..") hasGoneDown = true;
    else if (hasGoneDown) return 'with ".." behind a name, which may lead out of the target';
    else up += 1;
  }
  return up > depth ? "out of the target" : undefined;
}

function overLimit(name: string, limit: string, words: string): FileError {
  return entryError(
    name,
    "too_large",
    `goes over the limit of ${words}`,
    `Nothing was written to the target. If that much is meant to come, raise \`limits.${limit}\`.`,
  );
}
