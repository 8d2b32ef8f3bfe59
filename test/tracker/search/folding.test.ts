import { expect, test } from "vitest";
import { foldedText } from "../../../src/tracker/search/compare.ts";

test.each([
  ["Straße", "STRASSE", true],
  ["Łódź", "lodz", true],
  ["Œuvre", "oeuvre", true],
  ["ærø", "aero", true],
  ["cafe", "cave", false],
])("%s and %s are equal without accents: %s", (one, other, isEqual) => {
  expect(foldedText(one, "accents") === foldedText(other, "accents")).toBe(isEqual);
  expect(foldedText(one, "bytes") === foldedText(other, "bytes")).toBe(isEqual);
  expect(foldedText(one, "case") === foldedText(other, "case")).toBe(false);
});
