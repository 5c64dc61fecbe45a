import { describe, expect, test } from "vitest";
import { InvalidArgumentError } from "../../src/errors/errors.js";
import { normaliseBackendName } from "../../src/registry/backend-name.js";
import { reservedNames } from "../../src/registry/reserved-names.js";

function refusal(name: unknown): InvalidArgumentError {
  try {
    normaliseBackendName(name as string);
  } catch (error) {
    if (error instanceof InvalidArgumentError) return error;
    throw error;
  }
  throw new Error(`${String(name)} was accepted`);
}

test.each([
  ["docker", "docker"],
  [" Docker ", "docker"],
  ["DOCKER\n", "docker"],
  ["ｄｏｃｋｅｒ", "docker"],
  ["\u00a0ssh\u3000", "ssh"],
  ["vercel_sandbox", "vercel_sandbox"],
  ["Acme_Box2", "acme_box2"],
  ["\u212aubernetes", "kubernetes"],
])("%j is compared as %j", (raw, name) => {
  expect(normaliseBackendName(raw)).toBe(name);
});

test("every reserved name is its own normal form", () => {
  expect(reservedNames.map(normaliseBackendName)).toEqual(reservedNames);
});

describe("look-alikes of a reserved name are refused with the name they resemble:", () => {
  test.each([
    ["dоcker", "docker", "Cyrillic o"],
    ["lοcal", "local", "Greek omicron"],
    ["ѕѕһ", "ssh", "Cyrillic throughout"],
    ["mоdаl", "modal", "Cyrillic o and a"],
    ["dock\u200ber", "docker", "zero-width space"],
    ["dock\u00ader", "docker", "soft hyphen"],
    ["\u202edocker", "docker", "direction mark"],
    ["döcker", "docker", "diaeresis"],
    ["daytona\u0301", "daytona", "combining mark"],
    ["s\u017fh\u200d", "ssh", "long s and joiner"],
    ["vercel‿sandbox", "vercel_sandbox", "undertie"],
    ["l0cal", "local", "zero"],
    ["1ocal", "local", "one for l"],
    ["locai", "local", "i for l"],
    ["rnodal", "modal", "r and n"],
    ["vercelsandbox", "vercel_sandbox", "left out underscore"],
    ["docker_", "docker", "trailing underscore"],
    ["vercel-sandbox", "vercel_sandbox", "hyphen"],
    ["singularıty", "singularity", "dotless i"],
  ])("%s (%s, %s)", (raw, resembled) => {
    const error = refusal(raw);
    expect(`${error.message} ${error.hint}`).toContain(`"${resembled}"`);
  });
});

test.each([
  "",
  "   ",
  "a b",
  "a/b",
  "../x",
  "a.b",
  "a\0b",
  "x".repeat(65),
  "__proto__",
  "constructor",
  "prototype",
  "_",
  "42",
  "名前",
  "🐳",
])("%j is no name", (raw) => {
  expect(refusal(raw).argument).toBe("backend");
});

test("what is no text is refused by its type", () => {
  expect(refusal(7).message).toContain("number");
  expect(refusal(undefined).message).toContain("undefined");
});

test("a foreign sign is named by its code point", () => {
  expect(refusal("dоcker").message).toContain("U+043E");
});
