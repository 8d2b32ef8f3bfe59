import { describe, expect, test } from "vitest";
import type { Journal } from "../../../src/api/delivery/write.ts";
import {
  checkAttempt,
  createWriter,
  deliver,
  outcomeResponse,
  resendAttempt,
  runningJob,
} from "../../../src/api/delivery/writer.ts";
import { BtError } from "../../../src/errors.ts";
import type { JsonObject, Request, Response } from "../../../src/wire/exchange.ts";
import { cannedDelivery, LOST, ok } from "./canned-delivery.ts";
import { POST, PUT } from "./demo-scene.ts";

const BODY = { ids: [7, 8], priority: "High" };
const OF_TWO = { request: PUT("/rest/bug/7", BODY) };

function canned() {
  return cannedDelivery(() => ok({ bugs: BODY.ids.map((id) => ({ id, changes: {} })) }));
}

test("a write is a job of its own and returns the response", async () => {
  const { delivery, step, steps } = canned();
  const journal: Journal = { begin: (_, use) => use(step.log) };
  const writer = createWriter(journal, delivery);
  const response = await writer.deliver(OF_TWO);
  expect(response).toMatchObject({ bugs: [{ id: 7 }, { id: 8 }] });
  expect(writer.applied).toEqual([{ request: OF_TWO.request, response }]);
  expect(steps).toEqual(["SENT", "PUT /rest/bug/7", "DONE"]);
});

test("attempts of a job are numbered after its earlier ones", async () => {
  const { delivery, step, events } = canned();
  const attempts = [0, 1].map((i) => ({ sent: { st: "SENT" as const, i, at: 0, since: "" }, end: undefined }));
  const job = runningJob(step.log, { at: 0, attempts }, delivery);
  await job.attempt(OF_TWO);
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

const WRITE = {
  request: PUT("/rest/bug/7", { ids: [7], whiteboard: "seen" }),
  before: [{ id: 7, whiteboard: "", last_change_time: "1970-01-01T00:00:00Z" }],
};
const DONE = ok({ bugs: [{ id: 7, changes: {} }] });

/** A tracker with one bug; a write is applied or not, and then answered, refused, or its response lost. */
function tracker(fate: { readonly applied: boolean; readonly reply: Response | BtError }) {
  let whiteboard = "";
  return (request: Request): Response | BtError => {
    if (request.path.endsWith("/history")) return ok({ bugs: [{ id: 7, history: [] }] });
    if (request.method === "GET") return ok({ bugs: [{ id: 7, whiteboard }] });
    if (fate.applied) whiteboard = "seen";
    return fate.reply;
  };
}

test("a write is journaled before it is sent, its outcome afterwards", async () => {
  const { delivery, step, steps } = cannedDelivery(tracker({ applied: true, reply: DONE }));
  expect(await deliver(WRITE, step, delivery)).toMatchObject({ st: "DONE" });
  expect(steps).toEqual(["SENT", "PUT /rest/bug/7", "DONE"]);
});

describe("a write without a response is sent once", () => {
  async function lost(applied: boolean, reply: Response | BtError = LOST) {
    const sleeps: number[] = [];
    const sleep = async (ms: number) => void sleeps.push(ms);
    const { delivery, step, steps, events } = cannedDelivery(tracker({ applied, reply }), { sleep });
    const outcome = await deliver(WRITE, step, delivery);
    expect(steps.filter((one) => one.startsWith("PUT"))).toHaveLength(1);
    expect(events.map((event) => event.st)).toEqual(["SENT", outcome.st]);
    return { outcome, sleeps };
  }

  test("and reported as applied if it is found", async () => {
    expect(await lost(true)).toMatchObject({ outcome: { st: "DONE" }, sleeps: [1000] });
  });

  test("and unknown if it is not found for 30 seconds", async () => {
    const { outcome, sleeps } = await lost(false);
    expect(outcome).toMatchObject({ st: "UNKNOWN", isChecked: true });
    expect("error" in outcome && outcome.error.facts.details).toEqual([
      "it was not found on the tracker (checked 5 times)",
    ]);
    expect(sleeps).toEqual([1000, 2000, 4000, 8000, 15_000]);
  });

  test("and checked once if its request has ended", async () => {
    const { outcome, sleeps } = await lost(false, ok({}));
    expect({ st: outcome.st, sleeps }).toEqual({ st: "UNKNOWN", sleeps: [1000] });
  });
});

test("a tracker that cannot be reached leaves the outcome unknown and unchecked", async () => {
  const down = new BtError("network", "refused");
  const { delivery, step } = cannedDelivery(({ method }) => (method === "GET" ? down : LOST));
  const outcome = await deliver(WRITE, step, delivery);
  expect(outcome).toMatchObject({
    ...{ st: "UNKNOWN", isChecked: false },
    error: { facts: { details: ["verification failed: refused"], cause: down } },
  });
});

test("looking ends with a stop", async () => {
  let looks = 0;
  const isStopped = () => looks++ > 1;
  const { delivery, step } = cannedDelivery(tracker({ applied: false, reply: LOST }), { isStopped });
  expect(await deliver(WRITE, step, delivery)).toMatchObject({
    error: { facts: { details: ["stopped before it could be verified"] } },
  });
  expect(looks).toBe(3);
});

test("a refused write is not verified", async () => {
  const refusal = ok({ error: true, code: 51, message: "no such value" }, 400);
  const { delivery, step, steps } = cannedDelivery(tracker({ applied: false, reply: refusal }));
  expect(await deliver(WRITE, step, delivery)).toMatchObject({ st: "FAILED" });
  expect(steps).toEqual(["SENT", "PUT /rest/bug/7", "FAILED"]);
});

test("writes to the embedded tracker are not verified, since no response is lost", async () => {
  const around = { isInProcess: true };
  const { delivery, step, steps } = cannedDelivery(tracker({ applied: true, reply: LOST }), around);
  expect(await deliver(WRITE, step, delivery)).toMatchObject({ st: "UNKNOWN" });
  expect(steps).toEqual(["SENT", "PUT /rest/bug/7", "UNKNOWN"]);
});

const COMMENT = { request: POST("/rest/bug/7/comment", { comment: "Seen." }) };

test("nothing is sent if equal objects cannot be searched first", async () => {
  const { delivery, step, steps } = cannedDelivery(() => new BtError("network", "refused"));
  expect(await deliver(COMMENT, step, delivery)).toMatchObject({
    st: "FAILED",
    error: { facts: { changed: "nothing" } },
  });
  expect(steps).toEqual(["GET /rest/bug/7/comment"]);
});

test("equal objects are searched, and journaled, from a day before by the clock that is behind", async () => {
  const comments = [{ id: 5, text: "Seen.", creator: "ada@example.org", is_private: false, time: "" }];
  const { delivery, step, events } = cannedDelivery(({ method }) =>
    method === "GET" ? ok({ bugs: { 7: { comments } } }) : ok({ id: 6 }),
  );
  delivery.serverFacts.observe({ status: 200, headers: { date: "Fri, 20 Nov 2026 12:00:00 GMT" }, body: "" });
  await deliver(COMMENT, step, delivery);
  expect(events[0]).toMatchObject({ st: "SENT", at: 1000, since: "1969-12-31T00:00:01Z", alike: [5] });
  const now = () => Date.parse("2027-01-01T00:00:00Z");
  await deliver(COMMENT, step, { ...delivery, now });
  expect(events[2]).toMatchObject({ st: "SENT", at: now(), since: "2026-11-19T12:00:00Z" });
});

describe("with idempotency keys", () => {
  /** A tracker that remembers a write by its key; its response is lost the first time. */
  function keyed(again: Response = ok({ id: 6 })) {
    let sent = 0;
    const headers = { "idempotency-key-accepted": "1" };
    return (request: Request): Response | BtError => {
      if (request.method === "GET") return { ...ok({ bugs: { 7: { comments: [] } } }), headers };
      sent += 1;
      return sent === 1 ? LOST : { ...again, headers };
    };
  }

  test("the write is resent", async () => {
    const { delivery, step, steps } = cannedDelivery(keyed());
    expect(await deliver(COMMENT, step, delivery)).toEqual({ st: "DONE", response: { id: 6 } });
    expect(steps.filter((one) => one.startsWith("POST"))).toHaveLength(2);
  });

  test("and a refusal shows that it was not applied", async () => {
    const refusal = ok({ error: true, code: 51, message: "no comments" }, 400);
    const { delivery, step } = cannedDelivery(keyed(refusal));
    expect(await deliver(COMMENT, step, delivery)).toMatchObject({ st: "FAILED", error: { message: "no comments" } });
  });

  test("but not after 20 hours by either clock", async () => {
    const { delivery, step, steps } = cannedDelivery(keyed());
    const hour = 60 * 60 * 1000;
    const sent = { ...COMMENT, at: 1000, since: "1969-12-31T00:00:00Z", alike: [] };
    const checked = (now: number) => checkAttempt({ sent, step, delivery: { ...delivery, now: () => now } });
    expect(await checked(21 * hour)).toMatchObject({ st: "UNKNOWN" });
    delivery.serverFacts.observe({ status: 200, headers: { date: "Fri, 02 Jan 1970 00:00:00 GMT" }, body: "" });
    expect(await checked(hour)).toMatchObject({ st: "UNKNOWN" });
    expect(steps.filter((one) => one.startsWith("POST"))).toEqual([]);
  });
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
    expect(await resendAttempt({ sent, step, delivery })).toMatchObject({ st: "DONE" });
    const { st, at, since } = events[0] as unknown as JsonObject;
    expect([st, at, since]).toEqual(["SENT", sent.at, sent.since]);
  });
});
