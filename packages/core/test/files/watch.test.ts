import { existsSync } from "node:fs";
import { appendFile, mkdir, mkdtemp, realpath, rename, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { WatchEvent } from "../../src/files/watch-event.js";
import { openSession } from "../../src/session/open-session.js";
import type { TerminalSession } from "../../src/session/terminal-session.js";
import { FakeProvider } from "../session/fake-provider.js";
import { HostEnvironment } from "../shell/host-environment.js";

const busybox = ["/bin/busybox", "/usr/bin/busybox"].find((path) => existsSync(path));
const programs = "sh cat env find head id kill mkdir mv od printf pwd readlink rm sleep stat tr wc".split(
  " ",
);

describe.each(["this machine", "busybox"])("watching with the programs of %s", (kind) => {
  describe.skipIf(kind === "busybox" && busybox === undefined)("in a sandbox", () => {
    let root: string;
    let environment: HostEnvironment;
    let session: TerminalSession;

    beforeAll(async () => {
      root = await realpath(await mkdtemp(join(tmpdir(), "talaria-watch-")));
      await mkdir(join(root, "bin"));
      if (kind === "busybox" && busybox !== undefined) {
        for (const program of programs) await symlink(busybox, join(root, "bin", program));
      }
      const path = kind === "busybox" ? join(root, "bin") : (process.env["PATH"] ?? "");
      environment = new HostEnvironment({ PATH: path, HOME: root, TMPDIR: root });
      session = await openSession({
        backend: new FakeProvider({ environment, isContainer: false }),
        talariaHome: root,
        cwd: root,
      });
    });

    afterAll(async () => {
      await session.close();
      await environment.cleanup();
      await rm(root, { recursive: true });
    });

    /** The events after `ready`, as each step brings them. */
    async function begin(path: string, recursive = true) {
      await mkdir(path);
      const end = new AbortController();
      const watch = session.files.watch(path, { pollMs: 20, recursive, signal: end.signal });
      const next = async (): Promise<WatchEvent | undefined> => {
        const { value, done } = await watch.next();
        return done === true ? undefined : value;
      };
      expect(await next()).toEqual({ kind: "ready", method: "poll" });
      return { end, next, watch };
    }

    test("each change is told once, and the watch ends with its signal", async () => {
      const place = join(root, "events\n'$x' é");
      const { end, next } = await begin(place);
      // One step each: between two steps of a write a look could come, and then the rest goes together with the rename.
      await writeFile(join(place, "a\n|b "), "");
      expect(await next()).toEqual({ kind: "created", path: "a\n|b " });
      // Another size: a sandbox may tell times in whole seconds.
      await appendFile(join(place, "a\n|b "), "other");
      expect(await next()).toEqual({ kind: "changed", path: "a\n|b " });
      await rename(join(place, "a\n|b "), join(place, "c"));
      expect(await next()).toEqual({ kind: "renamed", path: "c", from: "a\n|b " });
      await rm(join(place, "c"));
      expect(await next()).toEqual({ kind: "removed", path: "c" });
      end.abort();
      expect(await next()).toBeUndefined();
    });

    test("without `recursive` only what is directly in the directory is told", async () => {
      const place = join(root, "flat");
      const { next, watch } = await begin(place, false);
      await mkdir(join(place, "d"));
      expect(await next()).toEqual({ kind: "created", path: "d" });
      await writeFile(join(place, "d/below"), "");
      await writeFile(join(place, "e"), "");
      expect(await next()).toEqual({ kind: "created", path: "e" });
      await watch.return();
    });

    test("that the watched directory itself is removed is told", async () => {
      const place = join(root, "gone");
      const { next, watch } = await begin(place);
      await rm(place, { recursive: true });
      expect(await next()).toEqual({ kind: "removed", path: "" });
      await watch.return();
    });

    test("a path that is not there is an error that says so", async () => {
      const watch = session.files.watch(join(root, "absent"));
      await expect(watch.next()).rejects.toMatchObject({ reason: "not_found" });
    });
  });
});
