import { describe, expect, test } from "vitest";
import { dayBounds, readDate } from "../../../src/api/query/dates.ts";
import { timestamp } from "../../../src/wire/time.ts";

function clock(zone: string) {
  return { now: new Date("2026-11-20T04:34:52.700Z"), zone };
}

function period(text: string, zone = "UTC"): string {
  const { start, end } = readDate(text, clock(zone));
  return `${timestamp(start)} ${timestamp(end)}`;
}

test.each([
  ["2026", "2026-01-01T00:00:00Z 2027-01-01T00:00:00Z"],
  ["2026-10", "2026-10-01T00:00:00Z 2026-11-01T00:00:00Z"],
  ["2024-02-29", "2024-02-29T00:00:00Z 2024-03-01T00:00:00Z"],
  ["2026-10-03T14:00Z", "2026-10-03T14:00:00Z 2026-10-03T14:00:01Z"],
  ["2026-10-03 14:00:30+02:00", "2026-10-03T12:00:30Z 2026-10-03T12:00:31Z"],
  ["2026-10-03t14:00:30.5z", "2026-10-03T14:00:30Z 2026-10-03T14:00:31Z"],
  ["now", "2026-11-20T04:34:52Z 2026-11-20T04:34:53Z"],
  ["today", "2026-11-20T00:00:00Z 2026-11-21T00:00:00Z"],
  ["Yesterday", "2026-11-19T00:00:00Z 2026-11-20T00:00:00Z"],
  ["this-week", "2026-11-16T00:00:00Z 2026-11-23T00:00:00Z"],
  ["last-month", "2026-10-01T00:00:00Z 2026-11-01T00:00:00Z"],
  ["this-year", "2026-01-01T00:00:00Z 2027-01-01T00:00:00Z"],
  ["-2w", "2026-11-06T04:34:52Z 2026-11-06T04:34:53Z"],
  ["-9mo", "2026-02-20T04:34:52Z 2026-02-20T04:34:53Z"],
  ["-30min", "2026-11-20T04:04:52Z 2026-11-20T04:04:53Z"],
  ["+3d", "2026-11-23T04:34:52Z 2026-11-23T04:34:53Z"],
])("%s is %s", (text, expected) => {
  expect(period(text)).toBe(expected);
});

describe("dates as people write them", () => {
  test.each([
    ["in 2 weeks", "2026-12-04T04:34:52Z"],
    ["In an hour", "2026-11-20T05:34:52Z"],
    ["7 days  ago", "2026-11-13T04:34:52Z"],
    ["1 year ago", "2025-11-20T04:34:52Z"],
    ["last week", "2026-11-09T00:00:00Z"],
    ["next month", "2026-12-01T00:00:00Z"],
    ["last monday", "2026-11-16T00:00:00Z"],
    ["last friday", "2026-11-13T00:00:00Z"],
    ["next sunday", "2026-11-22T00:00:00Z"],
    ["next monday", "2026-11-23T00:00:00Z"],
  ])("%s is %s, on a Friday", (text, expected) => {
    expect(timestamp(readDate(text, clock("UTC")).start)).toBe(expected);
  });

  test.each([
    ["thursday", "2026-11-26", "2026-11-19"],
    ["Fri", "2026-11-27", "2026-11-13"],
    ["on sat", "2026-11-21", "2026-11-14"],
    ["sunday", "2026-11-22", "2026-11-15"],
  ])("a bare weekday, %s, is the coming one or the last one, never today", (text, coming, last) => {
    expect(dayBounds(readDate(text, clock("UTC"), "coming"), "UTC").start).toBe(coming);
    expect(dayBounds(readDate(text, clock("UTC")), "UTC").start).toBe(last);
  });

  test("the day is that of the zone: in Tokyo it is Saturday already", () => {
    const now = new Date("2026-11-20T20:00:00Z");
    expect(dayBounds(readDate("fri", { now, zone: "UTC" }), "UTC").start).toBe("2026-11-13");
    expect(dayBounds(readDate("fri", { now, zone: "Asia/Tokyo" }), "Asia/Tokyo").start).toBe("2026-11-20");
  });

  test.each([
    "ver 3.2 friday",
    "friday 12/10",
    "12/10",
    "fridays",
    "in 2 weeks or so",
    "ago",
    "in days",
    "last",
    "may",
  ])("the whole text must match: %s is no date", (text) => {
    expect(() => readDate(text, clock("UTC"))).toThrow("invalid date");
  });

  test("what was understood is noted, and nothing is where the date is plain", () => {
    const notes: unknown[] = [];
    const noting = { ...clock("UTC"), note: (...note: unknown[]) => void notes.push(note) };
    readDate("last monday", noting);
    readDate("2026-11-16", noting);
    readDate("-2w", noting);
    expect(notes).toEqual([['"last monday" is taken as 2026-11-16']]);
  });
});

test("periods and local times use the given zone", () => {
  expect(period("2026-10-03", "Asia/Tokyo")).toBe("2026-10-02T15:00:00Z 2026-10-03T15:00:00Z");
  expect(period("today", "America/Los_Angeles")).toBe("2026-11-19T08:00:00Z 2026-11-20T08:00:00Z");
  expect(period("2026-10-03T14:00", "Europe/Berlin")).toBe("2026-10-03T12:00:00Z 2026-10-03T12:00:01Z");
});

test("a day has 23 or 25 hours when clocks change", () => {
  expect(period("2026-03-29", "Europe/Berlin")).toBe("2026-03-28T23:00:00Z 2026-03-29T22:00:00Z");
  expect(period("2026-10-25", "Europe/Berlin")).toBe("2026-10-24T22:00:00Z 2026-10-25T23:00:00Z");
});

test("where clocks skip midnight a day begins after the gap", () => {
  const zone = "America/Santiago";
  expect(period("2026-09-06", zone)).toBe("2026-09-06T04:00:00Z 2026-09-07T03:00:00Z");
  expect(dayBounds(readDate("2026-09-06", clock(zone)), zone)).toEqual({ start: "2026-09-06", end: "2026-09-07" });
  expect(period("2026-03-08T02:30", "America/New_York")).toBe("2026-03-08T07:30:00Z 2026-03-08T07:30:01Z");
});

test("a month before the 31st is the last day of the shorter month", () => {
  const { start } = readDate("-1mo", { now: new Date("2026-03-31T12:00:00Z"), zone: "UTC" });
  expect(timestamp(start)).toBe("2026-02-28T12:00:00Z");
});

test("a period in days is counted in the zone", () => {
  expect(dayBounds(readDate("2026-10", clock("Asia/Tokyo")), "Asia/Tokyo")).toEqual({
    start: "2026-10-01",
    end: "2026-11-01",
  });
  expect(dayBounds(readDate("now", clock("Asia/Tokyo")), "Asia/Tokyo")).toEqual({
    start: "2026-11-20",
    end: "2026-11-21",
  });
});

test.each([
  ..."2026-13-45 2026-00 2026-02-30 2025-02-29 2026-04-31 2026-02-30T10:00Z 1800".split(" "),
  ..."2026-10-03T25:00 20261003 1700000000 2026-1-3 constructor 1x 2w 999999y -3M".split(" "),
  "",
])("%s is rejected", (text) => {
  expect(() => period(text)).toThrow("invalid date");
});
