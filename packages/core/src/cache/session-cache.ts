import type { SandboxAccess } from "../environment/sandbox-access.js";
import type { HostPath, SandboxPath } from "../workdir/paths.js";
import type { CacheSyncCall, CacheSyncOptions } from "./cache-sync-options.js";
import type { CacheSync } from "./cache-sync.js";
import type { SyncReport } from "./sync-report.js";

export interface SessionCacheOptions extends CacheSyncOptions {
  /** `terminal.cache_sync`. False: nothing is sent and no path has another side. Default true. */
  readonly isEnabled?: boolean | undefined;
}

/** A session's side of the cache: as `CacheSync`, which is loaded when there is something to mirror. */
export class SessionCache {
  readonly #access: SandboxAccess;
  readonly #options: SessionCacheOptions;
  #loading: Promise<CacheSync> | undefined;
  #loaded: CacheSync | undefined;

  /** Does nothing yet. */
  constructor(access: SandboxAccess, options: SessionCacheOptions) {
    this.#access = access;
    this.#options = options;
  }

  /** Whether `syncIfDue` would look. For every command: always false where nothing is mirrored. */
  get isDue(): boolean {
    return this.#isMirrored && (this.#loaded?.isDue ?? true);
  }

  /** Before a command. Null: not due. Throws as `sync`, and ConfigError for a credential file that may not be named. */
  async syncIfDue(call: CacheSyncCall = {}): Promise<SyncReport | null> {
    return this.isDue ? (await this.#sync()).syncIfDue(call) : null;
  }

  /**
   * Brings the sandbox's mirror of `<TALARIA_HOME>/cache` and of the credential files up to date. Throws CacheSyncError
   * when something could not be sent or deleted, EnvironmentConnectionError when the sandbox cannot be reached.
   */
  async sync(call: CacheSyncCall = {}): Promise<SyncReport> {
    if (this.#isMirrored) return (await this.#sync()).sync(call);
    return {
      status: "not_translated",
      files: 0,
      uploadedFiles: 0,
      uploadedBytes: 0,
      deletedFiles: 0,
      skipped: [],
      skippedFiles: 0,
    };
  }

  /** Where a file of the host's cache is inside; null for any other path. Without a place inside, the path itself. */
  async toSandboxPath(hostPath: string): Promise<SandboxPath | null> {
    if (this.#options.isEnabled === false && this.#options.base !== null) return null;
    return (await this.#sync()).toSandboxPath(hostPath);
  }

  /** The host's file that a path inside is the copy of; null for any other path. */
  async toHostPath(sandboxPath: string): Promise<HostPath | null> {
    if (this.#options.isEnabled === false && this.#options.base !== null) return null;
    return (await this.#sync()).toHostPath(sandboxPath);
  }

  get #isMirrored(): boolean {
    return this.#options.base !== null && this.#options.isEnabled !== false;
  }

  #sync(): Promise<CacheSync> {
    this.#loading ??= import("./cache-sync.js").then((module) => {
      this.#loaded = new module.CacheSync(this.#access, this.#options);
      return this.#loaded;
    });
    return this.#loading;
  }
}
