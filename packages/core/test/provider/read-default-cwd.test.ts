import { expect, test } from "vitest";
import { readDefaultCwd } from "../../src/provider/read-default-cwd.js";
import { providerWith, SampleProvider } from "./sample-provider.js";

test("a provider without a default directory declares none", () => {
  expect(readDefaultCwd(new SampleProvider())).toEqual({ kind: "none" });
});

test("the directory is read anew each time, because it may change", () => {
  const answers = ["/first", "~", null];
  const provider = providerWith({ defaultCwd: () => answers.shift() ?? null });
  expect([readDefaultCwd(provider), readDefaultCwd(provider), readDefaultCwd(provider)]).toEqual([
    { kind: "declared", path: "/first" },
    { kind: "declared", path: "~" },
    { kind: "none" },
  ]);
});

test.each([
  [
    "a getter that throws",
    () => {
      throw new Error("gone");
    },
    /threw: gone/,
  ],
  ["a number", () => 3, /the number 3/],
  ["an empty text", () => "", /empty text/],
  ["a NUL", () => "/a\0b", /NUL/],
])("%s is a reason, never a silent null", (_what, defaultCwd, reason) => {
  const reading = readDefaultCwd(providerWith({ defaultCwd }));
  expect(reading.kind).toBe("unusable");
  expect("reason" in reading && reading.reason).toMatch(reason);
});
