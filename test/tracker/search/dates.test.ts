import { expect, test } from "vitest";
import { isSearchDate, readChangeTime, readSearchDay, readSearchTime } from "../../../src/tracker/search/compare.ts";

const NOW = "2026-11-20T05:57:24Z"; // a Friday

test.each([
  ["-1w", "2026-11-13T05:57:24Z"],
  ["1w", "2026-11-13T05:57:24Z"],
  ["1ws", "2026-11-08T00:00:00Z"],
  ["0w", "2026-11-15T00:00:00Z"],
  ["2d", "2026-11-18T05:57:24Z"],
  ["+1d", "2026-11-21T05:57:24Z"],
  ["0d", "2026-11-20T00:00:00Z"],
  ["1ds", "2026-11-19T00:00:00Z"],
  ["3h", "2026-11-20T02:57:24Z"],
  ["3HS", "2026-11-20T02:00:00Z"],
  ["1m", "2026-10-20T05:57:24Z"],
  ["11ms", "2025-12-01T00:00:00Z"],
  ["1y", "2025-11-20T05:57:24Z"],
  ["1ys", "2025-01-01T00:00:00Z"],
  ["Now", "2026-11-20T00:00:00Z"],
  ["2026-11-01", "2026-11-01T00:00:00Z"],
  ["2026-11-01T12:30:15+05:00", "2026-11-01T12:30:15Z"],
  ["2026-02-30", ""],
  ["yesterday", ""],
  ["1x", ""],
  ["999999y", ""],
  ["", ""],
])("a row reads %j as %j", (text, moment) => {
  expect(readSearchTime(text, NOW)).toBe(moment);
  expect(isSearchDate(text, NOW)).toBe(moment !== "");
});

test.each([
  ["2026-11-01", "2026-11-01"],
  ["2026-11-01 12:00:00", "2026-11-01 12:00:00"],
  ["-1w", "2026-11-13"],
  ["soon", ""],
])("a row on a day reads %j as %j", (text, day) => {
  expect(readSearchDay(text, NOW)).toBe(day);
});

test.each([
  ["2026-11-01T12:00:00Z", "2026-11-01T12:00:00Z"],
  ["2026-11-01T12:00:00+05:30", "2026-11-01T06:30:00Z"],
  ["2026-11-01 12:00:00 -0130", "2026-11-01T13:30:00Z"],
  ["2026-11-01", "2026-11-01T00:00:00Z"],
  ["-1h", "2026-11-20T04:57:24Z"],
])("a row on a change reads %j as %j, zone included", (text, moment) => {
  expect(readChangeTime(text, NOW)).toBe(moment);
});
