import { ClosedError } from "@talaria/core";
import { describe, expect, it } from "vitest";
import { Check, CheckFailedError } from "../src/check.js";
import { resultOf } from "./result-of.js";

const failures: Readonly<Record<string, (check: Check) => unknown>> = {
  "two unequal values": (check) => check.equal([1, 2], [1, 3], "numbers"),
  "a value that is none of those": (check) => check.oneOf("c", ["a", "b"], "letter"),
  "a text without a part": (check) => check.includes("abc", "x", "text"),
  "a text with a part that must not be": (check) => check.excludes("abc", "b", "text"),
  "a number above a limit": (check) => check.atMost(3, 2, "count"),
  "a number below a limit": (check) => check.atLeast(1, 2, "count"),
  "a comparison with NaN": (check) => check.atMost(Number.NaN, 2, "count"),
  "an absent value": (check) => check.present(undefined, "value"),
  "another status": (check) => check.exited(resultOf({ kind: "exited", code: 1 }), 0),
  "a signal for an exit": (check) =>
    check.exited(resultOf({ kind: "signaled", signal: "SIGKILL", signalNumber: 9 }), 137),
  "an exit of 0 for a failure": (check) => check.exitedNonZero(resultOf({ kind: "exited", code: 0 })),
  "an exit of 124 for a timeout": (check) => check.timedOut(resultOf({ kind: "exited", code: 124 })),
  "a timeout for a cancel": (check) =>
    check.cancelled(resultOf({ kind: "timedOut", timeoutMs: 1, killed: "all", survivors: [] })),
  "another output": (check) => check.printed(resultOf({ kind: "exited", code: 0 }, "a"), "b"),
  "a number that disagrees with the outcome": (check) =>
    check.exited({ ...resultOf({ kind: "exited", code: 3 }), exitCode: 0 }, 3),
};

describe("the suite's assertions", () => {
  for (const [name, fail] of Object.entries(failures)) {
    it(`fail on ${name}`, () => {
      const check = new Check();
      expect(() => fail(check)).toThrow(CheckFailedError);
      expect(check.count).toBeGreaterThan(0);
    });
  }

  it("say at which byte two sequences part", () => {
    const compare = (): void => new Check().bytes(Uint8Array.of(1, 2, 4), Uint8Array.of(1, 2, 3, 4), "bytes");
    expect(compare).toThrow("expected 4 bytes, got 3; at byte 2 expected 0304, got 04");
  });

  it("keep a failure text readable, however long the values", () => {
    const compare = (): void => new Check().equal("x".repeat(100_000), "y".repeat(100_000), "text");
    expect(compare).toThrow(/^text: expected 'y{10,200} … .{10,200}, got 'x{10,200} … .{10,200}$/);
  });

  it("take an error of the wrong kind for a failure", async () => {
    const check = new Check();
    await expect(check.rejects(Promise.resolve(1), "closed", "call")).rejects.toThrow(
      "expected an error, got 1",
    );
    await expect(check.rejects(Promise.reject(new Error("plain")), "closed", "call")).rejects.toThrow(
      "TalariaError",
    );
    await expect(check.rejects(Promise.reject(new ClosedError("gone")), "workdir", "call")).rejects.toThrow(
      "'closed'",
    );
    await expect(
      check.rejects(Promise.reject(new ClosedError("gone")), "closed", "call"),
    ).resolves.toBeInstanceOf(ClosedError);
  });
});
