import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { applyListEdit, differenceBy, type ListEdit } from "../../../src/tracker/bugs/list-edit.ts";
import { uniqueBy } from "../../../src/tracker/unique-by.ts";

function itself(item: number) {
  return item;
}

const few = fc.uniqueArray(fc.integer({ min: 1, max: 8 }), { maxLength: 6 });

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

describe("for every edit", () => {
  test("applying it again changes nothing", () => {
    fc.assert(
      fc.property(few, few, few, (list, add, remove) => {
        const once = applyListEdit(list, { add, remove }, itself);
        expect(applyListEdit(once, { add, remove }, itself)).toEqual(once);
      }),
    );
  });

  test("reverting added and removed items restores the list", () => {
    fc.assert(
      fc.property(few, few, few, (list, add, remove) => {
        const after = applyListEdit(list, { add, remove }, itself);
        const back = { add: differenceBy(list, after, itself), remove: differenceBy(after, list, itself) };
        expect([...applyListEdit(after, back, itself)].sort()).toEqual([...list].sort());
      }),
    );
  });

  test("no item occurs twice", () => {
    fc.assert(
      fc.property(few, few, few, (list, add, set) => {
        const after = applyListEdit(list, { add, remove: [], set: [...set, ...add] }, itself);
        expect(uniqueBy(after, itself)).toEqual(after);
      }),
    );
  });
});
