import { expect, test } from "vitest";
import { FIELD_NAMES, fieldNamed } from "../../src/wire/search-names.ts";
import fields from "../api/fields.json" with { type: "json" };

test("every internal name is listed by the recorded tracker, and every standard field is in the table", () => {
  const listed = fields.filter(({ is_custom }) => !is_custom).map(({ name }) => name);
  expect(FIELD_NAMES.map(({ chart }) => chart).sort()).toEqual(listed.sort());
});

test("no name refers to two fields", () => {
  const names = FIELD_NAMES.flatMap(({ api, chart, also = [] }) => [...new Set([api, chart, ...also])]);
  expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
});

test("a field is found by each of its names in any case, and by nothing else", () => {
  for (const name of ["severity", "bug_severity", "Severity"]) expect(fieldNamed(name)?.api).toBe("severity");
  expect(fieldNamed("assignee")?.chart).toBe("assigned_to");
  for (const name of ["", "__proto__", "constructor", "is_open", "nosuch"]) expect(fieldNamed(name)).toBeUndefined();
});

test("sort columns have the names of the server", () => {
  const order = (name: string): string | undefined => fieldNamed(name)?.order;
  const columns = ["bug_id", "changeddate", "opendate", "bug_status", "priority"];
  expect(["id", "updated", "created", "status", "priority"].map(order)).toEqual(columns);
  expect(["cc", "keywords", "flags", "comment"].flatMap((name) => order(name) ?? [])).toEqual([]);
});
