import { describe, expect, test } from "vitest";
import { RegistrationError } from "../../src/errors/errors.js";
import { readProviderFlags } from "../../src/provider/read-flags.js";
import type { TerminalEnvironmentProvider } from "../../src/provider/provider.js";
import { providerWith, SampleProvider } from "./sample-provider.js";

function refusal(provider: unknown, packageName?: string): RegistrationError {
  try {
    readProviderFlags(provider as TerminalEnvironmentProvider, packageName);
  } catch (error) {
    if (error instanceof RegistrationError) return error;
    throw error;
  }
  throw new Error("the provider was accepted");
}

describe("what a provider does not say", () => {
  test("gets the defaults of the contract", () => {
    expect(readProviderFlags(new SampleProvider("acme_box"))).toEqual({
      name: "acme_box",
      displayName: "Acme Box",
      description: "",
      isRemote: true,
      isContainer: true,
      skipContainerGuards: true,
      cachePathBase: null,
      stripEnvKeys: [],
      sessionIsolatedWhenNonpersistent: false,
      supportsStreams: false,
      execPrefixJoinsWords: false,
      capabilities: ["stdin", "state", "separateStreams", "kill", "killProof", "concurrency", "spawn"],
      unknownCapabilities: [],
      configSchema: {},
      envDescription: "Commands run in Acme Box.",
    });
  });

  test("skipContainerGuards follows isContainer when only that is said", () => {
    expect(readProviderFlags(providerWith({ isContainer: () => false })).skipContainerGuards).toBe(false);
  });

  test("a provider made for a core without newer members still works", () => {
    const older = {
      name: "older",
      isAvailable: () => true,
      createEnvironment: () => Promise.reject(new Error("unused")),
    };
    expect(readProviderFlags(older as unknown as TerminalEnvironmentProvider).isRemote).toBe(true);
  });
});

describe("reading", () => {
  test("asks every member once, also those that defaults are made from", () => {
    const reads = new Map<string, number>();
    const counted = (member: string, value: unknown) => () => {
      reads.set(member, (reads.get(member) ?? 0) + 1);
      if ((reads.get(member) ?? 0) > 1) throw new Error(`${member} was read twice`);
      return value;
    };
    const flags = readProviderFlags(
      providerWith({
        name: counted("name", "once"),
        isContainer: counted("isContainer", false),
        isRemote: counted("isRemote", false),
        capabilities: counted("capabilities", ["stdin"]),
        configSchema: counted("configSchema", { url: { type: "string", description: "" } }),
        stripEnvKeys: counted("stripEnvKeys", ["ONCE_TOKEN"]),
        defaultCwd: counted("defaultCwd", "/srv"),
      }),
    );
    expect(flags).toMatchObject({ displayName: "Once", skipContainerGuards: false });
    expect([...reads.values()]).toEqual([1, 1, 1, 1, 1, 1, 1]);
  });

  test("gives frozen copies that the provider cannot change afterwards", () => {
    const keys = ["ACME_KEY"];
    const schema = { url: { type: "string", description: "address" } };
    const flags = readProviderFlags(providerWith({ stripEnvKeys: () => keys, configSchema: () => schema }));
    keys.push("PATH");
    schema.url.type = "number";
    expect(flags.stripEnvKeys).toEqual(["ACME_KEY"]);
    expect(flags.configSchema["url"]?.type).toBe("string");
    expect(Object.isFrozen(flags) && Object.isFrozen(flags.configSchema["url"])).toBe(true);
    expect(() => Object.assign(flags, { isRemote: false })).toThrow(TypeError);
  });

  test("keeps capabilities of a newer core apart from those that can be acted on", () => {
    const flags = readProviderFlags(providerWith({ capabilities: () => ["teleport", "tty", "stdin"] }));
    expect(flags.capabilities).toEqual(["stdin", "tty"]);
    expect(flags.unknownCapabilities).toEqual(["teleport"]);
  });

  test("counts the variable of a secret among the credentials to strip", () => {
    const configSchema = () => ({
      token: { type: "secret", description: "", environmentVariable: "ACME_TOKEN" },
    });
    expect(readProviderFlags(providerWith({ configSchema })).stripEnvKeys).toEqual(["ACME_TOKEN"]);
  });
});

describe("a wrong flag", () => {
  test.each([
    ["isRemote", "yes"],
    ["isRemote", undefined],
    ["isContainer", 1],
    ["skipContainerGuards", null],
    ["supportsStreams", "true"],
    ["sessionIsolatedWhenNonpersistent", 0],
    ["execPrefixJoinsWords", {}],
    ["displayName", 7],
    ["displayName", " "],
    ["description", "two\nlines"],
    ["envDescription", []],
    ["cachePathBase", "relative/cache"],
    ["cachePathBase", ""],
    ["stripEnvKeys", "ACME_KEY"],
    ["stripEnvKeys", new Set(["ACME_KEY"])],
    ["stripEnvKeys", ["not a name"]],
    ["capabilities", { stdin: true }],
    ["capabilities", [1]],
    ["capabilities", ["rm -rf"]],
    ["defaultCwd", 42],
    ["defaultCwd", ""],
    ["configSchema", []],
    ["isAvailable", true],
    ["createEnvironment", undefined],
    ["probe", "ready"],
  ])("%s = %j is refused by its name", (member, value) => {
    const error = refusal(providerWith({ [member]: () => value }), "@acme/box");
    expect(error.message).toContain(member);
    expect(error.message).toContain("@acme/box");
    expect(error.hint).toContain(member === "defaultCwd" ? "an absolute path inside the sandbox" : member);
  });

  test.each(["isRemote", "stripEnvKeys", "configSchema", "defaultCwd", "displayName"])(
    "%s whose getter throws is refused with the reason",
    (member) => {
      const error = refusal(
        providerWith({
          [member]: () => {
            throw new Error("no network here");
          },
        }),
      );
      expect(error.message).toContain(member);
      expect(error.message).toContain("no network here");
    },
  );

  test("a name whose getter throws is refused", () => {
    const error = refusal(
      providerWith({
        name: () => {
          throw new Error("late");
        },
      }),
    );
    expect(error.message).toMatch(/"name" threw while being read: late/);
  });

  test("stripping PATH from every backend is refused", () => {
    expect(refusal(providerWith({ stripEnvKeys: () => ["PATH"] })).message).toContain("credential variables");
  });

  test("what is no provider at all is refused as such", () => {
    expect(refusal(null).message).toContain("TerminalEnvironmentProvider");
    expect(refusal("docker").message).toContain("TerminalEnvironmentProvider");
  });
});

describe("a configuration schema", () => {
  const field = (extra: Readonly<Record<string, unknown>>) => ({ type: "string", description: "", ...extra });

  test.each([
    ["a key with a dot", { "a.b": field({}) }],
    ["a key with a space", { "a b": field({}) }],
    ["constructor", { constructor: field({}) }],
    ["prototype", { prototype: field({}) }],
    ["__proto__", JSON.parse('{"__proto__":{"type":"string","description":""}}') as object],
    ["an unknown type", { url: field({ type: "url" }) }],
    ["a secret with a default", { token: field({ type: "secret", default: "x" }) }],
    ["a secret with an example", { token: field({ type: "secret", example: "x" }) }],
    ["a secret with options", { token: field({ type: "secret", options: ["x"] }) }],
    ["a secret with a value", { token: field({ type: "secret", value: "x" }) }],
    ["a select without options", { mode: field({ type: "select" }) }],
    ["a select with the same option twice", { mode: field({ type: "select", options: ["a", "a"] }) }],
    ["a default that is no option", { mode: field({ type: "select", options: ["a"], default: "b" }) }],
    ["options on a text", { mode: field({ options: ["a"] }) }],
    ["a default of the wrong type", { cpu: field({ type: "number", default: "2" }) }],
    ["a default out of bounds", { cpu: field({ type: "number", minimum: 1, default: 0 }) }],
    ["a default that is not JSON", { cpu: field({ type: "number", default: Number.NaN }) }],
    ["bounds that exclude everything", { cpu: field({ type: "number", minimum: 3, maximum: 1 }) }],
    ["a default that is a function", { url: field({ default: () => "x" }) }],
    ["a list with a number in its default", { tags: field({ type: "list", default: [1] }) }],
    ["a variable that is no name", { token: field({ type: "secret", environmentVariable: "A=B" }) }],
    ["a field that is a text", { url: "string" }],
  ])("with %s is refused", (_what, schema) => {
    expect(refusal(providerWith({ configSchema: () => schema })).message).toContain('"configSchema"');
  });

  test("whose field has a getter that throws is refused, not half accepted", () => {
    const configSchema = () => ({
      url: {
        get type(): string {
          throw new Error("boom");
        },
      },
    });
    expect(refusal(providerWith({ configSchema })).message).toContain("boom");
  });
});
