import type { CommandResult } from "../environment/execute-result.js";
import type { SandboxPath } from "../workdir/paths.js";

/** Where the session stood when a command started. */
export interface Standing {
  readonly path: SandboxPath | null;
  readonly generation: number;
}

/**
 * Where a session stands, as its results told. Commands run in parallel: each merges back only what it changed, and the
 * one that ends last wins (SPEC 3.10). A directory of a sandbox that is gone is forgotten (SPEC 2.10).
 */
export class StandingDirectory {
  #path: SandboxPath | null;
  #generation: number;

  constructor(generation: number, path: SandboxPath | null = null) {
    this.#generation = generation;
    this.#path = path;
  }

  get path(): SandboxPath | null {
    return this.#path;
  }

  /** What a command starts from. */
  get standing(): Standing {
    return { path: this.#path, generation: this.#generation };
  }

  /** Forgets the directory of an older sandbox. Returns a note about it, when there was one. */
  enterGeneration(generation: number): string | undefined {
    if (generation <= this.#generation) return undefined;
    const old = this.#path;
    this.#generation = generation;
    this.#path = null;
    const where =
      old === null ? "" : ` The session stood in ${old}; that directory belonged to the old sandbox.`;
    return `The sandbox had to be made anew (generation ${generation}): variables, functions and jobs of the old one are gone.${where}`;
  }

  /** Takes over where a command without a workdir of its own ended. */
  mergeCommand(start: Standing, result: CommandResult): void {
    if (result.outcome.kind === "notStarted" || result.generation < this.#generation) return;
    // A start in an older sandbox says nothing about what changed in this one.
    const startedFrom = start.generation === result.generation ? start.path : null;
    if (result.cwd !== startedFrom) this.#path = result.cwd;
  }

  /** Takes over a `cd` of a command that had a workdir of its own. */
  moveTo(path: SandboxPath, generation: number): void {
    if (generation === this.#generation) this.#path = path;
  }
}
