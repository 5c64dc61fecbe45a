import { ConfigError, type ConfigSchema } from "@talaria/core";

/** What `local()` can be told. What is left out comes from `terminal.backends.local`, else from the defaults here. */
export interface LocalOptions {
  /** Directory in which commands start when nobody says otherwise. Default: the process's own. Absolute. */
  readonly cwd?: string | undefined;
  /** Path of the bash to use. Default: the first in PATH that is 4.1 or newer. Configuration: `shell`. */
  readonly shell?: string | undefined;
  /** Take over what the login shell's start-up files set (PATH of nvm, pyenv …). Default true. Configuration: `login_env`. */
  readonly loginEnv?: boolean | undefined;
  /** Names of variables of this process that commands get besides the allowlist. Default none. Configuration: `pass_env`. */
  readonly passEnv?: readonly string[] | undefined;
  /** Variables set for every command, over everything else but a command's own. Default none. */
  readonly env?: Readonly<Record<string, string>> | undefined;
}

/** The fields under `terminal.backends.local`. */
export const localConfigSchema = {
  shell: {
    type: "string",
    description: "Path of the bash to use (4.1 or newer). Default: the first in PATH.",
    example: "/opt/homebrew/bin/bash",
  },
  login_env: {
    type: "boolean",
    description: "Take over what the login shell's start-up files set, such as the PATH of nvm or pyenv.",
    default: true,
  },
  pass_env: {
    type: "list",
    description: "Names of variables that commands get besides the allowlist.",
    example: "[DATABASE_URL, AWS_PROFILE]",
  },
} satisfies ConfigSchema;

/** Options and configuration brought together; what code says wins over what a file says. */
export interface LocalSettings {
  readonly cwd: string | undefined;
  readonly shell: string | undefined;
  readonly loginEnv: boolean;
  readonly passEnv: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

/** Throws ConfigError for a field of the wrong type: a provider may be called without the configuration's checks. */
export function localSettings(
  options: LocalOptions,
  config: Readonly<Record<string, unknown>>,
): LocalSettings {
  return {
    cwd: options.cwd,
    shell: options.shell ?? read(config, "shell", isAbsolute, "an absolute path"),
    loginEnv: options.loginEnv ?? read(config, "login_env", isBoolean, "true or false") ?? true,
    passEnv: options.passEnv ?? read(config, "pass_env", isNames, "a list of variable names") ?? [],
    env: options.env ?? {},
  };
}

function read<T>(
  config: Readonly<Record<string, unknown>>,
  field: string,
  accepts: (value: unknown) => value is T,
  expected: string,
): T | undefined {
  const value = config[field];
  if (value === undefined || value === null || value === "") return undefined;
  if (accepts(value)) return value;
  const key = `terminal.backends.local.${field}`;
  throw new ConfigError(`${key} must be ${expected}`, {
    key,
    backend: "local",
    hint: `Correct it with: talaria config set ${key} …`,
  });
}

const isBoolean = (value: unknown): value is boolean => typeof value === "boolean";
const isAbsolute = (value: unknown): value is string => typeof value === "string" && value.startsWith("/");
const isNames = (value: unknown): value is readonly string[] =>
  Array.isArray(value) && value.every((name) => typeof name === "string" && name !== "");
