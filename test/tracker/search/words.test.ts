import { expect, test } from "vitest";
import { hasWord } from "../../../src/tracker/search/compare/words.ts";
import { splitOutside, unquoted, wordsOutside } from "../../../src/tracker/search/quicksearch/words.ts";

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
])("%j is taken apart at %j", (text, separator, parts) => {
  expect(splitOutside(text, separator)).toEqual(parts);
  expect(wordsOutside(text, separator)).toEqual(parts?.filter((part) => part !== "") ?? []);
});

test("quotes go, and what a backslash protects stays", () => {
  expect(unquoted('"so \\"special\\"" a\\\\b')).toBe('so "special" a\\b');
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
  expect(hasWord(word)(text)).toBe(isThere);
});
