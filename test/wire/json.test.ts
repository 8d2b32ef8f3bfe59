import fc from "fast-check";
import { expect, test } from "vitest";
import { jsonFault } from "../../src/wire/json.ts";
import { growth, LINEAR } from "../cpu-time.ts";

test.each(['{"a":[1,-2.5e3,true,null,"x\\"y\\u00Fc\x7f"],"b":{}}', "[]", " 7 ", '"text"', '{\r\n"a": 1\r\n}'])(
  "%j is valid",
  (text) => {
    expect(jsonFault(text, { strict: true })).toBeUndefined();
  },
);

test.each([
  ['{"a":1,}', 1, 8, "unexpected }"],
  ["[1 2]", 1, 4, "unexpected 2"],
  ['{"a"\n:01}', 2, 2, "unexpected 01"],
  ['{"a" 1}', 1, 6, "unexpected 1"],
  ["{'a':1}", 1, 2, "unexpected '"],
  ["[1,]", 1, 4, "unexpected ]"],
  ["[True]", 1, 2, "unexpected True"],
  ["[1,2", 1, 5, "unexpected end of input"],
  ["[1,2 \n", 1, 5, "unexpected end of input"],
  ["", 1, 1, "unexpected end of input"],
  ["nul", 1, 1, "unexpected nul"],
  ["{} {}", 1, 4, "unexpected {"],
  ['["a\tb"]', 1, 2, 'unexpected "'],
  ['{"a":"unfinished', 1, 6, 'unexpected "'],
  ["\u{feff}{}", 1, 1, "unexpected \u{feff}"],
  ["\u{1f600}", 1, 1, "unexpected \u{1f600}"],
])("%j is invalid at line %i, column %i: %s", (text, ...[line, column, what]) => {
  expect(jsonFault(text)).toMatchObject({ line, column, problem: what });
});

test.each([
  ['{"a":1,"a":2}', 8, 'duplicate key "a"'],
  ['{"a":{"b":1},"b":2,"\\u0061":3}', 20, 'duplicate key "\\u0061"'],
  ['["\\ud83d"]', 2, "invalid Unicode: unpaired surrogate"],
])("%s is accepted by JSON.parse, and invalid at column %i in strict mode", (text, column, what) => {
  expect(jsonFault(text)).toBeUndefined();
  expect(jsonFault(text, { strict: true })).toMatchObject({ line: 1, column, problem: what });
});

test("the scanner accepts exactly what JSON.parse accepts, also after random edits", () => {
  const cuts = fc.tuple(fc.json(), fc.nat(), fc.nat(3), fc.constantFrom("", '"', "{", "]", ",", "\\", "\0", "x", "é"));
  fc.assert(
    fc.property(cuts, ([text, place, cut, put]) => {
      const at = place % (text.length + 1);
      expectAgreement(text.slice(0, at) + put + text.slice(at + cut));
    }),
    { numRuns: 2000 },
  );
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom(...'{}[]:,"01-+.eE tnull\\u') }), (text) => expectAgreement(text)),
    { numRuns: 2000 },
  );
});

function expectAgreement(text: string) {
  const fault = jsonFault(text);
  expect(fault === undefined).toBe(parses(text));
  if (fault) expect(fault.at).toBeLessThanOrEqual(text.length);
}

function parses(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

test.each([
  ['{"a":"', "x\\n"],
  ['["', '\\"'],
  ["", "["],
])("an unterminated text of %j and many times %j is rejected in linear time", (head, unit) => {
  expect(jsonFault(head + unit.repeat(100))).toBeDefined();
  expect(growth((size) => jsonFault(head + unit.repeat(size)), 20_000)).toBeLessThan(LINEAR);
});
