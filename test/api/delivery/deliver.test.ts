import { expect, test } from "vitest";
import { deliver } from "../../../src/api/delivery/deliver.ts";
import { BtError } from "../../../src/errors.ts";
import { COMMENT, cannedDelivery, DONE, LOST, ok, tracker, WRITE } from "./canned-delivery.ts";

test("a write is journaled before it is sent, its outcome afterwards", async () => {
  const { delivery, step, steps } = cannedDelivery(tracker({ applied: true, reply: DONE }));
  expect(await deliver(WRITE, step, delivery)).toMatchObject({ st: "DONE" });
  expect(steps).toEqual(["SENT", "PUT /rest/bug/7", "DONE"]);
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
