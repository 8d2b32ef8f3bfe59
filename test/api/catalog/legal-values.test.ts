import { expect, test } from "vitest";
import { requireField, splitValues } from "../../../src/api/catalog/catalog.ts";
import { exampleCatalog } from "../example-catalog.ts";

const component = requireField(exampleCatalog, "component");

test.each([
  ["Theme,Places", ["Theme", "Places"]],
  ["New Tab, Start/Home & More", ["New Tab, Start/Home & More"]],
  ['"New Tab, Start/Home & More",Theme', ["New Tab, Start/Home & More", "Theme"]],
  ['Theme, "no, such" ', ["Theme", "no, such"]],
  ['say "a, b" twice', ['say "a', 'b" twice']],
  ["", [""]],
  [",Theme", ["", "Theme"]],
  ["Theme,", ["Theme", ""]],
  ['""', [""]],
])("%j is the list %j", (text, values) => {
  expect(splitValues(text, component)).toEqual(values);
});
