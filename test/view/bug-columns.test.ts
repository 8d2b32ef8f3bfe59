import { describe, expect, test } from "vitest";
import { findBugColumn } from "../../src/view/bug-columns.ts";
import { type Column, exactCellText } from "../../src/view/column.ts";
import { type Bug, DEFAULT_BUG_FIELDS, SHOWN_BUG_FIELDS } from "../../src/wire/bug-fields.ts";
import { FIELDS, viewOf } from "./samples.ts";

const user = { id: 2, name: "alice@example.org", real_name: "Alice Example", email: "alice@example.org" };
const flag = {
  type_id: 1,
  creation_date: "2026-11-20T04:58:07Z",
  modification_date: "2026-11-20T04:58:07Z",
  setter: "alice@example.org",
};
const bug: Bug = {
  id: 12,
  alias: ["ever", "ything"],
  is_open: true,
  assigned_to: "alice@example.org",
  assigned_to_detail: user,
  cc: ["bob@example.org", "carol@example.org"],
  cc_detail: [user],
  creation_time: "2026-11-20T04:58:07Z",
  deadline: "2027-01-31",
  dupe_of: null,
  depends_on: [7, 9],
  flags: [
    { ...flag, id: 1, name: "review", status: "?", requestee: "bob@example.org" },
    { ...flag, id: 2, name: "approval", status: "+" },
  ],
  estimated_time: 5.5,
  cf_due: "2027-02-27T15:00:00Z",
  cf_points: "8",
  cf_platforms: ["desktop", "phone, small"],
  cf_upstream: 20003,
  cf_crash_signature: "[@ a::b]\r\n[@ c::d]",
};

test("every field of the interface is a column", () => {
  const missing = SHOWN_BUG_FIELDS.filter((name) => !findBugColumn(name));
  expect([missing, SHOWN_BUG_FIELDS.length]).toEqual([[], DEFAULT_BUG_FIELDS.length + 1]);
});

test("a custom field is a column with its name, headed by its label", () => {
  expect(findBugColumn("cf_platforms", FIELDS)?.heading).toBe("Affected platforms");
  expect(findBugColumn("cf_unheard_of")?.heading).toBe("cf_unheard_of");
});

test.each(["cf_unheard_of", "sumary", "constructor", "_all", ""])("%j is not a column of this tracker", (name) => {
  expect(findBugColumn(name, FIELDS)).toBeUndefined();
});

describe("a displayed cell, and its exact text", () => {
  test.each([
    ["id", "#12", "12"],
    ["alias", undefined, "ever,ything"],
    ["is_open", "yes", "true"],
    ["assigned_to", "alice", "alice@example.org"],
    ["assigned_to_detail", undefined, "alice@example.org"],
    ["cc", "bob, carol", "bob@example.org,carol@example.org"],
    ["cc_detail", undefined, "alice@example.org"],
    ["creation_time", "7h ago", "2026-11-20T04:58:07Z"],
    ["deadline", "2027-01-31", "2027-01-31"],
    ["dupe_of", "", ""],
    ["depends_on", "#7, #9", "7,9"],
    ["flags", undefined, "review?(bob@example.org),approval+"],
    ["estimated_time", "5.5 h", "5.5"],
    ["remaining_time", "", ""],
    ["tags", undefined, ""],
    ["cf_due", "2027-02-28", "2027-02-28"],
    ["cf_points", undefined, "8"],
    ["cf_platforms", undefined, "desktop,phone, small"],
    ["cf_upstream", "#20003", "20003"],
  ])("%s is %j and %j", (name, cell, text) => {
    const column = findBugColumn(name, FIELDS) as Column<Bug>;
    expect([column.cell?.(bug, viewOf()), exactCellText(column, bug, viewOf())]).toEqual([cell, text]);
  });
});

test.each([
  [139, "alice"],
  [140, "alice@example.org"],
])("at %i columns a login is shown as %s", (width, login) => {
  expect(findBugColumn("assigned_to")?.cell?.(bug, viewOf({ width }))).toBe(login);
});
