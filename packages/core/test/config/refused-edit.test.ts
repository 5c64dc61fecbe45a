import { mkdirSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { setConfigValue, setConfigValues } from "../../src/config/edit-config.js";
import { loadConfig } from "../../src/config/load-config.js";
import { ConfigError } from "../../src/errors/errors.js";
import { commented } from "./commented-file.js";
import { temporaryHome, type TemporaryHome } from "./temporary-home.js";

function options(place: TemporaryHome): { talariaHome: string } {
  return { talariaHome: place.home };
}

describe("an edit that cannot be made leaves the file untouched:", () => {
  test.each([
    ["an unknown key", "terminal.tiemout", "3", /terminal\.timeout/],
    ["a section", "terminal", "3", /no configuration key/],
    ["a wrong type", "terminal.timeout", "fast", /a number of seconds above 0/],
    ["a number out of range", "terminal.timeout", "0", /above 0/],
    ["NaN", "terminal.timeout", Number.NaN, /above 0/],
    ["an option there is not", "plugins.isolation", "none", /in_process, host/],
    ["a look-alike backend", "terminal.backend", "dоcker", /docker/],
    ["a NUL", "terminal.cwd", "/a\0b", /NUL/],
    ["a prototype key", "terminal.backends.acme.__proto__", "x", /never allowed/],
    ["a prototype key as a backend", "terminal.backends.__proto__.x", "x", /never allowed/],
    ["a constructor", "constructor.prototype.x", "x", /never allowed/],
    ["an empty key", "", "x", /no configuration key/],
  ])("%s", async (_what, key, value, message) => {
    const place = temporaryHome(commented);
    const error: unknown = await setConfigValue(key, value, options(place)).catch(
      (thrown: unknown) => thrown,
    );
    expect(error).toBeInstanceOf(ConfigError);
    expect(error instanceof ConfigError && `${error.message} ${error.hint}`).toMatch(message);
    expect(place.read()).toBe(commented);
  });

  test.each([
    ["broken YAML", "terminal:\n\ttimeout: 3\n", /tab/],
    ["a list", "- a\n", /not a section/],
    ["a value where a section belongs", "terminal: 3\n", /a value, not a section/],
    ["an alias where a section belongs", "x: &a\n  timeout: 1\nterminal: *a\n", /anchor or alias/],
    [
      "a value that others refer to",
      "terminal:\n  timeout: &t 1\n  lifetime_seconds: *t\n",
      /anchor or alias/,
    ],
  ])("%s", async (_what, text, message) => {
    const place = temporaryHome(text);
    await expect(setConfigValue("terminal.timeout", 5, options(place))).rejects.toThrow(message);
    expect(place.read()).toBe(text);
  });

  test("a folder in the file's place", async () => {
    const place = temporaryHome();
    mkdirSync(place.file);
    await expect(setConfigValue("terminal.timeout", 5, options(place))).rejects.toThrow(/it is a folder/);
  });

  test("a home that is a file", async () => {
    const place = temporaryHome("x: 1\n");
    const error: unknown = await setConfigValue("terminal.timeout", 5, { talariaHome: place.file }).catch(
      (e: unknown) => e,
    );
    expect(error).toBeInstanceOf(ConfigError);
    expect(place.read()).toBe("x: 1\n");
  });

  test("one of several keys is wrong", async () => {
    const place = temporaryHome(commented);
    await expect(
      setConfigValues(
        () => [
          ["terminal.timeout", 5],
          ["terminal.lifetime_seconds", -1],
        ],
        options(place),
      ),
    ).rejects.toThrow(/lifetime/);
    expect(place.read()).toBe(commented);
  });
});

describe("a secret", () => {
  const schemas = {
    acme: { token: { type: "secret", description: "", environmentVariable: "ACME_TOKEN" } },
  } as const;

  test("of a known schema is stored as text and marked, so that nobody prints it", async () => {
    const place = temporaryHome();
    const edit = await setConfigValue("terminal.backends.acme.token", "0123", { ...options(place), schemas });
    expect(edit).toMatchObject({ value: "0123", isSecret: true });
    const config = await loadConfig({ talariaHome: place.home, cwd: place.project, env: {}, schemas });
    expect(config.value("terminal.backends.acme.token")).toMatchObject({ value: "0123", isSecret: true });
  });

  test("is marked by its name where the schema is not known", async () => {
    const place = temporaryHome();
    expect(await setConfigValue("terminal.backends.acme.api_key", "k", options(place))).toMatchObject({
      isSecret: true,
    });
  });

  test("is in no error text", async () => {
    const place = temporaryHome();
    const value = "hunter2\nhunter3";
    const error: unknown = await setConfigValue("terminal.backends.acme.token", value, {
      ...options(place),
      schemas,
    }).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(ConfigError);
    expect(String(error)).not.toContain("hunter");
  });
});
