import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** Puts a plugin folder into a home: its manifest, and an entry module whose provider has `members` besides a name. */
export function addPlugin(home: string, id: string, backend: string, members = ""): void {
  const folder = join(home, "plugins", id);
  mkdirSync(folder, { recursive: true });
  writeFileSync(
    join(folder, "plugin.yaml"),
    `name: ${backend}\nversion: 0.3.0\ndescription: A test backend\nkind: backend\nentry: index.mjs\n`,
  );
  writeFileSync(
    join(folder, "index.mjs"),
    `export function register(ctx) {
  ctx.registerTerminalEnvironmentProvider({
    name: ${JSON.stringify(backend)},
    isAvailable: () => true,
    createEnvironment: async () => { throw new Error("not for use"); },
    ${members}
  });
}
`,
  );
}

/** Enables plugins by the configuration file. */
export function enablePlugins(home: string, ids: readonly string[], more = ""): void {
  writeFileSync(join(home, "config.yaml"), `plugins:\n  enabled: [${ids.join(", ")}]\n${more}`);
}
