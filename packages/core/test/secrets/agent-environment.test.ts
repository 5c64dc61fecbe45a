import { describe, expect, test } from "vitest";
import { InvalidArgumentError } from "../../src/errors/errors.js";
import { pluginOrigin } from "../../src/registry/plugin-origin.js";
import { ProviderRegistry } from "../../src/registry/provider-registry.js";
import { agentEnvironment, refusedPassthrough } from "../../src/secrets/agent-environment.js";
import { allStripEnvKeys } from "../../src/secrets/strip-env-keys.js";
import { providerWith } from "../provider/sample-provider.js";

describe("an agent's environment", () => {
  test("has the allowlist and nothing else of the host, whatever it is called", () => {
    const hostEnv = {
      PATH: "/bin",
      HOME: "/home/me",
      LC_ALL: "C",
      TZ: "UTC",
      INNOCENT: "value",
      LC_MY_TOKEN: "x",
      BASH_ENV: "/tmp/evil",
      LD_PRELOAD: "/tmp/evil.so",
      SSH_AUTH_SOCK: "/run/agent",
      "BASH_FUNC_ls%%": "() { :; }",
      __proto__x: "x",
    };
    expect(agentEnvironment({ hostEnv, strip: [] })).toEqual({
      PATH: "/bin",
      HOME: "/home/me",
      LC_ALL: "C",
      TZ: "UTC",
    });
  });

  test("has the names that the user passes on, when they are set", () => {
    const hostEnv = { CI: "1", OTHER: "2" };
    expect(agentEnvironment({ hostEnv, pass: ["CI", "ABSENT"], strip: [] })).toEqual({ CI: "1" });
  });

  test("never has a credential of a backend, passed on or set explicitly", () => {
    const hostEnv = { ACME_KEY: "s3cret", CI: "1" };
    const environment = agentEnvironment({
      hostEnv,
      pass: ["ACME_KEY", "CI"],
      strip: ["ACME_KEY"],
      extra: { ACME_KEY: "s3cret", PAGER: "cat" },
    });
    expect(environment).toEqual({ CI: "1", PAGER: "cat" });
    expect(refusedPassthrough(["CI", "ACME_KEY"], ["ACME_KEY"])).toEqual(["ACME_KEY"]);
  });

  test("lets `extra` win over what is inherited", () => {
    expect(agentEnvironment({ hostEnv: { TERM: "xterm" }, strip: [], extra: { TERM: "dumb" } })).toEqual({
      TERM: "dumb",
    });
  });

  test("passes proxies on, unless they carry a password", () => {
    const hostEnv = {
      HTTP_PROXY: "http://proxy:3128",
      https_proxy: "http://me:pw@proxy:3128",
      all_proxy: "me:pw@proxy",
      NO_PROXY: "localhost",
    };
    expect(agentEnvironment({ hostEnv, strip: [] })).toEqual({
      HTTP_PROXY: "http://proxy:3128",
      NO_PROXY: "localhost",
    });
    expect(agentEnvironment({ hostEnv, pass: ["https_proxy"], strip: [] })["https_proxy"]).toContain("me:pw");
  });

  test.each(["A=B", "", "1X", "A B", "X\0", "FOO*"])("refuses to pass on %j, which is no name", (name) => {
    expect(() => agentEnvironment({ hostEnv: {}, pass: [name], strip: [] })).toThrow(InvalidArgumentError);
  });

  test("refuses a NUL in a value before a process is asked to take it", () => {
    expect(() => agentEnvironment({ hostEnv: {}, strip: [], extra: { A: "x\0y" } })).toThrow(/NUL/);
  });

  test("cannot be made to have a prototype of somebody else's", () => {
    const extra = JSON.parse('{"__proto__":"x"}') as Record<string, string>;
    const environment = agentEnvironment({ hostEnv: extra, pass: ["__proto__"], strip: [] });
    expect(Object.keys(environment)).toEqual([]);
    expect(Object.getPrototypeOf(environment)).toBe(Object.prototype);
  });
});

describe("the credentials to strip", () => {
  test("are those of the first-party backends, installed or not", () => {
    expect(allStripEnvKeys({})).toEqual(
      expect.arrayContaining([
        "MODAL_TOKEN_ID",
        "MODAL_TOKEN_SECRET",
        "DAYTONA_API_KEY",
        "VERCEL_TOKEN",
        "VERCEL_OIDC_TOKEN",
      ]),
    );
  });

  test("include those of installed plugins that are not loaded, and of registered providers", () => {
    const registry = new ProviderRegistry();
    registry.register(providerWith({ stripEnvKeys: () => ["LIVE_KEY"] }), pluginOrigin({ id: "x" }));
    const keys = allStripEnvKeys({ registry, manifests: [{ stripEnvKeys: ["ASLEEP_KEY", "LIVE_KEY"] }] });
    expect(keys).toEqual(expect.arrayContaining(["ASLEEP_KEY", "LIVE_KEY"]));
    expect(keys).toEqual([...new Set(keys)].sort());
  });
});
