import { expect, test } from "vitest";
import { editDistance, nearestName } from "../../src/provider/nearest-name.js";

test.each([
  ["", "", 0],
  ["docker", "docker", 0],
  ["dokcer", "docker", 1],
  ["kitten", "sitting", 3],
  ["", "abc", 3],
])("%j and %j are %i edits apart", (left, right, distance) => {
  expect(editDistance(left, right)).toBe(distance);
  expect(editDistance(right, left)).toBe(distance);
});

test("the nearest candidate is found, and a far one is not offered", () => {
  expect(nearestName("dcker", ["local", "docker", "ssh"])).toBe("docker");
  expect(nearestName("kubernetes", ["local", "docker", "ssh"])).toBeUndefined();
});

test("a name of absurd length is not compared", () => {
  expect(nearestName("x".repeat(100_000), ["x".repeat(100_000)])).toBeUndefined();
});
