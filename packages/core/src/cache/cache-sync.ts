import { realpath } from "node:fs/promises";
import type { SandboxAccess } from "../environment/sandbox-access.js";
import { normalizePath } from "../workdir/normalize-path.js";
import type { HostPath, SandboxPath } from "../workdir/paths.js";
import { hostOf, insideOf, type CacheSides } from "./cache-places.js";
import { CacheShell, SandboxChanged } from "./cache-shell.js";
import { CacheSyncError } from "./cache-sync-error.js";
import type { CacheSyncCall, CacheSyncOptions } from "./cache-sync-options.js";
import { checkCredentialFiles } from "./credential-files.js";
import { HashMemory } from "./hash-memory.js";
import { lookIntoSandbox, type SandboxView } from "./look-into-sandbox.js";
import { mirrorSandbox, putRecord } from "./mirror-sandbox.js";
import { planSync, type SyncPlan } from "./plan-sync.js";
import { pendingHash, writeRecord } from "./sandbox-record.js";
import { withSandboxLock } from "./sandbox-lock.js";
import { scanHost, type HostTree } from "./scan-host.js";
import { HostChanged } from "./send-files.js";
import type { SyncReport } from "./sync-report.js";
import { Turns } from "./turns.js";

const attempts = 3;

/**
 * Mirrors `<TALARIA_HOME>/cache` and the credential files that were named into the sandbox, one way: nothing is ever read
 * back. What the host deletes is deleted inside, of what Talaria put there and nothing else.
 */
export class CacheSync {
  readonly #access: SandboxAccess;
  readonly #options: CacheSyncOptions;
  readonly #credentialFiles: readonly string[];
  #hashes: HashMemory | undefined;
  /** What the sandbox is known to have; undefined until it was looked into, and after a failure. */
  #view: SandboxView | undefined;
  #lookAgainAt = 0;
  readonly #turns = new Turns();

  /** Does nothing yet. Throws ConfigError for a credential file that is not below `<TALARIA_HOME>`. */
  constructor(access: SandboxAccess, options: CacheSyncOptions) {
    this.#access = access;
    this.#options = options;
    this.#credentialFiles = checkCredentialFiles(options.credentialFiles ?? []);
  }

  /** Whether `syncIfDue` would look. Cheap: for every command. */
  get isDue(): boolean {
    if (this.#options.base === null) return false;
    if (this.#view?.generation !== this.#access.environment.generation) return true;
    return !this.#view.isShared && this.#now() >= this.#lookAgainAt;
  }

  /** As `sync`, unless the sandbox is new there is a look at the host's tree at most every five seconds. Null: not due. */
  async syncIfDue(call: CacheSyncCall = {}): Promise<SyncReport | null> {
    if (!this.isDue) return null;
    return this.#turns.run(call.signal, async () => (this.isDue ? this.#sync(call) : null));
  }

  /**
   * Brings the sandbox up to date. An unchanged tree costs no round trip once the sandbox is known. Throws CacheSyncError
   * when something could not be sent or deleted, or the host has too much; EnvironmentConnectionError when the sandbox
   * cannot be reached; UnsupportedCapabilityError for what it cannot take. Nothing is then taken as done.
   */
  async sync(call: CacheSyncCall = {}): Promise<SyncReport> {
    return this.#turns.run(call.signal, () => this.#sync(call));
  }

  /**
   * Where a file of the host's cache, or a credential file, is inside; null for any other path. Without translation
   * (`base: null`) the path itself. May start the sandbox, whose home a base below `~` depends on.
   */
  async toSandboxPath(hostPath: string): Promise<SandboxPath | null> {
    if (this.#options.base === null) return hostPath as SandboxPath;
    return insideOf(hostPath, await this.#sides(this.#options.base));
  }

  /** The host's file that a path inside is the copy of; null for any other path. The inverse of `toSandboxPath`. */
  async toHostPath(sandboxPath: string): Promise<HostPath | null> {
    if (this.#options.base === null) return sandboxPath as HostPath;
    const sides = await this.#sides(this.#options.base);
    const path = sandboxPath.startsWith("~/") ? await this.#belowHome(sandboxPath) : sandboxPath;
    return hostOf(path, sides);
  }

  async #sync({ signal }: CacheSyncCall): Promise<SyncReport> {
    const { base } = this.#options;
    if (base === null) return reportOf("not_translated", undefined);
    for (let attempt = 1; ; attempt += 1) {
      signal?.throwIfAborted();
      try {
        const report = await this.#attempt(await this.#belowHome(base), signal);
        this.#lookAgainAt = this.#now() + (this.#options.checkEveryMs ?? 5000);
        return report;
      } catch (error) {
        this.#view = undefined;
        const isRace = error instanceof SandboxChanged || error instanceof HostChanged;
        if (!isRace) throw error;
        if (attempt === attempts) throw this.#neverStill(error);
      }
    }
  }

  async #attempt(base: string, signal: AbortSignal | undefined): Promise<SyncReport> {
    const { environment } = this.#access;
    if (this.#view?.generation !== environment.generation) this.#view = undefined;
    if (this.#view?.isShared === true) return reportOf("shared", undefined);
    const home = await this.#realHome();
    const hashes = (this.#hashes ??= new HashMemory(home));
    const scan = (): Promise<HostTree> =>
      scanHost({
        talariaHome: home,
        credentialFiles: this.#credentialFiles,
        hashes,
        maxFiles: this.#options.maxFiles ?? 20_000,
        maxBytes: this.#options.maxBytes ?? 2 * 1024 ** 3,
        signal,
      });
    const shell = new CacheShell(this.#access);
    const tree = await scan();
    const homeId = await hashes.homeId({ isUsed: tree.files.size > 0 });
    const look = { shell, base, talariaHome: home, homeId, signal };
    this.#view ??= await lookIntoSandbox({ ...look, hasFiles: tree.files.size > 0 });
    if (this.#view.isShared) return reportOf("shared", undefined);
    if (isEmpty(planSync(tree.files, this.#view.record))) return reportOf("unchanged", tree);
    return withSandboxLock(home, environment, async () => {
      signal?.throwIfAborted();
      // Another process may have been at work since: both sides are looked at again while nobody else can be.
      const current = await scan();
      const view = await lookIntoSandbox({ ...look, hasFiles: current.files.size > 0 });
      const plan = planSync(current.files, view.record);
      const target = { ...look, backend: this.#access.backend, hasTar: view.hasTar };
      if (!isEmpty(plan)) {
        // Said before it is done: what an interrupted sync has left is then known to the next one.
        const pending = plan.uploads.map((file) => ({ ...file, hash: pendingHash }));
        const intent = new Map([...view.record, ...pending.map((file) => [file.path, file] as const)]);
        await putRecord(target, look.homeId, writeRecord(intent.values()));
        await mirrorSandbox(target, plan);
        await putRecord(target, look.homeId, writeRecord(current.files.values()));
      }
      this.#view = { ...view, record: current.files };
      return this.#done(base, current, plan);
    });
  }

  #done(base: string, tree: HostTree, plan: SyncPlan): SyncReport {
    const report = reportOf(isEmpty(plan) ? "unchanged" : "synced", tree, plan);
    if (report.status === "synced") {
      this.#access.report({ kind: "file", operation: "cache_sync", path: base, bytes: report.uploadedBytes });
    }
    return report;
  }

  async #sides(base: string): Promise<CacheSides> {
    const written = await this.#belowHome(base);
    const physical = this.#view?.physicalBase;
    return {
      hosts: [normalizePath(this.#options.talariaHome), await this.#realHome()],
      bases: physical === undefined ? [written] : [written, physical],
      credentialFiles: this.#credentialFiles,
    };
  }

  async #belowHome(path: string): Promise<string> {
    return path.startsWith("~/") ? `${await this.#access.home()}${path.slice(1)}` : path;
  }

  #realHome(): Promise<string> {
    const { talariaHome } = this.#options;
    return realpath(talariaHome).catch(() => normalizePath(talariaHome));
  }

  #now(): number {
    return (this.#options.now ?? (() => performance.now()))();
  }

  #neverStill(error: SandboxChanged | HostChanged): CacheSyncError {
    const what =
      error instanceof HostChanged ? `the host's file ${error.path}` : "the sandbox behind the session";
    return new CacheSyncError(`The cache was not sent: ${what} changed each time it was tried.`, {
      backend: this.#access.backend,
      paths: error instanceof HostChanged ? [error.path] : [],
      hint: "Sync again later, or put a file .nosync into a folder that is always being written to.",
    });
  }
}

function isEmpty({ uploads, deletions }: SyncPlan): boolean {
  return uploads.length === 0 && deletions.length === 0;
}

function reportOf(status: SyncReport["status"], tree: HostTree | undefined, plan?: SyncPlan): SyncReport {
  return {
    status,
    files: tree?.files.size ?? 0,
    uploadedFiles: plan?.uploads.length ?? 0,
    uploadedBytes: plan?.uploads.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0) ?? 0,
    deletedFiles: plan?.deletions.length ?? 0,
    skipped: tree?.skipped ?? [],
    skippedFiles: tree?.skippedFiles ?? 0,
  };
}
