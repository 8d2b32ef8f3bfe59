import { expect, test } from "vitest";
import { withTokens } from "../../../src/api/write/texts.ts";

test.each([
  ["", ["[x]"], "[x]"],
  ["[y]", ["[x]"], "[y] [x]"],
  ["[x][y] foo", ["[x]"], "[x][y] foo"],
  ["[x][y] foo", ["foo"], "[x][y] foo"],
  ["[xx] x [x y]", ["[x]"], "[xx] x [x y] [x]"],
  ["a", ["b", "[c d]", "b"], "a b [c d]"],
  ["  a   b  ", ["c"], "a   b c"],
  ["foo]", ["[x]"], "foo] [x]"],
])("%j with %j added is %j", (text, add, expected) => {
  expect(withTokens(text, add, [])).toBe(expected);
});

test.each([
  ["[x][y] foo", ["[x]"], "[y] foo"],
  ["[x][y] foo", ["[y]"], "[x] foo"],
  ["[x][y] foo", ["foo"], "[x][y]"],
  ["[x]", ["[x]"], ""],
  ["a [x] b", ["[x]"], "a b"],
  ["a [x]b", ["[x]"], "a b"],
  ["a[x]b", ["[x]"], "a b"],
  ["[a] [x] [b]", ["[x]"], "[a] [b]"],
  ["[x] a [x] b [x]", ["[x]"], "a b"],
  ["x [x y] xx", ["x"], "[x y] xx"],
  ["[X]", ["[x]"], "[X]"],
  ["foo] bar", ["bar"], "foo]"],
])("%j with %j removed is %j", (text, remove, expected) => {
  expect(withTokens(text, [], remove)).toBe(expected);
});
