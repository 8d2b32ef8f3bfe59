import { describe, expect, test } from "vitest";
import { type UndoContext, undoChange } from "../../../src/api/undo/undo.ts";
import type { PastField } from "../../../src/api/write/past-change.ts";
import type { Bug } from "../../../src/wire/bug-fields.ts";
import type { Flag } from "../../../src/wire/bug-values.ts";
import { exampleCatalog } from "../example-catalog.ts";

const ME = "ada@example.org";
const WHEN = "2026-11-20T12:00:00Z";

const FLAG: Flag = {
  ...{ id: 7, name: "review", type_id: 3, status: "?", setter: ME, requestee: "mei@example.org" },
  ...{ creation_date: WHEN, modification_date: WHEN },
};

const BUG: Bug = {
  ...{ id: 12, product: "Firefox", status: "RESOLVED", resolution: "FIXED", dupe_of: null, summary: "Crash" },
  ...{ version: "121", whiteboard: "[x]", estimated_time: 5, deadline: "2026-12-24", is_cc_accessible: false },
  ...{ cc: ["mei@example.org", "sam@example.org"], depends_on: [3, 4], groups: ["core-security"], flags: [FLAG] },
};

/** The undo of one changed field, in short: the body, and what is left of the field with the reason. */
function undone(fields: readonly PastField[], more: Partial<UndoContext> & { readonly hasComment?: boolean } = {}) {
  const { hasComment = false, ...around } = more;
  const { body, finish, notUndone } = undoChange(
    { bug: 12, when: WHEN, who: ME, job: "J", command: "J", fields, hasComment },
    { bug: BUG, catalog: exampleCatalog, zones: ["UTC"], me: ME, comment: {}, ...around },
  );
  return [
    body,
    ...[finish ?? []].flat(),
    ...notUndone.map(({ field, reason, isCollision }) => `${isCollision ? "! " : ""}${field}: ${reason}`),
  ];
}

function field(name: string, removed: string, added: string): PastField {
  return { field: name, removed, added };
}

test.each<[string, PastField, object]>([
  ["a text", field("whiteboard", "", "[x]"), { whiteboard: "" }],
  ["hours", field("estimated_time", "2.50", "5.00"), { estimated_time: 2.5 }],
  ["a day that the history tells with a time", field("deadline", "", "2026-12-24 00:00:00"), { deadline: "" }],
  ["yes or no", field("is_cc_accessible", "1", "0"), { is_cc_accessible: true }],
  ["a value of the product", field("version", "120", "121"), { version: "120" }],
  [
    "items of a list",
    field("cc", "priya@example.org", "mei@example.org"),
    { cc: { add: ["priya@example.org"], remove: ["mei@example.org"] } },
  ],
  ["numbers in a list", field("depends_on", "9", "3, 4"), { depends_on: { add: [9], remove: [3, 4] } }],
  ["an added group", field("groups", "", "core-security"), { groups: { remove: ["core-security"] } }],
  ["a set flag", field("flagtypes.name", "", "review?(mei@example.org)"), { flags: [{ id: 7, status: "X" }] }],
  [
    "a new requestee",
    field("flagtypes.name", "review?(sam@example.org)", "review?(mei@example.org)"),
    { flags: [{ id: 7, status: "?", requestee: "sam@example.org" }] },
  ],
])("restored: %s", (_, past, body) => {
  expect(undone([past])).toEqual([body]);
});

test("fields are listed in one order, whatever that of the tracker", () => {
  const past = [
    field("cf_b", "1", "2"),
    field("whiteboard", "", "[x]"),
    field("status", "CONFIRMED", "RESOLVED"),
    field("deadline", "", "2026-12-24"),
    field("cf_a", "1", "2"),
    field("cc", "", "mei@example.org"),
  ];
  const bug = { ...BUG, cf_a: "2", cf_b: "2" };
  const orders = [past, past.toReversed()].map((fields) => Object.keys(Object(undone(fields, { bug })[0])));
  expect(orders).toEqual([0, 1].map(() => ["status", "cc", "deadline", "whiteboard", "cf_a", "cf_b"]));
});

test("status, resolution and duplicate go back together, by an allowed move", () => {
  const closed = [
    field("status", "CONFIRMED", "RESOLVED"),
    field("resolution", "", "FIXED"),
    field("is_confirmed", "0", "1"),
    field("cf_last_resolved", "", "2026-10-03 14:00:00"),
  ];
  expect(undone(closed)).toEqual([{ status: "CONFIRMED" }]);
  expect(undone([field("status", "IN_PROGRESS", "RESOLVED"), field("resolution", "", "FIXED")])).toEqual([
    { status: "CONFIRMED" },
    { status: "IN_PROGRESS" }, // a second update
  ]);
  const open = { ...BUG, status: "CONFIRMED", resolution: "" };
  const reopened = [field("status", "RESOLVED", "CONFIRMED"), field("resolution", "DUPLICATE", "")];
  expect(undone(reopened, { bug: open })).toEqual([{}, "status: the original of the duplicate is unknown"]);
  expect(undone([...reopened, field("dupe_of", "5", "")], { bug: open })).toEqual([
    { status: "RESOLVED", resolution: "DUPLICATE", dupe_of: 5 },
  ]);
  expect(undone([field("resolution", "WONTFIX", "FIXED")])).toEqual([{ resolution: "WONTFIX" }]);
});

describe("a field that was changed since is a collision", () => {
  test("of single values", () => {
    expect(undone([field("whiteboard", "", "[y]")])).toEqual([
      {},
      '! whiteboard: it was changed since; it is now "[x]", not "[y]"',
    ]);
    expect(undone([field("resolution", "", "INVALID"), field("status", "CONFIRMED", "RESOLVED")])).toEqual([
      {},
      '! resolution: it was changed since; it is now "FIXED", not "INVALID"',
    ]);
  });

  test("of flags", () => {
    expect(undone([field("flagtypes.name", "review?(mei@example.org)", "review+")])).toEqual([
      {},
      "! flags: review+ was changed since",
    ]);
  });

  test("but not of items of a list", () => {
    expect(undone([field("cc", "", "mei@example.org, priya@example.org")])).toEqual([
      { cc: { remove: ["mei@example.org"] } },
    ]);
  });
});

test("values that are back already need nothing", () => {
  const back = [
    field("whiteboard", "[x]", "[y]"),
    field("estimated_time", "5.00", "7"),
    field("status", "RESOLVED", "CONFIRMED"),
  ];
  expect(undone([...back, field("resolution", "FIXED", "")])).toEqual([{}]);
  expect(undone([field("flagtypes.name", "", "review+")], { bug: { ...BUG, flags: [] } })).toEqual([{}]);
});

test.each<[string, PastField, string]>([
  ["values that no longer exist", field("version", "12", "121"), 'version: "12" is no longer valid'],
  ["removed groups", field("groups", "staff", ""), 'groups: "staff" stays removed'],
  ["hours", field("work_time", "", "1.5"), "work_time: hours are kept"],
  [
    "flags of others",
    field("flagtypes.name", "needinfo?(ada@example.org)", ""),
    "flags: needinfo?(ada@example.org): its setter is unknown",
  ],
  ["fields that cannot be set", field("creator", "a", "b"), "creator: cannot be set"],
])("named as not undone: %s", (_, past, reason) => {
  expect(undone([past])).toEqual([{}, reason]);
});

test("a product move stays, with the values of its product; other fields go back", () => {
  const fields = [
    field("product", "Toolkit", "Firefox"),
    field("version", "1.0", "121"),
    field("whiteboard", "", "[x]"),
  ];
  expect(undone(fields)).toEqual([
    { whiteboard: "" },
    'product: was "Toolkit"; product moves are not undone',
    'version: was "1.0"; product moves are not undone',
  ]);
});

test("a cleared flag is restored only for the user who had set it", () => {
  const cleared = (setter: string) => {
    const before = [{ ...FLAG, name: "needinfo", requestee: "sam@example.org", setter }];
    return { ...field("flagtypes.name", "needinfo?(sam@example.org)", ""), before };
  };
  expect(undone([cleared(ME)])).toEqual([{ flags: [{ type_id: 3, status: "?", requestee: "sam@example.org" }] }]);
  expect(undone([cleared("mei@example.org")])).toEqual([
    {},
    "flags: needinfo?(sam@example.org) was set by mei@example.org, which cannot be restored",
  ]);
});

test("the value that a job has kept counts before the texts of the change", () => {
  const past = { ...field("whiteboard", "cut", "cut"), before: "the whole text", sent: "[x]" };
  expect(undone([past])).toEqual([{ whiteboard: "the whole text" }]);
});

test("a comment of the change stays, and is named", () => {
  expect(undone([field("whiteboard", "", "[x]")], { hasComment: true })).toEqual([
    { whiteboard: "" },
    "comment: comments are kept",
  ]);
});

test("flags are undone under both names of changes", () => {
  expect(undone([field("flags", "", "review?(mei@example.org)")])).toEqual([{ flags: [{ id: 7, status: "X" }] }]);
});

test.each(["cf_owner", "url"])("no object is made a text: %s", (name) => {
  const past = { ...field(name, "a", "b"), before: [{ name: "a" }] };
  const [body, ...rest] = undone([past], { bug: { ...BUG, [name]: [{ name: "b" }] } });
  expect([JSON.stringify(body), rest]).toEqual(["{}", [`${name}: it has no text`]]);
});
