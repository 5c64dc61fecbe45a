import { homedir } from "node:os";
import { join, resolve } from "node:path";

/** The environment a function reads variables from. Default: the process's own. */
export type HostEnvironment = Readonly<Record<string, string | undefined>>;

/** `<TALARIA_HOME>`: the variable of that name, else `~/.talaria`. Nothing is created. */
export function talariaHomePath(env: HostEnvironment = process.env): string {
  const home = env["HOME"] || homedir();
  const given = env["TALARIA_HOME"];
  if (given === undefined || given === "") return join(home, ".talaria");
  // Variables set outside a shell (a service file, an image) keep their tilde.
  return given === "~" || given.startsWith("~/") ? join(home, given.slice(1)) : resolve(given);
}

/** Where the user's configuration file is, whether or not it exists: `<TALARIA_HOME>/config.yaml`. */
export function configPath(
  options: { readonly talariaHome?: string | undefined; readonly env?: HostEnvironment | undefined } = {},
): string {
  return join(options.talariaHome ?? talariaHomePath(options.env), "config.yaml");
}
