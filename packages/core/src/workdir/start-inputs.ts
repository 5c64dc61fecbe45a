import type { StartDirectory } from "../environment/execute-options.js";
import type { DefaultCwdReading } from "../provider/read-default-cwd.js";
import type { OwnDefaultCwd } from "./backend-default-cwd.js";
import type { MountTable } from "./mount-table.js";
import type { HostPath, SandboxPath } from "./paths.js";

/** A directory that a person set, with what an error text needs to lead them back to it. */
export interface ConfiguredCwd {
  /** As written. `.`, `auto` and `cwd` count as not set. */
  readonly value: string;
  /** What it is called where it was set: `terminal.cwd`. */
  readonly key: string;
  /** Where it was set, in words: a file with its line, a variable. Undefined when the key says it all. */
  readonly origin?: string | undefined;
  /** The host folder that a relative value is relative to, on backends that work on the host's own files. */
  readonly baseDirectory?: HostPath | undefined;
}

/** Everything the resolver looks at (SPEC 2). */
export interface StartInputs {
  /** The backend's name, normalised. */
  readonly backend: string;
  readonly isContainer: boolean;
  readonly isRemote: boolean;
  /** The explicit directory of this call. */
  readonly workdir?: string | undefined;
  /** Where the session stands, as observed in the sandbox. */
  readonly recorded?: SandboxPath | null | undefined;
  readonly configured?: ConfiguredCwd | undefined;
  /** `readDefaultCwd` of this moment. Default: not declared. */
  readonly defaultCwd?: DefaultCwdReading | undefined;
  /** All names of the sandbox's home; null = it was asked and cannot be told; undefined = not asked yet. */
  readonly homes?: readonly SandboxPath[] | null | undefined;
  readonly mounts: MountTable;
  /** `backendDefaultCwd`, or null for an environment that was handed in. */
  readonly ownDefault: OwnDefaultCwd;
}

/** Which of the inputs decided. */
export type StartSource =
  | "workdir"
  | "recorded"
  | "configured"
  | "workspace"
  | "defaultCwd"
  | "backendDefault";

/** Where a command starts, and why there. */
export interface ResolvedStart extends StartDirectory {
  readonly source: StartSource;
  /** Values that were set and could not be used, each with its reason. Sentences for `result.notes`. */
  readonly notes: readonly string[];
  /** The home was not asked yet and would make the answer more exact: ask, then resolve again. */
  readonly wantsHome: boolean;
}
