import { describe, expect, test } from "vitest";
import {
  addResults,
  type BugResult,
  type BulkRequest,
  bulkError,
  confirmedResults,
  deliverBulk,
} from "../../../src/api/delivery/bulk.ts";
import type { Outcome } from "../../../src/api/delivery/outcome.ts";
import { BtError, type ErrorKind } from "../../../src/errors.ts";
import type { JsonObject } from "../../../src/wire/exchange.ts";

const HIGH = { priority: "High" };
const DEAD: Outcome = { st: "refused", error: new BtError("network", "refused", { changed: "nothing" }) };

function refusal(bugzillaCode: number, bug?: string): Outcome {
  return { st: "refused", error: new BtError("refused", "no", { bugzillaCode, bug }) };
}

function done(ids: readonly number[]): Outcome {
  return {
    st: "applied",
    response: { bugs: ids.map((id) => ({ id, changes: { priority: { removed: "Low", added: "High" } } })) },
  };
}

type Bulk = Partial<Parameters<typeof deliverBulk>[1]> & { body?: JsonObject };

/** Updates so many bugs; gives the requests, and the states of the bugs. */
async function updated(
  count: number,
  attempt: (ids: readonly number[]) => Outcome,
  { body = HIGH, ...rest }: Bulk = {},
) {
  const requests: (readonly number[])[] = [];
  const results: BugResult[] = [];
  const send = async ({ ids }: BulkRequest) => {
    requests.push(ids);
    return attempt(ids);
  };
  const update = { attempt: send, findRefused: async () => [], isStopped: () => false, ...rest };
  for await (const some of deliverBulk([{ ids: range(count), body }], update)) results.push(...some);
  const states: Record<string, number[]> = {};
  for (const { bug, st } of results) states[st] = [...(states[st] ?? []), Number(bug)];
  return { requests, states, results };
}

function range(count: number, first = 1): readonly number[] {
  return Array.from({ length: count }, (_, at) => at + first);
}

test("25 bugs share a request; with a comment or hours each bug has its own", async () => {
  expect((await updated(60, done)).requests.map((ids) => ids.length)).toEqual([25, 25, 10]);
  expect((await updated(3, done, { body: { comment: { body: "x" } } })).requests).toEqual([[1], [2], [3]]);
  expect((await updated(3, done, { body: { work_time: 1 } })).requests).toEqual([[1], [2], [3]]);
});

test("a refused request is split until the refused bug is isolated", async () => {
  const { requests, states } = await updated(4, (ids) => (ids.includes(3) ? refusal(51) : done(ids)));
  expect(requests).toEqual([[1, 2, 3, 4], [1, 2], [3, 4], [3], [4]]);
  expect(states).toEqual({ done: [1, 2, 4], failed: [3] });
});

test("a bug named by the error is removed at once", async () => {
  const { requests } = await updated(4, (ids) => (ids.includes(3) ? refusal(102, "3") : done(ids)));
  expect(requests).toEqual([[1, 2, 3, 4], [3], [1, 2, 4]]);
});

test.each<[string, Outcome, string]>([
  ["an unreachable tracker", DEAD, "not tried"],
  ["an invalid key", refusal(306), "failed"],
  ["an unknown outcome", { st: "unknown", error: new BtError("unknown", "lost") }, "unknown"],
  ["an unwritable journal", { st: "refused", error: new BtError("local", "full") }, "not tried"],
])("%s ends the update, the remaining bugs untried", async (...[, outcome, st]) => {
  const { requests, states } = await updated(30, () => outcome);
  expect(requests).toHaveLength(1);
  expect(states["not tried"]).toEqual(expect.arrayContaining([...range(5, 26)]));
  expect(states[st]).toEqual(expect.arrayContaining([...range(25)]));
});

test("a request that is not found on the tracker does not end the update", async () => {
  const lost: Outcome = { st: "unknown", error: new BtError("unknown", "lost") };
  const { states } = await updated(3, (ids) => (ids.includes(1) ? lost : done(ids)), {
    body: { comment: { body: "x" } },
  });
  expect(states).toEqual({ unknown: [1], done: [2, 3] });
});

test("25 refusals with the same code end the update", async () => {
  const { states } = await updated(40, () => refusal(51), { body: { comment: { body: "x" } } });
  expect(states).toEqual({ failed: range(25), "not tried": range(15, 26) });
});

test("any number of bugs that were modified since does not end it", async () => {
  const error = new BtError("collision", "modified");
  const findRefused = async (ids: readonly number[]) =>
    ids.filter((id) => id <= 30).map((id) => ({ bug: String(id), st: "failed", error }) as const);
  expect((await updated(60, done, { findRefused })).states).toEqual({ failed: range(30), done: range(30, 31) });
});

test("after a stop the remaining bugs are untried", async () => {
  let isStopped = false;
  const doneAtLast = (ids: readonly number[]) => {
    isStopped = true;
    return done(ids);
  };
  const { states } = await updated(50, doneAtLast, { isStopped: () => isStopped });
  expect(states).toEqual({ done: range(25), "not tried": range(25, 26) });
});

test.each([
  [false, "no route"],
  [true, "interrupted before it was sent"],
])("a failure to read before a request leaves its bugs and the others untried; stopped: %s", async (isStopped, why) => {
  let reads = 0;
  const findRefused = async () => {
    if (reads++ === 0) return [];
    throw new BtError("network", "no route");
  };
  const update = { findRefused, isStopped: () => isStopped && reads > 1 };
  const { requests, states, results } = await updated(60, done, update);
  expect({ requests, states }).toEqual({
    requests: [range(25)],
    states: { done: range(25), "not tried": range(35, 26) },
  });
  expect(new Set(results.slice(25).map(({ error }) => error?.message))).toEqual(new Set([why]));
});

test("skipped bugs are not sent", async () => {
  const error = new BtError("collision", "modified");
  const findRefused = async () => [{ bug: "2", st: "failed", error } as const];
  expect(await updated(3, done, { findRefused })).toMatchObject({
    requests: [[1, 3]],
    states: { failed: [2], done: [1, 3] },
  });
});

test.each<[string, JsonObject, JsonObject, string]>([
  ["changes", { priority: { removed: "Low", added: "High" } }, HIGH, "done"],
  ["no change", {}, HIGH, "unchanged"],
  ["no change next to a comment, which is not among the changes", {}, { comment: { body: "x" } }, "done"],
])("a bug with %s in the response", (...[, changes, body, st]) => {
  expect(confirmedResults([7], { bugs: [{ id: 7, changes }] }, body)).toMatchObject([{ bug: "7", st }]);
});

describe("exit code of a bulk update", () => {
  const result = (st: BugResult["st"], kind: ErrorKind): BugResult => ({
    bug: "1",
    st,
    error: new BtError(kind, "no"),
  });
  const good: BugResult = { bug: "2", st: "done" };
  test.each<[string, readonly BugResult[], ErrorKind | undefined]>([
    ["success, if every bug is applied or unchanged", [good, { bug: "1", st: "unchanged" }], undefined],
    ["a partial failure", [good, result("failed", "refused")], "partial"],
    ["the failure, if all failed alike", [result("failed", "refused"), result("failed", "refused")], "refused"],
    [
      "a partial failure, if they failed in different ways",
      [result("failed", "refused"), result("failed", "missing")],
      "partial",
    ],
    ["the login, if nothing is applied without it", [result("failed", "usage"), result("failed", "auth")], "auth"],
    ["a partial failure, if some are applied without a login", [good, result("failed", "auth")], "partial"],
    ["a collision, even if some are applied", [good, result("failed", "collision")], "collision"],
    [
      "an unknown outcome, whatever else failed",
      [result("failed", "refused"), result("unknown", "unknown")],
      "unknown",
    ],
    ["the network, if nothing is applied", [result("not tried", "network")], "network"],
    ["a server error, if the tracker became unreachable halfway", [good, result("not tried", "network")], "busy"],
  ])("%s", (...[, results, kind]) => {
    const tally = addResults({ total: results.length, succeeded: 0, unchanged: 0, failed: [] }, results);
    expect(bulkError(tally, "JOB")?.kind).toBe(kind);
  });
});

test("what a login would mend is named before what is wrong with bugs", () => {
  const failed = Array.from({ length: 25 }, (_, at): BugResult => {
    const error = at < 22 ? new BtError("usage", `cannot ${at}`) : new BtError("auth", "You must log in");
    return { bug: String(at), st: "failed", error };
  });
  const tally = addResults({ total: 25, succeeded: 0, unchanged: 0, failed: [] }, failed);
  expect(bulkError(tally, "JOB")?.facts.details?.[0]).toBe("bugs 22, 23, 24: You must log in");
});

test("bugs with the same error share a line, and what is known of it is told once", () => {
  const lost = new BtError("unknown", "unknown outcome of the update", { details: ["the tracker told no time"] });
  const failed = ["3", "4"].map((bug): BugResult => ({ bug, st: "unknown", error: lost }));
  const other: BugResult = { bug: "5", st: "failed", error: new BtError("refused", "You may not") };
  const tally = addResults({ total: 3, succeeded: 0, unchanged: 0, failed: [] }, [...failed, other]);
  expect(bulkError(tally, "JOB")?.facts.details).toEqual([
    "bugs 3, 4: unknown outcome of the update",
    "bug 5: You may not",
    "the tracker told no time",
  ]);
});
