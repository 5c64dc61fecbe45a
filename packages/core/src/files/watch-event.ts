/** Options of `watch`. */
export interface WatchOptions {
  /** Directories below as well. Default true. */
  readonly recursive?: boolean | undefined;
  /** Ends the watch. */
  readonly signal?: AbortSignal | undefined;
  /** Milliseconds between two looks where the sandbox cannot tell of changes by itself. Default 500. */
  readonly pollMs?: number | undefined;
}

/** Something that happened below a watched path. Paths are relative to it; `""` is the watched path itself. */
export type WatchEvent =
  | {
      /** First: from here on nothing is missed. `poll` sees what is different between two looks, not what came and went. */
      readonly kind: "ready";
      readonly method: "inotify" | "poll";
    }
  | { readonly kind: "created" | "changed" | "removed"; readonly path: string }
  | { readonly kind: "renamed"; readonly path: string; readonly from: string }
  /** More happened than could be kept: look at the tree anew. */
  | { readonly kind: "overflow" };
