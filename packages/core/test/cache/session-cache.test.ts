import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { SessionCache } from "../../src/cache/session-cache.js";
import { openSession } from "../../src/session/open-session.js";
import { FakeProvider } from "../session/fake-provider.js";
import { accessTo, hostSandbox, twoHomes } from "./sandbox-on-host.js";

it("a session's cache is due before its first command, and then when the time is up", async () => {
  const { host, inside } = await twoHomes();
  await mkdir(join(host, "cache"));
  await writeFile(join(host, "cache/a"), "a");
  let now = 0;
  const options = { talariaHome: host, base: "~/.talaria", now: () => now };
  const cache = new SessionCache(accessTo(hostSandbox(inside)), options);
  expect(cache.isDue).toBe(true);
  expect(await cache.syncIfDue()).toMatchObject({ status: "synced" });
  expect(cache.isDue).toBe(false);
  now = 5000;
  expect(cache.isDue).toBe(true);
  const there = await cache.toSandboxPath(join(host, "cache/a"));
  expect(await readFile(there ?? "", "utf8")).toBe("a");
});

it("a session whose cache is turned off, or that has no place for it, sends nothing", async () => {
  const { host, inside } = await twoHomes();
  await mkdir(join(host, "cache"));
  await writeFile(join(host, "cache/a"), "a");
  const access = accessTo(hostSandbox(inside));
  const off = new SessionCache(access, { talariaHome: host, base: "~/.talaria", isEnabled: false });
  const local = new SessionCache(access, { talariaHome: host, base: null });
  for (const cache of [off, local]) {
    expect(cache.isDue).toBe(false);
    expect(await cache.syncIfDue()).toBeNull();
    expect(await cache.sync()).toMatchObject({ status: "not_translated" });
  }
  expect(await off.toSandboxPath(join(host, "cache/a"))).toBeNull();
  expect(await off.toHostPath(`${inside}/.talaria/cache/a`)).toBeNull();
  expect(await local.toSandboxPath(join(host, "cache/a"))).toBe(join(host, "cache/a"));
  expect(access.scripts).toEqual([]);
});

it("a session's first command finds the host's cache in a sandbox that has a place for it", async () => {
  const { host, inside } = await twoHomes();
  await mkdir(join(host, "cache"));
  await writeFile(join(host, "cache/a"), "from the host");
  const provider = new FakeProvider({ environment: hostSandbox(inside) });
  Object.defineProperty(provider, "cachePathBase", { value: "~/.talaria" });
  const session = await openSession({ backend: provider, talariaHome: host });
  expect((await session.execute("cat ~/.talaria/cache/a")).output).toBe("from the host");
  await session.close();
});
