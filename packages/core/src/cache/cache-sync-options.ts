export interface CacheSyncOptions {
  /** `<TALARIA_HOME>`, absolute. */
  readonly talariaHome: string;
  /** The provider's `cachePathBase`. `null`: host paths are right as they are, and nothing is copied. */
  readonly base: string | null;
  /** `terminal.credential_files`: relative to `<TALARIA_HOME>`. Default none. */
  readonly credentialFiles?: readonly string[] | undefined;
  /** Milliseconds between two looks at the host's tree by `syncIfDue`. Default 5,000. */
  readonly checkEveryMs?: number | undefined;
  /** Most files of the mirror. Default 20,000. */
  readonly maxFiles?: number | undefined;
  /** Most bytes of the mirror. Default 2 GiB. */
  readonly maxBytes?: number | undefined;
  /** Milliseconds that go forward. Default `performance.now`. */
  readonly now?: (() => number) | undefined;
}

export interface CacheSyncCall {
  readonly signal?: AbortSignal | undefined;
}
