import { statSync } from "node:fs";
import { looksSecret } from "@talaria/core";
import { captureLoginEnvironment, type CaptureResult } from "./capture.js";
import { LoginCache } from "./login-cache.js";
import type { LoginShell } from "./login-shell.js";
import { fingerprint } from "./rc-files.js";

export interface LoginEnvironmentOptions {
  readonly shell: LoginShell;
  /** The allowlisted environment the shell starts from. */
  readonly base: Readonly<Record<string, string>>;
  readonly stripEnvKeys: readonly string[];
  /** Where the cache lies. Without it every call runs the shell. */
  readonly talariaHome: string | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Default 5,000. */
  readonly deadlineMs?: number | undefined;
}

export interface LoginEnvironment {
  /** What the start-up files set or changed. Empty when they could not be run. */
  readonly env: Readonly<Record<string, string>>;
  readonly source: "cache" | "shell";
  /** Why there is nothing, as a sentence. */
  readonly note?: string | undefined;
}

/** Set while start-up files run, so that they can tell and leave out what only a person needs. */
const captureMark = "TALARIA_LOGIN_ENV";

/** Belong to the capturing shell itself, not to the user. */
const ofTheShell: ReadonlySet<string> = new Set([
  "_",
  "SHLVL",
  "PWD",
  "OLDPWD",
  "TERM",
  "COLUMNS",
  "LINES",
  "HISTFILE",
  captureMark,
]);

/** What the user's login shell makes of the environment: from the cache while its start-up files are unchanged. */
export async function loginEnvironment(options: LoginEnvironmentOptions): Promise<LoginEnvironment> {
  const { shell, base, talariaHome } = options;
  const cache = talariaHome === undefined ? undefined : new LoginCache(talariaHome);
  const key = fingerprint(shell, base);
  const cached = cache?.read(key);
  if (cached !== undefined) return describe(withoutSecrets(cached, options), "cache");
  const captured = await captureLoginEnvironment({
    shell,
    env: { ...base, TERM: "dumb", [captureMark]: "1" },
    // Accounts of services have a home that does not exist.
    cwd: isDirectory(base["HOME"]) ? base["HOME"] : "/",
    deadlineMs: options.deadlineMs ?? 5_000,
    signal: options.signal,
  });
  const result = withoutSecrets(captured, options);
  await cache?.write(key, result);
  return describe(result, "shell");
}

function isDirectory(path: string | undefined): path is string {
  return path !== undefined && statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}

/** Applied before the cache is written and after it is read: a backend installed since then has keys of its own. */
function withoutSecrets(
  result: CaptureResult,
  { base, stripEnvKeys }: LoginEnvironmentOptions,
): CaptureResult {
  if (result.kind === "failed") return result;
  const stripped = new Set(stripEnvKeys);
  const kept = Object.entries(result.env).filter(
    ([name, value]) =>
      !ofTheShell.has(name) && !stripped.has(name) && !looksSecret(name) && base[name] !== value,
  );
  return { kind: "captured", env: Object.fromEntries(kept) };
}

function describe(result: CaptureResult, source: "cache" | "shell"): LoginEnvironment {
  if (result.kind === "captured") return { env: result.env, source };
  return {
    env: {},
    source,
    note:
      `The login environment could not be read: ${result.reason}. Commands run with the plain environment. ` +
      "Correct the start-up files, or set terminal.backends.local.login_env to false.",
  };
}
