import { renameSync, symlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { PluginError } from "../../src/errors/errors.js";
import { loadBackend } from "../../src/plugins/load-backend.js";
import { failure } from "./loading-failure.js";
import { entryModule, pluginBox, wasLoaded } from "./plugin-box.js";

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
