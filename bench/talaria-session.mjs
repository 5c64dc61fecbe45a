// @ts-check
import path from "node:path";
import { LocalProvider, local } from "@talaria/backend-local";
import { openSession } from "@talaria/core";

/**
 * A session as a user gets it, state carried from command to command. Only the place of its files is ours, so that
 * nobody's configuration changes what is measured.
 *
 * @param {string} folder
 * @param {{ cwd?: string, hidesHostFiles?: boolean }} [options] `hidesHostFiles`: bytes come and go over pipes alone, as to
 *   a sandbox that is not this host
 */
export function openBenchSession(folder, { cwd, hidesHostFiles = false } = {}) {
  const options = cwd === undefined ? {} : { cwd };
  return openSession({
    backend: hidesHostFiles ? new PipeProvider(options) : local(options),
    talariaHome: path.join(folder, "talaria-home"),
  });
}

class PipeProvider extends LocalProvider {
  /**
   * @override
   * @param {import("@talaria/core").CreateEnvironmentOptions} options
   */
  async createEnvironment(options) {
    const environment = await super.createEnvironment(options);
    return Object.defineProperty(environment, "acceptsHostFiles", { value: false });
  }
}
