import { describe, expect, it } from "vitest";
import { checkExecuteArguments } from "../../src/environment/check-execute-arguments.js";
import { InvalidArgumentError } from "../../src/errors/errors.js";

/** The argument that was refused, or undefined. Takes what no TypeScript caller could give. */
function refused(command: unknown, options: object = {}): string | undefined {
  try {
    Reflect.apply(checkExecuteArguments, undefined, [command, options]);
    return undefined;
  } catch (error) {
    if (error instanceof InvalidArgumentError) return error.argument;
    throw error;
  }
}

describe("checkExecuteArguments", () => {
  it.each([
    ["", {}],
    ["# only a comment", {}],
    ["é→😀\r\n\t\u0001", {}],
    ["true", { timeoutMs: 1 }],
    ["true", { timeoutMs: 0.5 + 0.5, killGraceMs: 0, maxOutputBytes: 0 }],
    ["true", { timeoutMs: 2_147_483_647, maxOutputBytes: 2 ** 40 }],
    ["true", { env: { _A1: "", B: "line\nline", lower: "é" } }],
    ["true", { timeoutMs: undefined, env: undefined, maxOutputBytes: undefined }],
  ])("takes %j with %j", (command, options) => {
    expect(refused(command, options)).toBeUndefined();
  });

  it.each([0, -1, Number.NaN, Number.POSITIVE_INFINITY, 2_147_483_648, "100", null])(
    "refuses a timeout of %s, naming it",
    (timeoutMs) => {
      expect(refused("true", { timeoutMs })).toBe("timeoutMs");
    },
  );

  it.each([-1, Number.NaN, Number.POSITIVE_INFINITY])("refuses a grace of %s", (killGraceMs) => {
    expect(refused("true", { killGraceMs })).toBe("killGraceMs");
  });

  it.each([-1, 0.5, Number.NaN, Number.POSITIVE_INFINITY])("refuses to keep %s bytes", (maxOutputBytes) => {
    expect(refused("true", { maxOutputBytes })).toBe("maxOutputBytes");
  });

  it.each([undefined, null, 3, ["ls"], {}])("refuses %j as a command", (command) => {
    expect(refused(command)).toBe("command");
  });

  it("refuses a NUL in a command or a value, which no shell can take", () => {
    expect(refused("echo a\0b")).toBe("command");
    expect(refused("true", { env: { A: "a\0b" } })).toBe("env");
  });

  it.each(["", "1A", "A-B", "A=B", "A B", "é", "A\n", "$(id)"])("refuses %j as a variable's name", (name) => {
    expect(refused("true", { env: { [name]: "x" } })).toBe("env");
  });

  it.each([1, null, undefined, ["x"]])("refuses %j as a variable's value", (value) => {
    expect(refused("true", { env: { A: value } })).toBe("env");
  });
});
