import { expect, test } from "vitest";
import { compareClocks, unresolvedWrite } from "../../../src/api/delivery/in-flight.ts";
import type { TrackerTime } from "../../../src/api/delivery/server-facts.ts";
import type { ClockSource, SentWrite, Write } from "../../../src/api/delivery/write.ts";

const WRITE: Write = { request: { method: "PUT", path: "/rest/bug/7", query: [] } };
const SECOND = 1000;

function facts(time: TrackerTime | undefined, disagree = false) {
  return { time: () => time, clocksDisagree: () => disagree };
}

test.each<[string, ClockSource, TrackerTime | undefined, number, { isSteady: boolean; isConclusive: boolean }]>([
  ["both clocks agree", "database", { at: 30 * SECOND, from: "database" }, 31, { isSteady: true, isConclusive: true }],
  [
    "the clocks differ by over a minute",
    "database",
    { at: 90 * SECOND, from: "database" },
    10,
    { isSteady: false, isConclusive: false },
  ],
  [
    "the database has no clock",
    "database",
    { at: 30 * SECOND, from: "date" },
    30,
    { isSteady: true, isConclusive: false },
  ],
  ["there is no clock", "database", undefined, 30, { isSteady: true, isConclusive: false }],
  [
    "there was no clock when the write was sent",
    "local",
    { at: 30 * SECOND, from: "database" },
    30,
    { isSteady: true, isConclusive: false },
  ],
  ["the local clock was set back", "local", undefined, -5, { isSteady: false, isConclusive: false }],
])("whether a write is verified as not applied when %s", (...[, clock, time, elapsed, { isSteady, isConclusive }]) => {
  const flight = { sent: { ...WRITE, at: 0, clock }, local: 0, elapsed: () => elapsed * SECOND };
  const compared = compareClocks(flight, facts(time));
  expect({ isSteady: compared.isSteady, isConclusive: compared.inconclusive === undefined }).toEqual({
    isSteady,
    isConclusive,
  });
});

test("not verified as not applied if the clocks of server and database differ", () => {
  const flight = { sent: { ...WRITE, at: 0, clock: "database" as const }, local: 0, elapsed: () => 0 };
  expect(compareClocks(flight, facts({ at: 0, from: "database" }, true)).inconclusive).toContain("two different times");
});

test.each([
  ["an earlier one", { at: 1, job: "B" }, [true]],
  ["a later one", { at: 9, job: "A" }, [false]],
  ["one of the same time with an earlier name", { at: 5, job: "A" }, [true]],
  ["one of the same time with a later name", { at: 5, job: "Z" }, [false]],
  ["one that is confirmed", { at: 1, job: "A", answer: {} }, []],
  ["one of the same job", { at: 1, job: "M" }, []],
])("another unresolved write: %s", (...[, other, isOlder]) => {
  const sent: SentWrite = { ...WRITE, at: 5, clock: "database" };
  const log = { job: "M", isJournaled: true, write: () => undefined };
  expect(unresolvedWrite(log, sent, { ...sent, ...other }).map((one) => one.isOlder)).toEqual(isOlder);
});
