import { describe, expect, test } from "vitest";
import {
  absoluteTime,
  dayText,
  hoursText,
  isPast,
  relativeTime,
  shortRelativeTime,
  timeText,
  wireMillis,
} from "../../src/view/times.ts";
import type { View } from "../../src/view/view.ts";

const view: View = {
  terminal: true,
  color: false,
  width: 80,
  now: new Date("2026-11-20T12:00:00Z"),
  timeZone: "Europe/Berlin",
};

test.each([
  ["2026-11-20T12:00:00Z", "just now", "now"],
  ["2026-11-20T11:59:01Z", "just now", "now"],
  ["2026-11-20T11:59:00Z", "1 minute ago", "1m ago"],
  ["2026-11-20T09:30:00Z", "2 hours ago", "2h ago"],
  ["2026-11-19T12:00:00Z", "1 day ago", "1d ago"],
  ["2026-10-22T12:00:00Z", "29 days ago", "29d ago"],
  ["2026-08-20T12:00:00Z", "3 months ago", "3mo ago"],
  ["2024-11-19T12:00:00Z", "2 years ago", "2y ago"],
  ["2026-11-20T14:00:00Z", "in 2 hours", "in 2h"],
  ["2026-11-20T13:00:00+01:00", "just now", "now"],
  ["last week", "last week", "last week"],
])("%s is %s, or %s", (time, long, short) => {
  expect([relativeTime(time, view), shortRelativeTime(time, view)]).toEqual([long, short]);
});

describe("a time in the zone of the reader", () => {
  test.each([
    ["Europe/Berlin", "2026-11-20 00:30 GMT+1"],
    ["UTC", "2026-11-19 23:30 UTC"],
    ["America/Los_Angeles", "2026-11-19 15:30 PST"],
    ["Asia/Kolkata", "2026-11-20 05:00 GMT+5:30"],
  ])("in %s is %s", (timeZone, expected) => {
    expect(absoluteTime("2026-11-19T23:30:00Z", { ...view, timeZone })).toBe(expected);
  });

  test("a card shows both", () => {
    const time = "2026-11-19T23:30:00Z";
    expect(timeText(time, view)).toBe("12 hours ago · 2026-11-20 00:30 GMT+1");
  });
});

test("only times of the interface are parsed", () => {
  const read = ["2026-11-20T12:00:00Z", "2026-11-20 12:00:00", "12", "2026-13-40T00:00:00Z", ""].map(wireMillis);
  expect(read).toEqual([Date.UTC(2026, 10, 20, 12), undefined, undefined, undefined, undefined]);
});

test.each([
  ["2027-02-28", "2027-02-28"],
  ["2027-02-28T00:00:00Z", "2027-02-28"],
  ["2027-02-27T15:00:00Z", "2027-02-28"], // from a tracker in Tokyo
  ["2027-02-28T05:00:00Z", "2027-02-28"], // and from one in New York
  ["soon", "soon"],
])("the day of %s is %s", (given, expected) => {
  expect(dayText(given)).toBe(expected);
});

test("the day of a tracker far in the east is correct if its zone is known", () => {
  expect(dayText("2027-02-27T11:00:00Z")).toBe("2027-02-27");
  expect(dayText("2027-02-27T11:00:00Z", "Pacific/Auckland")).toBe("2027-02-28");
  expect(dayText("2027-02-28T05:00:00Z", "America/New_York")).toBe("2027-02-28");
});

test("a day is past once it is past everywhere", () => {
  expect(["2026-11-18", "2026-11-19", "2026-11-20", "soon"].map((date) => isPast(date, view))).toEqual([
    true,
    false,
    false,
    false,
  ]);
});

test("hours are shortened", () => {
  expect([0, 1, 5.5, 0.333333].map(hoursText)).toEqual(["0 h", "1 h", "5.5 h", "0.33 h"]);
});
