import { expect, test } from "vitest";
import { parseOrder } from "../../../src/api/search/sorting.ts";
import type { Bug } from "../../../src/wire/bug-fields.ts";
import { exampleCatalog } from "../example-catalog.ts";

function person(real_name: string) {
  return { id: 1, name: "x", email: "x", real_name };
}

const BUGS: readonly Bug[] = [
  { id: 1, summary: "beta", priority: "Low", deadline: "2027-01-31", estimated_time: 10, cf_points: "8" },
  { id: 2, summary: "Alpha", priority: "---", deadline: null, estimated_time: 9, cf_points: null },
  { id: 3, summary: "álpha", priority: "Highest", deadline: "2026-12-01", estimated_time: 0, cf_points: "10" },
].map((bug) => ({ ...bug, assigned_to: "x", assigned_to_detail: person(["Zoe", "Ada", "Mei"][bug.id - 1] ?? "") }));

test.each([
  ["bug_id DESC", [3, 2, 1]],
  ["short_desc,bug_id DESC", [3, 2, 1]],
  ["short_desc DESC,bug_id", [1, 2, 3]],
  ["priority", [3, 1, 2]],
  ["priority desc", [2, 1, 3]],
  ["deadline", [2, 3, 1]],
  ["estimated_time", [3, 2, 1]],
  ["cf_points", [2, 1, 3]],
  ["assigned_to_realname", [2, 3, 1]],
  ["Importance,nonsense,bug_id", [1, 2, 3]],
])("order=%s", (order, ids) => {
  const { placeOf, compare } = parseOrder(order, exampleCatalog);
  expect([...BUGS].sort((one, other) => compare(placeOf(one), placeOf(other))).map(({ id }) => id)).toEqual(ids);
});

test("sort keys are fetched", () => {
  expect(parseOrder("priority,changeddate DESC,assigned_to_realname,bug_id", exampleCatalog).include).toEqual([
    "priority",
    "last_change_time",
    "assigned_to",
    "id",
  ]);
});

test.each(["relevance", "longdescs.count", "percentage_complete"])("bugs have no value for %s", (column) => {
  expect(() => parseOrder(`${column},bug_id`, exampleCatalog)).toThrow("bt cannot sort them by");
});
