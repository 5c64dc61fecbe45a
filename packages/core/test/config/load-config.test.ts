import { spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { checkConfig, loadConfig, type LoadConfigOptions } from "../../src/config/load-config.js";
import type { Config } from "../../src/config/config.js";
import { talariaHomePath } from "../../src/config/talaria-home.js";
import { ConfigError } from "../../src/errors/errors.js";
import { temporaryHome, type TemporaryHome } from "./temporary-home.js";

function load(place: TemporaryHome, options: LoadConfigOptions = {}): Promise<Config> {
  return loadConfig({ talariaHome: place.home, cwd: place.project, env: {}, ...options });
}

async function failure(place: TemporaryHome, options?: LoadConfigOptions): Promise<ConfigError> {
  const result: unknown = await load(place, options).catch((error: unknown) => error);
  if (result instanceof ConfigError) return result;
  throw new Error("the configuration was accepted", { cause: result });
}

describe("layers", () => {
  test("without any file or variable there are the defaults, and where they come from", async () => {
    const config = await load(temporaryHome());
    expect(config.get("terminal.backend")).toBe("local");
    expect(config.get("terminal.timeout")).toBe(180);
    expect(config.get("terminal.max_foreground_seconds")).toBe(600);
    expect(config.get("terminal.lifetime_seconds")).toBe(300);
    expect(config.value("terminal.backend")?.source).toEqual({ kind: "default", where: "built in" });
    expect(config.warnings).toEqual([]);
  });

  test("what nobody set is undefined, so that a default cannot be taken for a wish", async () => {
    const config = await load(temporaryHome());
    expect(config.get("terminal.container_memory")).toBeUndefined();
    expect(config.value("terminal.container_disk")).toBeUndefined();
    expect(config.get("terminal.cwd")).toBeUndefined();
  });

  test("the later wins: default, user file, project file, variable, flag", async () => {
    const place = temporaryHome("# mine\nterminal:\n  timeout: 1\n  backend: docker\n");
    const options: LoadConfigOptions = { env: {}, flags: {} };
    expect((await load(place, options)).value("terminal.timeout")).toMatchObject({
      value: 1,
      source: { kind: "user", where: place.file, line: 3 },
    });
    const project = place.write("work/.talaria.yaml", "terminal:\n  timeout: 2\n");
    expect((await load(place, options)).value("terminal.timeout")).toMatchObject({
      value: 2,
      source: { kind: "project", where: project, line: 2 },
    });
    const env = { TALARIA_TERMINAL_TIMEOUT: "3" };
    expect((await load(place, { env })).value("terminal.timeout")).toMatchObject({
      value: 3,
      source: { kind: "environment", where: "TALARIA_TERMINAL_TIMEOUT" },
    });
    const flagged = await load(place, { env, flags: { "terminal.timeout": 4, "terminal.backend": " SSH " } });
    expect(flagged.get("terminal.timeout")).toBe(4);
    expect(flagged.value("terminal.backend")).toMatchObject({
      value: "ssh",
      source: { kind: "flag", where: "--backend" },
    });
  });

  test("the nearest project file counts, and only that one", async () => {
    const place = temporaryHome();
    place.write("work/.talaria.yaml", "terminal:\n  timeout: 1\n  lifetime_seconds: 5\n");
    const near = place.write("work/project/.talaria.yaml", "terminal:\n  timeout: 2\n");
    const config = await load(place);
    expect(config.projectFile).toBe(near);
    expect(config.get("terminal.timeout")).toBe(2);
    expect(config.get("terminal.lifetime_seconds")).toBe(300);
  });

  test("a relative cwd in a project file is relative to that file; words that mean `not set` stay", async () => {
    const place = temporaryHome();
    const file = place.write("work/.talaria.yaml", "terminal:\n  cwd: ./app/../src\n");
    expect((await load(place)).get("terminal.cwd")).toBe(join(dirname(file), "src"));
    for (const word of [".", "auto", "cwd", "~", "~/x", "/abs", "C:\\x"]) {
      writeFileSync(file, `terminal:\n  cwd: '${word}'\n`);
      expect((await load(place)).get("terminal.cwd")).toBe(word);
    }
  });

  test("an empty value, an empty section and an empty file count as not set", async () => {
    for (const text of [
      "",
      "\n# only a comment\n",
      "terminal:\n",
      "terminal:\n  timeout:\n",
      "---\n",
      "null\n",
    ]) {
      expect((await load(temporaryHome(text))).get("terminal.timeout")).toBe(180);
    }
  });

  test("anchors and aliases are followed", async () => {
    const place = temporaryHome("terminal:\n  timeout: &t 7\n  lifetime_seconds: *t\n");
    expect((await load(place)).get("terminal.lifetime_seconds")).toBe(7);
  });

  test("fields of a backend come back as they were written, with their lines", async () => {
    const place = temporaryHome(
      "terminal:\n  backends:\n    acme:\n      url: http://x\n      tags: [a, b]\n",
    );
    const config = await load(place, { env: { TALARIA_TERMINAL_BACKENDS__ACME__REGION_NAME: "eu" } });
    expect(config.backend("acme")).toEqual({ url: "http://x", tags: ["a", "b"], region_name: "eu" });
    expect(config.value("terminal.backends.acme.tags")?.source.line).toBe(5);
    expect(config.backend("other")).toEqual({});
  });

  test("a plugin's own settings may have an id with dots and slashes", async () => {
    const place = temporaryHome('plugins:\n  entries:\n    "@acme/box.js":\n      isolation: host\n');
    expect((await load(place)).get("plugins.entries.@acme/box.js.isolation")).toBe("host");
  });

  test("asking for a key that does not exist is an error, not `not set`", async () => {
    const config = await load(temporaryHome());
    expect(() => config.get("terminal.tiemout")).toThrow(ConfigError);
    expect(() => config.value("__proto__")).toThrow(ConfigError);
  });
});

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

describe("a file that is not a configuration", () => {
  test.each([
    ["a tab as indentation", "terminal:\n\ttimeout: 3\n", 2],
    ["a duplicate key", "terminal:\n  timeout: 1\n  timeout: 2\n", 3],
    ["a duplicate section", "terminal:\n  timeout: 1\nterminal:\n  backend: x\n", 3],
    ["an unclosed bracket", "plugins:\n  enabled: [a\n", 3],
    ["an unclosed quote", 'terminal:\n  cwd: "/x\n', 3],
    ["an alias to nothing", "terminal:\n  timeout: *nowhere\n", 2],
    ["several documents", "terminal: {}\n---\nterminal: {}\n", 2],
  ])("with %s is an error with its line, and is left as it is", async (_what, text, line) => {
    const place = temporaryHome(text);
    const error = await failure(place);
    expect(error.message).toContain(`${place.file}:${line}`);
    expect(place.read()).toBe(text);
  });

  test("that would explode through aliases is refused quickly", async () => {
    const bomb = ["a: &a [x,x,x,x,x,x,x,x,x]"];
    for (const [index, name] of ["b", "c", "d", "e", "f", "g", "h"].entries()) {
      const previous = String.fromCodePoint(97 + index);
      bomb.push(`${name}: &${name} [${Array.from({ length: 9 }, () => `*${previous}`).join(",")}]`);
    }
    const place = temporaryHome(`${bomb.join("\n")}\nplugins:\n  enabled: *h\n`);
    const started = performance.now();
    expect((await failure(place)).message).toContain("plugins.enabled");
    expect(performance.now() - started).toBeLessThan(5_000);
  });

  test("that contains itself ends", async () => {
    const place = temporaryHome("terminal: &t\n  backends: *t\n");
    const result = await load(place).catch((error: unknown) => error);
    expect(result).toBeDefined();
  });

  test("that is huge is refused before it is read", async () => {
    const error = await failure(temporaryHome(`# ${"x".repeat(2 * 1024 * 1024)}\n`));
    expect(error.message).toMatch(/has \d+ bytes/);
  });

  test("that is not UTF-8 is refused", async () => {
    const place = temporaryHome();
    writeFileSync(place.file, Buffer.from([0x74, 0x3a, 0x20, 0xff, 0xfe]));
    expect((await failure(place)).message).toContain("UTF-8");
  });

  test("that is a folder is refused by name", async () => {
    const place = temporaryHome();
    mkdirSync(place.file);
    expect((await failure(place)).message).toContain(`${place.file} cannot be read: it is a folder`);
  });

  test("that is a named pipe does not block", async () => {
    const place = temporaryHome();
    expect(spawnSync("mkfifo", [place.file]).status).toBe(0);
    expect((await failure(place)).message).toContain("not a regular file");
  });

  test("that is a link to nowhere is said, not passed over", async () => {
    const place = temporaryHome();
    symlinkSync("/nonexistent/config.yaml", place.file);
    expect((await failure(place)).message).toContain("/nonexistent/config.yaml");
  });

  test("that may not be read is refused by name", async () => {
    const place = temporaryHome("terminal:\n  timeout: 3\n");
    chmodSync(place.file, 0o000);
    const error = await asOrdinaryUser(place, () => failure(place));
    expect(error.message).toContain("permission is denied");
    expect(error.hint).toContain("chmod");
  });

  test("in the project is an error as well, whatever it is", async () => {
    const place = temporaryHome();
    mkdirSync(join(place.project, ".talaria.yaml"));
    expect((await failure(place)).message).toContain("it is a folder");
  });
});

/** root may read everything: the check is made as the account nobody has, where the tests run as root. */
async function asOrdinaryUser<Result>(place: TemporaryHome, action: () => Promise<Result>): Promise<Result> {
  if (process.geteuid?.() !== 0) return action();
  for (const folder of [dirname(place.home), place.home]) chmodSync(folder, 0o755);
  process.seteuid?.(65534);
  try {
    return await action();
  } finally {
    process.seteuid?.(0);
  }
}
