import { describe, expect, it } from "vitest";
import { judgeContainerPath, type GuardFacts } from "../../src/workdir/container-guard.js";

const nothingKnown: GuardFacts = { declared: null, homes: null };

describe("the container guard", () => {
  it.each(["/srv/app", "/", "/root", "/homework/x", "/UsersX/y", "/tmp/home/me"])(
    "keeps %s, which does not look like a path of the host (2.2)",
    (path) => {
      expect(judgeContainerPath(path, nothingKnown)).toEqual({ isUsable: true });
    },
  );

  it.each([
    ["/Users/me/project", "looks like a path of this machine"],
    ["/home/me/project", "looks like a path of this machine"],
    ["/root/../home/me", "looks like a path of this machine"],
    ["//home//me", "looks like a path of this machine"],
    ["C:\\work", "looks like a path of this machine"],
    ["c:/work", "looks like a path of this machine"],
    ["src", "is not an absolute path"],
    ["./src", "is not an absolute path"],
    ["C:work", "is not an absolute path"],
  ])("drops %s and says that it %s (2.2)", (path, reason) => {
    expect(judgeContainerPath(path, nothingKnown)).toMatchObject({
      isUsable: false,
      reason: expect.stringContaining(reason) as string,
    });
  });

  it.each(["/home/acme", "/home/acme/", "/home/acme/a/b", "/home/x/../acme/a", "/home//acme"])(
    "keeps %s below a declared /home/acme (2.3)",
    (path) => {
      expect(judgeContainerPath(path, { declared: "/home/acme/", homes: null }).isUsable).toBe(true);
    },
  );

  it.each(["/home/acme2", "/home", "/home/other", "/home/acme/../other"])(
    "does not take %s to be below a declared /home/acme, unless it is harmless by itself (2.3)",
    (path) => {
      const { isUsable } = judgeContainerPath(path, { declared: "/home/acme", homes: null });
      expect(isUsable).toBe(path === "/home");
    },
  );

  it("keeps a /Users path below the home the sandbox really has, and not below a declared one (2.3)", () => {
    const path = "/Users/agent/x";
    expect(judgeContainerPath(path, { declared: null, homes: ["/Users/agent"] }).isUsable).toBe(true);
    expect(judgeContainerPath(path, { declared: "/Users/agent", homes: null }).isUsable).toBe(false);
  });

  it("counts a symlinked home by both names (2.3)", () => {
    const facts = { declared: null, homes: ["/home/agent", "/home/.volumes/7"] };
    expect(judgeContainerPath("/home/agent/x", facts).isUsable).toBe(true);
    expect(judgeContainerPath("/home/.volumes/7/x", facts).isUsable).toBe(true);
    expect(judgeContainerPath("/home/.volumes/8", facts).isUsable).toBe(false);
  });

  it("does not take the root for a declaration that covers every host path", () => {
    expect(judgeContainerPath("/home/me", { declared: "/", homes: ["/"] }).isUsable).toBe(false);
  });

  it("says that the home could change its verdict only while the home was not asked", () => {
    const verdict = (homes: GuardFacts["homes"]) => judgeContainerPath("/home/me", { declared: null, homes });
    expect(verdict(undefined)).toMatchObject({ isUsable: false, dependsOnHome: true });
    expect(verdict(null)).toMatchObject({ isUsable: false, dependsOnHome: false });
  });
});
