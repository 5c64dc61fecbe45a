import { describe, expect, it } from "vitest";
import { MountTable, type Mount } from "../../src/workdir/mount-table.js";
import { asHostPath, asSandboxPath } from "../../src/workdir/paths.js";

function table(...pairs: [host: string, sandbox: string][]): MountTable {
  return new MountTable(
    pairs.map(([host, sandbox]): Mount => ({
      hostPath: asHostPath(host),
      sandboxPath: asSandboxPath(sandbox),
    })),
  );
}

describe("a mount table", () => {
  it.each([
    ["the mount itself", "/data/project", "/workspace"],
    ["a file below it", "/data/project/src/a.ts", "/workspace/src/a.ts"],
    ["a path with a trailing slash", "/data/project/", "/workspace"],
    ["a path with dots and double slashes", "/data//project/./x/../src", "/workspace/src"],
  ])("translates %s to its sandbox side", (_what, host, sandbox) => {
    expect(table(["/data/project/", "/workspace"]).toSandbox(host)).toBe(sandbox);
  });

  it.each([
    ["a neighbour whose name begins alike", "/data/project2"],
    ["a parent", "/data"],
    ["a path that leaves the mount again", "/data/project/../secret"],
  ])("does not translate %s", (_what, host) => {
    expect(table(["/data/project", "/workspace"]).toSandbox(host)).toBeNull();
  });

  it("lets the deepest mount decide", () => {
    const mounts = table(["/data", "/outer"], ["/data/inner", "/elsewhere"]);
    expect(mounts.toSandbox("/data/inner/x")).toBe("/elsewhere/x");
    expect(mounts.toHost(asSandboxPath("/outer/y"))).toBe("/data/y");
  });

  it("does not translate a path that another mount hides inside the sandbox", () => {
    const mounts = table(["/data", "/work"], ["/cache", "/work/tmp"]);
    expect(mounts.toSandbox("/data/tmp/x")).toBeNull();
    expect(mounts.toHost(asSandboxPath("/work/tmp/x"))).toBe("/cache/x");
  });

  it("translates drive paths without regard to case or slashes", () => {
    const mounts = table(["C:\\Users\\Me\\Project", "/workspace"]);
    expect(mounts.toSandbox("c:/users/me/project/src")).toBe("/workspace/src");
    expect(mounts.toSandbox("D:/users/me/project")).toBeNull();
  });

  it("translates through a mount of the root", () => {
    expect(table(["/", "/host"]).toSandbox("/etc/hosts")).toBe("/host/etc/hosts");
    expect(table(["/srv", "/"]).toHost(asSandboxPath("/x"))).toBe("/srv/x");
  });

  it("has a workspace only where a mount is declared to be one", () => {
    expect(table(["/a", "/b"]).workspace).toBeNull();
    const workspace = { hostPath: asHostPath("/a"), sandboxPath: asSandboxPath("/b"), isWorkspace: true };
    expect(new MountTable([workspace]).workspace).toBe("/b");
  });
});
