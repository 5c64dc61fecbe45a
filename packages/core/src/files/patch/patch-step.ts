import type { SandboxPath } from "../../workdir/paths.js";
import type { FileBytes } from "../read-result.js";
import type { FileChange } from "./patched-file.js";

/** A path as the patch names it, and as it is reached wherever the session stands. */
export interface PatchPlace {
  readonly asked: string;
  readonly target: string;
}

/** One file's part of a patch, ready to be done. */
export interface PatchStep extends PatchPlace {
  /** The physical path where that is known, else as `target`. */
  readonly path: SandboxPath;
  readonly change: FileChange;
  /** What is there now; undefined for a file that is added. */
  readonly before: FileBytes | undefined;
  /** What is to be there; undefined for a file that is deleted. */
  readonly bytes: Uint8Array | undefined;
  /** Where the file goes. */
  readonly moveTo?: PatchPlace | undefined;
}
