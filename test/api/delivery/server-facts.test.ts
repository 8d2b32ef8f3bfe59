import { expect, test } from "vitest";
import { serverFacts } from "../../../src/api/delivery/server-facts.ts";
import { BtError, type ErrorKind } from "../../../src/errors.ts";
import type { Json } from "../../../src/wire/exchange.ts";

const NOON = Date.parse("2026-11-20T12:00:00Z");

/** The facts of a server whose clock stands at a time, on a machine with a monotonic clock of its own. */
function listening(answer: Json | BtError = { db_time: "2026-11-20T12:00:00Z" }) {
  const state = { ticks: 500, asked: 0 };
  const facts = serverFacts(() => state.ticks);
  const ask = async () => {
    state.asked += 1;
    if (answer instanceof BtError) throw answer;
    return answer;
  };
  return {
    state,
    facts,
    ask,
    hear: (headers: Record<string, string>) => facts.observe({ status: 200, headers, body: "" }),
  };
}

test("without a response nothing is known", () => {
  const { facts } = listening();
  expect([facts.time(), facts.hasIdempotencyKeys()]).toEqual([undefined, false]);
});

test("the Date header sets the time, which advances with the local clock", () => {
  const { state, facts, hear } = listening();
  hear({ date: "Fri, 20 Nov 2026 12:00:00 GMT" });
  state.ticks += 3000;
  expect(facts.time()).toEqual({ at: NOON + 3000, from: "date" });
});

test("the clock of the database is preferred to the Date header", async () => {
  const { facts, ask, hear } = listening();
  hear({ date: "Fri, 20 Nov 2026 13:00:00 GMT" });
  await facts.fetchTime(ask);
  expect(facts.time()).toEqual({ at: NOON, from: "database" });
  expect([facts.clocksDisagree(60), facts.clocksDisagree(2 * 60 * 60)]).toEqual([true, false]);
});

test("the database clock is refreshed after five seconds, or on demand", async () => {
  const { state, facts, ask } = listening();
  for (const wait of [0, 4999, 1]) {
    state.ticks += wait;
    await facts.fetchTime(ask);
  }
  expect(state.asked).toBe(2);
  await facts.fetchTime(ask, { isFresh: true });
  expect(state.asked).toBe(3);
});

test.each<[string, Json | BtError]>([
  ["has no such route", new BtError("missing", "no such route")],
  ["refuses it", new BtError("auth", "log in first")],
  ["returns a time without a zone", { db_time: "2026-11-20 12:00:00" }],
  ["returns no time", {}],
])("a tracker that %s has no clock", async (_, answer) => {
  const { facts, ask } = listening(answer);
  await facts.fetchTime(ask);
  expect(facts.time()).toBeUndefined();
});

test.each<ErrorKind>(["network", "busy"])(
  "an error of kind %s does not mean that the tracker lacks a clock",
  async (kind) => {
    const { facts, ask } = listening(new BtError(kind, "no"));
    await expect(facts.fetchTime(ask)).rejects.toMatchObject({ kind });
  },
);

test("Idempotency-Key support is learned from the first response that accepts one", () => {
  const { facts, hear } = listening();
  hear({ "idempotency-key-accepted": "1" });
  hear({});
  expect(facts.hasIdempotencyKeys()).toBe(true);
});
