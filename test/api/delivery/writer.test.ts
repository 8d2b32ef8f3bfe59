import { expect, test } from "vitest";
import type { Journal } from "../../../src/api/delivery/write.ts";
import { createWriter, outcomeResponse } from "../../../src/api/delivery/writer.ts";
import { BtError } from "../../../src/errors.ts";
import { cannedDelivery, DONE, WRITE } from "./canned-delivery.ts";

test("a write is a job of its own and returns the response", async () => {
  const { delivery, step, steps } = cannedDelivery(() => DONE);
  const journal: Journal = { begin: (_, use) => use(step.log) };
  const writer = createWriter(journal, delivery);
  const response = await writer.deliver(WRITE);
  expect(response).toMatchObject({ bugs: [{ id: 7 }] });
  expect(writer.applied).toEqual([{ request: WRITE.request, response }]);
  expect(steps).toEqual(["SENT", "PUT /rest/bug/7", "DONE"]);
});

test("an outcome is its response or its error", () => {
  const error = new BtError("refused", "no");
  expect(outcomeResponse({ st: "DONE", response: { id: 7 } })).toEqual({ id: 7 });
  expect(() => outcomeResponse({ st: "FAILED", error })).toThrow(error);
});
