import { isDeepStrictEqual } from "node:util";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { FuzzFolder } from "./fuzz-folder.js";
import { knownDifferences, type ScriptPair } from "./known-differences.js";
import { normaliseRun } from "./normalise-run.js";
import { runPlainBash } from "./plain-bash.js";
import { generatedScript } from "./generated-script.js";
import { WarmBash } from "./warm-bash.js";

/** TALARIA_FUZZ_SEED and TALARIA_FUZZ_SCRIPTS run other scripts, or more of them. */
const seed = Number(process.env["TALARIA_FUZZ_SEED"] ?? 20_260_101);
const scripts = Number(process.env["TALARIA_FUZZ_SCRIPTS"] ?? 2_000);
const workers = 4;
/** Share of scripts that may end in a known difference. */
const exemptShare = 0.03;

/** Compares so many scripts one after the other; `exempt` counts the known differences by name. */
async function compareScripts(
  worker: number,
  count: number,
  exempt: Map<string, number>,
): Promise<fc.RunDetails<[string]>> {
  const folder = new FuzzFolder();
  const warm = await WarmBash.open(folder);
  try {
    const env = await warm.variables();
    const property = fc.asyncProperty(generatedScript, async (script) => {
      folder.fill();
      const plain = await runPlainBash(script, { cwd: folder.cwd, env });
      fc.pre(plain !== undefined);
      folder.fill();
      const { run, hurt } = await warm.run(script);
      if (hurt !== undefined) throw new Error(hurt);
      const pair = { script, plain: normaliseRun(plain), warm: normaliseRun(run) };
      if (isDeepStrictEqual(pair.plain, pair.warm)) return;
      const known = knownDifferences.find(({ explains }) => explains(pair));
      if (known === undefined) throw new Error(describePair(pair));
      exempt.set(known.name, (exempt.get(known.name) ?? 0) + 1);
    });
    return await fc.check(property, { seed: seed + worker, numRuns: count });
  } finally {
    await warm.close();
    folder.remove();
  }
}

/** Both runs of a script, one below the other, with the middle of long output left out. */
function describePair({ plain, warm }: ScriptPair): string {
  const shorten = (_: string, value: unknown): unknown =>
    typeof value === "string" ? value.replace(/^(.{400}).+(.{400})$/s, "$1…$2") : value;
  return `bash -c: ${JSON.stringify(plain, shorten)}\nsession: ${JSON.stringify(warm, shorten)}`;
}

/** The shortest failing script, how to run it again, and what was wrong with it. */
function describeFailure(run: fc.RunDetails<[string]>): string {
  return `${fc.defaultReportMessage(run) ?? ""}\n\n${run.counterexample?.[0] ?? ""}\n\n${String(run.errorInstance)}`;
}

describe("a local session", () => {
  it(
    `answers ${scripts} generated scripts as plain \`bash -c\` does, and the next command always works`,
    { timeout: 20 * 60_000 },
    async () => {
      console.log(`fuzz: seed ${seed} (TALARIA_FUZZ_SEED), ${scripts} scripts (TALARIA_FUZZ_SCRIPTS)`);
      const exempt = new Map<string, number>();
      const count = Math.ceil(scripts / workers);
      const details = await Promise.all(
        Array.from({ length: workers }, (_, worker) => compareScripts(worker, count, exempt)),
      );
      const exempted = [...exempt.values()].reduce((sum, number) => sum + number, 0);
      console.log(`fuzz: ${exempted} scripts differ in a known way:`, Object.fromEntries(exempt));
      for (const run of details) {
        expect(run.failed, describeFailure(run)).toBe(false);
        expect(run.numSkips).toBeLessThanOrEqual(count / 20);
      }
      expect(exempted).toBeLessThanOrEqual(exemptShare * scripts);
    },
  );
});
