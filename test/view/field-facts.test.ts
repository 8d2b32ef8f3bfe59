import { expect, test } from "vitest";
import { fieldFacts } from "../../src/view/field-facts.ts";
import type { Field } from "../../src/wire/resources.ts";

const FIELD = { id: 1, is_custom: true, is_mandatory: false, is_on_bug_entry: true, visibility_field: null };
const FIELDS: readonly Field[] = [
  { ...FIELD, name: "bug_severity", display_name: "Impact", type: 2, visibility_values: [] },
  { ...FIELD, name: "cf_due", display_name: "Due", type: 9, visibility_values: [] },
];

test.each([
  ["severity", { label: "Severity", kind: "text" }],
  ["bug_severity", { label: "Severity", kind: "text" }],
  ["depends_on", { label: "Depends on", kind: "bugs" }],
  ["cf_due", { label: "Due", kind: "day" }],
  ["cf_other", { label: "cf_other", kind: "text" }],
])("label and kind of %s: our own for standard fields, else of the tracker", (name, facts) => {
  expect(fieldFacts(name, FIELDS)).toEqual(facts);
});
