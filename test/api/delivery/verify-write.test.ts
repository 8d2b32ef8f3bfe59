import { describe, expect, test } from "vitest";
import { checkAttempt, deliver } from "../../../src/api/delivery/deliver.ts";
import { BtError } from "../../../src/errors.ts";
import type { Request, Response } from "../../../src/wire/exchange.ts";
import { COMMENT, cannedDelivery, LOST, ok, tracker, WRITE } from "./canned-delivery.ts";

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
