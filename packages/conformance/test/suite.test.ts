import { capabilityNames } from "@talaria/core";
import { describe, expect, it } from "vitest";
import { allowedUnsupported, conformanceCases, conformanceGroups } from "../src/index.js";

describe("the suite as data", () => {
  it("has at least 150 cases", () => {
    expect(conformanceCases.length).toBeGreaterThanOrEqual(150);
  });

  it("has an id of its own for every case, that begins with its group", () => {
    expect(new Set(conformanceCases.map(({ id }) => id)).size).toBe(conformanceCases.length);
    const strange = conformanceCases.filter(
      ({ id, group }) => !new RegExp(`^${group}\\.[a-z0-9-]+$`).test(id),
    );
    expect(strange.map(({ id }) => id)).toEqual([]);
  });

  it("has a sentence of its own for every case", () => {
    const titles = conformanceCases.map(({ title }) => title);
    expect(titles.filter((title, index) => titles.indexOf(title) !== index)).toEqual([]);
    expect(titles.filter((title) => title.split(" ").length < 4 || title.endsWith("."))).toEqual([]);
  });

  it("names the rule that each case holds", () => {
    const unnamed = conformanceCases.filter(({ rule }) => !/^(SPEC \d|DESIGN, |field \d)/.test(rule));
    expect(unnamed.map(({ id, rule }) => `${id}: ${rule}`)).toEqual([]);
  });

  it("has cases in every group, in the order of the groups", () => {
    const order = conformanceCases.map(({ group }) => conformanceGroups.indexOf(group));
    expect(order).toEqual(order.toSorted((one, other) => one - other));
    expect(new Set(conformanceCases.map(({ group }) => group))).toEqual(new Set(conformanceGroups));
  });

  it("asks only for capabilities that exist", () => {
    const unknown = conformanceCases.flatMap(({ needs }) =>
      needs.filter((name) => !capabilityNames.includes(name)),
    );
    expect(unknown).toEqual([]);
  });

  it("marks exactly the cases that take minutes as long", () => {
    const long = conformanceCases.filter((each) => each.long === true);
    expect(long.length).toBeGreaterThan(0);
    expect(long.every(({ deadlineMs }) => deadlineMs > 360_000)).toBe(true);
    const others = conformanceCases.filter((each) => each.long !== true);
    expect(others.every(({ deadlineMs }) => deadlineMs <= 180_000)).toBe(true);
  });

  it("allows first-party backends the numbers that were decided", () => {
    expect(allowedUnsupported).toEqual({ local: 0, docker: 2, ssh: 4, singularity: 6, qemu: 4 });
  });
});
