import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { withLock } from "../bootstrap/lock.mjs";

let root: string;

beforeEach(() => {
  root = mkdtempSync(path.join(tmpdir(), "talaria lock-"));
  vi.spyOn(process.stderr, "write").mockReturnValue(true);
});

afterEach(() => {
  rmSync(root, { recursive: true, force: true });
});

test("two at once run one after the other, and leave no lock behind", async () => {
  const events: string[] = [];
  const work = (name: string) => async () => {
    events.push(`${name} in`);
    await new Promise((resolve) => setTimeout(resolve, 20));
    events.push(`${name} out`);
  };
  await Promise.all([withLock(root, work("first")), withLock(root, work("second"))]);
  expect(events).toEqual(["first in", "first out", "second in", "second out"]);
  expect(existsSync(path.join(root, ".bootstrap.lock"))).toBe(false);
});

test("the lock of a process that is gone is taken over", async () => {
  // A pid beyond the largest one Linux gives out.
  writeFileSync(path.join(root, ".bootstrap.lock"), "4194305 1");
  const work = vi.fn(async () => {});
  await withLock(root, work);
  expect(work).toHaveBeenCalledOnce();
});

test.runIf(existsSync("/proc/self/stat"))(
  "a pid that was given to another process holds no lock",
  async () => {
    writeFileSync(path.join(root, ".bootstrap.lock"), `${process.pid} 1`);
    const work = vi.fn(async () => {});
    await withLock(root, work);
    expect(work).toHaveBeenCalledOnce();
  },
);

test("work that fails frees the lock", async () => {
  await expect(withLock(root, () => Promise.reject(new Error("no")))).rejects.toThrow("no");
  expect(existsSync(path.join(root, ".bootstrap.lock"))).toBe(false);
});
