import { expect, test } from "vitest";
import { deliver, resumeAttempt } from "../../../src/api/delivery/deliver.ts";
import { BtError } from "../../../src/errors.ts";
import type { Reply, Request } from "../../../src/wire/exchange.ts";
import { cannedDelivery, LOST, ok } from "./canned-delivery.ts";
import { PUT } from "./demo-scene.ts";

const WRITE = {
  request: PUT("/rest/bug/7", { ids: [7], whiteboard: "seen" }),
  before: [{ id: 7, whiteboard: "", last_change_time: "1970-01-01T00:00:00Z" }],
};
const DONE = ok({ bugs: [{ id: 7, changes: {} }] });

/** A tracker with one bug; a write is applied or not, and then answered, refused, or its response lost. */
function tracker(fate: { readonly applied: boolean; readonly reply: Reply | BtError }) {
  let whiteboard = "";
  return (request: Request): Reply | BtError => {
    if (request.path === "/rest/time") return ok({ db_time: "1970-01-01T00:00:01Z" });
    if (request.path.endsWith("/history")) return ok({ bugs: [{ id: 7, history: [] }] });
    if (request.method === "GET") return ok({ bugs: [{ id: 7, whiteboard }] });
    if (fate.applied) whiteboard = "seen";
    return fate.reply;
  };
}

test("a write is journaled before it is sent, its outcome afterwards", async () => {
  const { delivery, step, steps } = cannedDelivery(tracker({ applied: true, reply: DONE }));
  expect(await deliver(WRITE, step, delivery)).toMatchObject({ st: "DONE" });
  expect(steps).toEqual(["GET /rest/time", "SENT", "PUT /rest/bug/7", "DONE"]);
});

test.each([
  ["applied", true, "DONE"],
  ["not applied", false, "ABSENT"],
])("a write without a response that was %s is sent once and verified", async (_, applied, st) => {
  const { delivery, step, steps, events } = cannedDelivery(tracker({ applied, reply: LOST }));
  expect(await deliver(WRITE, step, delivery)).toMatchObject({ st });
  expect(steps.filter((one) => one.startsWith("PUT"))).toHaveLength(1);
  expect(events.map((event) => event.st)).toEqual(["SENT", st]);
});

test("it is resent once where that is allowed, never twice", async () => {
  const lost = cannedDelivery(tracker({ applied: false, reply: LOST }), { resendIfAbsent: true });
  expect(await deliver(WRITE, lost.step, lost.delivery)).toMatchObject({ st: "ABSENT" });
  expect(lost.steps.filter((one) => one.startsWith("PUT"))).toHaveLength(2);
});

test("a refused write is not verified", async () => {
  const refusal = ok({ error: true, code: 51, message: "no such value" }, 400);
  const { delivery, step, steps } = cannedDelivery(tracker({ applied: false, reply: refusal }));
  expect(await deliver(WRITE, step, delivery)).toMatchObject({ st: "FAILED" });
  expect(steps).toEqual(["GET /rest/time", "SENT", "PUT /rest/bug/7", "FAILED"]);
});

test("writes to the embedded tracker are not verified, since no response is lost", async () => {
  const around = { isEmbedded: true };
  const { delivery, step, steps } = cannedDelivery(tracker({ applied: true, reply: LOST }), around);
  expect(await deliver(WRITE, step, delivery)).toMatchObject({ st: "UNKNOWN" });
  expect(steps).toEqual(["SENT", "PUT /rest/bug/7", "UNKNOWN"]);
});

test("nothing is sent if the state before the write cannot be read", async () => {
  const { delivery, step, steps } = cannedDelivery(() => new BtError("network", "refused"));
  expect(await deliver(WRITE, step, delivery)).toMatchObject({
    st: "FAILED",
    error: { facts: { changed: "nothing" } },
  });
  expect(steps).toEqual(["GET /rest/time"]);
});

test.each([
  ["applied is confirmed without a request", true, "resend", "DONE", 0],
  ["not applied is resent", false, "resend", "DONE", 1],
  ["not applied is reported if each bug must be read again first", false, "report", "FAILED", 0],
] as const)("a resumed write that was %s", async (...[, applied, ifNotApplied, st, writes]) => {
  const answered = tracker({ applied: true, reply: DONE });
  const { delivery, step, steps } = cannedDelivery(answered);
  if (applied) answered(WRITE.request);
  const sent = { st: "SENT", i: 0, at: 1000, tracker: { at: 1000, from: "database" }, before: WRITE.before } as const;
  const outcome = await resumeAttempt({ sent, last: sent, end: undefined }, WRITE, { step, delivery, ifNotApplied });
  expect(outcome).toMatchObject({ st });
  expect(steps.filter((one) => one.startsWith("PUT"))).toHaveLength(writes);
});
