import { readFileSync } from "node:fs";
import * as parser from "unbash";
import { describe, expect, it } from "vitest";
import { findingsOf } from "../../src/policy/findings.js";
import { commandRules } from "../../src/policy/rules/all-rules.js";
import { testPolicy } from "./test-policy.js";

interface CorpusEntry {
  readonly command: string;
  readonly expect: "allow" | "ask" | "deny";
  readonly category: string;
}

/** One half was written beside the rules, the other by somebody who had not seen them. */
const halves = { "by-rule": 320, independent: 160 };

function readHalf(name: string): readonly CorpusEntry[] {
  const text = readFileSync(new URL(`corpus/${name}.json`, import.meta.url), "utf8");
  return JSON.parse(text) as readonly CorpusEntry[];
}

const policy = await testPolicy();

describe.each(Object.entries(halves))("the half of the corpus %s", (name, least) => {
  const entries = readHalf(name);

  it("is large enough to mean something", () => {
    expect(entries.length).toBeGreaterThanOrEqual(least);
    expect(new Set(entries.map(({ command }) => command)).size).toBe(entries.length);
  });

  it("gets the verdict that is declared for each command", () => {
    const wrong = entries.flatMap(({ command, expect: wanted }) => {
      const { decision, rule } = policy.judge(command);
      return decision === wanted ? [] : [{ command, wanted, decision, rule }];
    });
    expect(wrong).toEqual([]);
  });

  it("raises a false alarm on at most 2 % of the harmless commands", () => {
    const harmless = entries.filter((entry) => entry.expect === "allow");
    const alarms = harmless.filter(({ command }) => policy.judge(command).decision !== "allow");
    expect(harmless.length).toBeGreaterThan(50);
    expect(alarms.length / harmless.length).toBeLessThanOrEqual(0.02);
  });
});

describe("the commands written beside the rules", () => {
  it("get the category that is declared", () => {
    const wrong = readHalf("by-rule").flatMap(({ command, expect: wanted, category }) => {
      const verdict = policy.judge(command);
      return wanted === "allow" || verdict.category === category ? [] : [{ command, category, verdict }];
    });
    expect(wrong).toEqual([]);
  });
});

describe("the rules", () => {
  it("are each reached by a command of the corpus", () => {
    const commands = Object.keys(halves).flatMap((name) => readHalf(name).map(({ command }) => command));
    const reached = new Set(
      commands.flatMap((command) => findingsOf(command, {}, parser).findings.map(({ rule }) => rule.id)),
    );
    expect(commandRules.filter(({ id }) => !reached.has(id)).map(({ id }) => id)).toEqual([]);
  });

  it("have ids of their own", () => {
    const ids = commandRules.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
  });
});
