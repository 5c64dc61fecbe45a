import { spawnSync, type StdioOptions } from "node:child_process";
import { describe, expect, test, vi } from "vitest";
import { openEnvironment } from "./local-bed.js";

/** What a child of this process, started with these descriptors, has open. */
function openInChild(stdio: StdioOptions): string {
  return spawnSync("ls", ["-l", "/proc/self/fd"], { stdio, encoding: "utf8" }).stdout;
}

describe("a descriptor that was open before Talaria had a say", () => {
  test("is not inherited by processes", async () => {
    // The native part of a terminal leaves one open. For a fresh copy of the module, it is a stranger's.
    const terminal = await openEnvironment().spawn(["sleep", "60"], { tty: { columns: 80, rows: 24 } });
    vi.resetModules();
    const fresh = await import("../src/process/inheritable-descriptors.js");
    const streams = ["ignore", "pipe", "ignore"] as const;
    const plain = openInChild([...streams]);
    const covered = fresh.withCoveredDescriptors(streams, openInChild);
    const wrapped = fresh.withoutDescriptors(["ls", "-l", "/proc/self/fd"], "bash");
    const [program, ...words] = wrapped;
    const closed = spawnSync(program, words, { encoding: "utf8" }).stdout;
    await terminal.kill("SIGKILL");
    expect(plain).toContain("ptmx");
    expect(covered).not.toContain("ptmx");
    expect(closed).toContain("/proc/");
    expect(closed).not.toContain("ptmx");
  });
});
