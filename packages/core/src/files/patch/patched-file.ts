import type { SandboxPath } from "../../workdir/paths.js";
import type { AppliedEdit, PatchedFile } from "./patch-result.js";
import { unifiedDiff } from "./unified-diff.js";

/** What is known of a file before and after a patch. Undefined texts: there was, or is, no file, or it is no text. */
export interface FileChange {
  readonly operation: PatchedFile["operation"];
  /** Names for the diff. */
  readonly from: string | undefined;
  readonly to: string | undefined;
  readonly before: string | undefined;
  readonly after: string | undefined;
  readonly edits: readonly AppliedEdit[];
}

/** Where the file is now, which version it has, and where it was. */
export interface FileOutcome {
  readonly path: SandboxPath;
  readonly version: string | null;
  readonly movedFrom?: SandboxPath | undefined;
}

/** Tells a change as a result. */
export function describeChange(change: FileChange, outcome: FileOutcome): PatchedFile {
  const diff = unifiedDiff(change.before ?? "", change.after ?? "", {
    from: change.from ?? "/dev/null",
    to: change.to ?? "/dev/null",
  });
  return {
    ...outcome,
    operation: change.operation,
    isChanged: change.operation !== "update" || change.before !== change.after,
    edits: change.edits,
    linesAdded: diff.linesAdded,
    linesRemoved: diff.linesRemoved,
    diff: diff.text,
    isDiffCut: diff.isCut,
  };
}
