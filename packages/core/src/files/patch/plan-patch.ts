import { FileError } from "../../errors/errors.js";
import { asSandboxPath } from "../../workdir/paths.js";
import type { FileBytes } from "../read-result.js";
import { invalidPatchError } from "./patch-error.js";
import { patchBytes } from "./patch-bytes.js";
import { patchHunks } from "./patch-hunks.js";
import type { PatchSection } from "./patch-section.js";
import type { PatchStep } from "./patch-step.js";
import type { PatchStore } from "./patch-store.js";
import { readCodings } from "./text-coding.js";

/** More files than this are no patch that somebody wrote. */
const maxFiles = 1000;

/** Bytes that all files of a patch may have: they are held until the last one is written, to be put back. */
const maxTotalBytes = 64 * 1024 * 1024;

/** Looks at all files of a patch and tries all of its hunks. Writes nothing; throws FileError for what cannot be done. */
export async function planPatch(
  store: PatchStore,
  sections: readonly PatchSection[],
): Promise<readonly PatchStep[]> {
  if (sections.length > maxFiles) {
    throw invalidPatchError("", `the patch names more than ${maxFiles} files.`, "Split it.");
  }
  const toTarget = await targets(store, sections);
  const steps = new Map<string, PatchStep>();
  let total = 0;
  for (const section of sections) {
    const step = await planSection(store, section, toTarget, steps);
    total += (step.before?.bytes.length ?? 0) + (step.bytes?.length ?? 0);
    if (total > maxTotalBytes) {
      throw invalidPatchError(
        section.path,
        `the files of the patch have more than ${maxTotalBytes / 1024 / 1024} MiB altogether.`,
        "Split it.",
      );
    }
    steps.set(step.path, step);
  }
  return [...steps.values()];
}

/** Makes relative paths absolute, all in the same directory, wherever commands lead the session meanwhile. */
async function targets(
  store: PatchStore,
  sections: readonly PatchSection[],
): Promise<(path: string) => string> {
  const paths = sections.flatMap((section) =>
    section.operation === "update" && section.moveTo !== undefined
      ? [section.path, section.moveTo]
      : [section.path],
  );
  if (!paths.some((path) => store.isRelative(path))) return (path) => path;
  const standing = (await store.look("."))?.path ?? "";
  const prefix = standing === "/" ? "/" : `${standing}/`;
  return (path) => (store.isRelative(path) ? prefix + path : path);
}

type ToTarget = (path: string) => string;

async function planSection(
  store: PatchStore,
  section: PatchSection,
  toTarget: ToTarget,
  earlier: ReadonlyMap<string, PatchStep>,
): Promise<PatchStep> {
  const { path: asked } = section;
  const target = toTarget(asked);
  if (section.operation === "add") {
    await assertNothing(store, asked, target);
    assertOnce(earlier, asked, target);
    const bytes = Buffer.from(section.text, "utf8");
    const change = {
      operation: "add" as const,
      from: undefined,
      to: asked,
      before: undefined,
      after: section.text,
      edits: [],
    };
    return { asked, target, path: asSandboxPath(target), change, before: undefined, bytes };
  }
  const isMoved = section.operation === "delete" || section.moveTo !== undefined;
  if (isMoved) await assertNoLink(store, asked, target);
  const before = await store.read(target).catch((error: unknown) => {
    throw named(error, asked);
  });
  if (section.operation === "delete") {
    assertOnce(earlier, asked, before.path);
    const text = textOf(before);
    const change = {
      operation: "delete" as const,
      from: asked,
      to: undefined,
      before: text,
      after: undefined,
      edits: [],
    };
    return { asked, target, path: before.path, change, before, bytes: undefined };
  }
  return planUpdate(store, section, { target, before, toTarget }, earlier);
}

async function planUpdate(
  store: PatchStore,
  section: PatchSection & { readonly operation: "update" },
  place: { readonly target: string; readonly before: FileBytes; readonly toTarget: ToTarget },
  earlier: ReadonlyMap<string, PatchStep>,
): Promise<PatchStep> {
  const { path: asked, hunks } = section;
  const { target, before } = place;
  const step = earlier.get(before.path);
  // Two sections for one file: the second one goes on where the first one ended.
  const goesOn = step?.change.operation === "update" && section.moveTo === undefined ? step : undefined;
  if (goesOn === undefined) assertOnce(earlier, asked, before.path);
  const current = goesOn?.bytes ?? before.bytes;
  const context = { path: asked, redact: store.redact };
  const patched =
    hunks.length === 0
      ? { bytes: current, edits: [], originalText: textOf(before), text: textOf(before) }
      : patchBytes(asked, current, (text) => patchHunks(text, hunks, context));
  const moveTo =
    section.moveTo === undefined
      ? undefined
      : { asked: section.moveTo, target: place.toTarget(section.moveTo) };
  if (moveTo !== undefined) {
    await assertNothing(store, moveTo.asked, moveTo.target);
    assertOnce(earlier, moveTo.asked, moveTo.target);
  }
  return {
    asked,
    target,
    path: before.path,
    before: goesOn?.before ?? before,
    bytes: patched.bytes,
    moveTo,
    change: {
      operation: moveTo === undefined ? "update" : "move",
      from: asked,
      to: moveTo?.asked ?? asked,
      before: goesOn?.change.before ?? patched.originalText,
      after: patched.text,
      edits: [...(goesOn?.change.edits ?? []), ...patched.edits],
    },
  };
}

async function assertNothing(store: PatchStore, asked: string, target: string): Promise<void> {
  if ((await store.look(target)) === undefined) return;
  throw new FileError(asked, "exists", `Nothing was changed: there is already something at "${asked}".`, {
    operation: "patch",
    hint: "Update it instead of adding it, delete it first, or choose another name.",
  });
}

/** The link itself would go, and a file come back in its place should the patch fail. */
async function assertNoLink(store: PatchStore, asked: string, target: string): Promise<void> {
  if ((await store.look(target))?.type !== "symlink") return;
  throw new FileError(asked, "refused", `Nothing was changed: "${asked}" is a symbolic link.`, {
    operation: "patch",
    hint: "A patch deletes and moves files only. Use remove or rename for the link itself.",
  });
}

function assertOnce(earlier: ReadonlyMap<string, PatchStep>, asked: string, path: string): void {
  const isTaken = [...earlier.values()].some((step) => step.path === path || step.moveTo?.target === path);
  if (!isTaken) return;
  throw invalidPatchError(
    asked,
    `the patch names "${asked}" more than once.`,
    "Say all that is to happen to a file in one section.",
  );
}

function textOf({ bytes }: FileBytes): string | undefined {
  return readCodings(bytes)[0]?.().text;
}

/** The same failure, of the path as the patch names it. */
function named(error: unknown, asked: string): unknown {
  if (!(error instanceof FileError) || error.path === asked) return error;
  const { reason, message, hint, backend, operation } = error;
  return new FileError(asked, reason, message, { hint, backend, operation, cause: error });
}
