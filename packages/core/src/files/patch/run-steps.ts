import { FileError } from "../../errors/errors.js";
import { asSandboxPath } from "../../workdir/paths.js";
import { patchFailure } from "./patch-failure.js";
import type { FileOutcome } from "./patched-file.js";
import type { WrittenFile } from "../write-result.js";
import type { PatchPlace, PatchStep } from "./patch-step.js";
import type { PatchStore } from "./patch-store.js";

/** How a file that was written before a later one failed is put back. */
interface Undo {
  readonly asked: string;
  readonly run: () => Promise<void>;
}

/** Does the steps one by one. Should one fail, those before it are taken back, last first, and the error says so. */
export async function runSteps(
  store: PatchStore,
  steps: readonly PatchStep[],
): Promise<readonly FileOutcome[]> {
  const outcomes: FileOutcome[] = [];
  const undos: Undo[] = [];
  for (const step of steps) {
    try {
      outcomes.push(await runStep(store, step, undos));
    } catch (error) {
      const states = await takeBack(undos);
      report(store, step, { error: String(error) });
      throw patchFailure(step, steps, states, error);
    }
  }
  for (const [at, step] of steps.entries()) report(store, step, { outcome: outcomes[at] });
  return outcomes;
}

async function runStep(store: PatchStore, step: PatchStep, undos: Undo[]): Promise<FileOutcome> {
  const { asked, target, before, bytes, moveTo } = step;
  if (bytes === undefined) return removeStep(store, step, undos);
  if (before === undefined) return writeNew(store, { asked, target }, bytes, {}, undos);
  if (moveTo !== undefined) {
    const written = await writeNew(store, moveTo, bytes, { mode: before.mode }, undos);
    await removeStep(store, step, undos);
    return { path: written.path, version: written.version, movedFrom: before.path };
  }
  if (step.change.before === step.change.after) return { path: before.path, version: before.version };
  const putBack = async (version: string): Promise<void> => {
    await store.write(target, before.bytes, { ifVersion: version, createParents: false }, true);
  };
  const written = await settled(store, { asked, target }, bytes, undos, putBack, () =>
    store.write(target, bytes, { ifVersion: before.version, createParents: false }),
  );
  return { path: written.path, version: written.version };
}

async function writeNew(
  store: PatchStore,
  place: PatchPlace,
  bytes: Uint8Array,
  options: { readonly mode?: number },
  undos: Undo[],
): Promise<FileOutcome> {
  const takeAway = (version: string): Promise<void> => removeWritten(store, place.target, version);
  const written = await settled(store, place, bytes, undos, takeAway, () =>
    store.write(place.target, bytes, { ...options, ifVersion: "absent" }),
  );
  return { path: written.path, version: written.version };
}

/** Writes, and sees to it that what was written can be taken back, also when the write was done but its answer lost. */
async function settled(
  store: PatchStore,
  { asked, target }: PatchPlace,
  bytes: Uint8Array,
  undos: Undo[],
  undo: (version: string) => Promise<void>,
  write: () => Promise<WrittenFile>,
): Promise<WrittenFile> {
  try {
    const written = await write();
    undos.push({ asked, run: () => undo(written.version) });
    return written;
  } catch (error) {
    const isRefused = error instanceof FileError && error.reason !== "io";
    const now = isRefused ? undefined : await store.read(target, true).catch(() => undefined);
    if (now !== undefined && Buffer.from(bytes).equals(now.bytes)) {
      undos.push({ asked, run: () => undo(now.version) });
    }
    throw error;
  }
}

async function removeStep(store: PatchStore, step: PatchStep, undos: Undo[]): Promise<FileOutcome> {
  const { asked, target, before } = step;
  const now = await store.look(target);
  if (before === undefined || now?.version !== before.version) {
    throw new FileError(asked, "changed", `"${asked}" was changed while the patch was being applied.`);
  }
  await store.remove(target);
  undos.push({
    asked,
    run: async () => {
      await store.write(target, before.bytes, { ifVersion: "absent", mode: before.mode }, true);
    },
  });
  return { path: before.path, version: null };
}

/** Removes a file that this patch made, unless somebody has changed it since. */
async function removeWritten(store: PatchStore, target: string, version: string): Promise<void> {
  const now = await store.look(target, true);
  if (now === undefined) return;
  if (now.version !== version) throw new Error("it was changed by others since");
  await store.remove(target, true);
}

/** Runs the undos, last first. Returns what became of each file. */
async function takeBack(undos: readonly Undo[]): Promise<ReadonlyMap<string, string | undefined>> {
  const states = new Map<string, string | undefined>();
  for (const { asked, run } of undos.toReversed()) {
    try {
      await run();
      if (!states.has(asked)) states.set(asked, undefined);
    } catch (error) {
      states.set(asked, error instanceof Error ? error.message : String(error));
    }
  }
  return states;
}

function report(
  store: PatchStore,
  step: PatchStep,
  result: { readonly outcome?: FileOutcome | undefined; readonly error?: string },
): void {
  const { change, bytes, moveTo } = step;
  if (result.error === undefined && change.operation === "update" && change.before === change.after) return;
  store.report({
    kind: "file",
    operation: "patch",
    path: moveTo === undefined ? (result.outcome?.path ?? step.path) : step.path,
    ...(moveTo === undefined ? {} : { otherPath: result.outcome?.path ?? asSandboxPath(moveTo.target) }),
    ...(bytes === undefined ? {} : { bytes: bytes.length }),
    ...(result.error === undefined ? {} : { error: result.error }),
  });
}
