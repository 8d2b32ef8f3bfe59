import { expect, test } from "vitest";
import { isTypo, nearestNames } from "../../src/api/nearest.ts";

test.each([
  ["confrimed", ["CONFIRMED", "UNCONFIRMED", "RESOLVED"], ["CONFIRMED"]],
  ["hihg", ["Highest", "High", "Low"], ["High"]],
  ["res", ["UNCONFIRMED", "RESOLVED"], ["RESOLVED"]],
  ["firmed", ["CONFIRMED", "RESOLVED"], ["CONFIRMED"]],
  ["importt", ["Editor", "Import & Export"], ["Import & Export"]],
  ["zzz", ["CONFIRMED", "RESOLVED"], []],
  ["", ["CONFIRMED"], []],
])("nearest to %s of %j is %j", (text, names, expected) => {
  expect(nearestNames(text, names)).toEqual(expected);
});

test.each([
  ["clsoe", "close", true],
  ["creat", "create", true],
  ["closse", "close", true],
  ["upd", "update", false],
  ["ad", "add", false],
  ["close", "close", false],
])("%s is a typo of %s: %s", (word, name, expected) => {
  expect(isTypo(word, name)).toBe(expected);
});
