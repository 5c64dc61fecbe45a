// @ts-check

/**
 * Whether an output is the one that a page shows. `…` in the page stands for whatever differs from run to run.
 *
 * @param {string} shown
 * @param {string} output
 */
export function matchesOutput(shown, output) {
  const pattern = shown
    .trimEnd()
    .split("…")
    .map((part) => part.replaceAll(/[\\^$.*+?()[\]{}|]/g, "\\$&"))
    .join("[^]*?");
  return new RegExp(`^${pattern}$`).test(output.trimEnd());
}
