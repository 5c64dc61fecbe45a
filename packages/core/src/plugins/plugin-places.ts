import { statSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Config } from "../config/config.js";
import { nodeModulesAbove } from "./package-folders.js";

/** Where plugins are looked for. */
export interface PluginPlaces {
  /** `<TALARIA_HOME>/plugins`. */
  readonly folders: string;
  /** `node_modules` folders, the most trusted first. */
  readonly nodeModules: readonly string[];
}

export interface PluginPlaceOptions {
  readonly config: Config;
  /** Folder whose packages count besides the project's: the one the CLI or the application is installed in. Default: core's own. */
  readonly baseDirectory?: string | undefined;
}

/**
 * The places, in order: the user's own plugin folder, what is installed beside the program that runs, what the project
 * at the working directory has installed. The first that has an id wins, so that a project that is somebody else's
 * cannot put its package in the place of one the user installed.
 */
export function pluginPlaces({ config, baseDirectory }: PluginPlaceOptions): PluginPlaces {
  const installed = [baseDirectory, import.meta.dirname].filter((start) => start !== undefined);
  const isProjectAsked = config.get("plugins.project_packages") && config.cwd !== undefined;
  const project = isProjectAsked ? nodeModulesAbove(config.cwd).filter(isPlacedByTrusted) : [];
  return {
    folders: join(config.talariaHome, "plugins"),
    nodeModules: [...new Set([...installed.flatMap(nodeModulesAbove), ...project])],
  };
}

/** Anybody can put a node_modules into a folder that all may write, such as /tmp: what is there was not installed by this user. */
function isPlacedByTrusted(nodeModules: string): boolean {
  const writableByAll = 0o002;
  try {
    return (statSync(dirname(nodeModules)).mode & writableByAll) === 0;
  } catch {
    return false;
  }
}
