import { expect, test } from "vitest";
import { wholeWordTest } from "../../../src/tracker/search/compare.ts";
import { splitUnquoted, withoutQuotes } from "../../../src/tracker/search/quicksearch.ts";

test.each<[string, string, readonly string[] | undefined]>([
  ["one two", "\\s+", ["one", "two"]],
  ['say "one two" three', "\\s+", ["say", '"one two"', "three"]],
  ['a\\"b c', "\\s+", ['a\\"b', "c"]],
  ['field:"a:b"', ":", ["field", '"a:b"']],
  ["a>=b", ">=", ["a", "b"]],
  ["a,,b", ",", ["a", "", "b"]],
  ["it's", "\\s+", ["it's"]],
  ['"not closed', "\\s+", undefined],
  ["", ",", [""]],
])("%j is split at %j", (text, separator, parts) => {
  expect(splitUnquoted(text, separator)).toEqual(parts);
});

test("quotes are removed, and escaped ones kept", () => {
  expect(withoutQuotes('"so \\"special\\"" a\\\\b')).toBe('so "special" a\\b');
});

test.each([
  ["zebra", "a Zebra.", true],
  ["zebra", "zebras", false],
  ["über", "ÜBER alles", true],
  ["ber", "über", false],
  ["c++", "in C++ only", true],
  ["[zoo]", "x[zoo]y", false],
  ["a.c", "abc", false],
])("the word %j in %j: %j", (word, text, isThere) => {
  expect(wholeWordTest(word)(text)).toBe(isThere);
});
