import type { RedactionRules } from "../secrets/redaction-rules.js";
import type { SandboxPath } from "../workdir/paths.js";

/** Which stream a piece of output came from. `output` is both, merged in the sandbox in exact order. */
export type OutputStream = "output" | "stdout" | "stderr";

export interface OutputChunk {
  readonly stream: OutputStream;
  readonly bytes: Uint8Array;
}

/** What can be given as standard input: all of it, or a stream of it. */
export type StdinSource = string | Uint8Array | AsyncIterable<Uint8Array | string>;

/**
 * Where a command starts. Decided by the session's resolver (SPEC 2), carried out inside the sandbox.
 * `null` = the environment's own default directory; `"~"` = the home the sandbox really has.
 */
export interface StartDirectory {
  readonly path: SandboxPath | "~" | null;
  /** A relative directory entered after `path`, physically (`..` is the parent of a link's target). */
  readonly relative?: string | undefined;
  /** What a missing directory means: an error of the call, the nearest existing ancestor, or the home. */
  readonly ifMissing: "fail" | "nearest" | "home";
}

/** Options common to an environment's and a session's `execute`. */
export interface CommandOptions {
  /** Variables for this call only. */
  readonly env?: Readonly<Record<string, string>> | undefined;
  /** Milliseconds until the command's process tree is ended. Default: the environment's (180,000). Finite and above 0. */
  readonly timeoutMs?: number | undefined;
  /** Standard input, byte-exact. Default: at end-of-file. */
  readonly stdin?: StdinSource | undefined;
  /** Cancels the command and its process tree. */
  readonly signal?: AbortSignal | undefined;
  /** Ends the grace of a kill that is under way: what still lives gets KILL at once. By itself it cancels nothing. */
  readonly forceSignal?: AbortSignal | undefined;
  /** Account inside the sandbox. Needs the `user` capability. */
  readonly user?: string | undefined;
  /** Called with each piece of output as it comes. A returned promise holds back further output until it settles. */
  readonly onOutput?: ((chunk: OutputChunk) => void | Promise<void>) | undefined;
  /** Bytes of output kept in the result: 40 % from its head, 60 % from its tail. Default 200,000. */
  readonly maxOutputBytes?: number | undefined;
  /** Keep the whole of an output that outgrows `maxOutputBytes` in a spill file. Default true. */
  readonly spill?: boolean | undefined;
  /** Keep stdout and stderr apart. Their order against each other is then only the order of arrival. Default false. */
  readonly separate?: boolean | undefined;
  /** Milliseconds between TERM and KILL when the command is ended. Default 2,000. */
  readonly killGraceMs?: number | undefined;
}

/** Options of `TerminalEnvironment.execute`. */
export interface EnvironmentExecuteOptions extends CommandOptions {
  /** Default `{ path: null, ifMissing: "fail" }`. */
  readonly start?: StartDirectory | undefined;
  /**
   * Used instead of `start` when the sandbox has to be made anew before this command: a directory of the old sandbox
   * says nothing about the new one (SPEC 2.10). Default: `start`. Ignored by environments that never do that.
   */
  readonly startWhenRecreated?: StartDirectory | undefined;
  /**
   * Whose shell state (variables, functions, aliases, options, umask) the command starts from and merges into.
   * Sessions that share an environment use different ids. Default `"default"`.
   */
  readonly shellId?: string | undefined;
  /**
   * What is taken out of the output before it is handed on, kept or spilled. Counts of bytes and `truncated` then speak
   * of the output without it. Default: nothing. An environment that does not know the option is looked after by its session.
   */
  readonly redact?: RedactionRules | undefined;
}
