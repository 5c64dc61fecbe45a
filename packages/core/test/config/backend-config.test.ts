import { describe, expect, test } from "vitest";
import { resolveBackendConfig } from "../../src/config/backend-config.js";
import { loadConfig } from "../../src/config/load-config.js";
import { showValue } from "../../src/config/config-value.js";
import { ConfigError } from "../../src/errors/errors.js";
import type { ConfigSchema } from "../../src/provider/config-schema.js";
import { temporaryHome } from "./temporary-home.js";

const schema: ConfigSchema = {
  token: {
    type: "secret",
    description: "The access token.",
    environmentVariable: "ACME_TOKEN",
    required: true,
  },
  region: { type: "select", description: "", options: ["eu", "us"], default: "eu" },
  cpus: { type: "number", description: "", minimum: 1, maximum: 8 },
  tags: { type: "list", description: "" },
  motd: { type: "text", description: "" },
};

async function configOf(text: string, env: Record<string, string> = {}) {
  const place = temporaryHome(text);
  return loadConfig({ talariaHome: place.home, cwd: place.project, env });
}

function refusal(action: () => unknown): ConfigError {
  try {
    action();
  } catch (error) {
    if (error instanceof ConfigError) return error;
    throw error;
  }
  throw new Error("it was accepted");
}

const acme = (lines: string): string => `terminal:\n  backends:\n    acme:\n${lines}`;

describe("the fields of a backend", () => {
  test("are what the user set, without the schema's defaults", async () => {
    const config = await configOf(acme("      token: t\n      cpus: 2\n"));
    expect(resolveBackendConfig(config, "acme", schema)).toEqual({
      values: { token: "t", cpus: 2 },
      warnings: [],
    });
  });

  test("take a secret from its variable when no file holds it", async () => {
    const config = await configOf("", { ACME_TOKEN: "123" });
    expect(resolveBackendConfig(config, "acme", schema).values).toEqual({ token: "123" });
    const both = await configOf(acme("      token: file\n"), { ACME_TOKEN: "variable" });
    expect(resolveBackendConfig(both, "acme", schema).values).toEqual({ token: "file" });
  });

  test("keep a number-like token from a variable a text", async () => {
    const config = await configOf("", { TALARIA_TERMINAL_BACKENDS__ACME__TOKEN: "123456" });
    expect(resolveBackendConfig(config, "acme", schema).values).toEqual({ token: "123456" });
  });

  test("that are required and missing name the key and the variable", async () => {
    const config = await configOf("");
    const error = refusal(() => resolveBackendConfig(config, "acme", schema));
    expect(error.message).toMatch(/needs terminal\.backends\.acme\.token/);
    expect(error.hint).toContain("ACME_TOKEN");
  });

  test.each([
    ["      token: t\n      region: asia\n", "region", 5, "one of eu, us"],
    ["      token: t\n      cpus: 9\n", "cpus", 5, "at most 8"],
    ["      token: t\n      cpus: many\n", "cpus", 5, "a number"],
    ["      token: t\n      tags: a\n", "tags", 5, "a list"],
    ["      token: 123\n", "token", 4, "one line of text"],
  ])("%j of the wrong type name key, line and what was expected", async (lines, field, line, expected) => {
    const config = await configOf(acme(lines));
    const { message } = refusal(() => resolveBackendConfig(config, "acme", schema));
    expect(message).toContain(`terminal.backends.acme.${field}`);
    expect(message).toContain(`config.yaml:${line}`);
    expect(message).toContain(expected);
  });

  test("never show a secret's value in an error", async () => {
    const config = await configOf(acme("      token: 987654321\n"));
    expect(() => resolveBackendConfig(config, "acme", schema)).toThrow(/but is a number/);
    expect(() => resolveBackendConfig(config, "acme", schema)).not.toThrow(/987654321/);
  });

  test("that are unknown warn with the nearest one", async () => {
    const config = await configOf(acme("      token: t\n      regoin: eu\n"));
    const { values, warnings } = resolveBackendConfig(config, "acme", schema);
    expect(values).toEqual({ token: "t" });
    expect(warnings.join()).toMatch(/regoin.*"region"/);
  });
});

test("a secret is shown as set or unset, everything else as it is", () => {
  expect(showValue({ value: "hunter2", isSecret: true })).toBe("set");
  expect(showValue({ value: "", isSecret: true })).toBe("unset");
  expect(showValue({ value: undefined, isSecret: true })).toBe("unset");
  expect(showValue({ value: ["a"], isSecret: false })).toBe('["a"]');
  expect(showValue({ value: "x", isSecret: false })).toBe("x");
});
