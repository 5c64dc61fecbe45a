import { chmodSync, mkdirSync, renameSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { PluginError, RegistrationError, UnknownBackendError } from "../../src/errors/errors.js";
import { loadBackend, type LoadBackendOptions } from "../../src/plugins/load-backend.js";
import { TalariaError } from "../../src/errors/talaria-error.js";
import { entryModule, pluginBox, wasLoaded } from "./plugin-box.js";

async function failure(name: string, options: LoadBackendOptions): Promise<TalariaError> {
  const result: unknown = await loadBackend(name, options).catch((error: unknown) => error);
  if (result instanceof TalariaError) return result;
  throw new Error("it was loaded", { cause: result });
}

describe("a first-party backend", () => {
  test("is loaded by name from the project's packages, without being enabled", async () => {
    const box = pluginBox();
    box.addPackage("@talaria/backend-docker");
    const options = await box.options();
    const registered = await loadBackend(" Docker ", options);
    expect(registered).toMatchObject({
      name: "docker",
      origin: { id: "@talaria/backend-docker", version: "1.2.3" },
    });
    expect(options.registry.lookup("docker")).toBe(registered);
  });

  test("is loaded from folders above the project, and only that one package is run", async () => {
    const box = pluginBox();
    box.addPackage("@talaria/backend-docker", { at: "work" });
    box.addPackage("@talaria/backend-ssh", { at: "work" });
    await loadBackend("docker", await box.options());
    expect(wasLoaded(join(dirname(box.project), "node_modules/@talaria/backend-docker"))).toBe(true);
    expect(wasLoaded(join(dirname(box.project), "node_modules/@talaria/backend-ssh"))).toBe(false);
  });

  test("installed beside the program stands before one in the project, which may be somebody else's", async () => {
    const box = pluginBox();
    box.addPackage("@talaria/backend-docker", { entry: "throw new Error('the project was run');" });
    box.addPackage("@talaria/backend-docker", { at: "program" });
    const baseDirectory = join(dirname(box.home), "program", "dist");
    const registered = await loadBackend("docker", { ...(await box.options()), baseDirectory });
    expect(registered.origin.directory).toContain("/program/");
  });

  test("in the project is not looked at where plugins.project_packages is false", async () => {
    const box = pluginBox("plugins:\n  project_packages: false\n");
    box.addPackage("@talaria/backend-docker");
    expect((await failure("docker", await box.options())).hint).toBe(
      "Install it: npm install @talaria/backend-docker",
    );
  });

  test("in a folder that all may write is not looked at: anybody could have put it there", async () => {
    const box = pluginBox();
    box.addPackage("@talaria/backend-docker");
    chmodSync(box.project, 0o777);
    expect(await failure("docker", await box.options())).toBeInstanceOf(UnknownBackendError);
  });

  test("is registered with all the names it has, and a reserved one of another package is refused", async () => {
    const box = pluginBox();
    const both = ["modal", "managed_modal"];
    box.addPackage("@talaria/backend-modal", {
      talaria: { kind: "backend", name: both, api: 1 },
      entry: `${entryModule("modal").replace("export function register", "function one")}
        ${entryModule("managed_modal").replace("export function register", "function two")}
        export const register = (ctx) => { one(ctx); two(ctx); };`.replaceAll(
        /globalThis.loadedPlugins = .*\n/g,
        "",
      ),
    });
    const options = await box.options();
    await loadBackend("managed_modal", options);
    expect(options.registry.list().map(({ name }) => name)).toEqual(["managed_modal", "modal"]);
  });

  test("that is not installed gives the install line and the names that would work", async () => {
    const box = pluginBox();
    box.addPackage("@talaria/backend-ssh");
    const error = await failure("docker", await box.options());
    expect(error).toBeInstanceOf(UnknownBackendError);
    expect(error.hint).toBe("Install it: npm install @talaria/backend-docker");
    expect(error.message).toMatch(/known are .*ssh/);
  });

  test("that is disabled is not loaded, and the setting is named", async () => {
    const box = pluginBox('plugins:\n  disabled: ["@talaria/backend-docker"]\n');
    box.addPackage("@talaria/backend-docker");
    const error = await failure("docker", await box.options());
    expect(error.message).toContain("plugins.disabled");
    expect(error.message).toContain("config.yaml:2");
    expect(error.hint).toContain("talaria plugins enable @talaria/backend-docker");
  });
});

describe("a reserved name", () => {
  test.each([
    ["a package of another name", "@evil/backend-docker", {}],
    ["a package that calls itself first-party", "evil", { packageJson: { name: "@talaria/backend-docker" } }],
    ["another first-party package", "@talaria/backend-ssh", {}],
  ])("is not given to %s", async (_who, id, extra) => {
    const box = pluginBox(`plugins:\n  enabled: ["${id}"]\n`);
    box.addPackage(id, {
      talaria: { kind: "backend", name: "docker", api: 1 },
      entry: entryModule("docker"),
      ...extra,
    });
    expect(await failure("docker", await box.options())).toBeInstanceOf(UnknownBackendError);
    expect(wasLoaded(`${box.project}/`)).toBe(false);
  });

  test("is not given to a plugin folder, whatever the folder is called", async () => {
    const box = pluginBox("plugins:\n  enabled: [docker]\n");
    box.addFolder("docker", "name: docker\nkind: backend\napi: 1\n");
    expect(await failure("docker", await box.options())).toBeInstanceOf(UnknownBackendError);
  });

  test("is not had by registering it behind another one in the manifest", async () => {
    const box = pluginBox('plugins:\n  enabled: ["@acme/box"]\n');
    box.addPackage("@acme/box", { entry: entryModule("docker") });
    const options = await box.options();
    const error = await failure("box", options);
    expect(error).toBeInstanceOf(RegistrationError);
    expect(error.message).toMatch(/"docker".*@acme\/box/);
    expect(options.registry.list()).toEqual([]);
  });
});

describe("a plugin of somebody else", () => {
  test("is loaded when it is enabled: a package", async () => {
    const box = pluginBox('plugins:\n  enabled: ["@acme/box"]\n');
    box.addPackage("@acme/box");
    expect((await loadBackend("box", await box.options())).origin.id).toBe("@acme/box");
  });

  test("is loaded when it is enabled: a folder, with the defaults of its manifest", async () => {
    const box = pluginBox("plugins:\n  enabled: [tent]\n");
    box.addFolder("tent", "name: tent\nversion: 0.1.0\ndescription: A tent\nkind: backend\n");
    expect((await loadBackend("tent", await box.options())).origin).toMatchObject({
      id: "tent",
      version: "0.1.0",
    });
  });

  test("is not loaded, not even looked into, when it is only installed", async () => {
    const box = pluginBox();
    box.addPackage("@acme/box");
    const error = await failure("box", await box.options());
    expect(error.message).toContain("@acme/box is installed but not enabled");
    expect(error.hint).toContain("talaria plugins enable @acme/box");
    expect(wasLoaded(`${box.project}/`)).toBe(false);
  });

  test("is not loaded when it is both enabled and disabled", async () => {
    const box = pluginBox('plugins:\n  enabled: ["@acme/box"]\n  disabled: ["@acme/box"]\n');
    box.addPackage("@acme/box");
    expect((await failure("box", await box.options())).message).toContain("plugins.disabled");
  });

  test("is loaded once by two calls at the same time", async () => {
    const box = pluginBox('plugins:\n  enabled: ["@acme/box"]\n');
    box.addPackage("@acme/box");
    const options = await box.options();
    const [one, two] = await Promise.all([loadBackend("box", options), loadBackend("box", options)]);
    expect(one).toBe(two);
  });

  test("of a name that two enabled ones have is not loaded, and both are named", async () => {
    const box = pluginBox("plugins:\n  enabled: [box, box2]\n");
    box.addPackage("box");
    box.addPackage("box2", { talaria: { kind: "backend", name: "box", api: 1 } });
    const error = await failure("box", await box.options());
    expect(error.message).toMatch(/box and box2/);
  });

  test("can be repaired and loaded again after it failed", async () => {
    const box = pluginBox("plugins:\n  enabled: [tent]\n");
    box.addFolder("tent", "name: tent\nkind: backend\n", "export const nothing = 1;");
    const options = await box.options();
    expect(await failure("tent", options)).toBeInstanceOf(PluginError);
    box.addFolder("tent", "name: tent\nkind: backend\nentry: fixed.js\n", entryModule("tent"), "fixed.js");
    expect((await loadBackend("tent", options)).name).toBe("tent");
  });

  test.each([
    ["throws while being imported", "throw new Error('no license');", /failed: no license/],
    ["does not parse", "export function register( {", /entry module .* failed/],
    ["exports no register", "export const x = 1;", /exports no register/],
    [
      "throws in register",
      "export function register() { throw new Error('later'); }",
      /register\(ctx\) failed: later/,
    ],
    [
      "rejects in register",
      "export async function register() { throw new Error('later'); }",
      /failed: later/,
    ],
    ["registers nothing", "export function register() {}", /did not register box/],
    [
      "registers what is no provider",
      "export const register = (c) => c.registerTerminalEnvironmentProvider('box');",
      /TerminalEnvironmentProvider/,
    ],
    [
      "registers a wrong flag",
      "export const register = (c) => c.registerTerminalEnvironmentProvider({ name: 'box', isRemote: 'no', isAvailable() {}, createEnvironment() {} });",
      /"isRemote"/,
    ],
  ])("that %s is an error that names it", async (_what, entry, message) => {
    const box = pluginBox("plugins:\n  enabled: [box]\n");
    box.addPackage("box", { entry });
    const options = await box.options();
    const error = await failure("box", options);
    expect(error.message).toMatch(message);
    expect(error.message).toContain("box");
    expect(options.registry.list()).toEqual([]);
  });

  test.each([
    [
      "its register(ctx)",
      "export const register = () => { globalThis.hangs(); return new Promise(() => {}); };",
    ],
    [
      "its entry module",
      "globalThis.hangs(); await new Promise(() => {}); export const register = () => {};",
    ],
  ])("that hangs in %s is given up after 30 s", async (what, entry) => {
    const box = pluginBox("plugins:\n  enabled: [box]\n");
    box.addPackage("box", { entry });
    const options = await box.options();
    const isHanging = new Promise<void>((resolve) => Object.assign(globalThis, { hangs: resolve }));
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    onTestFinished(() => void vi.useRealTimers());
    const failed = failure("box", options);
    await isHanging;
    await nextTurn();
    vi.advanceTimersByTime(30_000);
    const error = await failed;
    expect(error).toBeInstanceOf(PluginError);
    expect(error.message).toContain(what);
    expect(error.message).toContain("did not end within 30 s");
  });

  test("cannot register after its register has ended", async () => {
    const box = pluginBox("plugins:\n  enabled: [box]\n");
    box.addPackage("box", {
      entry: `${entryModule("box").replace("export function register(ctx) {", "export function register(ctx) { globalThis.lateContext = ctx;")}`,
    });
    await loadBackend("box", await box.options());
    const { lateContext } = globalThis as unknown as {
      lateContext: { registerTerminalEnvironmentProvider(p: unknown): void };
    };
    expect(() => {
      lateContext.registerTerminalEnvironmentProvider({
        name: "box",
        isAvailable() {},
        createEnvironment() {},
      });
    }).toThrow(/after its register\(ctx\) had ended/);
  });

  test("whose entry leads out of its folder through a link is not run", async () => {
    const box = pluginBox("plugins:\n  enabled: [box]\n");
    const main = box.addPackage("box");
    const outside = box.write("outside/evil.js", entryModule("box"));
    renameSync(main, `${main}.bak`);
    symlinkSync(outside, main);
    expect((await failure("box", await box.options())).message).toContain("leads out of its folder");
    expect(wasLoaded(outside)).toBe(false);
  });

  test("that is linked into node_modules as a whole works", async () => {
    const box = pluginBox("plugins:\n  enabled: [box]\n");
    const main = box.addPackage("box");
    const elsewhere = join(dirname(box.home), "checkout");
    renameSync(dirname(main), elsewhere);
    symlinkSync(elsewhere, dirname(main));
    expect((await loadBackend("box", await box.options())).origin.directory).toBe(elsewhere);
  });

  test.each([
    [{ import: "./main.js" }],
    [{ ".": { types: "./x.d.ts", require: "./no.cjs", default: "./main.js" } }],
    [{ ".": { node: { import: "./main.js" } } }],
    ["./main.js"],
  ])("is found through exports %j", async (exports) => {
    const box = pluginBox("plugins:\n  enabled: [box]\n");
    box.addPackage("box", { packageJson: { exports } });
    expect((await loadBackend("box", await box.options())).name).toBe("box");
  });
});

describe("plugins.isolation: host", () => {
  test.each([
    ["for all", "plugins:\n  isolation: host\n  enabled: [box]\n", "plugins.isolation"],
    [
      "for one",
      "plugins:\n  enabled: [box]\n  entries:\n    box:\n      isolation: host\n",
      "plugins.entries.box.isolation",
    ],
  ])("%s is refused instead of loading the plugin into this process", async (_what, config, key) => {
    const box = pluginBox(config);
    box.addPackage("box");
    const error = await failure("box", await box.options());
    expect(error).toBeInstanceOf(PluginError);
    expect(error.message).toContain(key);
    expect(wasLoaded(`${box.project}/`)).toBe(false);
  });

  test("can be lifted for one plugin by name", async () => {
    const box = pluginBox(
      "plugins:\n  isolation: host\n  enabled: [box]\n  entries:\n    box:\n      isolation: in_process\n",
    );
    box.addPackage("box");
    expect((await loadBackend("box", await box.options())).name).toBe("box");
  });
});

describe("a name that nobody has", () => {
  test("lists what would work", async () => {
    const box = pluginBox("plugins:\n  enabled: [box]\n");
    box.addPackage("box");
    const error = await failure("castle", await box.options());
    expect(error).toBeInstanceOf(UnknownBackendError);
    expect(error.message).toMatch(/no plugin has it; known are .*box/);
  });

  test("of a plugin with a bad manifest says what is bad", async () => {
    const box = pluginBox("plugins:\n  enabled: [box]\n");
    box.addPackage("box", { rawPackageJson: '{"name":"box","keywords":["talaria-backend"],' });
    const error = await failure("box", await box.options());
    expect(error.message).toMatch(/package\.json/);
  });

  test.each(["../../etc", "a/b", "dоcker", "", "__proto__"])("%j never becomes a path", async (name) => {
    const box = pluginBox();
    mkdirSync(join(box.home, "plugins"));
    writeFileSync(join(box.home, "plugins", "x"), "");
    expect(await failure(name, await box.options())).toBeInstanceOf(TalariaError);
  });
});
