import { describe, expect, test } from "vitest";
import { bugBrief, bugCard } from "../../src/view/bug-card.ts";
import { width as columnsOf } from "../../src/view/wrap.ts";
import type { Bug } from "../../src/wire/bug-fields.ts";
import { BUGS, FIELDS, viewOf } from "./samples.ts";

const alice = { id: 2, name: "alice@example.org", real_name: "Alice Example", email: "alice@example.org" };
const bob = { id: 3, name: "bob@example.org", real_name: "Bob Example", email: "bob@example.org" };
const flag = {
  creation_date: "2026-11-17T09:58:07Z",
  modification_date: "2026-11-17T10:58:07Z",
  setter: "alice@example.org",
};

/** A bug in which every field is set. */
const EVERYTHING: Bug = {
  id: 20002,
  alias: ["ever", "ything"],
  summary: "Everything set",
  status: "CONFIRMED",
  resolution: "",
  is_open: true,
  is_confirmed: true,
  product: "Firefox",
  component: "General",
  classification: "Unclassified",
  version: "121",
  target_milestone: "M1",
  priority: "High",
  severity: "critical",
  platform: "PC",
  op_sys: "Linux",
  assigned_to: "alice@example.org",
  assigned_to_detail: alice,
  creator: "bob@example.org",
  creator_detail: bob,
  qa_contact: "carol@example.org",
  qa_contact_detail: { id: 4, name: "carol@example.org", real_name: "", email: "carol@example.org" },
  cc: ["alice@example.org", "bob@example.org"],
  cc_detail: [alice, bob],
  creation_time: "2026-08-14T23:14:58Z",
  last_change_time: "2026-11-20T04:58:07Z",
  deadline: "2027-01-31",
  dupe_of: null,
  depends_on: [20003],
  blocks: [5, 7],
  keywords: ["crash", "perf"],
  groups: ["core-security"],
  flags: [
    { ...flag, id: 1, type_id: 1, name: "needinfo", status: "?", requestee: "bob@example.org" },
    { ...flag, id: 2, type_id: 3, name: "approval", status: "+" },
  ],
  see_also: ["https://bugs.example.org/show_bug.cgi?id=123456"],
  url: "http://example.org/?a=1&b=2",
  whiteboard: "[p2]",
  is_cc_accessible: true,
  is_creator_accessible: true,
  estimated_time: 5.5,
  actual_time: 1.5,
  remaining_time: 4,
  update_token: "1234-abcd",
  tags: ["mine"],
  cf_tracking: "yes",
  cf_platforms: ["desktop", "tv"],
  cf_upstream: 20003,
  cf_crash_signature: "[@ a::b]\r\n[@ c::d]",
  cf_due: "2027-02-27T15:00:00Z",
  cf_seen_at: "2026-11-01T12:34:56Z",
  cf_points: "8",
};

function card(bug: Bug, changes: Parameters<typeof viewOf>[0] = {}) {
  return bugCard({ bug, fields: FIELDS }, viewOf(changes));
}

describe("the card of a bug", () => {
  test("with everything, at 80 columns", () => {
    expect(card(EVERYTHING)).toMatchInlineSnapshot(`
      "#20002  Everything set
      CONFIRMED · High · critical

      Restricted          seen by members of core-security, and by the reporter and CC
      Alias               ever, ything
      Product             Firefox › General
      Version             121
      Milestone           M1
      Platform            PC, Linux
      Assignee            Alice Example <alice@example.org>
      QA contact          carol@example.org
      Reporter            Bob Example <bob@example.org>
      CC                  alice@example.org, bob@example.org
      Created             3 months ago · 2026-08-14 23:14 UTC
      Changed             7 hours ago · 2026-11-20 04:58 UTC
      Deadline            2027-01-31 · in 2 months
      Depends on          #20003
      Blocks              #5, #7
      Keywords            crash, perf
      Whiteboard          [p2]
      Flags               needinfo? requested from bob@example.org by
                          alice@example.org 3 days ago
                          approval+ by alice@example.org 3 days ago
      URL                 http://example.org/?a=1&b=2
      See also            https://bugs.example.org/show_bug.cgi?id=123456
      Time                5.5 h estimated · 1.5 h worked · 4 h left
      My tags             mine
      Crash Signature     [@ a::b]
                          [@ c::d]
      Affected platforms  desktop, tv
      Due date            2027-02-28
      Tracking            yes
      Upstream bug        #20003
      Seen at             18 days ago · 2026-11-01 12:34 UTC
      Points              8
      "
    `);
  });

  test.each([40, 80, 200])("fits %i columns", (width) => {
    const duplicate: Bug = { id: 7, summary: "so long that it ".repeat(9), resolution: "DUPLICATE", dupe_of: 1202 };
    const lines = `${card(EVERYTHING, { width })}${card(duplicate, { width })}`.split("\n");
    expect(lines.filter((line) => columnsOf(line) > width && !line.includes("://"))).toEqual([]);
  });
});

test("dependencies are shown with their state if it is known", () => {
  const known = new Map(BUGS.map((bug) => [bug.id ?? 0, bug]));
  const bug: Bug = { id: 9, summary: "Blocked", depends_on: [7, 1202, 8], blocks: [5] };
  expect(bugCard({ bug, related: known }, viewOf())).toMatchInlineSnapshot(`
    "#9  Blocked

    Depends on  #7 CONFIRMED Bookmarks vanish after an import of a file that an old…
                #1202 RESOLVED DUPLICATE 画面が黒くなる 👩‍❤️‍👨
                #8
    Blocks      #5
    "
  `);
});

test.each([
  ["2026-11-25", true, "2026-11-25 · in 5 days"],
  ["2026-11-01", true, "2026-11-01 · overdue"],
  ["2026-11-01", false, "2026-11-01"],
])("a deadline on %s of a bug that is open (%s) reads %s", (deadline, is_open, text) => {
  expect(card({ id: 9, deadline, is_open })).toBe(`#9\n\nDeadline  ${text}\n`);
});

test.each([
  [true, true, "seen by members of a and b, and by the reporter and CC"],
  [true, false, "seen by members of a and b, and by the reporter"],
  [false, true, "seen by members of a and b, and by CC"],
  [false, false, "seen by members of a and b only"],
])("who can see a restricted bug (reporter %s, CC %s)", (is_creator_accessible, is_cc_accessible, text) => {
  const bug: Bug = { id: 9, groups: ["a", "b"], is_creator_accessible, is_cc_accessible };
  expect(card(bug)).toBe(`#9\n\nRestricted  ${text}\n`);
});

test("a long CC list is shortened with a count", () => {
  const cc = Array.from({ length: 30 }, (_, at) => `user${at}@example.org`);
  expect(card({ id: 9, cc }, { width: 400 })).toContain("user11@example.org, and 18 more");
});

test("a very long label is cut, to leave room for its value", () => {
  const fields = [
    { ...FIELDS[0], name: "cf_long", display_name: "A display name that goes on and on" },
  ] as typeof FIELDS;
  expect(bugCard({ bug: { id: 9, cf_long: "x" }, fields }, viewOf())).toBe("#9\n\nA display name that goe…  x\n");
});

test.each([40, 80])("a bug on a small screen of %i columns has every fact in full, on lines that fit", (width) => {
  const { facts } = bugBrief({ bug: EVERYTHING, fields: FIELDS }, 3, viewOf({ terminal: true, width }));
  for (const line of facts.split("\n")) expect(columnsOf(line)).toBeLessThanOrEqual(width);
  const whole = facts.replaceAll("\n", " ");
  for (const fact of [
    "Firefox › General",
    "assignee Alice Example",
    "3 comments",
    "bob@example.org by alice@example.org",
  ])
    expect(whole).toContain(fact);
});
