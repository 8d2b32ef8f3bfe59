import { expect, test } from "vitest";
import { withTokens } from "../../../src/api/write/values.ts";

test.each([
  ["", ["[x]"], [], "[x]"],
  ["[x][y] foo", ["[x]", "foo", "[z]"], [], "[x][y] foo [z]"],
  ["[xx] x [x y]", ["[x]"], [], "[xx] x [x y] [x]"],
  ["  a   b  ", ["c", "c"], [], "a   b c"],
  ["foo]", ["[x]"], [], "foo] [x]"],
  ["[x][y] foo", [], ["[y]"], "[x] foo"],
  ["a [x] b", [], ["[x]"], "a b"],
  ["a[x]b", [], ["[x]"], "a b"],
  ["[x] a [x] b [x]", [], ["[x]"], "a b"],
  ["x [x y] [X] xx", [], ["x", "[x]"], "[x y] [X] xx"],
])("%j with %j and without %j is %j", (text, add, remove, expected) => {
  expect(withTokens(text, add, remove)).toBe(expected);
});
