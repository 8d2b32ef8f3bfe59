import { describe, expect, test } from "vitest";
import { filledLines, rowLines } from "../../src/cli/help.ts";

test("text is filled at blanks, and a word that is too long has a line of its own", () => {
  expect(filledLines("one two  three", 7)).toEqual(["one two", "three"]);
  expect(filledLines("a https://example.org b", 10, { first: "- ", rest: "  " })).toEqual([
    "- a",
    "  https://example.org",
    "  b",
  ]);
  expect(filledLines(" ", 7)).toEqual([]);
});

describe("rows", () => {
  const rows = [
    ["-s, --status <value>", "status, or one of @open and @closed"],
    ["--web", "open in the browser"],
  ] as const;

  test("have their descriptions beside the terms", () => {
    expect(rowLines(rows, 52)).toEqual([
      "  -s, --status <value>  status, or one of @open and",
      "                        @closed",
      "  --web                 open in the browser",
    ]);
  });
});
