import {
  chmod,
  lstat,
  mkdir,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  symlink,
  utimes,
  writeFile,
} from "node:fs/promises";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { CacheSync } from "../../src/cache/cache-sync.js";
import { CacheSyncError } from "../../src/cache/cache-sync-error.js";
import type { CacheSyncOptions } from "../../src/cache/cache-sync-options.js";
import type { TerminalEnvironment } from "../../src/environment/environment.js";
import { ConfigError, UnsupportedCapabilityError } from "../../src/errors/errors.js";
import {
  accessTo,
  busybox,
  busyboxSandbox,
  hostSandbox,
  smallestSandbox,
  twoHomes,
  type WatchedAccess,
} from "./sandbox-on-host.js";

interface Bed {
  readonly host: string;
  /** The base inside. */
  readonly base: string;
  readonly access: WatchedAccess;
  readonly sync: CacheSync;
  /** A second one, as another process or session has it. */
  readonly another: (options?: Partial<CacheSyncOptions>) => CacheSync;
}

async function bed(
  options: Partial<CacheSyncOptions> = {},
  sandbox: (home: string) => TerminalEnvironment | Promise<TerminalEnvironment> = hostSandbox,
): Promise<Bed> {
  const { host, inside } = await twoHomes();
  const access = accessTo(await sandbox(inside));
  const another = (more: Partial<CacheSyncOptions> = {}): CacheSync =>
    new CacheSync(access, { talariaHome: host, base: "~/.talaria", ...options, ...more });
  return { host, base: join(inside, ".talaria"), access, sync: another(), another };
}

async function put(folder: string, path: string, text: string | Buffer, mode = 0o644): Promise<void> {
  const file = join(folder, path);
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, text);
  await chmod(file, mode);
}

/** Every file below a folder with its content, but Talaria's own record. */
async function tree(folder: string): Promise<Readonly<Record<string, string>>> {
  const found: Record<string, string> = {};
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  for (const entry of entries) {
    const path = join(entry.parentPath, entry.name);
    if (!entry.isFile() || path.includes("/.cache-sync/")) continue;
    found[path.slice(folder.length + 1)] = await readFile(path, "utf8");
  }
  return found;
}

describe("the cache in the sandbox", () => {
  it("is what the host's is, modes and odd names included", async () => {
    const { host, base, sync } = await bed();
    await put(host, "cache/images/a b'c\n$(x).png", "picture");
    await put(host, "cache/tool", "#!/bin/sh\n", 0o755);
    await put(host, `cache/${"long/".repeat(30)}empty`, "");
    await put(host, "config.yaml", "not part of it");
    const report = await sync.sync();
    expect(report).toMatchObject({ status: "synced", files: 3, uploadedFiles: 3, uploadedBytes: 17 });
    expect(await tree(base)).toEqual({
      "cache/images/a b'c\n$(x).png": "picture",
      "cache/tool": "#!/bin/sh\n",
      [`cache/${"long/".repeat(30)}empty`]: "",
    });
    expect((await stat(join(base, "cache/tool"))).mode & 0o7777).toBe(0o755);
    expect((await stat(join(base, "cache"))).mode & 0o7777).toBe(0o700);
  });

  it("keeps names that are not UTF-8", async () => {
    const { host, base, sync } = await bed();
    await mkdir(join(host, "cache"));
    const name = Buffer.from([0x66, 0xff, 0x0a]);
    const file = (folder: string): Buffer => Buffer.concat([Buffer.from(`${folder}/cache/`), name]);
    await writeFile(file(host), "bytes");
    await sync.sync();
    expect(await readFile(file(base), "utf8")).toBe("bytes");
    await rm(file(host));
    expect(await sync.sync()).toMatchObject({ deletedFiles: 1 });
    await expect(lstat(file(base))).rejects.toThrow("ENOENT");
  });

  it("gets only what changed, in content or in mode", async () => {
    const { host, base, sync } = await bed();
    await put(host, "cache/same", "same");
    await put(host, "cache/changed", "before");
    await put(host, "cache/mode", "mode", 0o600);
    await sync.sync();
    await writeFile(join(base, "cache/same"), "touched inside");
    await put(host, "cache/same", "same");
    await put(host, "cache/changed", "after!");
    await chmod(join(host, "cache/mode"), 0o640);
    expect(await sync.sync()).toMatchObject({ status: "synced", uploadedFiles: 2 });
    expect(await tree(base)).toMatchObject({ "cache/same": "touched inside", "cache/changed": "after!" });
    expect((await stat(join(base, "cache/mode"))).mode & 0o777).toBe(0o640);
  });

  it("asks the sandbox nothing while nothing changed, and one thing in a new process", async () => {
    const { host, access, sync, another } = await bed();
    await put(host, "cache/a", "a");
    await sync.sync();
    const asked = access.scripts.length;
    expect(await sync.sync()).toMatchObject({ status: "unchanged", files: 1, uploadedFiles: 0 });
    expect(access.scripts.length).toBe(asked);
    expect(await another().sync()).toMatchObject({ status: "unchanged" });
    expect(access.scripts.length).toBe(asked + 1);
  });

  it("loses what the host deleted, and the folders it leaves empty, but nothing else", async () => {
    const { host, base, sync, another } = await bed();
    await put(host, "cache/gone/deep/a", "a");
    await put(host, "cache/mixed/b", "b");
    await put(host, "cache/stays", "c");
    await sync.sync();
    await put(base, "cache/mixed/made inside", "theirs");
    await put(base, "cache/made inside", "theirs");
    await rm(join(host, "cache/gone"), { recursive: true });
    await rm(join(host, "cache/mixed"), { recursive: true });
    expect(await another().sync()).toMatchObject({ deletedFiles: 2 });
    expect(await tree(base)).toEqual({
      "cache/stays": "c",
      "cache/made inside": "theirs",
      "cache/mixed/made inside": "theirs",
    });
    expect(await readdir(join(base, "cache"))).not.toContain("gone");
  });

  it("takes a folder in the place of a file and back", async () => {
    const { host, base, sync } = await bed();
    await put(host, "cache/x", "file");
    await sync.sync();
    await rm(join(host, "cache/x"));
    await put(host, "cache/x/y", "below");
    await sync.sync();
    expect(await tree(base)).toEqual({ "cache/x/y": "below" });
    await rm(join(host, "cache/x"), { recursive: true });
    await put(host, "cache/x", "file again");
    await sync.sync();
    expect(await tree(base)).toEqual({ "cache/x": "file again" });
  });

  it("brings nothing back, whatever is made or changed inside", async () => {
    const { host, base, sync } = await bed();
    await put(host, "cache/a", "a");
    await sync.sync();
    await put(base, "cache/evil.sh", "evil", 0o755);
    await put(base, "cache/a", "changed inside");
    await put(host, "cache/b", "b");
    await sync.sync();
    expect(await tree(join(host, "cache"))).toEqual({ a: "a", b: "b" });
  });

  it("leaves links, Talaria's own files and what is marked out, and names what it leaves", async () => {
    const { host, base, sync } = await bed();
    await put(host, "secret", "secret");
    await put(host, "cache/login-env.json", "own");
    await put(host, "cache/images/disk.img", "huge");
    await put(host, "cache/images/.nosync", "");
    await put(host, "cache/deep/login-env.json", "somebody's");
    await symlink(join(host, "secret"), join(host, "cache/link"));
    await symlink(host, join(host, "cache/folder link"));
    const report = await sync.sync();
    expect(await tree(base)).toEqual({ "cache/deep/login-env.json": "somebody's" });
    expect(report.skipped.toSorted((a, b) => a.path.localeCompare(b.path))).toEqual([
      { path: "cache/folder link", reason: "symlink" },
      { path: "cache/link", reason: "symlink" },
    ]);
  });

  it("replaces a link that stands inside in the place of a file instead of writing through it", async () => {
    const { host, base, sync } = await bed();
    await put(host, "cache/a", "one");
    await sync.sync();
    await put(base, "victim", "untouched");
    await rm(join(base, "cache/a"));
    await symlink(join(base, "victim"), join(base, "cache/a"));
    await put(host, "cache/a", "second");
    await sync.sync();
    expect(await readFile(join(base, "victim"), "utf8")).toBe("untouched");
    expect((await lstat(join(base, "cache/a"))).isFile()).toBe(true);
  });

  it("goes to the new sandbox as a whole when there is a new one", async () => {
    const { host, inside } = await twoHomes();
    let generation = 1;
    const environment = hostSandbox(inside);
    Object.defineProperty(environment, "generation", { get: () => generation });
    const sync = new CacheSync(accessTo(environment), { talariaHome: host, base: "~/.talaria" });
    await put(host, "cache/a", "a");
    await sync.sync();
    await rm(join(inside, ".talaria"), { recursive: true });
    generation = 2;
    expect(sync.isDue).toBe(true);
    expect(await sync.syncIfDue()).toMatchObject({ status: "synced", uploadedFiles: 1 });
    expect(await tree(inside)).toEqual({ ".talaria/cache/a": "a" });
  });

  it("is left alone where it is the host's own folder", async () => {
    const { host } = await twoHomes();
    const access = accessTo(hostSandbox(dirname(host)));
    await put(host, "cache/a", "a");
    const sync = new CacheSync(access, { talariaHome: host, base: "~/host home" });
    expect(await sync.sync()).toMatchObject({ status: "shared", uploadedFiles: 0 });
    expect(await readdir(join(host, "cache"))).toEqual(["a"]);
    expect(await sync.syncIfDue()).toBeNull();
  });

  it("is shared by two homes, each of which deletes only its own", async () => {
    const first = await bed();
    const second = await twoHomes();
    await put(first.host, "cache/first", "1");
    await put(second.host, "cache/second", "2");
    const other = new CacheSync(first.access, { talariaHome: second.host, base: first.base });
    await first.sync.sync();
    await other.sync();
    await rm(join(first.host, "cache/first"));
    await first.another().sync();
    expect(await tree(first.base)).toEqual({ "cache/second": "2" });
  });
});

describe("an interrupted or failing sync", () => {
  it("commits nothing, and the next one does what is left", async () => {
    const { host, base, access, another } = await bed();
    await put(host, "cache/a", "a");
    const run = access.run.bind(access);
    const failing: WatchedAccess = {
      ...access,
      run: (script, options) =>
        run(script.includes("tar -xof") ? `${script.split("exec tar")[0]}exit 7` : script, options),
    };
    const broken = new CacheSync(failing, { talariaHome: host, base });
    await expect(broken.sync()).rejects.toThrow(CacheSyncError);
    expect(broken.isDue).toBe(true);
    expect(await another().sync()).toMatchObject({ status: "synced", uploadedFiles: 1 });
  });

  it("remembers what was sent before it broke off, so that it is still deleted", async () => {
    const { host, base, access, another } = await bed();
    await put(host, "cache/a", "a");
    const run = access.run.bind(access);
    let puts = 0;
    const failing: WatchedAccess = {
      ...access,
      run: (script, options) => {
        // The record after the files is the one that says that all is done.
        if (script.includes(".cache-sync/") && script.includes("mv -f") && ++puts === 2) {
          throw new Error("the host dies here");
        }
        return run(script, options);
      },
    };
    await expect(new CacheSync(failing, { talariaHome: host, base }).sync()).rejects.toThrow("dies here");
    expect(await tree(base)).toEqual({ "cache/a": "a" });
    await rm(join(host, "cache/a"));
    expect(await another().sync()).toMatchObject({ deletedFiles: 1 });
    expect(await tree(base)).toEqual({});
  });

  // Root may delete anything, so there is nothing that could fail.
  it.skipIf(process.getuid?.() === 0)("throws when something cannot be deleted", async () => {
    const { host, base, sync } = await bed();
    await put(host, "cache/d/a", "a");
    await sync.sync();
    await chmod(join(base, "cache/d"), 0o500);
    await rm(join(host, "cache/d"), { recursive: true });
    const error: unknown = await sync.sync().catch((reason: unknown) => reason);
    await chmod(join(base, "cache/d"), 0o700);
    expect(error).toBeInstanceOf(CacheSyncError);
    expect((error as CacheSyncError).paths).toEqual(["cache/d/a"]);
    expect(await sync.syncIfDue()).toMatchObject({ deletedFiles: 1 });
  });

  it("names what could not be deleted", async () => {
    const { host, access, base, sync } = await bed();
    await put(host, "cache/d/a", "a");
    await sync.sync();
    const run = access.run.bind(access);
    const failing: WatchedAccess = {
      ...access,
      run: (script, options) => run(`rm() { return 1; }\n${script}`, options),
    };
    await rm(join(host, "cache/d"), { recursive: true });
    const error: unknown = await new CacheSync(failing, { talariaHome: host, base })
      .sync()
      .catch((reason: unknown) => reason);
    expect(error).toMatchObject({ code: "cache_sync", paths: ["cache/d/a"] });
  });

  it("refuses a cache with more than the limits allow before anything is sent", async () => {
    const { host, access, another } = await bed();
    await put(host, "cache/a", "12345");
    await put(host, "cache/b", "12345");
    await expect(another({ maxFiles: 1 }).sync()).rejects.toThrow("more than 1 files");
    await expect(another({ maxBytes: 9 }).sync()).rejects.toThrow("more than 9 bytes");
    expect(access.scripts).toEqual([]);
  });

  it("stops at its signal while it waits for another one", async () => {
    const { host, base, access, sync } = await bed();
    await put(host, "cache/a", "a");
    const first = sync.sync();
    const controller = new AbortController();
    const second = sync.sync({ signal: controller.signal });
    controller.abort(new Error("enough"));
    await expect(second).rejects.toThrow("enough");
    expect(await first).toMatchObject({ status: "synced" });
    expect(access.events).toEqual([{ kind: "file", operation: "cache_sync", path: base, bytes: 1 }]);
  });

  it("sends a file that is rewritten while it is sent until both sides agree", async () => {
    const { host, base, access } = await bed();
    await put(host, "cache/a", "first");
    const run = access.run.bind(access);
    let isChanged = false;
    const racing: WatchedAccess = {
      ...access,
      run: async (script, options) => {
        if (script.includes("tar -xof") && !isChanged) {
          isChanged = true;
          await put(host, "cache/a", "other");
        }
        return run(script, options);
      },
    };
    const report = await new CacheSync(racing, { talariaHome: host, base }).sync();
    expect(report.status).toBe("synced");
    expect(await tree(base)).toEqual({ "cache/a": "other" });
  });
});

describe("when it is looked at", () => {
  it("looks at the host's tree again only when the time is up", async () => {
    let now = 0;
    const { host, base, sync } = await bed({ now: () => now });
    await put(host, "cache/a", "a");
    expect(await sync.syncIfDue()).toMatchObject({ status: "synced" });
    await put(host, "cache/b", "b");
    now = 4999;
    expect(await sync.syncIfDue()).toBeNull();
    now = 5000;
    expect(await sync.syncIfDue()).toMatchObject({ uploadedFiles: 1 });
    expect(await tree(base)).toEqual({ "cache/a": "a", "cache/b": "b" });
  });

  it("sees a file that was replaced by one of the same size and time", async () => {
    const { host, base, sync } = await bed();
    const old = new Date(Date.now() - 60_000);
    await put(host, "cache/a", "one");
    await utimes(join(host, "cache/a"), old, old);
    await sync.sync();
    await put(host, "new", "two");
    await utimes(join(host, "new"), old, old);
    await rename(join(host, "new"), join(host, "cache/a"));
    await sync.sync();
    expect(await tree(base)).toEqual({ "cache/a": "two" });
  });
});

describe("credential files", () => {
  it("come by name only, for this account alone, and go when they are no longer named", async () => {
    const { host, base, another } = await bed();
    await put(host, "google/token.json", "t0ken", 0o644);
    await put(host, "google/other.json", "other");
    await another({ credentialFiles: ["./google//token.json"] }).sync();
    expect(await tree(base)).toEqual({ "google/token.json": "t0ken" });
    expect((await stat(join(base, "google/token.json"))).mode & 0o7777).toBe(0o600);
    await another().sync();
    expect(await tree(base)).toEqual({});
    expect(await readdir(base)).toEqual([".cache-sync"]);
  });

  it("go when the host has them no longer, and are said to be missing", async () => {
    const { host, base, another } = await bed();
    await put(host, "token", "t0ken");
    const sync = another({ credentialFiles: ["token"] });
    await sync.sync();
    await rm(join(host, "token"));
    const report = await sync.sync();
    expect(report).toMatchObject({ deletedFiles: 1, skipped: [{ path: "token", reason: "missing" }] });
    expect(await tree(base)).toEqual({});
  });

  it("are not read through a link, at the end or on the way", async () => {
    const { host, base, another } = await bed();
    await put(host, "real/token", "t0ken");
    await symlink(join(host, "real"), join(host, "linked"));
    await symlink(join(host, "real/token"), join(host, "token"));
    const report = await another({ credentialFiles: ["linked/token", "token"] }).sync();
    expect(report.skipped.map(({ reason }) => reason)).toEqual(["symlink", "symlink"]);
    expect(await tree(base)).toEqual({});
  });

  it.each(["/etc/passwd", "../x", "a/../../x", "~/x", "C:\\x", "", "a/", ".", "cache/a", "a\0b"])(
    "are refused when the name is %j",
    async (name) => {
      const { another } = await bed();
      expect(() => another({ credentialFiles: [name] })).toThrow(ConfigError);
    },
  );

  it("never stand in the text of a script", async () => {
    const { host, access, another } = await bed();
    await put(host, "token", "t0ken-of-the-test");
    await another({ credentialFiles: ["token"] }).sync();
    expect(access.scripts.join()).not.toMatch(/t0ken-of-the-test|dDBrZW4tb2Y/);
  });
});

describe("paths", () => {
  it("are translated both ways, by every name of both sides", async () => {
    const { host, base, sync, another } = await bed({ credentialFiles: ["token"] });
    await put(host, "cache/a/b", "b");
    await sync.sync();
    expect(await sync.toSandboxPath(`${host}/cache/x/../a/b`)).toBe(`${base}/cache/a/b`);
    expect(await sync.toSandboxPath(`${host}/token`)).toBe(`${base}/token`);
    expect(await sync.toHostPath(`${base}/cache/a/b`)).toBe(`${host}/cache/a/b`);
    expect(await sync.toHostPath("~/.talaria/cache/a")).toBe(`${host}/cache/a`);
    await symlink(host, `${host}-link`);
    const linked = another({ talariaHome: `${host}-link` });
    expect(await linked.toSandboxPath(`${host}/cache/a`)).toBe(`${base}/cache/a`);
    expect(await linked.toHostPath(`${base}/cache/a`)).toBe(`${host}-link/cache/a`);
  });

  it("of anything else have no other side", async () => {
    const { host, base, sync } = await bed();
    for (const path of ["/etc/passwd", `${host}/config.yaml`, `${host}/cache/../token`, `${host}/cachet/a`]) {
      expect(await sync.toSandboxPath(path)).toBeNull();
    }
    expect(await sync.toSandboxPath(`${host}/cache/login-env.json`)).toBeNull();
    expect(await sync.toHostPath(`${base}/cache/../../../etc/passwd`)).toBeNull();
  });

  it("are as they are, and nothing is copied or asked, without a base", async () => {
    const { host, access, another } = await bed();
    await put(host, "cache/a", "a");
    const sync = another({ base: null });
    expect(sync.isDue).toBe(false);
    expect(await sync.sync()).toMatchObject({ status: "not_translated", uploadedFiles: 0 });
    expect(await sync.toSandboxPath("/x/y")).toBe("/x/y");
    expect(await sync.toHostPath("/x/y")).toBe("/x/y");
    expect(access.scripts).toEqual([]);
  });
});

const applets = ["sh", "cat", "id", "mkdir", "rm", "rmdir", "mv", "chmod", "sleep", "base64"];
const skipped = busybox === undefined ? " (skipped: no busybox, npm run testbed -- up local)" : "";

describe.skipIf(busybox === undefined)(`a sandbox with busybox${skipped}`, () => {
  it.each([
    ["tar", [...applets, "tar"]],
    ["no tar", applets],
  ])("and %s gets, changes and loses files", async (_name, programs) => {
    const { host, base, sync } = await bed({ credentialFiles: ["token"] }, (home) =>
      busyboxSandbox(home, programs),
    );
    const large = Buffer.alloc(300_000, "0123456789");
    await put(host, "cache/it's\n", "odd");
    await put(host, `cache/${"deep/".repeat(25)}tool`, "tool", 0o755);
    await put(host, "cache/large", large);
    await put(host, "token", "t0ken");
    expect(await sync.sync()).toMatchObject({ uploadedFiles: 4 });
    const first = await tree(base);
    expect(Object.keys(first)).toHaveLength(4);
    expect(first["cache/large"]).toBe(large.toString());
    expect((await stat(join(base, "token"))).mode & 0o7777).toBe(0o600);
    expect((await stat(join(base, `cache/${"deep/".repeat(25)}tool`))).mode & 0o7777).toBe(0o755);
    await rm(join(host, "cache/deep"), { recursive: true });
    await put(host, "cache/large", "small");
    expect(await sync.sync()).toMatchObject({ uploadedFiles: 1, deletedFiles: 1 });
    expect(await tree(base)).toEqual({ "cache/it's\n": "odd", "cache/large": "small", token: "t0ken" });
  });
});

describe("the smallest environment", () => {
  it("gets files through scripts, byte for byte", async () => {
    const { host, base, sync } = await bed({}, smallestSandbox);
    const bytes = Buffer.from(Array.from({ length: 70_000 }, (_, index) => (index * 7) % 256));
    await put(host, "cache/bytes", bytes);
    await put(host, "cache/empty", "");
    expect(await sync.sync()).toMatchObject({ uploadedFiles: 2 });
    expect(await readFile(join(base, "cache/bytes"))).toEqual(bytes);
    expect(await readFile(join(base, "cache/empty"))).toEqual(Buffer.alloc(0));
    await rm(join(host, "cache/bytes"));
    expect(await sync.sync()).toMatchObject({ deletedFiles: 1 });
  });

  it("gets no credentials: its commands can be seen", async () => {
    const { host, base, another } = await bed({}, smallestSandbox);
    await put(host, "token", "t0ken");
    await expect(another({ credentialFiles: ["token"] }).sync()).rejects.toThrow(UnsupportedCapabilityError);
    expect(await tree(base)).toEqual({});
  });
});
