import { expect, test } from "vitest";
import { orderParameter, readSort, sortBugs, sortFields } from "../../../src/api/search/sort.ts";
import type { Bug } from "../../../src/wire/bug-fields.ts";
import { exampleCatalog } from "../example-catalog.ts";

const BUGS: readonly Bug[] = [
  { id: 1, summary: "beta", priority: "Low", deadline: "2027-01-31", estimated_time: 10, cf_points: "8" },
  { id: 2, summary: "Alpha", priority: "---", deadline: null, estimated_time: 9, cf_points: null },
  { id: 3, summary: "álpha", priority: "Highest", deadline: "2026-12-01", estimated_time: 0, cf_points: "10" },
].map((bug) => {
  const real_name = ["Zoe", "Ada", "Mei"][bug.id - 1] ?? "";
  return { ...bug, assigned_to: "x", assigned_to_detail: { id: 1, name: "x", email: "x", real_name } };
});

test.each([
  ["updated:desc,id", "changeddate DESC,bug_id"],
  ["-updated", "changeddate DESC,bug_id"],
  ["updated-desc", "changeddate DESC,bug_id"],
  ["changeddate DESC", "changeddate DESC,bug_id"],
  ["status,severity,platform", "bug_status,bug_severity,rep_platform,bug_id"],
  ["-id", "bug_id DESC"],
  ["Due by", "cf_due,bug_id"],
  ["relevance:desc", "relevance DESC,bug_id"],
  ["priority,-priority", "priority,bug_id"],
])("--sort %s is order=%s", (text, order) => {
  expect(orderParameter(readSort([text], exampleCatalog))).toBe(order);
});

test.each([
  ["-id", [3, 2, 1]],
  ["summary,-id", [3, 2, 1]],
  ["summary:desc", [1, 2, 3]],
  ["priority", [3, 1, 2]],
  ["deadline", [2, 3, 1]],
  ["estimated_time", [3, 2, 1]],
  ["cf_points", [2, 1, 3]],
  ["assignee_name", [2, 3, 1]],
])("--sort %s sorts here as servers do", (text, ids) => {
  expect(sortBugs(BUGS, readSort([text], exampleCatalog)).map(({ id }) => id)).toEqual(ids);
});

test("a sort key that the server would ignore is refused", () => {
  for (const key of ["updted", "keywords", "", "updated:down"])
    expect(() => readSort([key], exampleCatalog)).toThrow(`bugs cannot be sorted by "${key}"`);
});

test("only trackers sort by what bugs do not show", () => {
  expect(sortFields(readSort(["priority,-updated,assignee_name"], exampleCatalog))).toEqual([
    ...["priority", "last_change_time", "assigned_to", "id"],
  ]);
  for (const key of ["relevance", "comments", "percentage_complete"])
    expect(() => sortFields(readSort([key], exampleCatalog))).toThrow("bt cannot sort by");
});
