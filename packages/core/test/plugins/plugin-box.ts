import { join } from "node:path";
import { loadConfig } from "../../src/config/load-config.js";
import { ProviderRegistry } from "../../src/registry/provider-registry.js";
import type { LoadBackendOptions } from "../../src/plugins/load-backend.js";
import { temporaryHome, type TemporaryHome } from "../config/temporary-home.js";

/** A provider and a register(ctx), as a plugin without any build would write them. */
export function entryModule(name: string, extra = ""): string {
  return `
globalThis.loadedPlugins = [...(globalThis.loadedPlugins ?? []), import.meta.url];
${extra}
export function register(ctx) {
  ctx.registerTerminalEnvironmentProvider({
    name: ${JSON.stringify(name)},
    isAvailable: () => true,
    createEnvironment: async () => ({}),
  });
}
`;
}

/** A home, a project, and plugins in them. */
export interface PluginBox extends TemporaryHome {
  /** Puts a package into a node_modules: the project's, or that of a folder beside it. */
  addPackage(id: string, options?: PackageOptions): string;
  /** Puts a folder into `<TALARIA_HOME>/plugins`. */
  addFolder(id: string, yaml: string, entry?: string, entryName?: string): void;
  /** What `loadBackend` is given, with the configuration as it is now. */
  options(flags?: Readonly<Record<string, unknown>>): Promise<LoadBackendOptions>;
}

export interface PackageOptions {
  /** Folder below the test's root. Default: the project. */
  readonly at?: string;
  readonly talaria?: unknown;
  readonly entry?: string;
  /** Members of package.json over the usual ones; undefined leaves one out. */
  readonly packageJson?: Readonly<Record<string, unknown>>;
  /** Text of package.json, as it is. */
  readonly rawPackageJson?: string;
}

export function pluginBox(config?: string): PluginBox {
  const place = temporaryHome(config);
  return {
    ...place,
    addPackage(id, { at = "work/project", talaria, entry, packageJson, rawPackageJson } = {}) {
      const folder = `${at}/node_modules/${id}`;
      const name = id.split("/").at(-1)?.replace("backend-", "").replaceAll("-", "_") ?? id;
      const manifest = {
        name: id,
        version: "1.2.3",
        description: "A box",
        type: "module",
        keywords: ["talaria-backend"],
        exports: { ".": "./main.js" },
        talaria: talaria ?? { kind: "backend", name, api: 1 },
        ...packageJson,
      };
      place.write(`${folder}/package.json`, rawPackageJson ?? JSON.stringify(manifest));
      return place.write(`${folder}/main.js`, entry ?? entryModule(name));
    },
    addFolder(id, yaml, entry = entryModule(id), entryName = "index.js") {
      place.write(`home/plugins/${id}/plugin.yaml`, yaml);
      place.write(`home/plugins/${id}/package.json`, '{"type":"module"}');
      place.write(`home/plugins/${id}/${entryName}`, entry);
    },
    async options(flags = {}) {
      const talariaHome = join(place.home);
      return {
        config: await loadConfig({ talariaHome, cwd: place.project, env: {}, flags }),
        registry: new ProviderRegistry(),
      };
    },
  };
}

/** The plugins whose entry module was run, in this process, by their folder's place in the test. */
export function wasLoaded(path: string): boolean {
  const loaded = (globalThis as { loadedPlugins?: readonly string[] }).loadedPlugins ?? [];
  return loaded.some((url) => url.includes(path));
}
