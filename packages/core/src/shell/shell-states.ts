import {
  carriedStateOf,
  mergeState,
  snapshotOf,
  stateFromSnapshot,
  type CarriedState,
} from "./carried-state.js";
import { stateText } from "./prelude.js";
import type { ShellStateSnapshot } from "./shell-state.js";
import type { StateDump } from "./state-dump.js";

/** The state of one shell id: what its next command starts from. */
export class ShellStates {
  readonly base: CarriedState;
  current: CarriedState;
  /** Where `cd -` goes, in shell bytes. */
  oldCwd: string | undefined;

  constructor(base: StateDump, snapshot?: ShellStateSnapshot) {
    this.base = carriedStateOf(base);
    this.current = snapshot === undefined ? this.base : stateFromSnapshot(this.base, snapshot);
  }

  #text: { readonly of: CarriedState; readonly text: string } | undefined;

  /** What brings a fresh subshell from the sandbox's start to the current state. Made once for each state. */
  get currentText(): string {
    if (this.#text?.of !== this.current)
      this.#text = { of: this.current, text: stateText(this.base, this.current) };
    return this.#text.text;
  }

  /**
   * Merges what a command left. Variables given for that call alone count as changed only when the command gave them
   * another value (SPEC 3.7).
   */
  merge(
    start: CarriedState,
    end: CarriedState,
    oldCwd: string,
    callEnv: Readonly<Record<string, string>>,
  ): void {
    this.current = mergeState(this.current, start, withoutCallEnv(end, start, callEnv));
    this.oldCwd = oldCwd;
  }

  /** The differences from the sandbox's start. */
  snapshot(): ShellStateSnapshot {
    return snapshotOf(this.base, this.current);
  }
}

function withoutCallEnv(
  end: CarriedState,
  start: CarriedState,
  callEnv: Readonly<Record<string, string>>,
): CarriedState {
  const names = Object.keys(callEnv).filter((name) => end.env.get(name) === callEnv[name]);
  if (names.length === 0) return end;
  const env = new Map(end.env);
  for (const name of names) {
    const before = start.env.get(name);
    if (before === undefined) env.delete(name);
    else env.set(name, before);
  }
  return { ...end, env };
}
