import { expect, test } from "vitest";
import { type Parameters, searchZebras } from "./ask.ts";

function among(parameters: Parameters) {
  return searchZebras({ ...parameters, bug_id: "20002,20003,20004,20005" });
}

test.each<[string, Parameters, readonly number[]]>([
  ["an id", { id: "20002" }, [20002]],
  ["ids, unknown aliases among them ignored", { id: "20003,zeb,20002" }, [20002, 20003]],
  ["an alias in any case", { alias: "ZEB" }, [20002]],
  ["a status", { status: "CONFIRMED" }, [20003, 20004]],
  ["open statuses", { status: "__open__" }, [20003, 20004]],
  ["an unknown status next to a known one", { status: ["NOPE", "RESOLVED"] }, [20002, 20005]],
  ["an unknown status alone is ignored", { status: "NOPE" }, [20002, 20003, 20004, 20005]],
  ["a resolution", { resolution: "fixed" }, [20002]],
  ["without a resolution", { resolution: "---" }, [20003, 20004]],
  ["repeated products", { product: ["toolkit", "Firefox"] }, [20002, 20003, 20004, 20005]],
  ["a component with a comma in its name", { component: "New Tab, Start/Home & More" }, [20003]],
  ["words of the summary, all of them", { summary: "stripes ZEBRA" }, [20002, 20003]],
  ["a phrase of the summary", { summary: "zebra are", short_desc_type: "substring" }, [20003]],
  [
    "any word of the summary",
    { summary: ["stripes", "quoted"], short_desc_type: "anywordssubstr" },
    [20002, 20003, 20004],
  ],
  ["special characters of LIKE", { summary: "100%" }, [20004]],
  ["a part of the assignee's name", { assigned_to: "bo" }, [20003]],
  ["oneself", { assigned_to: "%user%" }, [20002, 20004, 20005]],
  ["somebody on CC", { cc: "dave@example.org" }, [20003]],
  ["a commenter, by full name", { commenter: "ALICE@example.org" }, [20002, 20003, 20004, 20005]],
  ["part of a commenter", { commenter: "alice" }, []],
  ["all keywords", { keywords: ["crash", "perf"] }, [20003]],
  ["any keyword", { keywords: "crash,perf", keywords_type: "anywords" }, [20002, 20003]],
  ["a word of a comment", { longdesc: "okapi" }, [20003]],
  ["comments by type", { longdesc: "the quagga", longdesc_type: "substring" }, [20002]],
  ["changed since", { last_change_time: "2026-11-20T06:57:41+01:00" }, [20002, 20003, 20005]],
  ["filed since", { creation_time: "2026-11-20T05:57:41Z" }, []],
  ["a custom selection", { cf_tracking: "YES" }, [20002]],
  ["one of several custom choices", { cf_platforms: "tv" }, [20002]],
  ["a custom day", { cf_due: "2027-02-28" }, [20002]],
  ["a custom number", { cf_points: "8" }, [20002]],
  ["what it depends on", { depends_on: "20002" }, [20003]],
  ["what it blocks", { blocks: "20003" }, [20002]],
  ["a flag by its internal name", { flagtypes_name: "review?" }, [20002]],
  ["a group by its internal name", { bug_group: "core-security" }, [20004]],
  ["all ids except some", { bug_id_type: "nowords", bug_id: "20002,20003", summary: "zebra" }, [20004, 20005]],
  ["a deadline between days", { deadlinefrom: "2027-01-01", deadlineto: "2027-12-31" }, [20002]],
  [
    "a user in one of two roles",
    { email1: "bob", emailtype1: "substring", emailassigned_to1: "1", emailcc1: "1" },
    [20002, 20003],
  ],
])("%s", async (_what, parameters, ids) => {
  const isOwn = "id" in parameters || "bug_id" in parameters;
  expect(await (isOwn ? searchZebras(parameters) : among(parameters))).toEqual(ids);
});
