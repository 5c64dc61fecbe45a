import type { TerminalEnvironment } from "../environment/environment.js";
import type { SandboxPath } from "../workdir/paths.js";
import type { SessionFile } from "./session-file.js";
import { emptyShellState, type SessionRecord } from "./session-record.js";
import { isDeepStrictEqual } from "node:util";

/** Keeps a named session's file in step with the session. Saves run one after the other. */
export class SessionMemory {
  readonly #file: SessionFile;
  readonly #environment: TerminalEnvironment;
  readonly #shellId: string;
  /** What this process read or wrote last; null when the file was not there or was about another sandbox. */
  #base: SessionRecord | null;
  #saving: Promise<void> = Promise.resolve();

  constructor(
    file: SessionFile,
    environment: TerminalEnvironment,
    shellId: string,
    base: SessionRecord | null,
  ) {
    this.#file = file;
    this.#environment = environment;
    this.#shellId = shellId;
    this.#base = base;
  }

  /** Writes what changed since the last time, if anything did. Throws SessionFileError. */
  save(cwd: SandboxPath | null): Promise<void> {
    const saved = this.#saving.then(() => this.#save(cwd));
    // A failure is the caller's to tell; the next save tries again.
    this.#saving = saved.catch(() => undefined);
    return saved;
  }

  async #save(cwd: SandboxPath | null): Promise<void> {
    const state = (await this.#environment.exportShellState?.(this.#shellId)) ?? emptyShellState;
    const { backend, id: sandboxId, generation } = this.#environment;
    const mine: SessionRecord = { backend, sandboxId, generation, cwd, state };
    if (isDeepStrictEqual(mine, this.#base)) return;
    await this.#file.save(this.#base, mine);
    this.#base = mine;
  }
}
