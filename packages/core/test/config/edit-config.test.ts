import {
  existsSync,
  lstatSync,
  readdirSync,
  readlinkSync,
  renameSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { setConfigValue, unsetConfigValue } from "../../src/config/edit-config.js";
import { loadConfig } from "../../src/config/load-config.js";
import { commented } from "./commented-file.js";
import { temporaryHome, type TemporaryHome } from "./temporary-home.js";

function options(place: TemporaryHome): { talariaHome: string } {
  return { talariaHome: place.home };
}

describe("setting a key", () => {
  test("keeps comments, order, quotes and blank lines", async () => {
    const place = temporaryHome(commented);
    await setConfigValue("terminal.timeout", "90", options(place));
    expect(place.read()).toBe(commented.replace("timeout: 60", "timeout: 90"));
  });

  test("keeps the comment beside the value it replaces", async () => {
    const place = temporaryHome(commented);
    await setConfigValue("terminal.backend", "ssh", options(place));
    expect(place.read()).toContain("  # the sandbox\n  backend: ssh   # not local!\n");
  });

  test("adds what is missing, in a file that is missing, in a folder that is missing", async () => {
    const place = temporaryHome();
    const talariaHome = join(place.home, "deep", "er");
    const edit = await setConfigValue("terminal.backends.acme.url", "http://x", { talariaHome });
    expect(edit).toMatchObject({ path: join(talariaHome, "config.yaml"), changed: true, isSecret: false });
    expect(place.read(edit.path)).toBe("terminal:\n  backends:\n    acme:\n      url: http://x\n");
    expect(statSync(edit.path).mode & 0o777).toBe(0o600);
    expect(statSync(talariaHome).mode & 0o777).toBe(0o700);
  });

  test("fills a section that was left empty", async () => {
    const place = temporaryHome("terminal: # later\nplugins:\n  enabled: [a]\n");
    await setConfigValue("terminal.timeout", 5, options(place));
    const config = await loadConfig({ talariaHome: place.home, cwd: place.project, env: {} });
    expect(config.get("terminal.timeout")).toBe(5);
    expect(place.read()).toContain("# later");
  });

  test.each([
    ["terminal.timeout", "2.5", 2.5],
    ["terminal.container_persistent", "TRUE", true],
    ["terminal.env_passthrough", "CI,EDITOR", ["CI", "EDITOR"]],
    ["terminal.env_passthrough", '["A"]', ["A"]],
    ["terminal.env_passthrough", "", []],
    ["terminal.docker_image", "123", "123"],
    ["terminal.docker_image", "true", "true"],
    ["terminal.docker_image", "a: b # c", "a: b # c"],
    ["terminal.cwd", "~/w", "~/w"],
    ["terminal.backend", " Docker ", "docker"],
    ["plugins.entries.@acme/box.js.isolation", "host", "host"],
  ])("%s by the text %j reads back as it was meant", async (key, text, value) => {
    const place = temporaryHome(commented);
    await setConfigValue(key, text, options(place));
    const config = await loadConfig({ talariaHome: place.home, cwd: place.project, env: {} });
    expect(config.get(key)).toEqual(value);
    expect(config.get("plugins.enabled")).toEqual(["@acme/box", "tent"]);
  });

  test("to what it says already changes nothing on disk", async () => {
    const place = temporaryHome(commented);
    const before = statSync(place.file).ino;
    expect((await setConfigValue("terminal.timeout", "60", options(place))).changed).toBe(false);
    expect(statSync(place.file).ino).toBe(before);
  });

  test("keeps Windows line ends", async () => {
    const place = temporaryHome("terminal:\r\n  timeout: 1 # x\r\n");
    await setConfigValue("terminal.timeout", 2, options(place));
    expect(place.read()).toBe("terminal:\r\n  timeout: 2 # x\r\n");
  });

  test("makes a file that others could read private", async () => {
    const place = temporaryHome(commented);
    writeFileSync(place.file, commented, { mode: 0o644 });
    await setConfigValue("terminal.timeout", 2, options(place));
    expect(statSync(place.file).mode & 0o777).toBe(0o600);
  });

  test("keeps a link a link and writes where it leads", async () => {
    const place = temporaryHome(commented);
    const real = join(place.project, "dotfiles.yaml");
    renameSync(place.file, real);
    symlinkSync(real, place.file);
    await setConfigValue("terminal.timeout", 2, options(place));
    expect(lstatSync(place.file).isSymbolicLink()).toBe(true);
    expect(readlinkSync(place.file)).toBe(real);
    expect(place.read(real)).toContain("timeout: 2");
  });

  test("leaves no temporary file or lock behind", async () => {
    const place = temporaryHome(commented);
    await setConfigValue("terminal.timeout", 2, options(place));
    await setConfigValue("terminal.timeout", "no", options(place)).catch(() => undefined);
    expect(readdirSync(place.home)).toEqual(["config.yaml"]);
  });

  test("loses no edit of many at the same time", async () => {
    const place = temporaryHome(commented);
    const fields = Array.from({ length: 20 }, (_, index) => `field_${index}`);
    await Promise.all(
      fields.map((field) => setConfigValue(`terminal.backends.acme.${field}`, field, options(place))),
    );
    const config = await loadConfig({ talariaHome: place.home, cwd: place.project, env: {} });
    expect(Object.keys(config.backend("acme")).sort()).toEqual([...fields].sort());
  });

  test("takes over the lock of a process that is gone", async () => {
    const place = temporaryHome(commented);
    // The largest pid there can be on Linux is 2^22: this one is nobody's.
    writeFileSync(`${place.file}.lock`, `${2 ** 22 + 1} gone`);
    expect((await setConfigValue("terminal.timeout", 2, options(place))).changed).toBe(true);
    expect(existsSync(`${place.file}.lock`)).toBe(false);
  });
});

describe("unsetting a key", () => {
  test("removes it and the sections that become empty, and keeps the rest", async () => {
    const place = temporaryHome(
      "# top\nterminal:\n  backends:\n    acme:\n      url: x\n  timeout: 3 # kept\n",
    );
    expect((await unsetConfigValue("terminal.backends.acme.url", options(place))).changed).toBe(true);
    expect(place.read()).toBe("# top\nterminal:\n  timeout: 3 # kept\n");
  });

  test("leaves a file whose last key went, and its comments", async () => {
    const place = temporaryHome("# mine\n\nterminal:\n  timeout: 3\n");
    await unsetConfigValue("terminal.timeout", options(place));
    expect(place.read()).toContain("# mine");
    expect(
      (await loadConfig({ talariaHome: place.home, cwd: place.project, env: {} })).get("terminal.timeout"),
    ).toBe(180);
    await setConfigValue("terminal.timeout", 4, options(place));
    expect(place.read()).toMatch(/# mine[\s\S]*timeout: 4/);
  });

  test("can remove a key that Talaria does not know", async () => {
    const place = temporaryHome("terminal:\n  tiemout: 3\n  timeout: 4\n");
    expect((await unsetConfigValue("terminal.tiemout", options(place))).changed).toBe(true);
    expect(place.read()).toBe("terminal:\n  timeout: 4\n");
  });

  test("that is not there changes nothing and creates no file", async () => {
    const place = temporaryHome();
    expect((await unsetConfigValue("terminal.timeout", options(place))).changed).toBe(false);
    expect(existsSync(place.file)).toBe(false);
  });

  test("can repair a value of the wrong type", async () => {
    const place = temporaryHome("terminal:\n  timeout: fast\n");
    await unsetConfigValue("terminal.timeout", options(place));
    expect(
      (await loadConfig({ talariaHome: place.home, cwd: place.project, env: {} })).get("terminal.timeout"),
    ).toBe(180);
  });
});
