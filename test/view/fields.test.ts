import { expect, test } from "vitest";
import { filledColumns } from "../../src/view/column.ts";
import { VALUE_COLUMNS } from "../../src/view/fields.ts";
import { listing, listText } from "../../src/view/listing.ts";
import type { Field, FieldValue } from "../../src/wire/resources.ts";
import { viewOf } from "./samples.ts";

const standard = {
  is_custom: false,
  is_mandatory: false,
  is_on_bug_entry: false,
  visibility_field: null,
  visibility_values: [],
};

const STATUS: Field = {
  ...standard,
  id: 9,
  type: 2,
  name: "bug_status",
  display_name: "Status",
  value_field: null,
  values: [
    { name: null, sort_key: 0, is_open: true, can_change_to: [{ name: "NEW", comment_required: false }] },
    {
      name: "NEW",
      sort_key: 100,
      is_open: true,
      can_change_to: [
        { name: "ASSIGNED", comment_required: false },
        { name: "RESOLVED", comment_required: true },
      ],
    },
    { name: "RESOLVED", sort_key: 400, is_open: false, can_change_to: [] },
  ],
};

const COMPONENT: Field = {
  ...standard,
  id: 15,
  type: 2,
  name: "component",
  display_name: "Component",
  is_mandatory: true,
  value_field: "product",
  values: [
    { name: "General", sort_key: 0, is_active: true, visibility_values: ["Firefox"] },
    { name: "Legacy Parts", sort_key: 0, is_active: false, visibility_values: ["Firefox"] },
  ],
};

test("a list of values has the columns with data", () => {
  const names = (values: readonly FieldValue[]) =>
    filledColumns(VALUE_COLUMNS, values, viewOf()).map(({ name }) => name);
  expect(names([{ name: "FIXED" }, { name: "" }])).toEqual(["name"]);
  expect(names(STATUS.values ?? [])).toEqual(["name", "sort_key", "is_open", "can_change_to"]);
  expect(names(COMPONENT.values ?? [])).toEqual(["name", "sort_key", "is_active", "visibility_values"]);
  expect(names([{ name: "crash", description: "Crashes" }])).toEqual(["name", "description"]);
});

test("values for programs are exact, including the empty one", () => {
  const values = STATUS.values ?? [];
  expect(
    listText(values, listing("tsv", filledColumns(VALUE_COLUMNS, values, viewOf()), viewOf({ terminal: false }))),
  ).toBe("\t0\ttrue\tNEW\nNEW\t100\ttrue\tASSIGNED,RESOLVED\nRESOLVED\t400\tfalse\t\n");
});
