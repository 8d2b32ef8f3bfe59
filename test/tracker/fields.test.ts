import { expect, onTestFinished, test } from "vitest";
import { FIELDS, fieldByChartName, STORED_FIELDS } from "../../src/tracker/fields.ts";
import { openStore } from "../../src/tracker/store/store.ts";

test("the table of bugs has the columns of the table of fields, and no others", () => {
  const store = openStore(":memory:");
  onTestFinished(() => store.close());
  const columns = store.all<{ readonly name: string }>("SELECT name FROM pragma_table_info('bugs')");
  expect(columns.map(({ name }) => name).sort()).toEqual(STORED_FIELDS.map(({ column }) => column).sort());
});

test("no two fields have the same internal name", () => {
  expect(FIELDS.filter((field) => fieldByChartName(field.chart) !== field)).toEqual([]);
});
