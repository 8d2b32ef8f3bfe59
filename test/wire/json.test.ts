import { expect, test } from "vitest";
import { jsonProblem } from "../../src/wire/json.ts";
import { growth, LINEAR } from "../cpu-time.ts";

test.each([
  '{"a":[1,-2.5e3,true,null,"x\\"y\\u00Fc\x7f"],"b":{}}',
  '[{"a":1},{"a":"a"}]',
  '{"a":{"a":"\\ud83d\\ude00"}}',
  ...["[]", " 7 ", '"text"', '{\r\n"a": 1\r\n}'],
])("%j is valid", (text) => {
  expect(jsonProblem(text)).toBeUndefined();
});

test.each([
  ['{"a":1,}', "not JSON"],
  ["[1,2", "not JSON (line 1, column 5)"],
  ["", "not JSON (line 1, column 1)"],
  ['{"a":1,"a":2}', 'duplicate key "a"'],
  ['{"a":{"b":1},"b":2,"\\u0061":3}', 'duplicate key "\\u0061"'],
  ['["\\ud83d"]', "invalid Unicode: unpaired surrogate"],
])("%j is %s", (text, problem) => {
  expect(jsonProblem(text)).toContain(problem);
});

test.each([
  ['{"a":"', "x\\n"],
  ['["', '\\"'],
])("an unterminated text of %j and many times %j is rejected in linear time", (head, unit) => {
  expect(growth((size) => jsonProblem(head + unit.repeat(size)), 20_000)).toBeLessThan(LINEAR);
});
