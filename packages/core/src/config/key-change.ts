/** One change of a configuration file. */
export interface KeyChange {
  /** The way to the key. */
  readonly path: readonly string[];
  /** What it becomes; undefined removes it. */
  readonly value: unknown;
}
