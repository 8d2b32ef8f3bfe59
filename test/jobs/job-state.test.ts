import { expect, test } from "vitest";
import type { JobEvent } from "../../src/api/delivery/write.ts";
import { readJob } from "../../src/jobs/job.ts";
import { jobState } from "../../src/jobs/job-states.ts";

const BULK = [...Array(30).keys()].map((at) => at + 1);

function stateAfter(
  events: readonly object[],
  { ids = [1], draft = false, isOpen }: { ids?: readonly number[]; draft?: boolean; isOpen?: boolean },
) {
  const request = { operation: "Update Bug", method: "PUT", path: "/rest/bug/1", query: [], body: { ids } };
  const head = {
    v: 1,
    job: "01KB3XQ8Z5T4M7W2N9P6R1S0VA",
    bt: "0",
    at: 0,
    origin: "x",
    request,
    ...(draft && { draft }),
  };
  const job = readJob([head, ...events].map((line) => JSON.stringify(line)));
  return job && jobState(job, isOpen);
}

const SENT: JobEvent = { st: "SENT", i: 0, at: 0, since: "" };
const DONE: JobEvent = { st: "DONE", i: 0, answer: { bugs: [] } };
const end = (st: string) => ({ st, i: 0, kind: "refused", message: "no" });
const refused = (id: number, i: number, kind = "refused") => [
  { ...SENT, i, ids: [id] },
  { st: "FAILED", i, kind, message: "no", code: 115 },
];
const leftOut = (id: number, i: number) => ({ st: "REFUSED", i, bugs: [{ id, kind: "collision", message: "no" }] });
const some = (ids: readonly number[], i = 0) => ({ ...SENT, i, ids });

test.each([
  ["draft", [], { draft: true }],
  ["waiting", [], {}],
  ["waiting", [], { ids: BULK }],
  ["unknown", [SENT], {}],
  ["unknown", [SENT], { draft: true }],
  ["unknown", [SENT, end("UNKNOWN")], {}],
  ["unknown", [SENT, DONE, { st: "NEW", i: 1 }], {}],
  ["failed", [SENT, end("FAILED")], {}],
  ["done", [SENT, DONE], {}],
  ["done", [SENT, DONE], { ids: BULK }],
  ["interrupted", [some([1, 2]), { ...DONE, answer: {} }], { ids: BULK }],
  ["interrupted", [some([1, 2]), DONE], { ids: BULK }],
  ["unknown", [some([1, 2]), DONE, some([3], 1)], { ids: BULK }],
  ["interrupted", [some([1, 2]), end("FAILED")], { ids: BULK }],
  ["partial", [some(BULK.slice(2)), DONE, ...refused(1, 1), ...refused(2, 2)], { ids: BULK }],
  ["partial", [leftOut(2, 0), some(BULK.slice(2)), DONE, ...refused(1, 1)], { ids: BULK }],
  ["partial", [some(BULK.slice(1)), DONE, leftOut(1, 1)], { ids: BULK, isOpen: false }],
  [
    "partial",
    [some([1]), { ...end("FAILED"), code: 115 }, some(BULK.slice(1), 1), { ...DONE, i: 1 }, leftOut(1, 2)],
    { ids: BULK },
  ],
  ["done", [leftOut(1, 0), some(BULK.slice(1)), DONE, some([1], 1), { ...DONE, i: 1 }], { ids: BULK }],
  ["unknown", [leftOut(1, 0), some(BULK.slice(1)), DONE, some([1], 1)], { ids: BULK }],
  ["interrupted", [leftOut(1, 0)], { ids: BULK }],
  ["failed", BULK.map((id) => leftOut(id, 0)), { ids: BULK }],
  ["interrupted", [some(BULK.slice(2)), DONE, ...refused(1, 1)], { ids: BULK }],
  ["interrupted", [some(BULK.slice(2)), DONE, some([1, 2], 1), { ...refused(1, 1)[1] }], { ids: BULK }],
  ["interrupted", [some(BULK.slice(1)), DONE, ...refused(1, 1, "network")], { ids: BULK }],
  ["failed", BULK.flatMap((id) => refused(id, id)), { ids: BULK }],
  ["done", [some(BULK.slice(1)), DONE, ...refused(1, 1), { st: "LEFT", i: 2, ids: [1] }], { ids: BULK }],
  ["dropped", [some([1, 2]), DONE], { ids: BULK, isOpen: false }],
  ["dropped", [SENT], { isOpen: false }],
  ["dropped", [], { isOpen: false }],
] as const)("%s after %j of %j", (state, events, of) => {
  expect(stateAfter(events, of)).toBe(state);
});
