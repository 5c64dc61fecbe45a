import { spawnSync } from "node:child_process";
import { mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { discoverPlugins, manifestsOf } from "../../src/plugins/discover-plugins.js";
import { disablePlugin, enablePlugin } from "../../src/plugins/enable-plugin.js";
import { listBackends } from "../../src/plugins/list-backends.js";
import { listPlugins, type PluginRow } from "../../src/plugins/list-plugins.js";
import { loadConfig } from "../../src/config/load-config.js";
import { ConfigError, PluginError } from "../../src/errors/errors.js";
import { allStripEnvKeys } from "../../src/secrets/strip-env-keys.js";
import { pluginBox, wasLoaded, type PluginBox } from "./plugin-box.js";

async function rowsOf(box: PluginBox): Promise<readonly PluginRow[]> {
  // What this checkout has installed is not this test's.
  return (await listPlugins(await box.options())).filter(
    ({ directory }) => directory?.startsWith(dirname(box.home)) !== false,
  );
}

async function rowOf(box: PluginBox, id: string): Promise<PluginRow | undefined> {
  return (await rowsOf(box)).find((row) => row.id === id);
}

describe("the list of plugins", () => {
  test("has every place, sorted, and runs no code", async () => {
    const box = pluginBox("plugins:\n  enabled: [tent, gone]\n  disabled: ['@acme/box']\n");
    const entry = "throw new Error('run while listing');";
    box.addPackage("@acme/box", { entry });
    box.addPackage("asleep", { at: "work", entry });
    box.addPackage("@talaria/backend-ssh", { entry });
    box.addPackage("unrelated", { packageJson: { keywords: ["x"], talaria: undefined } });
    box.addFolder("tent", "name: tent\nkind: backend\n", entry);
    mkdirSync(join(box.home, "plugins", "empty"));
    expect((await rowsOf(box)).map(({ id, status }) => `${id} ${status}`)).toEqual([
      "@acme/box disabled",
      "@talaria/backend-ssh first_party",
      "asleep not_enabled",
      "gone missing",
      "tent enabled",
    ]);
    expect(wasLoaded(dirname(box.home))).toBe(false);
  });

  test.each([
    [
      "no JSON",
      { rawPackageJson: '{"talaria": {"kind": "backend"}, "keywords": ["talaria-backend"]' },
      /not valid JSON/,
    ],
    ["no manifest", { packageJson: { talaria: undefined } }, /no "talaria" field/],
    ["no keyword", { packageJson: { keywords: [] } }, /not the keyword/],
    ["another kind", { talaria: { kind: "theme", name: "box" } }, /"theme"/],
    ["no name", { talaria: { kind: "backend" } }, /name is nothing/],
    ["a list of nothing", { talaria: { kind: "backend", name: [] } }, /lists no backend/],
    ["a name that is none", { talaria: { kind: "backend", name: "a/b" } }, /not a backend's name/],
    ["a reserved name", { talaria: { kind: "backend", name: "Docker" } }, /reserved/],
    ["a look-alike of one", { talaria: { kind: "backend", name: "dоcker" } }, /"docker"/],
    ["a future api", { talaria: { kind: "backend", name: "box", api: 2 } }, /api the number 2/],
    ["an entry outside", { talaria: { kind: "backend", name: "box", entry: "../evil.js" } }, /leads out/],
    ["an absolute entry", { talaria: { kind: "backend", name: "box", entry: "/evil.js" } }, /leads out/],
    [
      "strip keys that are none",
      { talaria: { kind: "backend", name: "box", strip_env_keys: "X" } },
      /strip_env_keys/,
    ],
    [
      "PATH as a credential",
      { talaria: { kind: "backend", name: "box", strip_env_keys: ["PATH"] } },
      /strip_env_keys/,
    ],
    ["a manifest that is a text", { talaria: "backend" }, /must be an object/],
    ["another name than its folder", { packageJson: { name: "@talaria/backend-docker" } }, /calls itself/],
  ])("shows a package with %s as one row with the reason", async (_what, options, reason) => {
    const box = pluginBox();
    box.addPackage("box", options);
    box.addPackage("fine");
    const row = await rowOf(box, "box");
    expect(row?.status).toBe("invalid");
    expect(row?.reason).toMatch(reason);
    expect(row?.reason).toContain("package.json");
    expect((await rowOf(box, "fine"))?.status).toBe("not_enabled");
  });

  test.each([
    ["broken YAML", "name: [", /not valid YAML/],
    ["a list", "- a\n", /must be an object|a list/],
    ["nothing", "", /null/],
    ["a tab", "name:\n\tx", /not valid YAML/],
    ["a prototype key as its name", "name: __proto__\nkind: backend\n", /prototype/],
  ])("shows a folder with %s as one row with the reason", async (_what, yaml, reason) => {
    const box = pluginBox();
    box.addFolder("tent", yaml);
    const row = await rowOf(box, "tent");
    expect(row?.status === "invalid" ? row.reason : `accepted as ${row?.backends.join()}`).toMatch(reason);
  });

  test("does not wait at a named pipe in a manifest's place", async () => {
    const box = pluginBox();
    box.write("work/project/node_modules/pipe/x", "");
    box.write("home/plugins/tent/x", "");
    const pipes = [
      join(box.project, "node_modules/pipe/package.json"),
      join(box.home, "plugins/tent/plugin.yaml"),
    ];
    expect(spawnSync("mkfifo", pipes).status).toBe(0);
    expect((await rowsOf(box)).map(({ id, status }) => `${id} ${status}`)).toEqual(["tent invalid"]);
  });

  test("shows a second plugin of the same id as shadowed; the user's own folder stands first", async () => {
    const box = pluginBox("plugins:\n  enabled: [tent]\n");
    box.addFolder("tent", "name: tent\nkind: backend\n");
    box.addPackage("tent");
    const rows = (await rowsOf(box)).filter(({ id }) => id === "tent");
    expect(rows.map(({ status, source }) => `${source} ${status}`)).toEqual([
      "folder enabled",
      "package shadowed",
    ]);
  });

  test("takes control characters out of what a plugin says about itself", async () => {
    const box = pluginBox();
    box.addPackage("box", { packageJson: { description: "a\u001b[2Jb\nc" } });
    expect((await rowOf(box, "box"))?.description).toBe("a [2Jb c");
  });
});

test("credentials of installed plugins are stripped although they are neither enabled nor loaded", async () => {
  const box = pluginBox();
  box.addPackage("box", { talaria: { kind: "backend", name: "box", strip_env_keys: ["BOX_CREDENTIAL"] } });
  box.addFolder("tent", "name: tent\nkind: backend\nstripEnvKeys: [TENT_CREDENTIAL]\n");
  const manifests = manifestsOf(await discoverPlugins(await box.options()));
  expect(allStripEnvKeys({ manifests })).toEqual(
    expect.arrayContaining(["BOX_CREDENTIAL", "TENT_CREDENTIAL"]),
  );
});

describe("the list of backends", () => {
  test("has every first-party one, installed or not, and those of other plugins", async () => {
    const box = pluginBox("plugins:\n  enabled: [box]\n");
    box.addPackage("box");
    box.addPackage("asleep");
    box.addPackage("@talaria/backend-ssh");
    box.addPackage("@talaria/backend-modal", { talaria: { kind: "backend", name: "modal" } });
    const rows = new Map((await listBackends(await box.options())).map((row) => [row.name, row]));
    expect(rows.get("ssh")?.status).toBe("installed");
    expect(rows.get("docker")).toMatchObject({
      status: "not_released",
      reason: "its package @talaria/backend-docker is not released yet",
    });
    expect(rows.get("managed_modal")?.hint).toContain("npm install @talaria/backend-modal@latest");
    expect(rows.get("box")).toMatchObject({ status: "installed", pluginId: "box", isFirstParty: false });
    expect(rows.get("asleep")).toMatchObject({ status: "not_enabled" });
  });
});

describe("enabling and disabling", () => {
  function at(box: PluginBox) {
    return { talariaHome: box.home, cwd: box.project, env: {} };
  }

  test("edit the user's file, one list against the other", async () => {
    const box = pluginBox("# mine\nplugins:\n  disabled:\n    - box # noisy\n    - other\n");
    box.addPackage("box");
    expect((await enablePlugin("box", at(box))).changed).toBe(true);
    expect(box.read()).toBe("# mine\nplugins:\n  disabled:\n    - other\n  enabled: [box]\n");
    expect((await enablePlugin("box", at(box))).changed).toBe(false);
    await disablePlugin("box", at(box));
    const config = await loadConfig(at(box));
    expect(config.get("plugins.enabled")).toEqual([]);
    expect(config.get("plugins.disabled")).toEqual(["other", "box"]);
  });

  test("a first-party one only takes it from the disabled", async () => {
    const box = pluginBox("plugins:\n  disabled: ['@talaria/backend-ssh']\n");
    box.addPackage("@talaria/backend-ssh");
    await enablePlugin("@talaria/backend-ssh", at(box));
    const config = await loadConfig(at(box));
    expect([config.get("plugins.enabled"), config.get("plugins.disabled")]).toEqual([[], []]);
  });

  test("of what is not installed is refused, because what comes later under the name would run unseen", async () => {
    const box = pluginBox();
    await expect(enablePlugin("ghost", at(box))).rejects.toThrow(PluginError);
    await expect(enablePlugin("../../etc", at(box))).rejects.toThrow(PluginError);
  });

  test("by the backend's name instead of the plugin's id names the id", async () => {
    const box = pluginBox();
    box.addPackage("@acme/talaria-crate", { talaria: { kind: "backend", name: "crate" } });
    const error: unknown = await enablePlugin("crate", at(box)).catch((thrown: unknown) => thrown);
    expect(error instanceof PluginError && error.hint).toContain(
      "talaria plugins enable @acme/talaria-crate",
    );
  });

  test.each(["docker", "@talaria/backend-docker"])("of %s says that it is not released yet", async (id) => {
    const refused = enablePlugin(id, at(pluginBox()));
    await expect(refused).rejects.toThrow(/@talaria\/backend-docker is not released yet/);
    await expect(refused).rejects.not.toMatchObject({
      hint: expect.stringContaining("npm install") as string,
    });
  });

  test("never advises to install what is no package's name", async () => {
    for (const id of ["", "../../etc", "__proto__", "a b"]) {
      await expect(enablePlugin(id, at(pluginBox()))).rejects.not.toMatchObject({
        hint: expect.stringContaining("npm install") as string,
      });
    }
  });

  test("a backend's name is not disabled: the list would have it, and the backend go on working", async () => {
    const box = pluginBox();
    box.addPackage("@acme/talaria-crate", { talaria: { kind: "backend", name: "crate" } });
    await expect(disablePlugin("crate", at(box))).rejects.toMatchObject({
      hint: expect.stringContaining("talaria plugins disable @acme/talaria-crate") as string,
    });
    await expect(disablePlugin("docker", at(box))).rejects.toThrow(PluginError);
    await expect(disablePlugin("", at(box))).rejects.toThrow(PluginError);
    expect((await disablePlugin("not-there-yet", at(box))).changed).toBe(true);
  });

  test("of one with a bad manifest is refused with the reason", async () => {
    const box = pluginBox();
    box.addPackage("box", { talaria: { kind: "theme" } });
    await expect(enablePlugin("box", at(box))).rejects.toThrow(/"theme"/);
  });

  test("in a broken file is refused and leaves it as it is", async () => {
    const box = pluginBox("plugins:\n\tenabled: []\n");
    box.addPackage("box");
    await expect(enablePlugin("box", at(box))).rejects.toThrow(ConfigError);
    await expect(disablePlugin("box", at(box))).rejects.toThrow(ConfigError);
    expect(box.read()).toBe("plugins:\n\tenabled: []\n");
  });
});
