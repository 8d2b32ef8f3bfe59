import { expect, test } from "vitest";
import { deliver } from "../../../src/api/delivery/deliver.ts";
import { sendInProcess, sendOnce } from "../../../src/api/delivery/send-write.ts";
import { BtError } from "../../../src/errors.ts";
import type { Request, Response } from "../../../src/wire/exchange.ts";
import { cannedDelivery, LOST, ok } from "./canned-delivery.ts";
import { PUT } from "./demo-scene.ts";

const UPDATE = { request: PUT("/rest/bug/7", { ids: [7], whiteboard: "seen" }), at: 0, since: "" } as const;
const DONE = ok({ bugs: [{ id: 7, changes: {} }] });

test.each<[string, Response | BtError, string, boolean | undefined]>([
  ["a response about its bug", DONE, "DONE", undefined],
  ["a response about another bug, as unknown", ok({ bugs: [{ id: 8, changes: {} }] }), "UNKNOWN", true],
  ["a refusal", ok({ error: true, code: 51, message: "no such value" }, 400), "FAILED", false],
  ["a lost response", LOST, "UNKNOWN", false],
  ["a refused connection", new BtError("network", "refused", { changed: "nothing" }), "FAILED", false],
])("a write ends by %s", async (...[, reply, st, isOver]) => {
  const { delivery, step } = cannedDelivery(() => reply);
  const outcome = await sendOnce({ sent: UPDATE, step, delivery });
  expect([outcome.st, "isOver" in outcome ? outcome.isOver : undefined]).toEqual([st, isOver]);
});

test("a write has the Idempotency-Key of its attempt; the update token only where the tracker checks it", async () => {
  const sent: (Request["headers"] | undefined)[] = [];
  const { delivery, step } = cannedDelivery((request) => {
    sent.push(request.headers);
    return { ...DONE, headers: { "idempotency-key-accepted": "1" } };
  });
  await sendOnce({ sent: { ...UPDATE, ifMatch: "token" }, step, delivery });
  await sendOnce({ sent: { ...UPDATE, ifMatch: "token" }, step, delivery });
  expect(sent).toEqual([{ "idempotency-key": "JOB-0" }, { "idempotency-key": "JOB-0", "if-match": "token" }]);
});

test("a write to the tracker in this process is sent as it is", async () => {
  const sent: Request[] = [];
  const { delivery, step } = cannedDelivery((request) => {
    sent.push(request);
    return { ...DONE, headers: { "idempotency-key-accepted": "1" } };
  });
  expect(await sendInProcess({ sent: { ...UPDATE, ifMatch: "token" }, step, delivery })).toMatchObject({ st: "DONE" });
  expect(sent).toEqual([UPDATE.request]);
});

test("an unwritable journal prevents the first request of a job and is an error later", async () => {
  const { delivery, steps } = cannedDelivery(() => DONE);
  const full = new BtError("local", "no space left");
  const write = () => {
    throw full;
  };
  const step = (i: number) => ({ i, log: { job: "JOB", isJournaled: true, write } });
  await expect(deliver(UPDATE, step(0), delivery)).rejects.toBe(full);
  expect(await deliver(UPDATE, step(1), delivery)).toEqual({ st: "FAILED", error: full });
  expect(steps).toEqual([]);
});
