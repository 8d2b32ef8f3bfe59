import { expect, test } from "vitest";
import { isTypo, nearestNames, suggestNames, valueMeant } from "../../src/api/nearest.ts";

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
  ["status", "CONFIRMED", ["UNCONFIRMED", "NEW", "ASSIGNED", "REOPENED"], "NEW"],
  ["status", "NEW", ["UNCONFIRMED", "CONFIRMED", "IN_PROGRESS"], "CONFIRMED"],
  ["status", "In Progress", ["NEW", "ASSIGNED"], "ASSIGNED"],
  ["resolution", "wont-do", undefined, "WONTFIX"],
  ["priority", "Medium", ["P1", "P2", "P3"], "P3"],
  ["type", "Bug", ["defect", "task"], "defect"],
  ["status", "Highest", ["CONFIRMED"], undefined],
  ["status", "", ["CONFIRMED"], undefined],
  ["component", "NEW", ["CONFIRMED"], undefined],
])("as a %s, %j is one of %j: %j", (field, text, names, expected) => {
  expect(valueMeant(field, text, names)).toBe(expected);
});

test("few names are all listed, of many only the near ones", () => {
  expect(suggestNames("hihg", ["High", "Low"])).toBe("did you mean High? others: Low");
  expect(suggestNames("zzz", ["High", "Low"])).toBe("valid values: High, Low");
  expect(
    suggestNames(
      "zzz",
      Array.from({ length: 40 }, (_, index) => `name${index}`),
    ),
  ).toBeUndefined();
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
