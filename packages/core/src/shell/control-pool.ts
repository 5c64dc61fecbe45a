import type { KillReport, Survivor } from "../environment/outcome.js";
import type { Channel, Spawn } from "./channel.js";
import { ControlShell } from "./control-shell.js";

/** Kills that go on at the same time, each with its own grace. Further ones wait for one of these. */
const maxShells = 8;

/** The control shells of one sandbox: one is enough for most, and a busy one never makes another kill wait for its grace. */
export class ControlPool {
  readonly #spawn: Spawn;
  #shells: ControlShell[] = [];

  constructor(spawn: Spawn) {
    this.#spawn = spawn;
  }

  /** Starts a shell ahead of need: a kill then works even where no further process can be started. */
  prepare(): void {
    this.#idle().prepare();
  }

  /**
   * Ends everything a channel runs and the channel itself. Undefined when no control shell could be had, so that nothing
   * was done.
   */
  async end(channel: Channel, graceMs: number): Promise<KillReport | undefined> {
    const first = this.#idle();
    const report = await first.end(channel, graceMs);
    if (report !== undefined || this.#shells[0] === undefined || this.#shells[0] === first) return report;
    // No further shell could be started: the first one does it when its turn comes.
    return this.#shells[0].end(channel, graceMs);
  }

  /** What a channel's finished commands left running. */
  async list(channel: Channel): Promise<readonly Survivor[]> {
    return this.#idle().list(channel);
  }

  /** Ends the shells. */
  async close(): Promise<void> {
    await Promise.all(this.#shells.splice(0).map((shell) => shell.close()));
  }

  #idle(): ControlShell {
    const idle = this.#shells.find((shell) => shell.pending === 0);
    if (idle !== undefined) return idle;
    if (this.#shells.length < maxShells) {
      const added = new ControlShell(this.#spawn);
      this.#shells.push(added);
      return added;
    }
    return this.#shells.reduce((least, shell) => (shell.pending < least.pending ? shell : least));
  }
}
