import { expect, test } from "vitest";
import { nearestNames } from "../../src/api/nearest.ts";

test.each([
  ["confrimed", ["CONFIRMED", "UNCONFIRMED", "RESOLVED"], ["CONFIRMED"]],
  ["hihg", ["Highest", "High", "Low"], ["High"]],
  ["res", ["UNCONFIRMED", "RESOLVED"], ["RESOLVED"]],
  ["firmed", ["CONFIRMED", "RESOLVED"], ["CONFIRMED"]],
  ["zzz", ["CONFIRMED", "RESOLVED"], []],
  ["", ["CONFIRMED"], []],
])("nearest to %s of %j is %j", (text, names, expected) => {
  expect(nearestNames(text, names)).toEqual(expected);
});
