import { expect, test } from "vitest";
import type { JobEvent } from "../../src/api/delivery/write.ts";
import { jobState, readJob } from "../../src/jobs/job.ts";

const BULK = [...Array(30).keys()].map((at) => at + 1);

function stateAfter(
  events: readonly object[],
  { ids = [1], draft = false }: { ids?: readonly number[]; draft?: boolean },
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
  return job && jobState(job);
}

const SENT: JobEvent = { st: "SENT", i: 0, at: 0, since: "" };
const DONE: JobEvent = { st: "DONE", i: 0, answer: {} };
const end = (st: string) => ({ st, i: 0, kind: "refused", message: "no" });
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
  ["interrupted", [some([1, 2]), DONE], { ids: BULK }],
  ["unknown", [some([1, 2]), DONE, some([3], 1)], { ids: BULK }],
  ["interrupted", [some([1, 2]), end("FAILED")], { ids: BULK }],
] as const)("%s after %j of %j", (state, events, of) => {
  expect(stateAfter(events, of)).toBe(state);
});
