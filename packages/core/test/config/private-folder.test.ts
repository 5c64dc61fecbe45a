import { lstatSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { makePrivateFolder } from "../../src/config/private-folder.js";
import { temporaryFolder } from "../session/temporary-folder.js";

describe("a private folder", () => {
  test("is made with those above it, all for this user only", async () => {
    const root = await temporaryFolder();
    await makePrivateFolder(join(root, "a/b/c"));
    for (const folder of ["a", "a/b", "a/b/c"]) {
      expect(lstatSync(join(root, folder)).mode & 0o777).toBe(0o700);
    }
  });

  test("stays as it is when it exists", async () => {
    const folder = join(await temporaryFolder(), "there");
    mkdirSync(folder, { mode: 0o755 });
    await makePrivateFolder(folder);
    expect(lstatSync(folder).mode & 0o777).toBe(0o755);
  });

  test("below a file is an error", async () => {
    const file = join(await temporaryFolder(), "file");
    writeFileSync(file, "");
    await expect(makePrivateFolder(join(file, "a/b"))).rejects.toMatchObject({ code: "ENOTDIR" });
  });

  test.runIf(process.platform === "linux")("in /proc is an error, and not an endless loop", async () => {
    await expect(makePrivateFolder("/proc/talaria/a/b")).rejects.toMatchObject({ code: "ENOENT" });
  });

  test("can be made by several at once", async () => {
    const folder = join(await temporaryFolder(), "x/y/z");
    await Promise.all(Array.from({ length: 20 }, () => makePrivateFolder(folder)));
    expect(lstatSync(folder).isDirectory()).toBe(true);
  });
});
