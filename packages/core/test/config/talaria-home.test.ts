import { userInfo } from "node:os";
import { join } from "node:path";
import { describe, expect, test, vi } from "vitest";
import { talariaHomePath } from "../../src/config/talaria-home.js";
import { ConfigError } from "../../src/errors/errors.js";

describe("the folder of Talaria", () => {
  test("is .talaria in the home of the user", () => {
    expect(talariaHomePath({ HOME: "/home/ada" })).toBe("/home/ada/.talaria");
    expect(talariaHomePath({ HOME: "/home/ada", TALARIA_HOME: "" })).toBe("/home/ada/.talaria");
    expect(talariaHomePath({ HOME: "/home/ada", TALARIA_HOME: "~/t" })).toBe("/home/ada/t");
  });

  test.each([undefined, "", "relative"])(
    "is never in the working directory, which may be somebody else's, when HOME is %j",
    (home) => {
      const env = home === undefined ? {} : { HOME: home };
      expect(talariaHomePath(env)).toBe(join(userInfo().homedir, ".talaria"));
    },
  );

  test("needs an absolute TALARIA_HOME where the working directory is gone, and says so", () => {
    const cwd = vi.spyOn(process, "cwd").mockImplementation(() => {
      throw new Error("ENOENT: no such file or directory, uv_cwd");
    });
    try {
      expect(() => talariaHomePath({ TALARIA_HOME: "rel" })).toThrow(ConfigError);
      expect(talariaHomePath({ TALARIA_HOME: "/abs" })).toBe("/abs");
    } finally {
      cwd.mockRestore();
    }
  });
});
