import { describe, expect, test } from "vitest";
import {
  earliestWrite,
  isOlderThanWrite,
  isRequester,
  lookbackStart,
  ownMatches,
  type SentWrite,
  type UnresolvedWrite,
} from "../../../src/api/delivery/write.ts";
import type { Request } from "../../../src/wire/exchange.ts";

const PUT: Request = { operation: "Update Bug", method: "PUT", path: "/rest/bug/7", query: [] };
const NOON = Date.parse("2026-11-20T12:00:00Z");

function sent(at: number): SentWrite {
  return { request: PUT, at, clock: "database" };
}

function other(isOlder: boolean, at = NOON): UnresolvedWrite {
  return { ...sent(at), isOlder };
}

describe("equal objects are assigned by age: the oldest to earlier unresolved writes, the newest to later ones", () => {
  test.each([
    ["no other write", [], [1, 2, 3]],
    ["an earlier one", [other(true)], [2, 3]],
    ["a later one", [other(false)], [1, 2]],
    ["one of each", [other(true), other(false)], [2]],
    ["many later ones: one object remains", [other(false), other(false), other(false)], [1]],
    ["as many earlier ones", [other(true), other(true), other(true)], []],
  ] as const)("%s", (...[, unresolved, own]) => {
    expect(ownMatches([1, 2, 3], unresolved)).toEqual(own);
  });
});

test("a search starts at the earliest of several writes", () => {
  expect(earliestWrite(sent(NOON), [other(false, NOON + 1), other(true, NOON - 1)]).at).toBe(NOON - 1);
  expect(earliestWrite(sent(NOON), []).at).toBe(NOON);
});

test.each([
  ["database", "2026-11-20T11:58:00Z"],
  ["date", "2026-11-19T12:00:00Z"],
  ["local", "2026-11-20T11:59:58Z"],
] as const)("a send time by the clock %s is widened by the error of that clock", (clock, start) => {
  expect(lookbackStart({ at: NOON, clock })).toBe(start);
});

test.each([
  ["a second before", "database", "2026-11-20T11:59:59Z", true],
  ["in the same second", "database", "2026-11-20T12:00:00Z", false],
  ["without a time", "database", null, false],
  ["an hour before, by a clock other than the database's", "date", "2026-11-20T11:00:00Z", false],
] as const)("an object created %s predates the write or not", (...[, clock, time, isOlder]) => {
  expect(isOlderThanWrite({ at: NOON + 400, clock }, time)).toBe(isOlder);
});

test.each([
  ["mei@example.org", true],
  ["ada@example.org", false],
  [undefined, undefined],
])("Mei@Example.org is the requester %s: %s", (me, is) => {
  expect(isRequester({ me } as Parameters<typeof isRequester>[0], "Mei@Example.org")).toBe(is);
});
