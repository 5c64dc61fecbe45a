// @ts-check
import { spawn } from "@lydell/node-pty";

/**
 * A new `bash -c` on a terminal of its own for each command.
 *
 * @param {import("./contender.mjs").Place} place
 * @returns {import("./contender.mjs").Contender}
 */
export function nodePty({ cwd, env }) {
  return {
    name: "node-pty",
    run: (script) =>
      new Promise((resolve) => {
        const terminal = spawn("bash", ["-c", script], { cwd, env, name: "dumb", cols: 80, rows: 24 });
        let output = "";
        terminal.onData((text) => (output += text));
        // A terminal ends its lines with a carriage return too.
        terminal.onExit(({ exitCode }) => resolve({ exitCode, output: output.replaceAll("\r\n", "\n") }));
      }),
    close: async () => {},
  };
}
