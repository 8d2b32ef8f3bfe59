import { expect, test } from "vitest";
import { previewChanges } from "../../../src/api/write/changes.ts";
import type { JsonObject } from "../../../src/wire/exchange.ts";
import type { Changes } from "../../../src/wire/resources.ts";

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
