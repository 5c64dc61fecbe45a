import { homedir, hostname } from "node:os";
import {
  agentEnvironment,
  allStripEnvKeys,
  SpawnError,
  UnsupportedCapabilityError,
  type CreateEnvironmentOptions,
} from "@talaria/core";
import { findBash } from "./bash/find-bash.js";
import { CommandEnvironment } from "./command-environment.js";
import { localCapabilities } from "./local-capabilities.js";
import { LocalEnvironment } from "./local-environment.js";
import type { LocalSettings } from "./local-options.js";
import { loginEnvironment, type LoginEnvironment } from "./login/login-environment.js";
import { loginShellOf } from "./login/login-shell.js";
import { workdirFailure } from "./process/spawn-failure.js";

const details = { backend: "local", operation: "createEnvironment" } as const;

/** Throws where there is no POSIX host to run on. */
export function refuseWindows(): void {
  if (process.platform !== "win32") return;
  throw new UnsupportedCapabilityError(
    "spawn",
    "the local backend needs a POSIX host; on Windows it does not run commands yet",
    {
      ...details,
      hint: "Run Talaria inside WSL, or use the ssh or docker backend from Windows (terminal.backend).",
    },
  );
}

/**
 * The bash to start. On Linux the first in PATH is new enough and needs no asking; a named one is asked, and on macOS,
 * whose own is 3.2, each until one will do. Undefined = whatever PATH says. Throws SpawnError.
 */
export async function chooseBash(shell: string | undefined): Promise<string | undefined> {
  if (shell === undefined && process.platform !== "darwin") return undefined;
  const search = await findBash(shell, process.env["PATH"]);
  if (search.kind === "found") return search.path;
  const key = "terminal.backends.local.shell";
  const found = search.kind === "tooOld" ? `${search.path} is ${search.version.text}` : "none was found";
  throw new SpawnError(
    shell ?? "bash",
    search.kind === "tooOld" ? "too_old" : "ENOENT",
    shell === undefined
      ? `commands need bash 4.1 or newer: ${found}`
      : `${key} names ${shell}, which is not a bash of 4.1 or newer`,
    { ...details, hint: `Install one (macOS: brew install bash), or correct ${key}.` },
  );
}

/** The directory of processes that name none: what was asked for where it can be entered, else the process's own. */
function startDirectory(settings: LocalSettings, asked: string | undefined): string {
  if (settings.cwd !== undefined) {
    const failure = workdirFailure(settings.cwd);
    if (failure !== undefined) throw failure;
    return settings.cwd;
  }
  const wanted = asked === "~" ? homedir() : asked;
  if (wanted?.startsWith("/") === true && workdirFailure(wanted) === undefined) return wanted;
  try {
    return process.cwd();
  } catch {
    // The directory has been deleted under us; commands still have to start somewhere.
    return homedir();
  }
}

/** Where the variables of commands come from, before the login shell is asked. */
export interface HostVariables {
  /** What an agent's process may inherit from this one. */
  readonly base: Readonly<Record<string, string>>;
  /** What the user passes on, by name or by value. */
  readonly passed: Readonly<Record<string, string>>;
  /** Credential variables of all backends. */
  readonly stripEnvKeys: readonly string[];
}

/** What the login shell adds to `base`, or undefined when it is not wanted. */
export function readLoginEnvironment(
  settings: LocalSettings,
  { base, stripEnvKeys }: HostVariables,
  options: Pick<CreateEnvironmentOptions, "talariaHome" | "signal">,
): Promise<LoginEnvironment> | undefined {
  if (!settings.loginEnv) return undefined;
  return loginEnvironment({
    shell: loginShellOf(process.env["SHELL"], settings.shell ?? "/bin/bash"),
    base,
    stripEnvKeys,
    talariaHome: options.talariaHome,
    signal: options.signal,
  });
}

/** The allowlisted part of this process's environment, and what is passed on besides. */
export function hostVariables(
  settings: LocalSettings,
  options: Pick<CreateEnvironmentOptions, "passEnv" | "stripEnvKeys">,
): HostVariables {
  // Called without a session, nobody has put the list together.
  const stripEnvKeys = options.stripEnvKeys ?? allStripEnvKeys({});
  const hostEnv = process.env;
  const extra = { ...options.passEnv, ...settings.env };
  const all = agentEnvironment({ hostEnv, strip: stripEnvKeys, pass: settings.passEnv, extra });
  const passedNames = new Set([...settings.passEnv, ...Object.keys(extra)]);
  return {
    base: agentEnvironment({ hostEnv, strip: stripEnvKeys }),
    passed: Object.fromEntries(Object.entries(all).filter(([name]) => passedNames.has(name))),
    stripEnvKeys,
  };
}

/** Makes the environment of the `local` backend. */
export async function createLocalEnvironment(
  settings: LocalSettings,
  options: CreateEnvironmentOptions,
): Promise<LocalEnvironment> {
  refuseWindows();
  options.signal?.throwIfAborted();
  const directory = startDirectory(settings, options.cwd);
  const host = hostVariables(settings, options);
  const [bash, login] = await Promise.all([
    chooseBash(settings.shell),
    readLoginEnvironment(settings, host, options),
  ]);
  options.signal?.throwIfAborted();
  return new LocalEnvironment({
    backend: "local",
    // Names the host, so that a named session goes on in another process, and does not on another host of a shared home.
    id: hostname(),
    timeoutMs: options.timeoutMs,
    capabilities: localCapabilities(),
    notes: login?.note === undefined ? [] : [login.note],
    directory,
    bash,
    variables: new CommandEnvironment({ ...host, login: login?.env ?? {} }),
  });
}
