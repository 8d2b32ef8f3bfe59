import { expect, test } from "vitest";
import { orderParameter, readSort } from "../../../src/api/search/sorting.ts";
import { exampleCatalog } from "../example-catalog.ts";

function sorted(...texts: readonly string[]): string {
  return orderParameter(readSort(texts, exampleCatalog));
}

test.each([
  ["updated:desc,id", "changeddate DESC,bug_id"],
  ["-updated", "changeddate DESC,bug_id"],
  ["updated-desc", "changeddate DESC,bug_id"],
  ["updated desc", "changeddate DESC,bug_id"],
  ["last_change_time", "changeddate,bug_id"],
  ["changeddate", "changeddate,bug_id"],
  ["created", "opendate,bug_id"],
  ["status,severity,platform", "bug_status,bug_severity,rep_platform,bug_id"],
  ["-id", "bug_id DESC"],
  ["Due by", "cf_due,bug_id"],
  ["relevance:desc", "relevance DESC,bug_id"],
  ["priority,-priority", "priority,bug_id"],
])("--sort %s is order=%s", (text, order) => {
  expect(sorted(text)).toBe(order);
});

test("a sort key that the server would ignore is rejected", () => {
  expect(() => sorted("updted")).toThrow('the tracker cannot sort by "updted"');
  expect(() => sorted("keywords")).toThrow('the tracker cannot sort by "keywords"');
  expect(() => sorted("")).toThrow("empty sort key");
  expect(() => sorted("updated:down")).toThrow('unknown sort direction "down"');
  expect(() => sorted("updted:down")).toThrow('the tracker cannot sort by "updted:down"');
});
