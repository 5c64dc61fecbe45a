// @ts-check
import { execa } from "execa";

/**
 * The most used library for child processes, with bash as its shell and both streams in one.
 *
 * @param {import("./contender.mjs").Place} place
 * @returns {import("./contender.mjs").Contender}
 */
export function execaBash({ cwd, env }) {
  return {
    name: "execa",
    run: async (script) => {
      const { exitCode, all } = await execa("bash", ["-c", script], {
        cwd,
        env,
        extendEnv: false,
        all: true,
        reject: false,
        stdin: "ignore",
        stripFinalNewline: false,
      });
      return { exitCode: exitCode ?? null, output: all };
    },
    close: async () => {},
  };
}
