import { describe, expect, test } from "vitest";
import { checkAttempt, sendJournaled } from "../../../src/api/delivery/deliver.ts";
import { runningJob } from "../../../src/api/delivery/running-job.ts";
import type { JsonObject } from "../../../src/wire/exchange.ts";
import { cannedDelivery, DONE, tracker, WRITE } from "./canned-delivery.ts";

test("attempts of a job are numbered after its earlier ones", async () => {
  const { delivery, step, events } = cannedDelivery(() => DONE);
  const attempts = [0, 1].map((i) => ({ sent: { st: "SENT" as const, i, at: 0, since: "" }, end: undefined }));
  const job = runningJob(step.log, { at: 0, attempts }, delivery);
  await job.attempt(WRITE);
  job.markUnchanged([7]);
  expect(job.name).toBe("JOB");
  expect(events.map(({ st, i }) => [st, i])).toEqual([
    ["SENT", 2],
    ["DONE", 2],
    ["LEFT", 3],
  ]);
});

describe("an attempt of an earlier run", () => {
  const sent = { ...WRITE, at: 1000, since: "1969-12-31T00:00:00Z" };

  test.each([
    ["applied", true, "DONE"],
    ["not applied", false, "UNKNOWN"],
  ] as const)("that was %s is checked once, and not sent", async (...[, applied, st]) => {
    const answered = tracker({ applied: true, reply: DONE });
    const { delivery, step, steps } = cannedDelivery(answered);
    if (applied) answered(WRITE.request);
    expect(await checkAttempt({ sent, step, delivery })).toMatchObject({ st });
    expect(steps.filter((one) => one.startsWith("PUT"))).toEqual([]);
  });

  test("is resent unchanged, and journaled", async () => {
    const { delivery, step, events } = cannedDelivery(tracker({ applied: true, reply: DONE }));
    expect(await sendJournaled({ sent, step, delivery })).toMatchObject({ st: "DONE" });
    const { st, at, since } = events[0] as unknown as JsonObject;
    expect([st, at, since]).toEqual(["SENT", sent.at, sent.since]);
  });
});
