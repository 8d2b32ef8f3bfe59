import { expect, test } from "vitest";
import { lostEdits } from "../../../src/api/write/lost-edits.ts";
import type { Json, JsonObject } from "../../../src/wire/exchange.ts";

type Row = readonly [removed: string, added: string];
type Own = { edit: JsonObject; row?: Row };

const LEGAL = ["camera", "card reader", "phone"];

/** What a bug lacks: own edits with the change that each response reports, the rows of its history, and its value now. */
function lostOf(own: Own[], rows: readonly Row[], value: Json, field = "whiteboard"): unknown {
  const applied = own.map(({ edit, row }) => ({
    bug: {},
    body: { [field]: edit },
    changes: row ? { [field]: { removed: row[0], added: row[1] } } : {},
  }));
  const history = rows.map(([removed, added]) => ({ field_name: field, removed, added }));
  return lostEdits({ applied, history, now: { [field]: value } }, () => LEGAL)[field];
}

/** An edit that adds [1], or removes x, with the change that its response reports. */
const adds = (...row: Row) => [{ edit: { add: ["[1]"] }, row }];
const removes = (...row: Row) => [{ edit: { remove: ["x"] }, row }];
const missing = (...add: string[]) => ({ add, remove: [] });
const back = (...remove: string[]) => ({ add: [], remove });

test.each<[string, Own[], readonly Row[], string, unknown]>([
  ["is all there", adds("", "[1]"), [["", "[1]"]], "[1]", undefined],
  [
    "overlapped, as no row shows",
    adds("", "[1]"),
    [
      ["", "[2]"],
      ["", "[1]"],
    ],
    "[1]",
    missing("[2]"),
  ],
  [
    "overlapped, as its row shows",
    adds("[2]", "[1]"),
    [
      ["", "[2]"],
      ["[2]", "[1]"],
    ],
    "[1]",
    missing("[2]"),
  ],
  [
    "overlapped twice",
    adds("", "[1]"),
    [
      ["", "[3]"],
      ["", "[2]"],
      ["", "[1]"],
    ],
    "[1]",
    missing("[3]", "[2]"),
  ],
  [
    "was overwritten",
    adds("", "[1]"),
    [
      ["", "[1]"],
      ["", "[2]"],
    ],
    "[2]",
    missing("[1]"),
  ],
  [
    "was overwritten, as a row shows",
    adds("", "[1]"),
    [
      ["", "[1]"],
      ["[1]", "[2]"],
    ],
    "[2]",
    missing("[1]"),
  ],
  ["has one row with another of that second", adds("", "[1]"), [["", "[1] [2]"]], "[2]", missing("[1]")],
  ["has one row with what it overwrote", adds("[2]", "[1]"), [["[2]", "[2] [1]"]], "[1]", missing("[2]")],
  [
    "comes with what was taken back",
    adds("", "[1]"),
    [
      ["", "[2]"],
      ["[2]", ""],
      ["", "[1]"],
    ],
    "[1]",
    undefined,
  ],
  [
    "undid a removal",
    adds("x", "x [1]"),
    [
      ["x", ""],
      ["x", "x [1]"],
    ],
    "x [1]",
    back("x"),
  ],
  [
    "undid a removal, as its row shows",
    adds("", "x [1]"),
    [
      ["x", ""],
      ["", "x [1]"],
    ],
    "x [1]",
    back("x"),
  ],
  ["undid a removal that no row shows", adds("", "x [1]"), [["", "x [1]"]], "x [1]", back("x")],
  [
    "removed in vain",
    removes("x y", "y"),
    [
      ["x y", "y"],
      ["x y", "x y z"],
    ],
    "x y z",
    back("x"),
  ],
  [
    "is followed by one that restored",
    adds("", "[1]"),
    [
      ["", "[1]"],
      ["[1]", "[2]"],
      ["", "[1]"],
    ],
    "[1] [2]",
    undefined,
  ],
  [
    "came before rows out of order",
    adds("", "[1]"),
    [
      ["", "[2]"],
      ["[2]", "[1]"],
      ["", "[1]"],
    ],
    "[1] [2]",
    undefined,
  ],
  ["is not in the history", adds("[2]", "[1]"), [], "[1]", missing("[2]")],
])("an edit that %s", (_, own, rows, value, lost) => {
  expect(lostOf(own, rows, value)).toEqual(lost);
});

test("an edit of a list: items of the history are legal ones, whole", () => {
  const own: Own[] = [{ edit: { add: ["phone"], remove: ["camera"] }, row: ["camera", "phone"] }];
  const rows: Row[] = [
    ["", "card reader"],
    ["camera", "phone"],
    ["", "old, worn"],
  ];
  expect(lostOf(own, rows, ["phone"], "cf_devices")).toEqual(missing("card reader"));
  expect(lostOf(own, rows, ["camera", "card reader"], "cf_devices")).toEqual({ add: ["phone"], remove: ["camera"] });
});

test("edits that were sent to restore count as they were meant, too", () => {
  const own: Own[] = [...adds("", "[1]"), { edit: { add: ["[2]"] }, row: ["[1] [3]", "[1] [2]"] }];
  const rows: Row[] = [
    ["", "[2]"],
    ["", "[1]"],
    ["[1]", "[1] [3]"],
    ["[1] [3]", "[1] [2]"],
  ];
  expect(lostOf(own, rows, "[1] [2]")).toEqual(missing("[3]"));
});

test("a value that is set as a whole, and answers to flag requests, are not restored", () => {
  expect(lostOf([{ edit: { set: ["phone"] }, row: ["camera", "phone"] }], [], ["camera"], "cf_devices")).toBe(
    undefined,
  );
  expect(lostOf([{ edit: { add: ["x"] } }], [], "", "flags")).toBe(undefined);
});
