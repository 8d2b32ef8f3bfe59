import { describe, expect, test } from "vitest";
import { asText, DATE_TIME, multiLine, readCommentText, readDateValue, readHours } from "../../src/tracker/values.ts";
import { outcome } from "./refusal.ts";

describe("hours", () => {
  test.each<[unknown, string]>([
    ["5.5", "5.5"],
    [3, "3"],
    [".25", "0.25"],
    [" ", "0"],
    [null, "0"],
    ["abc", "400/52: The value 'abc' in the Hours Left field is not a numeric value."],
    ["1e3", "400/52: The value '1e3' in the Hours Left field is not a numeric value."],
    [-1, "400/55: The value '-1' in the Hours Left field is less than the minimum allowable value of '0'."],
    [1e5, "400/54: The value '100000' in the Hours Left field is more than the maximum allowable value of '99999.99'."],
  ])("%j", (value, expected) => {
    expect(outcome(() => readHours(value as never, "remaining_time"))).toBe(expected);
  });
});

function NOT_A_DAY(text: string) {
  return `400/56: '${text}' is not a legal date. Please use the format 'YYYY-MM-DD'.`;
}

describe("times and days", () => {
  test.each([
    ["2027-02-28", '"2027-02-28"'],
    [" 2027-02-28 ", '"2027-02-28"'],
    ["", '""'],
    ["2027-02-29", NOT_A_DAY("2027-02-29")],
    ["2027-13-45", NOT_A_DAY("2027-13-45")],
    ["31/01/2027", NOT_A_DAY("31/01/2027")],
    ["2027-01-31T00:00:00Z", NOT_A_DAY("2027-01-31T00:00:00Z")],
    ["soon", NOT_A_DAY("soon")],
  ])("the day %j", (text, expected) => {
    expect(outcome(() => readDateValue(text))).toBe(expected);
  });

  test.each([
    ["2026-11-01 12:34:56", '"2026-11-01 12:34:56"'],
    ["2026-11-01 12:34", '"2026-11-01 12:34"'],
    ["2026-11-01", '"2026-11-01"'],
    ["2026-11-01 25:00", NOT_A_DAY("2026-11-01 25:00")],
    ["2026-11-01T12:34:56Z", NOT_A_DAY("2026-11-01T12:34:56Z")],
  ])("the time %j", (text, expected) => {
    expect(outcome(() => readDateValue(text, DATE_TIME))).toBe(expected);
  });
});

describe("texts", () => {
  test("lines of long fields end in CR LF, lines of comments in LF without trailing blanks", () => {
    expect(multiLine("a\nb\r\nc\rd")).toBe("a\r\nb\r\nc\r\nd");
    expect(readCommentText("a\r\n\r\n  b \n\t ")).toBe("a\n\n  b");
  });

  test.each<[unknown, string]>([
    [42, '"42"'],
    [true, '"1"'],
    [false, '"0"'],
    [null, '""'],
    [["x"], "400/32000: The parameter whiteboard must be one text."],
    [{ a: 1 }, "400/32000: The parameter whiteboard must be one text."],
  ])("%j as text", (value, expected) => {
    expect(outcome(() => asText(value as never, "whiteboard"))).toBe(expected);
  });
});
