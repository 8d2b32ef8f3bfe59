import type { View } from "../../src/view/view.ts";
import type { Bug } from "../../src/wire/bug-fields.ts";
import type { Field } from "../../src/wire/resources.ts";

/** A view of a fixed moment in UTC; what a test is about is changed in it. */
export function viewOf(changes: Partial<View> = {}): View {
  return {
    terminal: true,
    color: false,
    width: 80,
    now: new Date("2026-11-20T12:00:00Z"),
    timeZone: "UTC",
    ...changes,
  };
}

/** Makes colour codes readable in a snapshot. */
export function marked(text: string): string {
  return text.replaceAll("\u001b[", "‹").replace(/(‹[0-9;]+)m/g, "$1›");
}

const custom = {
  is_custom: true,
  is_mandatory: false,
  is_on_bug_entry: true,
  visibility_field: null,
  visibility_values: [],
};

export const FIELDS: readonly Field[] = [
  { ...custom, id: 60, type: 4, name: "cf_crash_signature", display_name: "Crash Signature" },
  {
    ...custom,
    id: 61,
    type: 3,
    name: "cf_platforms",
    display_name: "Affected platforms",
    values: [{ name: "desktop" }, { name: "phone, small" }, { name: "tv" }],
  },
  { ...custom, id: 62, type: 9, name: "cf_due", display_name: "Due date" },
  {
    ...custom,
    id: 63,
    type: 2,
    name: "cf_tracking",
    display_name: "Tracking",
    values: [{ name: "---" }, { name: "yes" }],
  },
  { ...custom, id: 65, type: 6, name: "cf_upstream", display_name: "Upstream bug" },
  { ...custom, id: 66, type: 5, name: "cf_seen_at", display_name: "Seen at" },
  { ...custom, id: 67, type: 10, name: "cf_points", display_name: "Points" },
];

export const BUGS: readonly Bug[] = [
  {
    id: 7,
    status: "CONFIRMED",
    resolution: "",
    is_open: true,
    priority: "Highest",
    severity: "critical",
    product: "Firefox",
    component: "Bookmarks",
    assigned_to: "alice@example.org",
    last_change_time: "2026-11-20T09:00:00Z",
    summary: "Bookmarks vanish after an import of a file that an older version has written",
  },
  {
    id: 1202,
    status: "RESOLVED",
    resolution: "DUPLICATE",
    is_open: false,
    priority: "---",
    severity: "normal",
    product: "Firefox",
    component: "New Tab, Start/Home & More",
    assigned_to: "nobody@example.org",
    last_change_time: "2026-08-14T23:14:58Z",
    summary: "画面が黒くなる 👩‍❤️‍👨",
  },
  {
    id: 20002,
    status: "IN_PROGRESS",
    resolution: "",
    is_open: true,
    priority: "Low",
    severity: "enhancement",
    product: "Toolkit",
    component: "General",
    assigned_to: "bob@example.org",
    last_change_time: "2024-02-01T00:00:00Z",
    summary: 'Tabs\tand \u001b[31mescapes\u001b[0m, "quotes" | bars\\',
  },
];

const alice = { id: 2, name: "alice@example.org", real_name: "Alice Example", email: "alice@example.org" };
const bob = { id: 3, name: "bob@example.org", real_name: "Bob Example", email: "bob@example.org" };
const flag = {
  creation_date: "2026-11-17T09:58:07Z",
  modification_date: "2026-11-17T10:58:07Z",
  setter: "alice@example.org",
};

/** A bug in which every field is set. */
export const EVERYTHING: Bug = {
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

/** A bug in which nothing is set that can be left out, as a tracker answers it. */
export const NOTHING: Bug = {
  ...EVERYTHING,
  id: 7,
  alias: [],
  summary: "Nothing set, but a summary that is so long that it does not fit on one line of a narrow terminal",
  status: "RESOLVED",
  resolution: "DUPLICATE",
  is_open: false,
  dupe_of: 1202,
  target_milestone: "---",
  priority: "---",
  severity: "normal",
  platform: "All",
  op_sys: "All",
  qa_contact: "",
  qa_contact_detail: null,
  cc: [],
  cc_detail: [],
  deadline: null,
  depends_on: [],
  blocks: [],
  keywords: [],
  groups: [],
  flags: [],
  see_also: [],
  url: "",
  whiteboard: "",
  estimated_time: 0,
  actual_time: 0,
  remaining_time: 0,
  tags: [],
  cf_tracking: "---",
  cf_platforms: [],
  cf_upstream: null,
  cf_crash_signature: "",
  cf_due: null,
  cf_seen_at: null,
  cf_points: "",
};
