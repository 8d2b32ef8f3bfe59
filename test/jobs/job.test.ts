import { describe, expect, test } from "vitest";
import type { JobEvent } from "../../src/api/delivery/write.ts";
import {
  attemptRequest,
  attemptWrite,
  type JobHead,
  jobBugs,
  readJob,
  unresolvedAttempts,
} from "../../src/jobs/job.ts";
import { bugsLeft, isJobFinished } from "../../src/jobs/job-states.ts";
import type { Request } from "../../src/wire/exchange.ts";
import { POST, PUT } from "../api/delivery/demo-scene.ts";

const IDS = Array.from({ length: 30 }, (_, at) => at + 1);
const BULK = PUT("/rest/bug/1", { ids: IDS, priority: "High" });

function head(request: Request = BULK): JobHead {
  return { v: 1, job: "JOB", bt: "0.1.0", at: 0, origin: "https://bugs.example.org", request };
}

function sent(i: number, ids?: readonly number[]): JobEvent {
  return { st: "SENT", i, at: 0, since: "", ids };
}

const DONE = (i: number): JobEvent => ({ st: "DONE", i, answer: {} });
const FAILED = (i: number): JobEvent => ({ st: "FAILED", i, kind: "refused", message: "no" });
const UNKNOWN = (i: number): JobEvent => ({ st: "UNKNOWN", i, kind: "unknown", message: "lost" });

function job(events: readonly (JobEvent | string)[], first: unknown = head()) {
  return readJob([first, ...events].map((line) => (typeof line === "string" ? line : JSON.stringify(line))));
}

/** A job that can be read. */
function readable(events: readonly (JobEvent | string)[], request?: Request) {
  const read = job(events, head(request));
  if (read === undefined) throw new Error("the head cannot be read");
  return read;
}

test.each([
  ["nothing", ""],
  ["invalid JSON", "{"],
  ["another version", { ...head(), v: 2 }],
  ["no request", { ...head(), request: undefined }],
])("a journal that begins with %s is rejected", (_, first) => {
  expect(job([], first)).toBeUndefined();
});

describe("a journal is damaged by", () => {
  test.each<[string, readonly (JobEvent | string)[], boolean]>([
    ["nothing", [sent(0), DONE(0)], false],
    ["an unreadable line", [sent(0), "noise", DONE(0)], true],
    ["an unknown event", [sent(0), '{"st":"OTHER","i":0}'], true],
    ["an outcome without its request", [DONE(0)], true],
    ["not by a last line that was cut off by a kill", [sent(0), '{"st":"DO'], false],
  ])("%s", (...[, events, isDamaged]) => {
    expect(readable(events).isDamaged).toBe(isDamaged);
  });
});

test("an attempt that was sent twice keeps its first time and has no outcome yet", () => {
  const [attempt] = readable([sent(0), UNKNOWN(0), { st: "SENT", i: 0, at: 9, since: "" }]).attempts;
  expect([attempt?.sent.at, attempt?.end]).toEqual([0, undefined]);
});

test("attempts without outcome or with an unknown one are unresolved", () => {
  const read = readable([sent(0, [1]), DONE(0), sent(1, [2]), UNKNOWN(1), sent(2, [3]), FAILED(2), sent(3, [4])]);
  expect(unresolvedAttempts(read).map(({ sent: { i } }) => i)).toEqual([1, 3]);
});

test("applied and unchanged bugs are not pending", () => {
  const read = readable([sent(0, [1, 2]), DONE(0), sent(1, [3]), FAILED(1), { st: "LEFT", i: 2, ids: [4] }]);
  expect(bugsLeft(read)).toEqual(IDS.filter((id) => ![1, 2, 4].includes(id)));
});

describe("a job is finished", () => {
  const ONE = PUT("/rest/bug/1", { ids: [1], priority: "High" });
  test.each<[string, readonly (JobEvent | string)[], Request, boolean]>([
    ["once its only request was applied", [sent(0), DONE(0)], ONE, true],
    ["once it was refused", [sent(0), FAILED(0)], ONE, true],
    ["but not while its outcome is unknown", [sent(0), UNKNOWN(0)], ONE, false],
    ["but not while it is in flight", [sent(0)], ONE, false],
    ["but not when its journal is damaged", [sent(0), "noise", DONE(0)], ONE, false],
    ["but not while bugs of a bulk update are pending", [sent(0, [1]), DONE(0)], BULK, false],
    ["once all bugs of a bulk update are applied", [sent(0, IDS), DONE(0)], BULK, true],
  ])("%s", (...[, events, request, isFinished]) => {
    expect(isJobFinished(readable(events, request))).toBe(isFinished);
  });
});

test("only bug updates have bugs", () => {
  expect(jobBugs(head())).toEqual(IDS);
  expect(jobBugs(head(POST("/rest/bug/1/comment", { ids: [1] })))).toEqual([]);
  expect(jobBugs(head(PUT("/rest/group/1", { ids: [1] })))).toEqual([]);
});

test("the request of an attempt is the request of its job, limited to its own bugs", () => {
  expect(attemptRequest(head(), {})).toBe(BULK);
  expect(attemptRequest(head(), { ids: [3, 4] })).toEqual({
    ...BULK,
    path: "/rest/bug/3",
    body: { ids: [3, 4], priority: "High" },
  });
});

test("an edit of a list stays one where the state before is unknown: a plain list would replace the others", () => {
  const regressions = { add: [5] };
  const update = PUT("/rest/bug/3", { ids: [3, 4], regressions });
  expect(attemptRequest(head(update), { ids: [4] }).body).toEqual({ regressions });
});

test("the write of an attempt has its own bugs, with their state before", () => {
  const before = [{ id: 8, priority: "Low" }];
  const read = readable([{ ...sent(0, [8]), before, ifMatch: "token" } as JobEvent]);
  expect(read.attempts.map((attempt) => attemptWrite(read, attempt))).toEqual([
    { request: PUT("/rest/bug/8", { priority: "High" }), before, ifMatch: "token" },
  ]);
});
