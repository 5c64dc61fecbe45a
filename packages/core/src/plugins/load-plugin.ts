import { realpath } from "node:fs/promises";
import { join, sep } from "node:path";
import { pathToFileURL } from "node:url";
import { PluginError } from "../errors/errors.js";
import { TalariaError } from "../errors/talaria-error.js";
import type { TerminalEnvironmentProvider } from "../provider/provider.js";
import { loadedOrigin, type PluginOrigin } from "../registry/plugin-origin.js";
import type { ProviderRegistry, RegisteredProvider } from "../registry/provider-registry.js";
import { packageEntry } from "./package-entry.js";
import { openPluginContext, type PluginContext } from "./plugin-context.js";
import type { PluginManifest } from "./plugin-manifest.js";

/** A plugin that hangs, while being imported or in its register(ctx), must not hang who asked for the backend. */
const deadlineMs = 30_000;

/**
 * Imports a plugin's entry module and registers what it offers: all of it or nothing. Throws PluginError that names
 * the plugin and the file when its code fails, RegistrationError when what it offers is refused.
 */
export async function loadPlugin(
  manifest: PluginManifest,
  registry: ProviderRegistry,
  talariaHome: string,
): Promise<readonly RegisteredProvider[]> {
  const entry = await entryFile(manifest);
  const register = await importRegister(manifest, entry);
  const open = openPluginContext(manifest, talariaHome);
  try {
    const registering = Promise.resolve(register(open.context));
    await withDeadline(manifest, "its register(ctx)", registering);
  } catch (error) {
    if (TalariaError.isInstance(error)) throw error;
    throw failed(
      manifest,
      `its register(ctx) failed: ${messageOf(error)}`,
      "Report it to the plugin's author.",
      error,
    );
  } finally {
    open.close();
  }
  const missing = manifest.backends.filter((name) => !namesOf(open.offered).includes(name));
  if (missing.length > 0) {
    throw failed(
      manifest,
      `its register(ctx) did not register ${missing.join(", ")}, which its manifest lists`,
      "Report it to the plugin's author.",
    );
  }
  const origin = loadedOrigin(
    { id: manifest.id, directory: manifest.directory, version: manifest.version },
    manifest.source === "package" ? manifest.id : null,
  );
  return registerAll(registry, open.offered, origin);
}

function namesOf(offered: readonly { readonly name: string }[]): readonly string[] {
  return offered.map(({ name }) => name);
}

function registerAll(
  registry: ProviderRegistry,
  offered: readonly TerminalEnvironmentProvider[],
  origin: PluginOrigin,
): readonly RegisteredProvider[] {
  const before = new Set(registry.list().map(({ name }) => name));
  const registered: RegisteredProvider[] = [];
  try {
    for (const provider of offered) registered.push(registry.register(provider, origin));
  } catch (error) {
    for (const { name } of registered) if (!before.has(name)) registry.unregister(origin, name);
    throw error;
  }
  return registered;
}

async function entryFile(manifest: PluginManifest): Promise<string> {
  const relative = manifest.entry ?? (await packageEntry(manifest.directory));
  if (relative === undefined) {
    throw failed(
      manifest,
      "its package.json names no entry module",
      'Add "exports", or "entry" to the manifest.',
    );
  }
  const path = join(manifest.directory, relative);
  const real = await realpath(path).catch((error: unknown) => {
    throw failed(manifest, `its entry module ${path} is not there`, "Build or reinstall the plugin.", error);
  });
  if (!real.startsWith(manifest.directory + sep)) {
    throw failed(
      manifest,
      `its entry module ${path} leads out of its folder, to ${real}`,
      "Put the module into the folder.",
    );
  }
  return real;
}

type Register = (context: PluginContext) => unknown;

async function importRegister(manifest: PluginManifest, entry: string): Promise<Register> {
  let module: Readonly<Record<string, unknown>>;
  try {
    const importing = import(pathToFileURL(entry).href) as Promise<Readonly<Record<string, unknown>>>;
    module = await withDeadline(manifest, `its entry module ${entry}`, importing);
  } catch (error) {
    if (error instanceof PluginError) throw error;
    throw failed(
      manifest,
      `its entry module ${entry} failed: ${messageOf(error)}`,
      "Reinstall the plugin, or report it to its author.",
      error,
    );
  }
  const candidates = [module["register"], memberOf(module["default"], "register"), module["default"]];
  const register = candidates.find((candidate): candidate is Register => typeof candidate === "function");
  if (register === undefined) {
    throw failed(
      manifest,
      `its entry module ${entry} exports no register(ctx)`,
      "Export a function of that name.",
    );
  }
  return register;
}

async function withDeadline<Result>(
  manifest: PluginManifest,
  what: string,
  work: Promise<Result>,
): Promise<Result> {
  let timer: NodeJS.Timeout | undefined;
  const deadline = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => {
      reject(
        failed(
          manifest,
          `${what} did not end within ${deadlineMs / 1000} s`,
          "Report it to the plugin's author.",
        ),
      );
    }, deadlineMs);
  });
  try {
    return await Promise.race([work, deadline]);
  } finally {
    clearTimeout(timer);
  }
}

function memberOf(holder: unknown, name: string): unknown {
  return typeof holder === "object" && holder !== null ? (Reflect.get(holder, name) as unknown) : undefined;
}

function failed(manifest: PluginManifest, problem: string, hint: string, cause?: unknown): PluginError {
  return new PluginError(`The plugin ${manifest.id} could not be loaded: ${problem}.`, {
    backend: manifest.backends[0],
    operation: "plugins.load",
    hint,
    cause,
  });
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
