import fc from "fast-check";
import { expect, test } from "vitest";
import { width, wrap } from "../../src/view/wrap.ts";
import { growth, LINEAR } from "../cpu-time.ts";

test.each([
  ["words go to the next line", "the quick brown fox jumps", 10, ["the quick", "brown fox", "jumps"]],
  ["newlines stay", "one\n\ntwo", 10, ["one", "", "two"]],
  ["an indented line stays indented", "    at main of file", 12, ["    at main", "    of file"]],
  ["a long word is broken", "abcdefghijklmno", 10, ["abcdefghij", "klmno"]],
  ["a URL is not", "see https://example.org/long/path now", 10, ["see", "https://example.org/long/path", "now"]],
  ["wide characters count twice", "画面が黒くなる", 10, ["画面が黒く", "なる"]],
  ["tabs reach the next stop", "a\tb", 20, ["a       b"]],
  ["trailing blanks are removed", "end   \nx", 20, ["end", "x"]],
])("%s", (...[, text, columns, lines]) => {
  expect(wrap(text, columns)).toEqual(lines);
});

test("no line is too wide, and no character is lost", () => {
  const prose = fc.string({ unit: fc.constantFrom(..."ab  \n漢é", "😀", "👩‍❤️‍👨"), maxLength: 80 });
  fc.assert(
    fc.property(prose, fc.integer({ min: 8, max: 30 }), (text, columns) => {
      const lines = wrap(text, columns);
      expect(lines.join("").replaceAll(" ", "")).toBe(text.replace(/[ \n]/g, ""));
      return lines.every((line) => width(line) <= columns);
    }),
  );
});

test.each(["word ", "x", " "])("time is linear in the length: %j", (unit) => {
  expect(growth((size) => wrap(unit.repeat(size), 80), 10_000)).toBeLessThan(LINEAR);
});
