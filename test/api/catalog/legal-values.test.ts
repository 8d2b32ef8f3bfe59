import { expect, test } from "vitest";
import { type CatalogField, requireField } from "../../../src/api/catalog/catalog.ts";
import { legalValue, splitValues } from "../../../src/api/catalog/legal-values.ts";
import { exampleCatalog } from "../example-catalog.ts";

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

const named = (...names: string[]): CatalogField => ({ ...component, values: names.map((name) => ({ name })) });

test("a value is found whatever its blanks are, if one is left", () => {
  const field = named("IN_PROGRESS", "New Tab", "1.0", "10", "in b", "in_b");
  for (const text of ["In Progress", "in-progress", "in progress "])
    expect(legalValue(field, text)).toBe("IN_PROGRESS");
  expect(legalValue(field, "new-tab")).toBe("New Tab");
  for (const text of ["in-b", "1-0", "newtab", "-", ""])
    expect(() => legalValue(field, text)).toThrow(`unknown component "${text}"`);
});
