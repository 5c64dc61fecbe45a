import { TalariaError, type TalariaErrorDetails } from "../errors/talaria-error.js";

/**
 * The cache in the sandbox is not what the host's is: a file could not be sent or, worse, not be deleted. Nothing was
 * taken as done, so the next sync tries again.
 */
export class CacheSyncError extends TalariaError {
  /** Paths concerned, below the base in the sandbox; at most 20. */
  readonly paths: readonly string[];
  constructor(message: string, details: TalariaErrorDetails & { readonly paths?: readonly string[] } = {}) {
    super("cache_sync", message, { operation: "cache.sync", ...details });
    this.paths = (details.paths ?? []).slice(0, 20);
  }
}
