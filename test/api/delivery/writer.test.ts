import { expect, test } from "vitest";
import type { Journal } from "../../../src/api/delivery/write.ts";
import { createWriter, outcomeResponse, runningJob } from "../../../src/api/delivery/writer.ts";
import { BtError } from "../../../src/errors.ts";
import { cannedDelivery, ok } from "./canned-delivery.ts";
import { PUT } from "./demo-scene.ts";

const BODY = { ids: [7, 8], priority: "High" };
const WRITE = { request: PUT("/rest/bug/7", BODY) };

function canned() {
  return cannedDelivery(() => ok({ bugs: BODY.ids.map((id) => ({ id, changes: {} })) }));
}

test("a write is a job of its own and returns the response", async () => {
  const { delivery, step, steps } = canned();
  const journal: Journal = { begin: (_, use) => use(step.log) };
  const writer = createWriter(journal, delivery);
  const response = await writer.deliver(WRITE);
  expect(response).toMatchObject({ bugs: [{ id: 7 }, { id: 8 }] });
  expect(writer.applied).toEqual([{ request: WRITE.request, response }]);
  expect(steps).toEqual(["SENT", "PUT /rest/bug/7", "DONE"]);
});

test("attempts of a job are numbered after its earlier ones", async () => {
  const { delivery, step, events } = canned();
  const job = runningJob(step.log, 2, delivery);
  await job.attempt(WRITE);
  job.markUnchanged([7]);
  expect(job.name).toBe("JOB");
  expect(events.map(({ st, i }) => [st, i])).toEqual([
    ["SENT", 2],
    ["DONE", 2],
    ["LEFT", 3],
  ]);
});

test("an outcome is its response or its error", () => {
  const error = new BtError("refused", "no");
  expect(outcomeResponse({ st: "DONE", response: { id: 7 } })).toEqual({ id: 7 });
  expect(() => outcomeResponse({ st: "FAILED", error })).toThrow(error);
});
