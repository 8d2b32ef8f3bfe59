import { expect, test } from "vitest";
import { isoWeekIn, lastWeeks } from "../../src/api/iso-week.ts";

test.each([
  ["2026-01-01T12:00:00Z", "UTC", "2026-W01", "2025-12-29"],
  ["2027-01-01T12:00:00Z", "UTC", "2026-W53", "2026-12-28"],
  ["2024-12-30T12:00:00Z", "UTC", "2025-W01", "2024-12-30"],
  ["2026-11-22T23:30:00Z", "UTC", "2026-W47", "2026-11-16"],
  ["2026-11-22T23:30:00Z", "Europe/Berlin", "2026-W48", "2026-11-23"],
  ["2026-11-23T02:00:00Z", "America/New_York", "2026-W47", "2026-11-16"],
])("%s in %s is in %s", (time, ...[zone, week, start]) => {
  expect(isoWeekIn(zone, Date.parse(time))).toEqual({ week, start });
});

test("the last weeks begin on Monday in the zone, across a change of its clocks", () => {
  const weeks = lastWeeks("Europe/Berlin", Date.parse("2026-04-01T00:00:00Z"), 3);
  expect(weeks.map(({ week, from }) => [week, new Date(from).toISOString()])).toEqual([
    ["2026-W12", "2026-03-15T23:00:00.000Z"],
    ["2026-W13", "2026-03-22T23:00:00.000Z"],
    ["2026-W14", "2026-03-29T22:00:00.000Z"],
  ]);
});
