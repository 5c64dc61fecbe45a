// @ts-check

/** A failure its message explains: shown without a stack. */
export class BootstrapError extends Error {
  /** @override */
  name = "BootstrapError";
}
