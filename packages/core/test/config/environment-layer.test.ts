import { describe, expect, test } from "vitest";
import { talariaHomePath } from "../../src/config/talaria-home.js";
import { failure, load } from "./loading.js";
import { temporaryHome } from "./temporary-home.js";

describe("variables", () => {
  test("an empty one counts as not set", async () => {
    expect(
      (await load(temporaryHome(), { env: { TALARIA_TERMINAL_BACKEND: "" } })).get("terminal.backend"),
    ).toBe("local");
  });

  test("are read by the key's type", async () => {
    const env = {
      TALARIA_TERMINAL_CONTAINER_PERSISTENT: "false",
      TALARIA_TERMINAL_CONTAINER_MEMORY: "2048",
      TALARIA_TERMINAL_ENV_PASSTHROUGH: "CI, EDITOR",
      TALARIA_PLUGINS_ENABLED: '["@acme/box"]',
    };
    const config = await load(temporaryHome(), { env });
    expect(config.get("terminal.container_persistent")).toBe(false);
    expect(config.get("terminal.container_memory")).toBe(2048);
    expect(config.get("terminal.env_passthrough")).toEqual(["CI", "EDITOR"]);
    expect(config.get("plugins.enabled")).toEqual(["@acme/box"]);
  });

  test.each([
    ["TALARIA_TERMINAL_TIMEOUT", "fast"],
    ["TALARIA_TERMINAL_TIMEOUT", "0"],
    ["TALARIA_TERMINAL_TIMEOUT", "-1"],
    ["TALARIA_TERMINAL_TIMEOUT", "NaN"],
    ["TALARIA_TERMINAL_TIMEOUT", "Infinity"],
    ["TALARIA_TERMINAL_TIMEOUT", "1e999"],
    ["TALARIA_TERMINAL_CONTAINER_PERSISTENT", "yes"],
    ["TALARIA_TERMINAL_CONTAINER_MEMORY", "1.5"],
    ["TALARIA_PLUGINS_ISOLATION", "none"],
    ["TALARIA_TERMINAL_BACKEND", "dоcker"],
  ])("%s=%s is an error that names the variable", async (name, value) => {
    const error = await failure(temporaryHome(), { env: { [name]: value } });
    expect(error.source).toBe(name);
    expect(error.message).toContain(name);
  });

  test("one that is a slip of a known one is pointed out; a stranger's is left alone", async () => {
    const env = { TALARIA_BACKND: "docker", TALARIA_TERMINAL_TIMEOT: "3", TALARIA_UNRELATED_THING: "1" };
    const { warnings } = await load(temporaryHome(), { env });
    expect(warnings).toHaveLength(2);
    expect(warnings.join("\n")).toMatch(/TALARIA_BACKND .*TALARIA_BACKEND/);
    expect(warnings.join("\n")).toMatch(/TALARIA_TERMINAL_TIMEOT .*TALARIA_TERMINAL_TIMEOUT/);
  });

  test("the full name wins over the short one, visibly", async () => {
    const env = { TALARIA_BACKEND: "docker", TALARIA_TERMINAL_BACKEND: "ssh" };
    const config = await load(temporaryHome(), { env });
    expect(config.get("terminal.backend")).toBe("ssh");
    expect(config.warnings.join()).toContain("TALARIA_BACKEND is ignored");
  });

  test("TALARIA_HOME is where everything lies; without it, ~/.talaria", () => {
    expect(talariaHomePath({ TALARIA_HOME: "/srv/t", HOME: "/home/me" })).toBe("/srv/t");
    expect(talariaHomePath({ TALARIA_HOME: "~/t", HOME: "/home/me" })).toBe("/home/me/t");
    expect(talariaHomePath({ TALARIA_HOME: "", HOME: "/home/me" })).toBe("/home/me/.talaria");
  });
});
