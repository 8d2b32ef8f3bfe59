import { expect, test } from "vitest";
import { expectedChanges, previewChanges } from "../../../src/api/write/preview.ts";
import type { Bug } from "../../../src/wire/bug-fields.ts";
import type { JsonObject } from "../../../src/wire/exchange.ts";
import type { Changes } from "../../../src/wire/resources.ts";
import { exampleCatalog } from "../example-catalog.ts";

const BUG = {
  ...{ id: 7, priority: "Low", whiteboard: "a b", keywords: ["crash", "perf"], depends_on: [3], alias: ["x"] },
  ...{ deadline: null, is_cc_accessible: true, estimated_time: 2, cf_platforms: ["Linux"] },
  flags: [
    { id: 1, name: "review", type_id: 4, status: "?", requestee: "mei@example.org" },
    { id: 2, name: "landing", type_id: 5, status: "+" },
  ],
};

test.each<[what: string, body: JsonObject, changes: Changes]>([
  ["a value", { priority: "High" }, { priority: { removed: "Low", added: "High" } }],
  ["the value that it has", { priority: "Low" }, {}],
  ["a value that it had not", { deadline: "2026-12-24" }, { deadline: { removed: "", added: "2026-12-24" } }],
  ["a switch", { is_cc_accessible: false }, { is_cc_accessible: { removed: "1", added: "0" } }],
  ["an added item", { keywords: { add: ["easy"] } }, { keywords: { removed: "", added: "easy" } }],
  ["an item that it has in another letter case", { keywords: { add: ["Crash"] } }, {}],
  ["a removed item", { keywords: { remove: ["perf"] } }, { keywords: { removed: "perf", added: "" } }],
  ["an item to remove that it has not", { keywords: { remove: ["easy"] } }, {}],
  ["a whole list", { keywords: { set: ["perf", "easy"] } }, { keywords: { removed: "crash", added: "easy" } }],
  ["an emptied list", { depends_on: { set: [] } }, { depends_on: { removed: "3", added: "" } }],
  ["a list of a custom field", { cf_platforms: ["Linux", "macOS"] }, { cf_platforms: { removed: "", added: "macOS" } }],
  [
    "an edit of a custom field",
    { cf_platforms: { add: ["macOS"] } },
    { cf_platforms: { removed: "", added: "macOS" } },
  ],
  ["tokens of a text", { whiteboard: { add: ["c"], remove: ["a"] } }, { whiteboard: { removed: "a b", added: "b c" } }],
  ["what no response reports", { comment: { body: "Seen." }, reset_assigned_to: true, ids: [7] }, {}],
  [
    "a flag by name",
    { flags: [{ name: "landing", status: "-" }] },
    { "flagtypes.name": { removed: "landing+", added: "landing-" } },
  ],
  [
    "a cleared flag by id",
    { flags: [{ id: 1, status: "X" }] },
    { "flagtypes.name": { removed: "review?(mei@example.org)", added: "" } },
  ],
  [
    "another flag of the type",
    { flags: [{ name: "review", status: "+", new: true }] },
    { "flagtypes.name": { removed: "", added: "review+" } },
  ],
])("a preview of %s", (_, body, changes) => {
  expect(previewChanges(BUG as JsonObject, body)).toEqual(changes);
});

const OPEN: Bug = { id: 7, status: "CONFIRMED", resolution: "", is_confirmed: true, remaining_time: 4 };
const CLOSED: Bug = { id: 7, status: "VERIFIED", resolution: "DUPLICATE", dupe_of: 3, is_confirmed: true };

test.each<[what: string, bug: Bug, body: JsonObject, implied: string[]]>([
  ["closing", OPEN, { status: "RESOLVED", resolution: "FIXED" }, ["remaining_time: 4 -> 0"]],
  [
    "a duplicate",
    OPEN,
    { dupe_of: 3 },
    ["status: CONFIRMED -> RESOLVED", "resolution:  -> DUPLICATE", "remaining_time: 4 -> 0"],
  ],
  ["an original of a duplicate, which keeps its status", CLOSED, { dupe_of: 4 }, []],
  ["reopening", CLOSED, { status: "CONFIRMED" }, ["resolution: DUPLICATE -> ", "dupe_of: 3 -> "]],
  [
    "reopening as unconfirmed",
    CLOSED,
    { status: "UNCONFIRMED" },
    ["is_confirmed: 1 -> 0", "resolution: DUPLICATE -> ", "dupe_of: 3 -> "],
  ],
  ["another resolution", CLOSED, { resolution: "FIXED" }, ["dupe_of: 3 -> "]],
  ["the resolution that a duplicate has", CLOSED, { resolution: "DUPLICATE" }, []],
  ["another field of an open bug with hours left", OPEN, { priority: "High" }, []],
  ["work on an open bug", OPEN, { status: "IN_PROGRESS" }, []],
  ["hours worked", OPEN, { work_time: 0.9 }, ["remaining_time: 4 -> 3.1"]],
  ["hours worked, taken back", OPEN, { work_time: -1.5 }, ["remaining_time: 4 -> 5.5"]],
  ["more hours worked than are left", OPEN, { work_time: 6, status: "IN_PROGRESS" }, ["remaining_time: 4 -> 0"]],
  ["hours worked, with those left", OPEN, { work_time: 1, remaining_time: 4 }, []],
  ["hours worked by one who may not see them", CLOSED, { work_time: 1 }, []],
  ["hours taken back with closing", OPEN, { status: "RESOLVED", work_time: -2 }, ["remaining_time: 4 -> 0"]],
])("%s implies other changes", (_, bug, body, implied) => {
  const changes = Object.entries(expectedChanges(bug, body, exampleCatalog));
  const others = changes.filter(([name]) => body[name] === undefined);
  expect(others.map(([name, { removed, added }]) => `${name}: ${removed} -> ${added}`)).toEqual(implied);
});
