import { expect, test } from "vitest";
import { type Job, readJob } from "../../src/jobs/job.ts";
import { isUnverified, journaledUnreported, sentParts } from "../../src/jobs/sent-parts.ts";

const IDS = [...Array(22).keys()].map((at) => at + 1);
const HEAD = {
  ...{ v: 1, job: "J", bt: "0", at: 0, origin: "https://bugs.example.org" },
  request: {
    operation: "Update Bug",
    method: "PUT",
    path: "/rest/bug/1",
    query: [],
    body: { ids: IDS, priority: "High" },
  },
};
const BEFORE = IDS.map((id) => ({ id, priority: "Low" }));

function done(i: number, ids: readonly number[], unreported: readonly number[] = []) {
  const changes = { priority: { removed: "Low", added: "High" } };
  const bugs = ids.map((id) => ({ id, changes: unreported.includes(id) ? {} : changes }));
  return [
    { st: "SENT", i, at: 0, ids, before: BEFORE.filter(({ id }) => ids.includes(id)) },
    { st: "DONE", i, answer: { bugs } },
  ];
}

function job(...events: readonly unknown[]): Job {
  const read = readJob([HEAD, ...events].map((line) => JSON.stringify(line)));
  if (read === undefined) throw new Error("no job");
  return read;
}

const unreported = (kept: Job, parts = sentParts(kept)) =>
  journaledUnreported(kept, parts).map(({ id, body }) => [id, body]);

test("values that no response reports are in doubt, until they were read back", () => {
  const kept = job(...done(0, IDS.slice(0, 20), [3, 5]), ...done(1, [21, 22]));
  expect(unreported(kept)).toEqual([
    [3, { priority: "High" }],
    [5, { priority: "High" }],
  ]);
  expect(isUnverified(kept)).toBe(true);
  const some = job(...done(0, IDS, [3, 5]), { st: "LEFT", i: 1, ids: [3] });
  expect(unreported(some).map(([id]) => id)).toEqual([5]);
  expect(unreported(some, sentParts(some, new Set([5])))).toEqual([]);
  expect(isUnverified(job(...done(0, IDS, [3]), { st: "LEFT", i: 1, ids: [3] }))).toBe(false);
});

test("a small update is not unverified", () => {
  const small = job(...done(0, [1], [1]));
  const request = { ...small.head.request, body: { ids: [1], priority: "High" } };
  expect(isUnverified({ ...small, head: { ...small.head, request } })).toBe(false);
});

test("refused requests leave nothing to read back, those without an outcome do", () => {
  const refused = job(
    ...done(0, IDS.slice(0, 20)),
    { st: "SENT", i: 1, at: 0, ids: [21, 22], before: BEFORE.slice(20) },
    {
      ...{ st: "FAILED", i: 1, kind: "refused", message: "no" },
    },
  );
  expect(sentParts(refused).flatMap(({ bugs }) => bugs)).toHaveLength(20);
  const cut = job(...done(0, IDS.slice(0, 20)), { st: "SENT", i: 1, at: 0, ids: [21, 22], before: BEFORE.slice(20) });
  expect(sentParts(cut).flatMap(({ bugs }) => bugs)).toHaveLength(22);
});
