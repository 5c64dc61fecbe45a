import type { TerminalEnvironment } from "../environment/environment.js";
import type { StartDirectory } from "../environment/execute-options.js";
import { WorkdirError } from "../errors/errors.js";
import type { DefaultCwdReading } from "../provider/read-default-cwd.js";
import type { OwnDefaultCwd } from "../workdir/backend-default-cwd.js";
import { MountTable } from "../workdir/mount-table.js";
import { normalizePath } from "../workdir/normalize-path.js";
import type { SandboxPath } from "../workdir/paths.js";
import { describeConfigured, resolveStart } from "../workdir/resolve-start.js";
import type { ConfiguredCwd, ResolvedStart, StartInputs } from "../workdir/start-inputs.js";
import { HomeDirectory, questionShellId } from "./home-directory.js";

/** What a session knows about the place its commands run in, besides where it stands. */
export interface PlaceFacts {
  readonly isContainer: boolean;
  readonly isRemote: boolean;
  /** There is a sandbox that can be lost. */
  readonly canBeRecreated: boolean;
  readonly configured?: ConfiguredCwd | undefined;
  /** Reads the provider's `defaultCwd` anew. */
  readonly readDefaultCwd: () => DefaultCwdReading;
  readonly ownDefault: OwnDefaultCwd;
}

/** Asks the one resolver for a session: feeds it what is known of the live environment, the home where it matters. */
export class SessionPlace {
  readonly home: HomeDirectory;
  readonly #environment: TerminalEnvironment;
  readonly #facts: PlaceFacts;
  #mounts: MountTable | undefined;

  constructor(environment: TerminalEnvironment, facts: PlaceFacts) {
    this.#environment = environment;
    this.#facts = facts;
    this.home = new HomeDirectory(environment, { needsBothNames: facts.isContainer });
  }

  /** Where a command starts. Asks the sandbox nothing, unless its home decides. */
  async resolve(workdir: string | undefined, recorded: SandboxPath | null): Promise<ResolvedStart> {
    const inputs = this.#inputs(workdir, recorded, this.home.names);
    const start = resolveStart(inputs);
    return start.wantsHome ? resolveStart({ ...inputs, homes: await this.home.ask() }) : start;
  }

  /** The same for a sandbox that does not exist yet: nothing recorded, `~` left to whoever makes it. */
  resolveAnew(workdir: string | undefined): StartDirectory | undefined {
    if (!this.#facts.canBeRecreated) return undefined;
    return toStartDirectory(resolveStart(this.#inputs(workdir, null, undefined)));
  }

  /**
   * Whether a command that was told to start in `start` and ended in `end` moved by itself. The text tells, except where
   * a link is on the way: then the sandbox is asked where `start` leads.
   */
  async hasMoved(start: StartDirectory, end: SandboxPath): Promise<boolean> {
    const written = start.relative === undefined ? start.path : `${start.path}/${start.relative}`;
    if (written?.startsWith("/") === true && normalizePath(written) === end) return false;
    try {
      const { cwd } = await this.#environment.execute(":", { start, shellId: questionShellId });
      return cwd !== end;
    } catch {
      // The directory is gone by now, or the sandbox: nothing to compare with. The command ran, so its result counts.
      return false;
    }
  }

  /** Leads a failure to enter a directory that a person had set back to where it was set. */
  explain(error: unknown, start: ResolvedStart): unknown {
    const { configured } = this.#facts;
    if (!(error instanceof WorkdirError) || start.source !== "configured" || configured === undefined)
      return error;
    return new WorkdirError(
      error.workdir,
      `${describeConfigured(configured)} cannot be used in the sandbox of "${this.#environment.backend}": ${error.message}`,
      {
        backend: error.backend ?? this.#environment.backend,
        operation: error.operation ?? "execute",
        hint: `Create the directory there, or correct ${configured.key}.`,
        cause: error,
      },
    );
  }

  #inputs(
    workdir: string | undefined,
    recorded: SandboxPath | null,
    homes: StartInputs["homes"],
  ): StartInputs {
    const { isContainer, isRemote, configured, ownDefault, readDefaultCwd } = this.#facts;
    this.#mounts ??= new MountTable(this.#environment.mounts);
    return {
      isContainer,
      isRemote,
      configured,
      ownDefault,
      backend: this.#environment.backend,
      workdir,
      recorded,
      defaultCwd: readDefaultCwd(),
      mounts: this.#mounts,
      homes,
    };
  }
}

/** The part of an answer that an environment carries out. */
export function toStartDirectory({ path, relative, ifMissing }: StartDirectory): StartDirectory {
  return relative === undefined ? { path, ifMissing } : { path, relative, ifMissing };
}
