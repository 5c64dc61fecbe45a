// @ts-check

/** Collects now, so that resident memory is what is held and not what nobody has got round to free. */
export function collectGarbage() {
  if (globalThis.gc === undefined) throw new Error("started without --expose-gc: use run-group.mjs");
  globalThis.gc();
}
