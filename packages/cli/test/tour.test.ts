import { readFileSync } from "node:fs";
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

/** The environment of a process; nothing of one that is gone. */
function variablesOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/environ`, "latin1");
  } catch {
    return "";
  }
}

describe("tour", () => {
  it("shows every step in plain lines without a terminal, and what to try next", async () => {
    const run = await runCli(temporaryFolder(), ["tour"]);
    expect(run.status, run.stdout + run.stderr).toBe(0);
    expect(run.stdout).not.toContain("\u001b[");
    expect(run.stdout).not.toContain("FAILED");
    expect(run.stdout).toMatch(/notes\/port\.txt/);
    expect(run.stdout).toMatch(/found by flexible_indentation/);
    expect(run.stdout).toMatch(/equal, byte for byte/);
    expect(run.stdout).toMatch(/nothing of it ran/);
    expect(run.stdout).toMatch(/\d+ +S \(sleeping\) +(gone|Z)/);
    expect(run.stdout).toMatch(/What to try next/);
  });

  it("really ends the tree it shows", async () => {
    const run = await runCli(temporaryFolder(), ["tour", "--json"]);
    const tour = JSON.parse(run.stdout) as Tour;
    expect(tour.ok, run.stdout).toBe(true);
    expect(tour.steps).toHaveLength(7);
    const pids = tour.steps[5]?.lines.flatMap((line) => /^ *(\d+) +S /.exec(line)?.[1] ?? []) ?? [];
    expect(pids.length).toBeGreaterThanOrEqual(2);
    const alive = livingAs("sleep").map(String);
    expect(alive.filter((pid) => pids.includes(pid))).toEqual([]);
  });

  it("stops the job it started, and forgets it", async () => {
    const home = temporaryFolder();
    const run = await runCli(home, ["tour", "--json"]);
    const { steps } = JSON.parse(run.stdout) as Tour;
    const lines = steps[6]?.lines.join("\n") ?? "";
    expect(lines).toMatch(/ {2}starting\n {2}ready\nstopped, killed: (all|group|unverified)/);
    const id = /job (\S+)/.exec(lines)?.[1] ?? "";
    expect(id).not.toBe("");
    const audit = await runCli(home, ["audit", "--json", "--kind", "job"]);
    expect(audit.stdout).toContain(id);
    // All that a job starts carries its journal's path, which ends in its id.
    expect(livingAs("sleep").filter((pid) => variablesOf(pid).includes(id))).toEqual([]);
  });
});
