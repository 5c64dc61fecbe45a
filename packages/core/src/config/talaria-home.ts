import { userInfo } from "node:os";
import { isAbsolute, join, resolve } from "node:path";
import { ConfigError } from "../errors/errors.js";

/** The environment a function reads variables from. Default: the process's own. */
export type HostEnvironment = Readonly<Record<string, string | undefined>>;

/** `<TALARIA_HOME>`: the variable of that name, else `~/.talaria`. Nothing is created. */
export function talariaHomePath(env: HostEnvironment = process.env): string {
  const given = env["TALARIA_HOME"];
  if (given === undefined || given === "") return join(homeOf(env), ".talaria");
  // Variables set outside a shell (a service file, an image) keep their tilde.
  return given === "~" || given.startsWith("~/") ? join(homeOf(env), given.slice(1)) : absolute(given);
}

/**
 * An empty or relative HOME is passed over: `.talaria` would be looked for in the working directory, and a foreign
 * project could put a whole configuration there.
 */
function homeOf(env: HostEnvironment): string {
  const home = env["HOME"];
  if (home !== undefined && isAbsolute(home)) return home;
  try {
    return userInfo().homedir;
  } catch (error) {
    // A container that runs under a number without an account.
    throw new ConfigError(
      "This user has no home directory: HOME is not an absolute path, and no account has its uid.",
      {
        operation: "config.load",
        source: "HOME",
        hint: "Set TALARIA_HOME to a folder of this user.",
        cause: error,
      },
    );
  }
}

function absolute(given: string): string {
  try {
    return resolve(given);
  } catch (error) {
    throw new ConfigError(
      `TALARIA_HOME is ${JSON.stringify(given)}, relative to a working directory that does not exist any more.`,
      { operation: "config.load", source: "TALARIA_HOME", hint: "Give an absolute path.", cause: error },
    );
  }
}

/** Where the user's configuration file is, whether or not it exists: `<TALARIA_HOME>/config.yaml`. */
export function configPath(
  options: { readonly talariaHome?: string | undefined; readonly env?: HostEnvironment | undefined } = {},
): string {
  return join(options.talariaHome ?? talariaHomePath(options.env), "config.yaml");
}
