import fc from "fast-check";
import { expect, test } from "vitest";
import { jsonFault } from "../../src/api/strict-json.ts";

test.each(['{"a":[1,-2.5e3,true,null,"x\\"y"],"b":{}}', "[]", " 7 ", '"text"', '{\r\n"a": 1\r\n}'])(
  "%s is fine",
  (text) => {
    expect(jsonFault(text)).toBeUndefined();
  },
);

test.each([
  ['{"a":1,}', 1, 8],
  ['{"a":1,"a":2}', 1, 8],
  ['{"a":{"b":1},"b":2,"\\u0061":3}', 1, 20],
  ["[1 2]", 1, 4],
  ['{"a"\n:01}', 2, 2],
  ["{'a':1}", 1, 2],
  ["[1,2", 1, 5],
  ["", 1, 1],
  ["nul", 1, 1],
  ["{} {}", 1, 4],
  ['["a\tb"]', 1, 2],
  ['["\\ud83d"]', 1, 2],
])("%j is wrong at line %i, column %i", (text, line, column) => {
  expect(jsonFault(text)).toMatchObject({ line, column });
});

test("whatever JSON.parse takes is fine, and nothing else", () => {
  fc.assert(
    fc.property(fc.json(), (text) => {
      expect(jsonFault(text)).toBeUndefined();
    }),
  );
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom(...'{}[]:,"01-. tnull') }), (text) => {
      expect(jsonFault(text) === undefined).toBe(parses(text));
    }),
    { numRuns: 2000 },
  );
});

function parses(text: string): boolean {
  try {
    JSON.parse(text);
    return !/"([^"]*)":[^{}]*,"\1":/.test(text);
  } catch {
    return false;
  }
}
