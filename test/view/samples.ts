import type { View } from "../../src/view/view.ts";
import type { Bug } from "../../src/wire/bug-fields.ts";
import type { Field } from "../../src/wire/resources.ts";

/** A view of a fixed moment in UTC; what a test is about is changed in it. */
export function viewOf(changes: Partial<View> = {}): View {
  return {
    terminal: true,
    color: false,
    width: changes.terminal === false ? Infinity : 80,
    now: new Date("2026-11-20T12:00:00Z"),
    timeZone: "UTC",
    ...changes,
  };
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
