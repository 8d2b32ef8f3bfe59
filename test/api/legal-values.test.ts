import { expect, test } from "vitest";
import { requireField } from "../../src/api/catalog.ts";
import { splitValues } from "../../src/api/legal-values.ts";
import { exampleCatalog } from "./example-catalog.ts";

const component = requireField(exampleCatalog, "component");

test.each([
  ["Theme,Places", ["Theme", "Places"]],
  ["Theme, New Tab, Start/Home & More, Places", ["Theme", "New Tab, Start/Home & More", "Places"]],
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

test("parsing 10,000 values takes linear time", () => {
  const values = Array.from({ length: 10_000 }, (_, at) => String(at));
  const started = performance.now();
  expect(splitValues(values.join(","), requireField(exampleCatalog, "bug_id"))).toEqual(values);
  expect(performance.now() - started).toBeLessThan(2000);
});
