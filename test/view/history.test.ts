import { describe, expect, test } from "vitest";
import { historyText } from "../../src/view/changes.ts";
import type { BugHistory, FieldChange } from "../../src/wire/resources.ts";
import { FIELDS, viewOf } from "./samples.ts";

const LONG = "A summary that goes on for so long that it cannot stand beside another one in a terminal";

const history: BugHistory = {
  id: 20002,
  alias: ["ever"],
  history: [
    {
      when: "2026-11-17T10:58:07Z",
      who: "bob@example.org",
      changes: [
        { field_name: "work_time", removed: "", added: "2.00" },
        { field_name: "depends_on", removed: "20003", added: "5, 7" },
        { field_name: "keywords", removed: "perf", added: "crash, regression" },
        { field_name: "status", removed: "CONFIRMED", added: "RESOLVED" },
        { field_name: "resolution", removed: "", added: "FIXED" },
        { field_name: "component", removed: "General", added: "New Tab, Start/Home & More" },
      ],
    },
    {
      when: "2026-11-20T11:00:00Z",
      who: "alice@example.org",
      changes: [
        { field_name: "summary", removed: LONG, added: `${LONG} window` },
        { field_name: "whiteboard", removed: "[p1]", added: "" },
        { field_name: "cf_platforms", removed: "desktop, phone, small", added: "tv" },
        { field_name: "cf_crash_signature", removed: "", added: "[@ a::b]\r\n[@ c::d]" },
        { field_name: "is_cc_accessible", removed: "1", added: "0" },
        { field_name: "attachments.isobsolete", removed: "0", added: "1", attachment_id: 3 },
        { field_name: "flagtypes.name", removed: "review?(bob@example.org)", added: "review+", attachment_id: 3 },
        { field_name: "estimated_time", removed: "0.00", added: "4" },
      ],
    },
  ],
};

function ofOne(change: FieldChange): BugHistory {
  return {
    id: 9,
    alias: [],
    history: [{ when: "2026-11-20T11:00:00Z", who: "a@b.c", changes: [change] }],
  };
}

describe("a timeline", () => {
  test("at 80 columns", () => {
    expect(historyText(history, undefined, FIELDS, viewOf())).toMatchInlineSnapshot(`
      "#20002  ever

      bob@example.org  3 days ago · 2026-11-17 10:58 UTC
        Status                 CONFIRMED → RESOLVED
        Resolution             + FIXED
        Component              General → New Tab, Start/Home & More
        Depends on             - #20003  + #5  + #7
        Keywords               - perf  + crash  + regression
        Worked                 + 2 h

      alice@example.org  1 hour ago · 2026-11-20 11:00 UTC
        Summary                - A summary that goes on for so long that it cannot
                                 stand beside another one in a terminal
                               + A summary that goes on for so long that it cannot
                                 stand beside another one in a terminal window
        Whiteboard             - [p1]
        Visible to CC          yes → no
        Estimate               0 h → 4 h
        Attachment 3 obsolete  no → yes
        Crash Signature        + [@ a::b]
                                 [@ c::d]
        Affected platforms     - desktop  - phone, small  + tv
        Attachment 3 flags     - review?(bob@example.org)  + review+
      "
    `);
  });

  test("of a bug without changes says so", () => {
    expect(historyText({ id: 9, alias: [], history: [] }, undefined, [], viewOf())).toBe("#9\n\nno changes\n");
  });
});

test("a value with a comma is split only in fields that are lists", () => {
  const of = (field_name: string) =>
    historyText(ofOne({ field_name, removed: "", added: "a, b" }), undefined, [], viewOf()).split("\n")[3];
  expect([of("component"), of("cc"), of("cf_platforms")]).toEqual([
    "  Component  + a, b",
    "  CC  + a  + b",
    "  cf_platforms  + a, b",
  ]);
});
