import { expect, test } from "vitest";
import { SORT_FIELDS } from "../../../src/tracker/search/search.ts";
import { FIELD_NAMES } from "../../../src/wire/search-names.ts";
import { type Parameters, searchZebras } from "./ask.ts";

function zebras(parameters: Parameters, as?: string) {
  return searchZebras({ summary: "zebra", ...parameters }, as);
}

test.each<[string, readonly number[]]>([
  ["bug_id DESC", [20005, 20004, 20003, 20002]],
  ["bug_id desc", [20005, 20004, 20003, 20002]],
  ["bugs.bug_id DESC", [20005, 20004, 20003, 20002]],
  ["priority", [20002, 20003, 20004, 20005]],
  ["priority DESC, bug_id DESC", [20005, 20004, 20003, 20002]],
  ["bug_status,bug_id DESC", [20004, 20003, 20005, 20002]],
  ["assigned_to", [20002, 20004, 20005, 20003]],
  ["qa_contact DESC", [20002, 20003, 20004, 20005]],
  ["qa_contact", [20005, 20004, 20003, 20002]],
  ["target_milestone", [20003, 20004, 20005, 20002]],
  ["changeddate DESC", [20002, 20003, 20005, 20004]],
  ["short_desc", [20004, 20003, 20002, 20005]],
  ["component DESC", [20005, 20003, 20002, 20004]],
  ["cf_points DESC", [20002, 20003, 20004, 20005]],
  ["cf_tracking DESC,bug_id", [20002, 20003, 20004, 20005]],
  ["longdescs.count DESC", [20002, 20003, 20005, 20004]],
  ["remaining_time DESC", [20003, 20002, 20004, 20005]],
  ["estimated_time DESC,bug_id DESC", [20002, 20005, 20004, 20003]],
  ["no_such_column, bug_id DESC", [20005, 20004, 20003, 20002]],
  ["last_change_time DESC", [20002, 20003, 20004, 20005]],
  ["relevance DESC", [20002, 20003, 20004, 20005]],
])("bugs are sorted by %s", async (order, ids) => {
  expect(await zebras({ order })).toEqual(ids);
});

test("a column that is repeated counts once", async () => {
  expect(await zebras({ order: `bug_id DESC,${"priority,".repeat(3)}` })).toEqual([20005, 20004, 20003, 20002]);
});

test("hours can be sorted by for users with time tracking only", async () => {
  expect(await zebras({ order: "remaining_time DESC" }, "carol")).toEqual([20002, 20003, 20005]);
  expect(await zebras({ order: "estimated_time" }, "carol")).toEqual([20002, 20003, 20005]);
});

test("every column in the table of names can be sorted by, and no others", () => {
  const named = FIELD_NAMES.flatMap(({ order }) => order ?? []);
  expect([...SORT_FIELDS.keys(), "relevance"].sort()).toEqual([...named, "relevance"].sort());
});

test.each<[Parameters, readonly number[]]>([
  [{ limit: "2" }, [20002, 20003]],
  [{ limit: "2", offset: "1" }, [20003, 20004]],
  [{ limit: "2", offset: "4" }, []],
  [{ limit: "0", offset: "2" }, [20002, 20003, 20004, 20005]],
  [{ limit: "ten" }, [20002, 20003, 20004, 20005]],
  [{ limit: "" }, [20002, 20003, 20004, 20005]],
  [{ limit: "99999999999999999999", offset: "3" }, [20005]],
  [{ limit: ["1", "2"] }, [20002, 20003, 20004, 20005]],
  [{ limit: "2", offset: "" }, [20002, 20003]],
  [{ limit: "2", offset: "99999999999999999999" }, []],
])("the part %j", async (parameters, ids) => {
  expect(await zebras(parameters)).toEqual(ids);
});
