import { describe, expect, it } from "vitest";
import { conformanceCases, runConformance } from "../src/index.js";
import { differencesByCase } from "../src/difference.js";
import { selectCases } from "../src/select-cases.js";

const [first] = conformanceCases;
const id = first?.id ?? "";

describe("the selection of cases", () => {
  it("is everything when nothing is said", () => {
    expect(selectCases(conformanceCases, {})).toEqual(conformanceCases);
  });

  it("is what is in a group and among the ids", () => {
    expect(selectCases(conformanceCases, { groups: ["kill"] }).every(({ group }) => group === "kill")).toBe(
      true,
    );
    expect(selectCases(conformanceCases, { ids: [id] })).toHaveLength(1);
    expect(selectCases(conformanceCases, { groups: ["kill"], ids: [id] })).toEqual([]);
  });

  it("refuses a group or an id that does not exist, and shows the way", () => {
    expect(() => selectCases(conformanceCases, { groups: ["kil"] })).toThrow('no group "kil"');
    expect(() => selectCases(conformanceCases, { ids: ["kill.nobody"] })).toThrow('no case "kill.nobody"');
  });
});

describe("the differences of a backend", () => {
  const differ = (difference: { because?: string; unsupported?: string[] }): unknown =>
    differencesByCase(
      [{ id: "d", because: "It is so.", unsupported: [id], ...difference }],
      conformanceCases,
    );

  it("are found by the case they concern", () => {
    expect(differ({})).toEqual(new Map([[id, { id: "d", because: "It is so.", unsupported: [id] }]]));
  });

  it("are refused without a reason, without a case, with an unknown one and with one named twice", () => {
    expect(() => differ({ because: " " })).toThrow("does not say why");
    expect(() => differ({ unsupported: [] })).toThrow("names no case");
    expect(() => differ({ unsupported: ["kill.nobody"] })).toThrow('"kill.nobody", which does not exist');
    expect(() => differ({ unsupported: [id, id] })).toThrow("names already");
  });
});

describe("the options of a run", () => {
  it("are refused when they make no sense, before a backend is touched", async () => {
    const backend = (): never => {
      throw new Error("the backend was touched");
    };
    await expect(runConformance({ backend, concurrency: 0 })).rejects.toThrow("concurrency is 0");
    await expect(runConformance({ backend, slowness: Number.NaN })).rejects.toThrow("slowness is NaN");
    await expect(runConformance({ backend, groups: ["nothing"] })).rejects.toThrow('no group "nothing"');
  });
});
