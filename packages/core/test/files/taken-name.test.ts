import { chmod, mkdir, mkdtemp, readdir, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { openSession } from "../../src/session/open-session.js";
import type { TerminalSession } from "../../src/session/terminal-session.js";
import { FakeProvider } from "../session/fake-provider.js";
import { HostEnvironment } from "../shell/host-environment.js";

/** A `mv` before which a directory takes the name, at the last moment there is. */
const swapping = 'for last; do :; done\nrm -f "$last"; mkdir "$last" 2>/dev/null';

describe.each([
  ["has -T", swapping],
  // The directory comes after the look that the first failure brings about.
  ["has no -T", `case $1 in -fT) echo "mv: illegal option -- T" >&2; exit 64;; esac\n${swapping}`],
])("a directory that takes the name of a file while it is written, where mv %s", (_, script) => {
  let root: string;
  let environment: HostEnvironment;
  let session: TerminalSession;

  beforeEach(async () => {
    root = await realpath(await mkdtemp(join(tmpdir(), "talaria-taken-name-")));
    const path = process.env["PATH"] ?? "";
    for (const name of ["bin", "home", "work"]) await mkdir(join(root, name));
    await writeFile(join(root, "bin/mv"), `#!/bin/sh\n${script}\nPATH='${path}' exec mv "$@"\n`);
    await chmod(join(root, "bin/mv"), 0o755);
    environment = new HostEnvironment({ PATH: `${join(root, "bin")}:${path}`, HOME: join(root, "home") });
    session = await openSession({
      backend: new FakeProvider({ environment, isContainer: false }),
      talariaHome: join(root, "talaria"),
      cwd: join(root, "work"),
    });
  });

  afterEach(async () => {
    await session.close();
    await environment.cleanup();
    await rm(root, { recursive: true });
  });

  test.each([["a new file"], ["a file that was there"]])(
    "is told, and gets nothing in it: %s",
    async (kind) => {
      if (kind === "a file that was there") await writeFile(join(root, "work/file"), "old");
      await expect(session.files.write("file", "text")).rejects.toMatchObject({ reason: "is_directory" });
      expect(await readdir(join(root, "work"))).toEqual(["file"]);
      expect(await readdir(join(root, "work/file"))).toEqual([]);
    },
  );
});
