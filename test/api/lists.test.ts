import { expect, test } from "vitest";
import { grouped, inChunks, partition } from "../../src/api/lists.ts";

test.each([
  ["none", [], []],
  ["fewer than fit into a part", [1], [[1]]],
  ["as many as fit", [1, 2], [[1, 2]]],
  ["a last part that is shorter", [1, 2, 3], [[1, 2], [3]]],
])("parts of a list: %s", (_, items, parts) => {
  expect(inChunks(items, 2)).toEqual(parts);
});

test("items with one key are a group, in the order in which keys and items first appear", () => {
  const groups = grouped(["pear", "apple", "plum", "avocado"], ([first]) => first);
  expect([...groups]).toEqual([
    ["p", ["pear", "plum"]],
    ["a", ["apple", "avocado"]],
  ]);
});

test("items that pass a test and the others keep their order", () => {
  expect(partition([1, 2, 3, 4], (number) => number % 2 === 0)).toEqual([
    [2, 4],
    [1, 3],
  ]);
});
