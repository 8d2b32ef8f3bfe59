import { expect, test } from "vitest";
import { searchZebras } from "./ask.ts";

// Beside those of test/replay/bug-search.json.

test.each<[string, readonly number[]]>([
  ["FIX", [20002]],
  ["FIX,DUP zebra", [20002, 20005]],
  ["ALL zebra AND stripes", [20002, 20003]],
  ["ALL zebra NOT summary:stripes", [20004, 20005]],
  ["ALL zebra NOT NOT summary:stripes", [20002, 20003]],
  ["ALL vanish OR NOT summary:zebra", [20002]],
  ["ALL #vanish", [20002]],
  ["ALL bug_id>=20004", [20004, 20005]],
  ["ALL summary,whiteboard:zoo", [20002, 20003]],
  ["ALL review?alice", []],
  ["ALL flag:review?bob", [20002]],
  ["resolution:--- zebra", [20003, 20004]],
  ["status:resolved zebra", [20002, 20005]],
  ['ALL whiteboard:"" zebra', [20004, 20005]],
  ["ALL #nosuch:field", []],
  ["ALL content:quagga", [20002, 20004]],
  ["20003, 20002", [20002, 20003]],
])("%s", async (quicksearch, ids) => {
  expect(await searchZebras({ quicksearch, f1: "bug_id", o1: "greaterthan", v1: "20000" })).toEqual(ids);
});

test.each([
  [" , ", 1000],
  ["zebra OR AND stripes", 32000],
  ["zebra NOT AND stripes", 32000],
])("%j is rejected", async (quicksearch, code) => {
  expect(await searchZebras({ quicksearch })).toMatchObject({ code });
});
