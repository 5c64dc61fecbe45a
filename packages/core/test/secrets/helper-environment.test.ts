import { expect, it } from "vitest";
import { helperEnvironment } from "../../src/secrets/helper-environment.js";

it("gives a helper what it needs to be found and understood, and nothing else of the host", () => {
  const hostEnv = {
    PATH: "/bin",
    HOME: "/h",
    LANG: "de_DE.UTF-8",
    MODAL_TOKEN_ID: "x",
    ODD: "y",
    GITHUB_TOKEN: "z",
  };
  expect(helperEnvironment(hostEnv)).toEqual({ PATH: "/bin", HOME: "/h", LANG: "de_DE.UTF-8", LC_ALL: "C" });
});
