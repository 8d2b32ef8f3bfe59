import { describe, expect, test } from "vitest";
import { readParameterValue, type ValueContext } from "../../../src/api/write/values.ts";

function day(text: string, now = "2026-11-20T12:00:00Z", zone = "UTC"): string {
  const reading = { clock: { now: new Date(now), zone } } as ValueContext;
  return String(readParameterValue({ name: "deadline", kind: "date", about: "" }, [text], reading));
}

test.each([
  ["2026-12-24", "2026-12-24"],
  [" 2020-02-29 ", "2020-02-29"], // over, but written in full
  ["today", "2026-11-20"],
  ["Tomorrow", "2026-11-21"],
  ["+0d", "2026-11-20"],
  ["+3d", "2026-11-23"],
  ["+2w", "2026-12-04"],
  ["+1mo", "2026-12-20"],
  ["+1y", "2027-11-20"],
])("%j is the day %s", (text, expected) => {
  expect(day(text)).toBe(expected);
});

describe("an invalid day is rejected", () => {
  test.each([
    "2037",
    "2037-05",
    "2037-5-1",
    "20370501",
    "1w",
    "-1w",
    "3d",
    "+3",
    "+3m",
    "next-week",
    "2026-12-24T10:00",
    "2026-12-24 10:00",
    "2026-12-24T00:00Z",
    "+99999y",
    "soon",
  ])("%j", (text) => {
    expect(() => day(text)).toThrow(/is not a valid date|invalid date|ambiguous/);
  });

  test.each(["2026-02-29", "2026-13-01", "2026-04-31", "0000-01-01"])("%s, which no calendar has", (text) => {
    expect(() => day(text)).toThrow(`invalid date "${text}"`);
  });
});

describe("days are counted in the zone of the user", () => {
  const beforeMidnight = "2026-11-20T23:30:00Z";

  test.each([
    ["UTC", "2026-11-20", "2026-11-21"],
    ["Asia/Tokyo", "2026-11-21", "2026-11-22"],
    ["Pacific/Kiritimati", "2026-11-21", "2026-11-22"],
    ["America/Los_Angeles", "2026-11-20", "2026-11-21"],
  ])("half an hour before midnight UTC in %s", (zone, today, tomorrow) => {
    expect([day("today", beforeMidnight, zone), day("tomorrow", beforeMidnight, zone)]).toEqual([today, tomorrow]);
  });

  test("the 31st of a shorter month is its last day", () => {
    expect(day("+1mo", "2027-01-31T12:00:00Z")).toBe("2027-02-28");
    expect(day("+1y", "2028-02-29T12:00:00Z")).toBe("2029-02-28");
  });
});
