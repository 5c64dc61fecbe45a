import { describe, expect, test } from "vitest";
import { checkConfig } from "../../src/config/load-config.js";
import { failure, load } from "./loading.js";
import { temporaryHome } from "./temporary-home.js";

describe("a key that is not known", () => {
  test.each([
    ["terminal:\n  tiemout: 3\n", "terminal.timeout"],
    ["timeout: 3\n", "terminal.timeout"],
    ["backend: docker\n", "terminal.backend"],
    ["terminal:\n  docker_imgae: x\n", "terminal.docker_image"],
    ["plugins:\n  entries:\n    acme:\n      isolaton: host\n", "plugins.entries.acme.isolation"],
  ])("%j is ignored with the nearest one named", async (text, nearest) => {
    const config = await load(temporaryHome(text));
    expect(config.warnings).toHaveLength(1);
    expect(config.warnings[0]).toContain(`"${nearest}"`);
    expect(config.warnings[0]).toMatch(/config\.yaml:\d/);
  });

  test("written with dots in one piece is explained", async () => {
    const config = await load(temporaryHome("terminal.backend: docker\n"));
    expect(config.get("terminal.backend")).toBe("local");
    expect(config.warnings.join()).toContain("nested");
  });

  test.each(["__proto__", "constructor", "prototype"])("%s reaches no prototype", async (name) => {
    const place = temporaryHome(
      `${name}:\n  polluted: true\nterminal:\n  backends:\n    acme:\n      ${name}: {polluted: true}\n    ${name}:\n      polluted: true\n`,
    );
    const config = await load(place);
    expect(({} as Record<string, unknown>)["polluted"]).toBeUndefined();
    expect(config.backend("acme")).toEqual({});
    expect(config.warnings.length).toBeGreaterThanOrEqual(2);
  });
});

describe("a value of the wrong type", () => {
  test.each([
    ["terminal:\n  timeout: fast\n", "terminal.timeout", 2, "a number of seconds above 0"],
    ['terminal:\n  timeout: "180"\n', "terminal.timeout", 2, "a number of seconds above 0"],
    ["terminal:\n  timeout: 0\n", "terminal.timeout", 2, "above 0"],
    ["terminal:\n  timeout: .nan\n", "terminal.timeout", 2, "a number"],
    ["terminal:\n  timeout: .inf\n", "terminal.timeout", 2, "a number"],
    ["terminal:\n  timeout: [1]\n", "terminal.timeout", 2, "a number"],
    ["\n\nterminal:\n\n  container_persistent: yes\n", "terminal.container_persistent", 5, "true or false"],
    ["terminal:\n  container_memory: 1.5\n", "terminal.container_memory", 2, "a whole number of MB"],
    ["terminal:\n  backend: [a]\n", "terminal.backend", 2, "one line of text"],
    ["terminal:\n  backend: 7\n", "terminal.backend", 2, "one line of text"],
    ["plugins:\n  enabled: acme\n", "plugins.enabled", 2, "a list of texts"],
    ["plugins:\n  enabled: [1]\n", "plugins.enabled", 2, "a list of texts"],
    ["plugins:\n  isolation: none\n", "plugins.isolation", 2, "one of in_process, host"],
    ["terminal: 3\n", "terminal", 1, "a section"],
    ["terminal:\n  backends: []\n", "terminal.backends", 2, "a section"],
    ["terminal:\n  backends:\n    acme: x\n", "terminal.backends.acme", 3, "a section"],
    ["- a\n- b\n", "The configuration", 1, "a section"],
    ["just text\n", "The configuration", 1, "a section"],
    ['terminal:\n  cwd: "/a\\0b"\n', "terminal.cwd", 2, "NUL"],
    ["terminal:\n  cwd: |\n    /a\n    /b\n", "terminal.cwd", 2, "one line"],
    ["terminal:\n  backend: d0cker\n", "terminal.backend", 2, "docker"],
  ])("in %j names key, file, line and what was expected", async (text, key, line, expected) => {
    const place = temporaryHome(text);
    const error = await failure(place);
    expect(error.message).toContain(expected);
    expect(error.message).toContain(key);
    expect(error.message).toContain(`${place.file}:${line}`);
    expect(place.read()).toBe(text);
  });

  test("a quoted number says what to do", async () => {
    expect((await failure(temporaryHome('terminal:\n  timeout: "180"\n'))).hint).toBe("Remove the quotes.");
  });

  test("all problems are found, not just the first", async () => {
    const place = temporaryHome("terminal:\n  timeout: x\n  lifetime_seconds: y\n  bakend: z\n");
    const problems = await checkConfig({
      talariaHome: place.home,
      cwd: place.project,
      env: { TALARIA_PLUGINS_ISOLATION: "none" },
    });
    expect(problems.map(({ severity, key }) => `${severity} ${key}`)).toEqual([
      "error terminal.timeout",
      "error terminal.lifetime_seconds",
      "warning terminal.bakend",
      "error plugins.isolation",
    ]);
    expect((await failure(place)).message).toContain("1 more");
  });

  test("a flag that is unknown or wrong is an error", async () => {
    expect((await failure(temporaryHome(), { flags: { "terminal.bakend": "x" } })).hint).toContain(
      "terminal.backend",
    );
    expect((await failure(temporaryHome(), { flags: { "terminal.timeout": Number.NaN } })).message).toContain(
      "above 0",
    );
  });
});
