import { expect, test } from "vitest";
import type { Journal } from "../../../src/api/delivery/journal.ts";
import { attemptWrite, createWriter, outcomeResponse } from "../../../src/api/delivery/writer.ts";
import { BtError } from "../../../src/errors.ts";
import { cannedDelivery, ok } from "./canned-delivery.ts";
import { PUT } from "./demo-scene.ts";

const BODY = { ids: [7, 8], priority: "High" };
const WRITE = { request: PUT("/rest/bug/7", BODY) };
const HEAD = { v: 1, job: "JOB", bt: "0.1.0", at: 0, origin: "https://bugs.example.org", ...WRITE } as const;
const SENT = {
  st: "SENT",
  i: 0,
  at: 0,
  since: "",
  ids: [8],
  before: [{ id: 8, priority: "Low" }],
  ifMatch: "token",
} as const;

/** A writer over a journal that holds one job of these lines. */
function writer(lines: readonly string[] = []) {
  const { delivery, step, steps } = cannedDelivery(() => ok({ bugs: BODY.ids.map((id) => ({ id, changes: {} })) }));
  const journal: Journal = {
    draft: async () => "JOB",
    newestJobs: () => [],
    begin: (_, use) => use(step.log),
    resume: (_, use) => use(step.log, lines),
    finished: () => lines,
  };
  const owner = async () => undefined;
  return { steps, writes: createWriter(journal, delivery, { foreignOwner: owner, checkResumable: owner }) };
}

function lines(...events: readonly unknown[]): readonly string[] {
  return events.map((event) => (typeof event === "string" ? event : JSON.stringify(event)));
}

test("a write is a job of its own and returns the response", async () => {
  const { writes, steps } = writer();
  expect(await writes.deliver(WRITE)).toMatchObject({ bugs: [{ id: 7 }, { id: 8 }] });
  expect(steps).toEqual(["SENT", "PUT /rest/bug/7", "DONE"]);
});

test("attempts of a job are numbered after its earlier ones", async () => {
  const { writes } = writer(lines(HEAD, SENT));
  const sent = await writes.resume("JOB", async (job, kept) => {
    job.markUnchanged([7]);
    return [job.name, kept.attempts.length];
  });
  expect(sent).toEqual(["JOB", 1]);
});

test.each([
  ["with an unreadable head", lines("noise"), "cannot be read"],
  ["that is damaged, since it may have been sent", lines(HEAD, SENT, "noise", SENT), "damaged"],
])("a job %s is not resumed", async (_, kept, message) => {
  const used = writer(kept).writes.resume("JOB", async () => undefined);
  await expect(used).rejects.toMatchObject({ kind: "local", message: expect.stringContaining(message) });
});

test("a finished job can be read", () => {
  expect(writer(lines(HEAD, SENT)).writes.finished("JOB")).toMatchObject({ attempts: [{ sent: { i: 0 } }] });
  expect(writer().writes.finished("JOB")).toBeUndefined();
});

test("the write of an attempt has its own bugs, with their state before", () => {
  const { attempts, ...job } = writer(lines(HEAD, SENT)).writes.finished("JOB") ?? { attempts: [] };
  const [attempt] = attempts;
  expect(attempt && "head" in job && attemptWrite({ attempts, ...job }, attempt)).toEqual({
    request: PUT("/rest/bug/8", { priority: "High" }),
    before: SENT.before,
    ifMatch: "token",
  });
});

test("an outcome is its response or its error", () => {
  const error = new BtError("refused", "no");
  expect(outcomeResponse({ st: "DONE", response: { id: 7 } })).toEqual({ id: 7 });
  expect(() => outcomeResponse({ st: "FAILED", error })).toThrow(error);
});
