import { describe, expect, it } from "vitest";
import { WorkdirError } from "../../src/errors/errors.js";
import { backendDefaultCwd } from "../../src/workdir/backend-default-cwd.js";
import { MountTable } from "../../src/workdir/mount-table.js";
import { asHostPath, asSandboxPath } from "../../src/workdir/paths.js";
import { resolveStart } from "../../src/workdir/resolve-start.js";
import type { ConfiguredCwd, StartInputs } from "../../src/workdir/start-inputs.js";

const container: StartInputs = {
  backend: "acmebox",
  isContainer: true,
  isRemote: true,
  mounts: new MountTable(),
  ownDefault: asSandboxPath("/root"),
};
const local: StartInputs = {
  backend: "local",
  isContainer: false,
  isRemote: false,
  mounts: new MountTable(),
  ownDefault: null,
};
const ssh: StartInputs = { ...local, backend: "ssh", isRemote: true, ownDefault: "~" };

const workspace = new MountTable([
  { hostPath: asHostPath("/Users/me/project"), sandboxPath: asSandboxPath("/workspace"), isWorkspace: true },
]);

function configured(value: string, more: Partial<ConfiguredCwd> = {}): ConfiguredCwd {
  return { value, key: "terminal.cwd", origin: "config.yaml:3", ...more };
}

function declared(path: string): StartInputs["defaultCwd"] {
  return { kind: "declared", path };
}

describe("the order of 2.1", () => {
  const all: StartInputs = {
    ...container,
    workdir: "/explicit",
    recorded: asSandboxPath("/recorded"),
    configured: configured("/configured"),
    mounts: workspace,
    defaultCwd: declared("/declared"),
  };

  it.each([
    ["the explicit workdir", {}, { path: "/explicit", source: "workdir", ifMissing: "fail" }],
    [
      "the recorded cwd",
      { workdir: undefined },
      { path: "/recorded", source: "recorded", ifMissing: "nearest" },
    ],
    [
      "terminal.cwd",
      { workdir: undefined, recorded: null },
      { path: "/configured", source: "configured", ifMissing: "fail" },
    ],
    [
      "the mounted workspace",
      { workdir: undefined, recorded: null, configured: undefined },
      { path: "/workspace", source: "workspace", ifMissing: "fail" },
    ],
    [
      "defaultCwd",
      { workdir: undefined, recorded: null, configured: undefined, mounts: new MountTable() },
      { path: "/declared", source: "defaultCwd", ifMissing: "home" },
    ],
    [
      "the backend's own default",
      {
        workdir: undefined,
        recorded: null,
        configured: undefined,
        mounts: new MountTable(),
        defaultCwd: undefined,
      },
      { path: "/root", source: "backendDefault", ifMissing: "home" },
    ],
  ] as const)("takes %s before what comes after it", (_what, without, expected) => {
    expect(resolveStart({ ...all, ...without })).toEqual({ ...expected, notes: [], wantsHome: false });
  });

  it.each([".", "auto", "cwd", "", " . "])(
    "takes a terminal.cwd of %j as not set, without a note",
    (value) => {
      const start = resolveStart({ ...container, configured: configured(value), defaultCwd: declared("/d") });
      expect(start).toMatchObject({ path: "/d", source: "defaultCwd", notes: [] });
    },
  );

  it.each([
    ["local", { isContainer: false, isRemote: false }, null],
    ["ssh", { isContainer: false, isRemote: true }, "~"],
    ["singularity", { isContainer: true, isRemote: false }, "~"],
    ["docker", { isContainer: true, isRemote: false }, null],
    ["vercel_sandbox", { isContainer: true, isRemote: true }, "/vercel/sandbox"],
    ["modal", { isContainer: true, isRemote: true }, "/root"],
    ["acmebox", { isContainer: true, isRemote: true }, "/root"],
    ["hostlike", { isContainer: false, isRemote: false }, null],
  ])("knows the own default of %s", (name, flags, expected) => {
    expect(backendDefaultCwd({ name, ...flags })).toBe(expected);
  });

  it("skips a set value that is unusable, names it with key, origin and reason, and takes the next one", () => {
    const start = resolveStart({
      ...container,
      homes: null,
      configured: configured("/home/me/project"),
      defaultCwd: declared("/srv"),
    });
    expect(start).toMatchObject({ path: "/srv", source: "defaultCwd" });
    expect(start.notes).toEqual([
      'terminal.cwd "/home/me/project" (from config.yaml:3) was skipped: it looks like a path of this machine, and no mount makes it visible in the sandbox. Commands start in /srv.',
    ]);
  });
});

describe("an explicit workdir (2.1)", () => {
  it("is translated through a mount", () => {
    expect(resolveStart({ ...container, mounts: workspace, workdir: "/Users/me/project/src" })).toMatchObject(
      {
        path: "/workspace/src",
        ifMissing: "fail",
      },
    );
  });

  it("is not translated when it is already the inside of a mount", () => {
    const mounts = new MountTable([
      { hostPath: asHostPath("/workspace/project"), sandboxPath: asSandboxPath("/workspace") },
    ]);
    expect(resolveStart({ ...container, mounts, workdir: "/workspace/project" }).path).toBe(
      "/workspace/project",
    );
  });

  it.each([
    ["/srv/link/../x/..", { path: "/srv/link", relative: "../x/.." }],
    ["/srv//..", { path: "/srv", relative: ".." }],
    ["/../x", { path: "/", relative: "../x" }],
    ["/srv/..x/y..", { path: "/srv/..x/y.." }],
  ])("of %s leaves each .. to the sandbox, because a link may be before it (2.7)", (workdir, expected) => {
    const { path, relative } = resolveStart({ ...container, workdir });
    expect({ path, ...(relative === undefined ? {} : { relative }) }).toEqual(expected);
  });

  it("is never guarded", () => {
    expect(resolveStart({ ...container, homes: null, workdir: "/home/me/x" })).toMatchObject({
      path: "/home/me/x",
      notes: [],
    });
  });

  it.each([
    ["the recorded cwd", { recorded: asSandboxPath("/srv/link") }, { path: "/srv/link", relative: "../src" }],
    ["terminal.cwd", { configured: configured("/srv/app") }, { path: "/srv/app", relative: "../src" }],
    ["a place below the home", { configured: configured("~/app") }, { path: "~", relative: "app/../src" }],
  ])("is relative to %s, in parts that only the sandbox joins", (_what, inputs, expected) => {
    expect(resolveStart({ ...ssh, ...inputs, workdir: "../src" })).toMatchObject({
      ...expected,
      source: "workdir",
      ifMissing: "fail",
    });
  });

  it.each([".", "./", "./."])("of %j is the current directory itself, which must exist", (workdir) => {
    const start = resolveStart({ ...container, recorded: asSandboxPath("/srv"), workdir });
    expect(start).toMatchObject({ path: "/srv", ifMissing: "fail", source: "workdir" });
    expect(start.relative).toBeUndefined();
  });

  it("of ~/x is below the home that the sandbox has, not this machine's", () => {
    expect(resolveStart({ ...container, workdir: "~/x" })).toMatchObject({
      path: "~",
      relative: "x",
      wantsHome: true,
    });
    const homes = [asSandboxPath("/home/agent")];
    expect(resolveStart({ ...container, homes, workdir: "~/x" })).toMatchObject({
      path: "/home/agent",
      relative: "x",
      wantsHome: false,
    });
  });

  it("of ~ fails when the sandbox does not tell its home", () => {
    expect(() => resolveStart({ ...container, homes: null, workdir: "~" })).toThrow(WorkdirError);
  });

  it.each(["~other", "~other/x", "~+"])("of %s is refused with the way out", (workdir) => {
    expect(() => resolveStart({ ...container, workdir })).toThrow(
      expect.objectContaining({
        workdir,
        hint: expect.stringContaining("absolute path") as string,
      }) as WorkdirError,
    );
  });
});

describe("the guard (2.2)", () => {
  it("lets mount translation come first", () => {
    const start = resolveStart({
      ...container,
      mounts: workspace,
      configured: configured("/Users/me/project/app"),
    });
    expect(start).toMatchObject({ path: "/workspace/app", source: "configured", notes: [] });
  });

  it.each([
    ["local", local],
    ["ssh", ssh],
  ])("does not apply to %s, whose paths are what they look like", (_name, inputs) => {
    expect(resolveStart({ ...inputs, configured: configured("/home/me/project") })).toMatchObject({
      path: "/home/me/project",
      notes: [],
    });
  });

  it("drops a relative terminal.cwd of a container, with a note", () => {
    const start = resolveStart({ ...container, configured: configured("src") });
    expect(start.path).toBe("/root");
    expect(start.notes.join()).toContain("is not an absolute path");
  });

  it("never applies to a cwd that was observed in the sandbox (2.4)", () => {
    const recorded = asSandboxPath("/home/somebody/else");
    expect(resolveStart({ ...container, homes: null, recorded })).toMatchObject({
      path: recorded,
      notes: [],
    });
  });

  it("keeps a terminal.cwd below the declared default or the real home (2.3)", () => {
    const value = "/home/acme/project";
    expect(
      resolveStart({ ...container, configured: configured(value), defaultCwd: declared("/home/acme") }).path,
    ).toBe(value);
    expect(
      resolveStart({ ...container, configured: configured(value), homes: [asSandboxPath("/home/acme")] })
        .path,
    ).toBe(value);
  });

  it("asks for the home before a verdict that depends on it is final (2.3)", () => {
    const inputs = { ...container, configured: configured("/Users/agent/x") };
    expect(resolveStart(inputs).wantsHome).toBe(true);
    expect(resolveStart({ ...inputs, homes: [asSandboxPath("/Users/agent")] })).toMatchObject({
      path: "/Users/agent/x",
      wantsHome: false,
    });
  });
});

describe("terminal.cwd (2.1)", () => {
  it("that is relative in a project file is relative to that file on a backend of host files", () => {
    const value = configured("packages/core", { baseDirectory: asHostPath("/work/project") });
    expect(resolveStart({ ...local, configured: value })).toMatchObject({
      path: "/work/project/packages/core",
    });
  });

  it("that is relative without such a file is skipped on a backend of host files", () => {
    const start = resolveStart({ ...local, configured: configured("src") });
    expect(start).toMatchObject({ path: null, source: "backendDefault" });
    expect(start.notes.join()).toContain("is relative");
  });

  it("that is relative starts from the account's home on a remote machine", () => {
    expect(resolveStart({ ...ssh, configured: configured("project") })).toMatchObject({
      path: "~",
      relative: "project",
      ifMissing: "fail",
    });
  });

  it("of ~/x is below the sandbox's home, in a container too", () => {
    expect(resolveStart({ ...container, configured: configured("~/x") })).toMatchObject({
      path: "~",
      relative: "x",
    });
  });

  it.each(["~other/x", "C:\\work"])(
    "of %s is skipped with a reason where it cannot mean anything",
    (value) => {
      const start = resolveStart({ ...ssh, homes: null, configured: configured(value) });
      expect(start.source).toBe("backendDefault");
      expect(start.notes[0]).toContain(value);
    },
  );
});

describe("defaultCwd (2.5)", () => {
  it.each(["work", "./work", "~/work"])("of %s is ignored with a note, being relative", (path) => {
    const start = resolveStart({ ...container, defaultCwd: declared(path) });
    expect(start).toMatchObject({ path: "/root", source: "backendDefault" });
    expect(start.notes[0]).toContain(path);
  });

  it.each(["/Users/me/project", "C:\\x", "D:/x"])("of %s is the host's and not used", (path) => {
    const start = resolveStart({ ...container, homes: null, defaultCwd: declared(path) });
    expect(start).toMatchObject({ path: "/root", source: "backendDefault" });
    expect(start.notes[0]).toContain("default_cwd");
  });

  it("of /home/acme is the sandbox's own, because it is declared", () => {
    expect(resolveStart({ ...container, defaultCwd: declared("/home/acme") })).toMatchObject({
      path: "/home/acme",
      notes: [],
    });
  });

  it("below /Users is used when it is the home that the sandbox really has", () => {
    const homes = [asSandboxPath("/Users/agent")];
    expect(resolveStart({ ...container, homes, defaultCwd: declared("/Users/agent/w") }).path).toBe(
      "/Users/agent/w",
    );
  });

  it("whose getter failed is skipped with that reason", () => {
    const defaultCwd = { kind: "unusable", reason: "the provider's defaultCwd threw: boom" } as const;
    const start = resolveStart({ ...container, defaultCwd });
    expect(start.path).toBe("/root");
    expect(start.notes[0]).toContain("boom");
  });

  it("that is not declared changes nothing (2.11)", () => {
    const without = resolveStart(container);
    expect(resolveStart({ ...container, defaultCwd: { kind: "none" } })).toEqual(without);
    expect(without).toEqual({
      path: "/root",
      ifMissing: "home",
      source: "backendDefault",
      notes: [],
      wantsHome: false,
    });
  });
});

describe('"~" as a default (2.6)', () => {
  const atHome = { ...container, defaultCwd: declared("~") };

  it("stays as it is until the sandbox told its home", () => {
    expect(resolveStart(atHome)).toMatchObject({ path: "~", source: "defaultCwd", wantsHome: true });
  });

  it("is the absolute path from then on", () => {
    expect(resolveStart({ ...atHome, homes: [asSandboxPath("/home/agent")] })).toMatchObject({
      path: "/home/agent",
      wantsHome: false,
      notes: [],
    });
  });

  it("becomes the environment's own default, with a note, when the sandbox cannot tell", () => {
    const start = resolveStart({ ...atHome, homes: null });
    expect(start).toMatchObject({ path: null, wantsHome: false });
    expect(start.notes.join()).toContain("could not be found out");
  });
});
