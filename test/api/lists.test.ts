import { expect, test } from "vitest";
import { inChunks } from "../../src/api/lists.ts";

test.each([
  ["none", [], []],
  ["fewer than fit into a part", [1], [[1]]],
  ["as many as fit", [1, 2], [[1, 2]]],
  ["a last part that is shorter", [1, 2, 3], [[1, 2], [3]]],
])("parts of a list: %s", (_, items, parts) => {
  expect(inChunks(items, 2)).toEqual(parts);
});
