import { expect, test } from "vitest";
import {
  readAttachments,
  readBugComments,
  readBugs,
  readFields,
  readGroups,
  readHistories,
} from "../../../src/api/response/response-objects.ts";
import type { Json } from "../../../src/wire/exchange.ts";

function entry(facts: Json) {
  return { bugs: [{ id: 1, alias: [], history: [facts] }] };
}

test.each<[string, (answer: Json) => unknown, Json]>([
  ["a bug with an object as summary", readBugs, { bugs: [{ id: 1, summary: {} }] }],
  ["a bug with text as list", readBugs, { bugs: [{ id: 1, keywords: "crash" }] }],
  ["a bug with a flag without status", readBugs, { bugs: [{ id: 1, flags: [{ name: "review" }] }] }],
  ["a bug without an id", readBugs, { bugs: [{ summary: "Import stops" }] }],
  ["an entry without changes", readHistories, entry({ when: "2026-03-01T00:00:00Z", who: "a@example.org" })],
  ["a change without a field", readHistories, entry({ when: "", who: "", changes: [{ removed: "", added: "" }] })],
  ["a legal value named by a number", readFields, { fields: [{ name: "priority", values: [{ name: 7 }] }] }],
  ["a group without an id", readGroups, { groups: [{ name: "staff" }] }],
  ["members that are not a list", readGroups, { groups: [{ id: 1, name: "staff", membership: {} }] }],
  ["flags of an attachment that are no list", readAttachments, { attachments: { 3: { id: 3, flags: {} } } }],
  ["a comment that is null", readBugComments, { bugs: { 1: { comments: [null] } } }],
  ["a comment of another bug", readBugComments, { bugs: { 1: { comments: [{ id: 7, bug_id: 2 }] } } }],
])("%s is an unexpected shape", (_, read, answer) => {
  expect(() => read(answer)).toThrow(/unexpected response/);
});

test("hours in a history are text, also where a tracker has them as numbers", () => {
  const changes = [{ field_name: "estimated_time", removed: 0, added: 2.5 }];
  const [bug] = readHistories(entry({ when: "2026-03-01T00:00:00Z", who: "a@example.org", changes }));
  expect(bug?.history[0]?.changes).toEqual([{ field_name: "estimated_time", removed: "0", added: "2.5" }]);
});
