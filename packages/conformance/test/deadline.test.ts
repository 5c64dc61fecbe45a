import { describe, expect, it } from "vitest";
import { Waits, withDeadline } from "../src/deadline.js";

describe("a deadline", () => {
  it("lets through what is ready in time, value or error", async () => {
    await expect(withDeadline(Promise.resolve(1), 1_000, () => "it")).resolves.toBe(1);
    await expect(withDeadline(Promise.reject(new Error("no")), 1_000, () => "it")).rejects.toThrow("no");
  });

  it("says what was waited for when it has passed", async () => {
    const waits = new Waits();
    const never = waits.during("the moon", new Promise(() => undefined));
    await expect(withDeadline(never, 20, () => waits.describe())).rejects.toThrow(
      "not finished after 20 ms; waited for the moon",
    );
  });

  it("forgets what has come", async () => {
    const waits = new Waits();
    await waits.during("the sun", Promise.resolve());
    expect(waits.describe()).toBe("nothing in particular");
  });
});
