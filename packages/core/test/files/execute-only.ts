import { spawn } from "node:child_process";
import { WrappedEnvironment } from "../../src/environment/minimal-environment.js";

/** What a third party's smallest environment can do: run a text in a shell and hand its output back as one text. */
export function executeOnly(env: NodeJS.ProcessEnv): WrappedEnvironment {
  return new WrappedEnvironment(
    {
      execute: (command) =>
        new Promise((resolve, reject) => {
          const child = spawn("sh", ["-c", command], { stdio: ["ignore", "pipe", "pipe"], env });
          let output = "";
          for (const stream of [child.stdout, child.stderr]) {
            stream.setEncoding("utf8").on("data", (text: string) => (output += text));
          }
          child.on("error", reject);
          child.on("close", (code) => resolve({ output, exitCode: code ?? 137 }));
        }),
      cleanup: () => undefined,
    },
    { backend: "smallest" },
  );
}
