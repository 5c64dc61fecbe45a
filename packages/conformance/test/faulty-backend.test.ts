import { describe, expect, it } from "vitest";
import { runConformance, type CaseStatus } from "../src/index.js";
import { plainBash, type Faults } from "./plain-bash.js";

async function statusesOf(ids: readonly string[], faults?: Faults): Promise<Record<string, CaseStatus>> {
  const report = await runConformance({ backend: () => plainBash(faults), ids });
  return Object.fromEntries(report.cases.map(({ id, status }) => [id, status]));
}

/** Faults that backends have had, and a case that must see each. */
const faults: Readonly<Record<string, { readonly seenBy: string } & Faults>> = {
  "quotes a script as JSON for a second shell": {
    seenBy: "quoting.script-literal",
    mangle: (command) => `bash -c ${JSON.stringify(command)}`,
  },
  "runs a script twice": {
    seenBy: "outcome.exit-in-script",
    mangle: (command) => `( ${command}\n); ${command}`,
  },
  "names its exit code otherwise": {
    seenBy: "outcome.zero",
    answer: ({ output, exitCode }) => ({ output, exit_code: exitCode }),
  },
  "has no exit code at times": {
    seenBy: "outcome.zero",
    answer: ({ output }) => ({ output, exitCode: null }),
  },
  "drops carriage returns": {
    seenBy: "output.carriage-return",
    answer: ({ output, exitCode }) => ({ output: output.replaceAll("\r", ""), exitCode }),
  },
  "strips escape sequences": {
    seenBy: "output.ansi",
    answer: ({ output, exitCode }) => ({ output: output.replaceAll("\u001B", ""), exitCode }),
  },
  "loses the first byte of each answer": {
    seenBy: "completion.one-byte",
    answer: ({ output, exitCode }) => ({ output: output.replace("x", ""), exitCode }),
  },
};

describe("the suite against the smallest environment", () => {
  const fine = Object.values(faults).map(({ seenBy }) => seenBy);

  it("passes what an honest one holds", async () => {
    const statuses = await statusesOf([...new Set(fine)]);
    expect(Object.values(statuses).filter((status) => status !== "passed")).toEqual([]);
    expect(Object.keys(statuses).length).toBe(new Set(fine).size);
  });

  it("reports what it cannot do as unsupported, not as passed", async () => {
    const statuses = await statusesOf([
      "stdin.text",
      "output.apart",
      "state.kept-exported",
      "lifecycle.spawned",
    ]);
    expect(new Set(Object.values(statuses))).toEqual(new Set(["unsupported"]));
  });

  for (const [what, { seenBy, ...broken }] of Object.entries(faults)) {
    it(`fails a backend that ${what}`, async () => {
      expect(await statusesOf([seenBy], broken)).toEqual({ [seenBy]: "failed" });
    });
  }

  it("does not run what a difference names, and counts it as unsupported", async () => {
    const report = await runConformance({
      backend: () => plainBash(),
      ids: ["outcome.zero", "outcome.pipeline"],
      differences: [{ id: "no-pipes", because: "It has none.", unsupported: ["outcome.pipeline"] }],
      allowedUnsupported: 0,
    });
    expect(report.summary).toMatchObject({ passed: 1, unsupported: 1 });
    expect(report.cases[1]?.message).toBe("It has none. (no-pipes)");
    expect(report.ok).toBe(false);
  });

  it("throws when no environment can be made, instead of failing every case", async () => {
    const backend = (): never => {
      throw new Error("the engine is down");
    };
    await expect(runConformance({ backend, ids: ["outcome.zero"] })).rejects.toThrow("the engine is down");
  });

  it("tells of each case as it ends", async () => {
    const told: string[] = [];
    await runConformance({
      backend: () => plainBash(),
      ids: ["outcome.zero", "outcome.pipeline"],
      onCase: ({ id, status }) => told.push(`${id} ${status}`),
    });
    expect(told).toEqual(["outcome.zero passed", "outcome.pipeline passed"]);
  });
});
