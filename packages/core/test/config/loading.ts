import { loadConfig, type LoadConfigOptions } from "../../src/config/load-config.js";
import type { Config } from "../../src/config/config.js";
import { ConfigError } from "../../src/errors/errors.js";
import type { TemporaryHome } from "./temporary-home.js";

/** Loads the configuration of a test's folders, with no variable of this process. */
export function load(place: TemporaryHome, options: LoadConfigOptions = {}): Promise<Config> {
  return loadConfig({ talariaHome: place.home, cwd: place.project, env: {}, ...options });
}

/** The error it must be refused with. */
export async function failure(place: TemporaryHome, options?: LoadConfigOptions): Promise<ConfigError> {
  const result: unknown = await load(place, options).catch((error: unknown) => error);
  if (result instanceof ConfigError) return result;
  throw new Error("the configuration was accepted", { cause: result });
}
