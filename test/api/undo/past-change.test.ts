import { expect, test } from "vitest";
import type { Job } from "../../../src/api/delivery/journal.ts";
import { chosenChange, historyChanges, jobChanges, type PastChange } from "../../../src/api/undo/past-change.ts";
import type { FieldChange } from "../../../src/wire/resources.ts";

const WHEN = "2026-11-20T12:00:00Z";

function doubts(...changes: readonly FieldChange[]) {
  const [change] = historyChanges(12, [{ when: WHEN, who: "ada@example.org", changes }], () => true);
  return change?.fields.map(({ field, doubt }) => [field, doubt]);
}

test("texts of a history are in doubt where it merges changes or has split a value", () => {
  const whiteboard = { field_name: "whiteboard", removed: "", added: "x".repeat(250) };
  expect(doubts(whiteboard)).toEqual([["whiteboard", undefined]]);
  expect(doubts({ ...whiteboard, removed: "x".repeat(251) })).toEqual([
    ["whiteboard", "too long for the history to be exact"],
  ]);
  expect(doubts(whiteboard, { ...whiteboard, added: "y" })).toEqual([
    ["whiteboard", "the history merges several changes"],
  ]);
  const flag = { field_name: "flagtypes.name", removed: "", added: "review?" };
  expect(doubts(flag, { ...flag, attachment_id: 3 })).toEqual([
    ["flagtypes.name", undefined],
    ["flagtypes.name", undefined],
  ]);
});

function change(when: string, job?: string): PastChange {
  return { bug: 12, when, who: "ada@example.org", job, fields: [] };
}

test("the newest change is chosen; a job replaces the entry of its second", () => {
  const told = [change("2026-11-20T12:00:00Z"), change("2026-11-20T13:00:00Z")];
  const jobs = [change("2026-11-20T13:00:00Z", "first"), change("2026-11-20T13:00:00Z", "second")];
  const jobAt = (choice: Parameters<typeof chosenChange>[2]) => chosenChange(told, jobs, choice);
  expect(jobAt({ place: 1 })?.job).toBe("second");
  expect(jobAt({ place: 2 })?.job).toBe("first");
  expect(jobAt({ place: 3 })).toEqual(told[0]);
  expect(jobAt({ place: 4 })).toBeUndefined();
  expect(jobAt({ when: "2026-11-20T13:00:00.000Z" })?.job).toBe("second");
  expect(chosenChange(told, [], { place: 1 })).toEqual(told[1]);
});

function job(sent: object, body: object): Job {
  const answer = {
    bugs: [
      { id: 12, alias: [], last_change_time: WHEN, changes: { whiteboard: { removed: "x".repeat(300), added: "" } } },
    ],
  };
  const request = {
    operation: "Update Bug" as const,
    method: "PUT",
    path: "/rest/bug/12",
    query: [],
    body: { ids: [12], ...body },
  };
  const attempt = { st: "SENT" as const, i: 0, at: 0, since: "", ...sent };
  return {
    head: { v: 1, job: "J", bt: "0", at: 0, origin: "https://bugs.example.org", request },
    attempts: [{ sent: attempt, end: { st: "DONE", i: 0, answer } }],
    ...{ left: [], isDamaged: false },
  } as Job;
}

test.each([
  [{ whiteboard: "" }, false],
  [{ whiteboard: "", comment: { body: "Cleared." } }, true],
  [{ dupe_of: 7 }, true],
])("a job with %o knows whether it added a comment: %s", (body, hasComment) => {
  expect(jobChanges(job({}, body), "ada@example.org")).toMatchObject([{ hasComment }]);
});

test("a job gives the values that it has kept; one of an older bt, which kept none, gives those of the response", () => {
  const before = [{ id: 12, whiteboard: "the whole text" }];
  const kept = jobChanges(job({ before }, { whiteboard: "" }), "ada@example.org");
  expect(kept).toMatchObject([
    {
      bug: 12,
      when: WHEN,
      who: "ada@example.org",
      job: "J",
      fields: [{ field: "whiteboard", before: "the whole text", sent: "" }],
    },
  ]);
  const [old] = jobChanges(job({}, { whiteboard: "" }), "ada@example.org");
  expect(old?.fields).toMatchObject([{ before: undefined, doubt: "too long for the history to be exact" }]);
});

test("hours of a job are part of its change, though the response does not report them", () => {
  const [change] = jobChanges(job({}, { work_time: 2 }), "ada@example.org");
  expect(change?.fields.map(({ field }) => field)).toEqual(["whiteboard", "work_time"]);
});
