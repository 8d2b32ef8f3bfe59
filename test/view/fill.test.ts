import { describe, expect, test } from "vitest";
import { fillLines } from "../../src/view/fill.ts";

describe("a message wider than the terminal", () => {
  test.each([
    ["bt: the tracker refused the change of it", "bt: the tracker\n    refused the\n    change of it"],
    ["    #12: you may not change it", "    #12: you may not\n      change it"],
    ["first 20 bugs; --all for more", "first 20 bugs; --all\n  for more"],
    ["\u001b[31mbt:\u001b[39m the tracker is away", "\u001b[31mbt:\u001b[39m the tracker is\n    away"],
  ])("is broken between words: %j", (line, lines) => {
    expect(fillLines(`${line}\n`, 20)).toBe(`${lines}\n`);
  });

  test.each([
    [
      "hint: check it: bt config get base_url, or --base-url",
      "hint: check it:\n      bt config get base_url,\n      or --base-url",
    ],
    [
      "hint: bt bug update 12 --flag 'needinfo?(a b)' changes it",
      "hint: bt bug update 12 --flag 'needinfo?(a b)'\n      changes it",
    ],
    ["bt: see https://bugs.example.org/show_bug.cgi?id=12", "bt: see\n    https://bugs.example.org/show_bug.cgi?id=12"],
    [
      "hint: bt bug search is:open --format ids | bt bug get -",
      "hint: bt bug search is:open --format ids\n      | bt bug get -",
    ],
  ])("keeps commands and addresses whole: %s", (line, lines) => {
    expect(fillLines(line, 30)).toBe(lines);
  });

  test.each([
    '{"error":{"kind":"usage","message":"no such bug"}}',
    '  "summary": "Crash on start, again"',
    "\r[####################] 12 of 20 bugs",
  ])("and JSON and progress are unchanged: %j", (line) => {
    expect(fillLines(line, 20)).toBe(line);
  });
});
