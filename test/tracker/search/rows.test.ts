import { expect, test } from "vitest";
import { type Parameters, searchZebras } from "./ask.ts";

// Rows of the custom search among the bugs 20002 to 20005, beside those of test/replay/bug-search.json.

function among(parameters: Parameters) {
  return searchZebras({ ...parameters, bug_id: "20002,20003,20004,20005", order: "bug_id" });
}

function row(f1: string, o1: string, v1 = ""): Parameters {
  return { f1, o1, v1 };
}

test.each<[Parameters, readonly number[]]>([
  [row("short_desc", "substr", "strip"), [20002, 20003]],
  [row("short_desc", "anywords", "stripe"), []],
  [row("keywords", "allwords", "perf crash"), [20003]],
  [row("keywords", "nowords", "perf"), [20002, 20004, 20005]],
  [row("keywords", "isempty"), [20004, 20005]],
  [row("resolution", "anyexact", "---"), [20003, 20004]],
  [row("resolution", "anyexact", "fixed, ---"), [20002, 20003, 20004]],
  [row("alias", "isempty"), [20003, 20004, 20005]],
  [row("qa_contact", "isempty"), [20005]],
  [row("qa_contact", "notequals", "bob@example.org"), [20002, 20004, 20005]],
  [row("qa_contact", "isnotempty"), [20002, 20003, 20004]],
  [row("qa_contact", "lessthan", "b"), [20004, 20005]],
  [row("qa_contact", "lessthan", "zoe"), [20002, 20003, 20004, 20005]],
  [row("qa_contact", "greaterthan", "b"), [20002, 20003]],
  [row("qa_contact", "equals", "%reporter%"), []],
  [row("assigned_to", "notequals", "%reporter%"), [20003]],
  [row("cc", "equals", "%user%"), []],
  [row("assigned_to_realname", "substring", "bob"), [20003]],
  [row("flagtypes.name", "notsubstring", "review"), [20003, 20004, 20005]],
  [row("flagtypes.name", "equals", "review?"), [20002]],
  [row("deadline", "isnotempty"), [20002]],
  [row("cf_due", "greaterthan", "2027-02-27"), [20002]],
  [row("cf_points", "lessthaneq", "0"), [20003, 20004, 20005]],
  [row("cf_tracking", "notequals", "yes"), [20003, 20004, 20005]],
  [row("cf_platforms", "anywords", "tv desktop"), [20002]],
  [row("longdesc", "regexp", "^okapi\\b"), [20003]],
  [row("longdesc", "notsubstring", "quagga"), [20002, 20003, 20004, 20005]],
  [{ ...row("longdesc", "substring", "quagga"), n1: "1" }, [20003, 20004, 20005]],
  [row("days_elapsed", "greaterthan", "0"), []],
  [row("owner_idle_time", "lessthan", "1d"), [20002, 20003, 20004, 20005]],
  [row("delta_ts", "greaterthan", "+1d"), []],
  [row("delta_ts", "substring", "2026-11-20 05:57:43"), [20002, 20003, 20005]],
  [row("tag", "equals", "later"), [20003]],
  [row("content", "matches", '"zebra are"'), [20003]],
  [row("content", "matches", "+zebra -stripes"), [20004, 20005]],
  [row("content", "matches", "zeb*"), [20002, 20003, 20004, 20005]],
  [row("content", "notmatches", "stripes"), [20004, 20005]],
  [row("content", "matches", "!!"), []],
])("%j", async (parameters, ids) => {
  expect(await among(parameters)).toEqual(ids);
});

test.each<[string, Parameters, readonly number[]]>([
  ["a row without a value is ignored", { f1: "priority", o1: "equals" }, [20002, 20003, 20004, 20005]],
  [
    "AND_G requires a single change",
    {
      f1: "OP",
      j1: "AND_G",
      f2: "resolution",
      o2: "changedto",
      v2: "FIXED",
      f3: "resolution",
      o3: "changedby",
      v3: "%user%",
      f4: "CP",
    },
    [20002],
  ],
  [
    "AND_G takes changes of a component",
    {
      f1: "OP",
      j1: "AND_G",
      n1: "1",
      f2: "component",
      o2: "changedto",
      v2: "Places",
      f3: "component",
      o3: "changedby",
      v3: "%user%",
      f4: "CP",
      f5: "bug_id",
      o5: "equals",
      v5: "20002",
    },
    [20002],
  ],
  [
    "AND_G requires a single comment",
    { j_top: "AND_G", f1: "longdesc", o1: "substring", v1: "okapi", f2: "longdesc", o2: "substring", v2: "sighting" },
    [20003],
  ],
  [
    "AND_G with a negated row",
    {
      j_top: "AND_G",
      f1: "bug_status",
      o1: "changedto",
      v1: "RESOLVED",
      f2: "bug_status",
      o2: "changedfrom",
      v2: "CONFIRMED",
      n2: "1",
    },
    [20005],
  ],
])("%s", async (_what, parameters, ids) => {
  expect(await among(parameters)).toEqual(ids);
});

function changed(operator: string, value: string): Parameters {
  return row("bug_status", operator, value);
}

test.each<[Parameters, readonly number[]]>([
  [changed("changedafter", "2026-11-20T05:57:43Z"), [20005]],
  [changed("changedbefore", "2026-11-20 05:57:42"), [20002]],
  [changed("changedafter", "2026-11-20T06:57:43+01:00"), [20005]],
  [row("creation_ts", "changedafter", "-1h"), [20002, 20003, 20004, 20005]],
  [row("longdesc", "changedafter", "2026-11-20 05:57:43"), [20002, 20003, 20005]],
  [row("longdesc", "changedby", "%user%"), [20002, 20003, 20004, 20005]],
  [{ chfield: "bug_status", chfieldto: "2026-11-20" }, [20002, 20005]],
  [{ chfieldto: "2026-11-20" }, []],
])("changes: %j", async (parameters, ids) => {
  expect(await among(parameters)).toEqual(ids);
});
