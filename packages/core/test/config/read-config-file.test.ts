import { spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { failure, load } from "./loading.js";
import { temporaryHome, type TemporaryHome } from "./temporary-home.js";

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
