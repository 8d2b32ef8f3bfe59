import { expect, test } from "vitest";
import type { Job } from "../../src/jobs/job.ts";
import { jobChanges } from "../../src/jobs/past-changes.ts";

const WHEN = "2026-11-20T12:00:00Z";

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
  return {
    head: { v: 2, job: "J", bt: "0", at: 0, tracker: "https://bugs.example.org", command: "bug update" },
    writes: [{ n: 0, isSent: true, request, ...sent, outcome: { st: "applied", response: answer } }],
    isDamaged: false,
  };
}

test.each([
  [{ whiteboard: "" }, false],
  [{ whiteboard: "", comment: { body: "Cleared." } }, true],
  [{ dupe_of: 7 }, true],
])("a job with %o knows whether it added a comment: %s", (body, hasComment) => {
  expect(jobChanges(job({}, body))).toMatchObject([{ hasComment }]);
});

test("a job gives the values that it kept", () => {
  const before = [{ id: 12, whiteboard: "the whole text" }];
  expect(jobChanges(job({ before }, { whiteboard: "" }))).toMatchObject([
    {
      ...{ bug: 12, when: WHEN, who: undefined, job: "J" },
      fields: [{ field: "whiteboard", before: "the whole text", sent: "" }],
    },
  ]);
});

test("hours of a job are part of its change, though the response does not report them", () => {
  const [change] = jobChanges(job({}, { work_time: 2 }));
  expect(change?.fields.map(({ field }) => field)).toEqual(["whiteboard", "work_time"]);
});
