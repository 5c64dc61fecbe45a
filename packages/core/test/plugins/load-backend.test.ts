import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { RegistrationError, UnknownBackendError } from "../../src/errors/errors.js";
import { TalariaError } from "../../src/errors/talaria-error.js";
import { loadBackend } from "../../src/plugins/load-backend.js";
import { failure } from "./loading-failure.js";
import { entryModule, pluginBox, wasLoaded } from "./plugin-box.js";

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
    expect(await failure("docker", await box.options())).toBeInstanceOf(UnknownBackendError);
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

  test("that is not there says so and lists the names that would work", async () => {
    const box = pluginBox();
    box.addPackage("@talaria/backend-ssh");
    const error = await failure("docker", await box.options());
    expect(error).toBeInstanceOf(UnknownBackendError);
    expect(error.message).toContain("@talaria/backend-docker is not released yet");
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
