import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readlinkSync,
  renameSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { setConfigValue, setConfigValues, unsetConfigValue } from "../../src/config/edit-config.js";
import { loadConfig } from "../../src/config/load-config.js";
import { ConfigError } from "../../src/errors/errors.js";
import { temporaryHome, type TemporaryHome } from "./temporary-home.js";

const commented = `# Talaria at home
# second line

terminal: # where commands run
  # the sandbox
  backend: docker   # not local!
  timeout: 60

  docker_image: 'debian:12'
# what may be loaded
plugins:
  enabled:
    - "@acme/box" # reviewed
    - tent
`;

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

describe("the text of a file", () => {
  const every = `# a
terminal: # section
    # four spaces
    backend: "docker"   # kept   as is


    backends: # more
        acme: # box
            url: 'x'   # y
            # last words of acme

    timeout: 1

plugins: {enabled: [a, b]} # flow
`;

  test.each([
    ["terminal.backend", "ssh", [['"docker"', "ssh"]]],
    ["terminal.timeout", 2, [["timeout: 1", "timeout: 2"]]],
    ["terminal.cwd", "/w", [["    timeout: 1\n", "    timeout: 1\n    cwd: /w\n"]]],
    ["terminal.backends.acme.url", "z", [["'x'", "z"]]],
    ["terminal.backends.acme.tags", ["p", "q"], [["'x'   # y\n", "'x'   # y\n            tags: [p, q]\n"]]],
    [
      "terminal.backends.box.n",
      1,
      [
        [
          "            # last words of acme\n",
          "            # last words of acme\n        box:\n          n: 1\n",
        ],
      ],
    ],
  ] as const)("changes by %s = %j nowhere else", async (key, value, replacements) => {
    const place = temporaryHome(every);
    await setConfigValue(key, value, options(place));
    const expected = replacements.reduce<string>((text, [from, to]) => text.replace(from, to), every);
    expect(place.read()).toBe(expected);
  });

  test("in flow style is edited too", async () => {
    const place = temporaryHome(every);
    await setConfigValue("plugins.enabled", ["a", "c"], options(place));
    const config = await loadConfig({ talariaHome: place.home, cwd: place.project, env: {} });
    expect(config.get("plugins.enabled")).toEqual(["a", "c"]);
    expect(place.read()).toContain("# flow");
  });

  test("keeps the lines and comments of list items that stay", async () => {
    const place = temporaryHome(
      "plugins:\n  enabled:\n    - a # first\n    - b\n    - c # third\n  # after\n",
    );
    await setConfigValue("plugins.enabled", ["a", "c", "@x/d"], options(place));
    expect(place.read()).toBe(
      'plugins:\n  enabled:\n    - a # first\n    - c # third\n    - "@x/d"\n  # after\n',
    );
  });

  test("without a line end at its end is continued on a new line", async () => {
    const place = temporaryHome("terminal:\n  timeout: 1");
    await setConfigValue("terminal.cwd", "/w", options(place));
    expect(place.read()).toBe("terminal:\n  timeout: 1\n  cwd: /w\n");
  });

  test("that is only comments gets the key below them", async () => {
    const place = temporaryHome("# mine\n");
    await setConfigValue("terminal.timeout", 2, options(place));
    expect(place.read()).toBe("# mine\nterminal:\n  timeout: 2\n");
  });
});
