import type { ToolEvent } from "../../environment/tool-event.js";
import type { FileStat } from "../file-facts.js";
import type { FileBytes } from "../read-result.js";
import type { WriteFileOptions, WrittenFile } from "../write-result.js";

/** Files as a patch uses them. With `isUndo` the call is made whether or not the patch's caller still waits. */
export interface PatchStore {
  /** Takes secrets out of text that is going to be thrown. */
  readonly redact: (text: string) => string;
  report(event: ToolEvent): void;
  /** Whether a path is relative to where the session stands. */
  isRelative(path: string): boolean;
  /** A whole file. Throws FileError `too_large` above 10 MiB. */
  read(path: string, isUndo?: boolean): Promise<FileBytes>;
  /** Of the name itself, not of what a link leads to. Undefined when there is nothing. */
  look(path: string, isUndo?: boolean): Promise<FileStat | undefined>;
  write(path: string, bytes: Uint8Array, options: WriteFileOptions, isUndo?: boolean): Promise<WrittenFile>;
  remove(path: string, isUndo?: boolean): Promise<void>;
}
