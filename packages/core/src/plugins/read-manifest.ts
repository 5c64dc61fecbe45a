import { readFileSync, realpathSync, statSync } from "node:fs";
import { readFile, realpath, stat } from "node:fs/promises";
import { basename, join } from "node:path";
import { checkManifest, ManifestProblem, type PluginManifest } from "./plugin-manifest.js";

/** What `package.json` must list, so that a search of a package registry finds backends. */
const backendKeyword = "talaria-backend";

const largestBytes = 1024 * 1024;

/** A plugin that was found: its manifest, or why it cannot be used. */
export type FoundPlugin =
  | { readonly ok: true; readonly manifest: PluginManifest }
  | {
      readonly ok: false;
      readonly id: string;
      readonly source: "package" | "folder";
      readonly directory: string;
      /** The file and what is wrong with it. */
      readonly reason: string;
    };

/**
 * Reads the manifest of the package in a folder. Undefined for a package that is no plugin. `installedAs` is the name
 * of its place in node_modules. Synchronous: a search reads hundreds of small files, and this is many times cheaper.
 */
export function readPackageManifest(folder: string, installedAs: string): FoundPlugin | undefined {
  const file = join(folder, "package.json");
  let text: string;
  try {
    // Reading a named pipe would wait for ever, and a manifest of many megabytes is none.
    const stats = statSync(file, { throwIfNoEntry: false });
    if (stats === undefined || !stats.isFile() || stats.size > largestBytes) return undefined;
    text = readFileSync(file, "utf8");
  } catch {
    return undefined;
  }
  // Most packages are none of ours, and parsing them all is what would cost time.
  if (!text.includes(`"${backendKeyword}"`) && !text.includes('"talaria"')) return undefined;
  const found = { id: installedAs, source: "package", directory: folder } as const;
  try {
    const parsed: unknown = JSON.parse(text);
    const manifest = member(parsed, "talaria");
    const keywords = member(parsed, "keywords");
    const hasKeyword = Array.isArray(keywords) && keywords.includes(backendKeyword);
    if (manifest === undefined && !hasKeyword) return undefined;
    if (manifest === undefined) throw new ManifestProblem('it has the keyword but no "talaria" field');
    if (member(manifest, "kind") === undefined && !hasKeyword) return undefined;
    if (!hasKeyword)
      throw new ManifestProblem(`it has a "talaria" field but not the keyword "${backendKeyword}"`);
    const name = member(parsed, "name");
    if (name !== installedAs) {
      throw new ManifestProblem(
        `the package calls itself ${JSON.stringify(name)} but is installed as "${installedAs}"`,
      );
    }
    const directory = realpathSync(folder);
    return {
      ok: true,
      manifest: checkManifest(manifest, {
        ...found,
        directory,
        version: member(parsed, "version"),
        description: member(parsed, "description"),
      }),
    };
  } catch (error) {
    return { ok: false, ...found, reason: `${file}: ${whyOf(error, "is not valid JSON")}` };
  }
}

/** Reads the manifest of a plugin folder. Undefined when it has no `plugin.yaml`. */
export async function readFolderManifest(folder: string): Promise<FoundPlugin | undefined> {
  const file = join(folder, "plugin.yaml");
  const found = { id: basename(folder), source: "folder", directory: folder } as const;
  let text: string;
  try {
    const stats = await stat(file);
    if (!stats.isFile()) throw new ManifestProblem("it is not a regular file");
    if (stats.size > largestBytes)
      throw new ManifestProblem(`it has ${stats.size} bytes, more than ${largestBytes}`);
    text = await readFile(file, "utf8");
  } catch (error) {
    if (typeof error === "object" && error !== null && "code" in error) {
      if (error.code === "ENOENT" || error.code === "ENOTDIR") return undefined;
    }
    return { ok: false, ...found, reason: `${file}: ${whyOf(error, "cannot be read")}` };
  }
  try {
    const { parse } = await import("yaml");
    const fields: unknown = parse(text, { maxAliasCount: 20, uniqueKeys: true, prettyErrors: true });
    const directory = await realpath(folder);
    return { ok: true, manifest: checkManifest(fields, { ...found, directory }) };
  } catch (error) {
    return { ok: false, ...found, reason: `${file}: ${whyOf(error, "is not valid YAML")}` };
  }
}

function member(holder: unknown, name: string): unknown {
  if (typeof holder !== "object" || holder === null || !Object.hasOwn(holder, name)) return undefined;
  return Reflect.get(holder, name) as unknown;
}

function whyOf(error: unknown, otherwise: string): string {
  const message = error instanceof Error ? error.message : String(error);
  // The first line: the library's texts show the file's own lines below it.
  return error instanceof ManifestProblem ? message : `${otherwise} (${message.split("\n")[0]})`;
}
