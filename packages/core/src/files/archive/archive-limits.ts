import { InvalidArgumentError } from "../../errors/errors.js";

/** How much an archive or a tree may be. */
export interface ArchiveLimits {
  /** Bytes of all files together. Default 16 GiB. */
  readonly maxBytes?: number | undefined;
  /** Files, directories and links together. Default 200,000. */
  readonly maxEntries?: number | undefined;
  /** Bytes of one name with its directories, and of a link's target. Default 4,096. */
  readonly maxNameBytes?: number | undefined;
  /** Directories within directories. Default 256. */
  readonly maxDepth?: number | undefined;
}

/** All limits, with the defaults in place. */
export type CompleteLimits = { readonly [Name in keyof ArchiveLimits]-?: number };

const defaults: CompleteLimits = {
  maxBytes: 16 * 1024 ** 3,
  maxEntries: 200_000,
  maxNameBytes: 4_096,
  maxDepth: 256,
};

/** Throws InvalidArgumentError for a limit that is no number above 0. */
export function completeLimits(limits: ArchiveLimits = {}): CompleteLimits {
  const read = (name: keyof ArchiveLimits): number => {
    const value = limits[name] ?? defaults[name];
    if (typeof value === "number" && value > 0) return value;
    throw new InvalidArgumentError(`limits.${name}`, `The limit ${name} has to be a number above 0.`, {
      operation: "transfer",
      hint: `Leave it out for ${defaults[name]}.`,
    });
  };
  return {
    maxBytes: read("maxBytes"),
    maxEntries: read("maxEntries"),
    maxNameBytes: read("maxNameBytes"),
    maxDepth: read("maxDepth"),
  };
}
