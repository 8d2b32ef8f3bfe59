import { expect, test } from "vitest";
import { applyListEdit, type ListEdit } from "../../../src/tracker/bugs/list-edit.ts";

function itself(item: number) {
  return item;
}

test.each<[string, readonly number[], ListEdit<number>, readonly number[]]>([
  ["added items come last", [1, 2], { add: [3], remove: [] }, [1, 2, 3]],
  ["an existing item keeps its place", [1, 2], { add: [1], remove: [] }, [1, 2]],
  ["removed items disappear", [1, 2], { add: [], remove: [1] }, [2]],
  ["a missing item cannot be removed", [1, 2], { add: [], remove: [9] }, [1, 2]],
  ["an item both added and removed disappears", [1], { add: [2], remove: [2] }, [1]],
  ["set overrides add and remove", [1, 2], { add: [3], remove: [4], set: [4, 5] }, [4, 5]],
  ["an empty set clears the list", [1, 2], { add: [], remove: [], set: [] }, []],
  ["a repeated item is added once", [], { add: [7, 7], remove: [] }, [7]],
])("%s", (...[_fact, list, edit, expected]) => {
  expect(applyListEdit(list, edit, itself)).toEqual(expected);
});
