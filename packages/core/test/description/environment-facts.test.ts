import { mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir, userInfo } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { describeEnvironment } from "../../src/description/describe-environment.js";
import { readFacts } from "../../src/description/environment-facts.js";
import { asSandboxPath } from "../../src/workdir/paths.js";
import {
  accessTo,
  busybox,
  busyboxSandbox,
  hostSandbox,
  smallestSandbox,
  twoHomes,
} from "../cache/sandbox-on-host.js";

describe("the facts of a sandbox", () => {
  it("are those of its account, shell and directory, in one round trip", async () => {
    const { inside } = await twoHomes();
    const access = accessTo(hostSandbox(inside));
    const facts = await readFacts(access, undefined);
    expect(facts).toMatchObject({ user: userInfo().username, uid: process.getuid?.(), home: inside });
    expect(facts.shell).toMatch(/^bash \d/);
    expect(facts.directory).toBe(await realpath(process.cwd()));
    expect(access.scripts).toHaveLength(1);
  });

  it("name a program as missing exactly when it is not there", async () => {
    const { inside } = await twoHomes();
    const { missingPrograms } = await readFacts(accessTo(hostSandbox(inside)), undefined);
    expect(missingPrograms).not.toContain("bash");
    const access = accessTo(hostSandbox(inside));
    for (const name of missingPrograms) {
      expect((await access.run(`command -v ${name}`)).exitCode).not.toBe(0);
    }
  });

  it("are told by the smallest environment too, which cannot keep streams apart", async () => {
    const { inside } = await twoHomes();
    const facts = await readFacts(accessTo(smallestSandbox(inside)), undefined);
    expect(facts).toMatchObject({ user: userInfo().username, home: inside });
  });

  it("are told where the session's directory is gone", async () => {
    const folder = await mkdtemp(join(tmpdir(), "talaria-gone-"));
    onTestFinished(() => rm(folder, { recursive: true, force: true }));
    const { inside } = await twoHomes();
    const environment = hostSandbox(inside);
    const access = accessTo(environment);
    const standing = {
      ...access,
      run: (script: string, options: Parameters<typeof access.run>[1] = {}) =>
        environment.execute(script, {
          separate: options.separate ?? true,
          start: { path: asSandboxPath(options.workdir ?? folder), ifMissing: "fail" as const },
        }),
    };
    await rm(folder, { recursive: true });
    expect(await readFacts(standing, undefined)).toMatchObject({ directory: "/" });
  });

  it.skipIf(busybox === undefined)("say of a sandbox without bash that its shell is sh", async () => {
    const { inside } = await twoHomes();
    const access = accessTo(
      await busyboxSandbox(inside, ["sh", "cat", "id", "mkdir", "rm", "rmdir", "uname"]),
    );
    const facts = await readFacts(access, undefined);
    expect(facts).toMatchObject({ shell: "sh", uid: process.getuid?.() });
    expect(facts.missingPrograms).toEqual(expect.arrayContaining(["bash", "git", "python3"]));
  });
});

describe("what is said of them", () => {
  it("names where a command starts before there was one, and that there is no way out", () => {
    const session = {
      backend: "acme",
      envDescription: "",
      kind: "container",
      cwd: null,
      timeoutMs: 1000,
      maxForegroundMs: 1000,
      isPersistent: undefined,
      mounts: [],
      approvals: "asked",
    } as const;
    const facts = {
      os: null,
      user: null,
      uid: null,
      home: null,
      directory: "/srv",
      hasNetwork: false,
      shell: "sh",
      cpus: null,
      memoryBytes: null,
      diskFreeBytes: null,
      missingPrograms: [],
    };
    expect(describeEnvironment(session, facts).text).toContain("\nDirectory: /srv.\n");
    expect(describeEnvironment(session, facts).text).toContain("\nNetwork: there is no route out.\n");
    expect(describeEnvironment({ ...session, cwd: asSandboxPath("/tmp") }, facts).text).toContain(
      "Directory: /tmp.",
    );
  });
});
