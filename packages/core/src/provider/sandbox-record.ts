/**
 * Whether the owner named in a sandbox's labels still holds it. `expired`: the lease ran out or its owner is gone, so
 * the sandbox may be freed. `unknown`: the labels could not be read, so it may not.
 */
export type LeaseState = "held" | "expired" | "unknown";

/** One sandbox that exists, as its labels say. Everything Talaria starts is labelled before it starts. */
export interface SandboxRecord {
  /** Names the sandbox to its backend. */
  readonly id: string;
  /** The conversation or task it was made for. */
  readonly taskId?: string | undefined;
  /** Who made it, in the label's own words. */
  readonly owner: string;
  readonly lease: LeaseState;
  /** ISO 8601, when the lease has an end. */
  readonly leaseEndsAt?: string | undefined;
  /** ISO 8601. */
  readonly createdAt?: string | undefined;
  /** The engine's own word for its state: `running`, `exited` … */
  readonly state: string;
}

/** What freeing abandoned sandboxes did. */
export interface CollectReport {
  /** Freed, or with `dryRun` what would have been. */
  readonly removed: readonly SandboxRecord[];
  readonly kept: readonly SandboxRecord[];
  readonly failed: readonly { readonly sandbox: SandboxRecord; readonly reason: string }[];
}

/** Options of the two members of a provider that deal with existing sandboxes. */
export interface SandboxListOptions {
  /** The validated fields of `terminal.backends.<name>`. */
  readonly backendConfig: Readonly<Record<string, unknown>>;
  readonly signal?: AbortSignal | undefined;
}

export interface CollectOptions extends SandboxListOptions {
  /** Say what would be freed, and free nothing. */
  readonly dryRun: boolean;
}
