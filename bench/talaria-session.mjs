// @ts-check
import path from "node:path";
import { local } from "@talaria/backend-local";
import { openSession } from "@talaria/core";

/**
 * A session as a user gets it, state carried from command to command. Only the place of its files is ours, so that
 * nobody's configuration changes what is measured.
 *
 * @param {string} folder
 * @param {{ cwd?: string }} [options]
 */
export function openBenchSession(folder, { cwd } = {}) {
  return openSession({
    backend: local(cwd === undefined ? {} : { cwd }),
    talariaHome: path.join(folder, "talaria-home"),
  });
}
