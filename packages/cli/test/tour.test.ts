import { describe, expect, it } from "vitest";
import { livingAs } from "./support/processes.js";
import { runCli, temporaryFolder } from "./support/run-cli.js";

interface Tour {
  readonly ok: boolean;
  readonly steps: readonly {
    readonly title: string;
    readonly ok: boolean;
    readonly lines: readonly string[];
    readonly ms: number;
  }[];
}

describe("tour", () => {
  it("shows every step in plain lines without a terminal, and what to try next", async () => {
    const run = await runCli(temporaryFolder(), ["tour"]);
    expect(run.status, run.stdout + run.stderr).toBe(0);
    expect(run.stdout).not.toContain("\u001b[");
    expect(run.stdout).not.toContain("FAILED");
    expect(run.stdout).toMatch(/notes\/hello\.txt/);
    expect(run.stdout).toMatch(/equal, byte for byte/);
    expect(run.stdout).toMatch(/\d+ +S \(sleeping\) +(gone|Z)/);
    expect(run.stdout).toMatch(/What to try next/);
  });

  it("really ends the tree it shows", async () => {
    const run = await runCli(temporaryFolder(), ["tour", "--json"]);
    const tour = JSON.parse(run.stdout) as Tour;
    expect(tour.ok, run.stdout).toBe(true);
    expect(tour.steps).toHaveLength(5);
    const pids = tour.steps[4]?.lines.flatMap((line) => /^ *(\d+) +S /.exec(line)?.[1] ?? []) ?? [];
    expect(pids.length).toBeGreaterThanOrEqual(2);
    const alive = livingAs("sleep").map(String);
    expect(alive.filter((pid) => pids.includes(pid))).toEqual([]);
  });
});
