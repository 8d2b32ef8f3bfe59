import { expect, test } from "vitest";
import { type BugWrite, planUndo, type UndoContext } from "../../../src/api/undo/undo.ts";
import type { Bug } from "../../../src/wire/bug-fields.ts";
import type { Flag } from "../../../src/wire/resources.ts";
import { exampleCatalog } from "../example-catalog.ts";

const ME = "ada@example.org";
const WHEN = "2026-11-20T12:00:00Z";
const LATER = "2026-11-21T00:00:00Z";

const FLAG: Flag = {
  ...{ id: 7, name: "review", type_id: 3, status: "?", setter: ME, requestee: "mei@example.org" },
  ...{ creation_date: WHEN, modification_date: WHEN },
};

const BUG: Bug = {
  ...{ id: 12, product: "Firefox", status: "RESOLVED", resolution: "FIXED", dupe_of: null, summary: "Crash" },
  ...{ version: "121", whiteboard: "[x]", estimated_time: 5, deadline: "2026-12-24", is_cc_accessible: false },
  ...{ cc: ["mei@example.org", "sam@example.org"], depends_on: [3, 4], groups: ["core-security"], flags: [FLAG] },
  ...{
    see_also: ["https://bugs.example.org/show_bug.cgi?id=5"],
    keywords: ["crash"],
    alias: ["crash"],
    cf_platforms: ["A, B"],
  },
  ...{ cf_seen_at: LATER, last_change_time: LATER },
};

/** A write by its changes, `removed|added` by field, with the bug before and the body. */
function write(changes: Readonly<Record<string, string>>, before: object = {}, body: object = {}): BugWrite {
  const sides = Object.entries(changes).map(([name, text]) => {
    const [removed = "", added = ""] = text.split("|");
    return [name, { removed, added }];
  });
  return { before: { ...before }, body: { ...body }, changes: Object.fromEntries(sides), time: WHEN };
}

/** The undo of writes, in short: bodies, and what is kept with the reason. */
function undone(writes: readonly BugWrite[], more: Partial<UndoContext> = {}) {
  const { body, next, kept } = planUndo(writes, { bug: BUG, catalog: exampleCatalog, comment: {}, ...more });
  return [body, ...[next ?? []].flat(), ...kept.map((one) => `${one.field}: ${one.reason}`)];
}

test.each<[string, BugWrite, object]>([
  ["a text", write({ whiteboard: "cut|[x]" }, { whiteboard: "x".repeat(300) }), { whiteboard: "x".repeat(300) }],
  [
    "a text stored as it was sent",
    write({ whiteboard: "|cut" }, { whiteboard: "" }, { whiteboard: "[x]" }),
    { whiteboard: "" },
  ],
  ["hours", write({ estimated_time: "2.50|5.00" }, { estimated_time: 2.5 }), { estimated_time: 2.5 }],
  ["hours that were not read", write({ estimated_time: "2.50|5.00" }), { estimated_time: 2.5 }],
  ["a day with a time", write({ deadline: "|2026-12-24 00:00:00" }, { deadline: null }), { deadline: "" }],
  [
    "a time, by the last change of its bug: it is recorded in the tracker's zone",
    { ...write({ cf_seen_at: "|2026-11-21 01:00:00" }, { cf_seen_at: "" }), time: LATER },
    { cf_seen_at: "" },
  ],
  ["yes or no", write({ is_cc_accessible: "1|0" }), { is_cc_accessible: true }],
  [
    "items of a list, whatever was added and removed since",
    write(
      { cc: "priya@example.org|mei@example.org" },
      { cc: ["priya@example.org"] },
      { cc: { add: ["Mei@example.org"], remove: ["priya@example.org"] } },
    ),
    { cc: { add: ["priya@example.org"], remove: ["mei@example.org"] } },
  ],
  [
    "numbers in a list",
    write({ depends_on: "9|3" }, { depends_on: [4, 9] }, { depends_on: { set: [3, 4] } }),
    { depends_on: { add: [9], remove: [3] } },
  ],
  [
    "a list of items with commas",
    write({ cf_platforms: "A|A, B" }, { cf_platforms: ["A"] }, { cf_platforms: ["A, B"] }),
    { cf_platforms: { add: ["A"], remove: ["A, B"] } },
  ],
  [
    "an alias that was sent as a text",
    write({ alias: "old|crash" }, { alias: ["old"] }, { alias: "crash" }),
    { alias: { add: ["old"], remove: ["crash"] } },
  ],
  [
    "an address that is stored in another form",
    write({ see_also: "|https://bugs.example.org/show_bug.cgi?id=5" }, { see_also: [] }, { see_also: { add: ["5"] } }),
    { see_also: { remove: ["https://bugs.example.org/show_bug.cgi?id=5"] } },
  ],
  [
    "a set flag",
    write(
      { "flagtypes.name": "|review?(mei@example.org)" },
      { flags: [] },
      { flags: [{ name: "review", status: "?", requestee: "mei@example.org" }] },
    ),
    { flags: [{ id: 7, status: "X" }] },
  ],
  [
    "a new requestee",
    write(
      { flags: "a|b" },
      { flags: [{ ...FLAG, requestee: "sam@example.org" }] },
      { flags: [{ id: 7, status: "?", requestee: "mei@example.org" }] },
    ),
    { flags: [{ id: 7, status: "?", requestee: "sam@example.org" }] },
  ],
  [
    "a cleared flag",
    write({ flags: "a|" }, { flags: [{ ...FLAG, id: 6, name: "needinfo" }] }, { flags: [{ id: 6, status: "X" }] }),
    { flags: [{ type_id: 3, status: "?", requestee: "mei@example.org" }] },
  ],
])("restored: %s", (_, past, body) => {
  expect(undone([past])).toEqual([body]);
});

test("status, resolution and original go back together, by an allowed way", () => {
  expect(undone([write({ status: "CONFIRMED|RESOLVED", resolution: "|FIXED", is_confirmed: "0|1" })])).toEqual([
    { status: "CONFIRMED" },
  ]);
  expect(undone([write({ status: "IN_PROGRESS|RESOLVED", resolution: "|FIXED" })])).toEqual([
    { status: "CONFIRMED" },
    { status: "IN_PROGRESS" }, // a second update
  ]);
  const bug = { ...BUG, status: "CONFIRMED", resolution: "" };
  const reopened = { status: "RESOLVED|CONFIRMED", resolution: "DUPLICATE|" };
  expect(undone([write(reopened)], { bug })).toEqual([{}, "status: the original of the duplicate is unknown"]);
  expect(undone([write({ ...reopened, dupe_of: "5|" })], { bug })).toEqual([
    { status: "RESOLVED", resolution: "DUPLICATE", dupe_of: 5 },
  ]);
});

test("of two writes to a bug, texts are undone as one, and items of lists are not", () => {
  const first = write({ cc: "|mei@example.org", url: "|a" }, { cc: [], url: "" });
  const second = write({ cc: "|sam@example.org", url: "a|b" }, { cc: ["mei@example.org"], url: "a" });
  expect(undone([first, second], { bug: { ...BUG, url: "b" } })).toEqual([
    { url: "" },
    "cc: its items before are unknown",
  ]);
});

test.each<[string, BugWrite]>([
  ['whiteboard: it was changed since; it is now "[x]", not "[y]"', write({ whiteboard: "|[y]" })],
  [`cf_seen_at: it was changed since; it is now "${LATER}", not "2026-11-21"`, write({ cf_seen_at: "|2026-11-21" })],
  ['summary: it was changed since; it is now "Crash", not "Cra  sh"', write({ summary: "a|Cra  sh" })],
  [
    'status: resolution was changed since; it is now "FIXED", not "INVALID"',
    write({ status: "CONFIRMED|RESOLVED", resolution: "|INVALID" }),
  ],
  ["flags: review+ was changed since", write({ flags: "a|b" }, { flags: [FLAG] }, { flags: [{ id: 7, status: "+" }] })],
  ["work_time: hours stay", write({}, {}, { work_time: 2 })],
  ["comment: comments stay", write({}, {}, { comment: { body: "Text" } })],
  ["creator: it cannot be set", write({ creator: "a|b" })],
  ['product: was "Toolkit"; product moves are not undone', write({ product: "Toolkit|Firefox" })],
  ["url: it cannot be set", write({ url: "a|b" })],
])("named as not undone: %s", (reason, past) => {
  const bug = past.changes["url"] ? { ...BUG, url: { name: "b" } as unknown as string } : BUG;
  const now = reason.startsWith("flags: review") ? { ...bug, flags: [{ ...FLAG, status: "-" }] } : bug;
  expect(undone([past], { bug: now })).toEqual([{}, reason]);
});

test("a duplicate's comment and CC at its original are named", () => {
  const bug = { ...BUG, resolution: "DUPLICATE", dupe_of: 46 };
  const [, ...kept] = undone([write({ status: "CONFIRMED|RESOLVED", resolution: "|DUPLICATE", dupe_of: "|46" })], {
    bug,
  });
  expect(kept).toEqual(["dupe_of: bug 46 keeps the duplicate comment and its new CC users"]);
});

test("values that are back already need nothing", () => {
  expect(
    undone([
      write({ whiteboard: "[x]|[y]", estimated_time: "5.00|7", status: "RESOLVED|CONFIRMED", resolution: "FIXED|" }),
    ]),
  ).toEqual([{}]);
  expect(undone([write({ flags: "|a" }, { flags: [] }, { flags: [{ name: "landing", status: "+" }] })])).toEqual([{}]);
});
