import { assert, constantFrom, json, nat, property, tuple } from "fast-check";
import { expect, test } from "vitest";
import { parseJsonBody } from "../../../src/tracker/http/json.ts";

test.each([
  [
    "",
    'malformed JSON string, neither tag, array, object, number, string or atom, at character offset 0 (before "(end of string)")',
  ],
  ['{"a" 1}', "':' expected, at character offset 5 (before \"1}\")"],
  ['{"a":1 "b":2}', ', or } expected, at character offset 7 (before ""b":2}")'],
  [
    "[1,]",
    'malformed JSON string, neither tag, array, object, number, string or atom, at character offset 3 (before "]")',
  ],
  ["[01]", ', or ] expected, at character offset 2 (before "1]")'],
  [
    '{"a":"unfinished',
    'malformed JSON string, neither tag, array, object, number, string or atom, at character offset 5 (before ""unfinished")',
  ],
  [
    "\u{1f600}",
    'malformed JSON string, neither tag, array, object, number, string or atom, at character offset 0 (before "\\x{1f600}")',
  ],
])("%j is told where it stops being JSON", (text, problem) => {
  expect(() => parseJsonBody(text)).toThrow(`Could not parse the 'params' argument as valid JSON. Error: ${problem}`);
});

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

test("whatever is cut out of JSON or put into it is read as JSON, or refused at a place within it", async () => {
  const mutations = tuple(json(), nat(), nat(3), constantFrom("", '"', "{", "]", ",", "\\", "\0", "x", "\u{feff}"));
  await assert(
    property(mutations, ([text, place, cut, put]) => {
      const at = place % (text.length + 1);
      const mutated = text.slice(0, at) + put + text.slice(at + cut);
      if (isJson(mutated)) {
        expect(parseJsonBody(mutated)).toEqual(JSON.parse(mutated));
      } else {
        expect(() => parseJsonBody(mutated)).toThrow(/at character offset \d+ \(before "/);
      }
    }),
    { numRuns: 2000 },
  );
});

test("a long text that is never closed is refused at once", () => {
  const started = performance.now();
  expect(() => parseJsonBody(`{"a":"${"x\\n".repeat(1_000_000)}`)).toThrow("at character offset 5");
  expect(performance.now() - started).toBeLessThan(2000);
});
