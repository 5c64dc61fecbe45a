import { writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import type { LoadConfigOptions } from "../../src/config/load-config.js";
import { ConfigError } from "../../src/errors/errors.js";
import { load } from "./loading.js";
import { temporaryHome } from "./temporary-home.js";

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
