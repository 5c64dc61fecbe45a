import { FileError, InvalidArgumentError } from "../../errors/errors.js";
import { describeChange } from "./patched-file.js";
import { patchBytes } from "./patch-bytes.js";
import type { PatchedFile, PatchFileOptions, TextEdit } from "./patch-result.js";
import type { PatchStore } from "./patch-store.js";
import { patchText } from "./patch-text.js";

/** How often a file that others change meanwhile is read and patched anew. */
const maxTries = 4;

/** Replaces text in one file: one round trip to read it, one to write it. */
export async function patchFile(
  store: PatchStore,
  path: string,
  edits: readonly TextEdit[],
  options: PatchFileOptions,
): Promise<PatchedFile> {
  checkEdits(edits);
  try {
    for (let tries = 1; ; tries += 1) {
      try {
        return await patchOnce(store, path, edits, options);
      } catch (error) {
        const hasChanged = error instanceof FileError && error.reason === "changed";
        if (!hasChanged || options.ifVersion !== undefined || tries >= maxTries) throw error;
      }
    }
  } catch (error) {
    if (options.dryRun !== true) {
      store.report({ kind: "file", operation: "patch", path, error: String(error) });
    }
    throw error;
  }
}

async function patchOnce(
  store: PatchStore,
  path: string,
  edits: readonly TextEdit[],
  { ifVersion, dryRun }: PatchFileOptions,
): Promise<PatchedFile> {
  const file = await store.read(path);
  if (ifVersion !== undefined && ifVersion !== file.version) {
    throw new FileError(
      path,
      "changed",
      `Nothing was changed: "${path}" is not the version that was asked for.`,
      {
        operation: "patch",
        hint: "Read it again and decide anew.",
      },
    );
  }
  const patched = patchBytes(path, file.bytes, (text) =>
    patchText(text, edits, { path, redact: store.redact }),
  );
  const change = {
    operation: "update" as const,
    from: path,
    to: path,
    before: patched.originalText,
    after: patched.text,
    edits: patched.edits,
  };
  if (patched.text === patched.originalText) {
    return describeChange(change, { path: file.path, version: file.version });
  }
  if (dryRun === true) return describeChange(change, { path: file.path, version: null });
  // A command may have led the session elsewhere meanwhile.
  const target = store.isRelative(path) ? file.path : path;
  const written = await store.write(target, patched.bytes, { ifVersion: file.version, createParents: false });
  store.report({ kind: "file", operation: "patch", path: written.path, bytes: written.bytes });
  return describeChange(change, { path: written.path, version: written.version });
}

function checkEdits(edits: readonly TextEdit[]): void {
  if (edits.length === 0) {
    throw new InvalidArgumentError("edits", "A patch without edits changes nothing.", {
      operation: "patch",
      hint: "Give at least one { find, replace }.",
    });
  }
  for (const [at, edit] of edits.entries()) {
    if (typeof edit?.find === "string" && typeof edit.replace === "string") continue;
    throw new InvalidArgumentError("edits", `Edit ${at + 1} has no text in find or in replace.`, {
      operation: "patch",
      hint: "Give { find: string, replace: string, all?: boolean }. An empty replace removes the text.",
    });
  }
}
