import { expect, test } from "vitest";
import { readTimestamp } from "../../src/tracker/values.ts";

const DATES: readonly (readonly [written: string, meant: string])[] = [
  ["19700101", "1970-01-01T00:00:00Z"],
  ["19700101T00:00:00", "1970-01-01T00:00:00Z"],
  ["20261122T013000Z", "2026-11-22T01:30:00Z"],
  ["2038/1/01 7:05 GMT", "2038-01-01T07:05:00Z"],
  ["2038/01/01", "2038-01-01T00:00:00Z"],
  ["2026-11-22T01:30:00.5+02:00", "2026-11-21T23:30:00Z"],
];

test.each(DATES)("%s means %s", (written, meant) => {
  expect(readTimestamp(written)).toBe(meant);
});

test.each([
  "12345",
  "-1w",
  "yesterday",
  "now",
  "2026-02-30",
  "2026-13-01",
  "22/11/2026",
  "01 Jan 2038",
  "2026-11/22",
  "2026-11-22 XYZ",
  "",
])("%j is not a valid date", (written) => {
  expect(() => readTimestamp(written)).toThrow(`'${written}' is not a legal date.`);
});
