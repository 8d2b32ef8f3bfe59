import { expect, test } from "vitest";
import { searchZebras } from "./ask.ts";

test.each<[string, readonly number[]]>([
  ["zebra", [20003, 20004]],
  ["ALL zebra", [20002, 20003, 20004, 20005]],
  ["OPEN zebra", [20003, 20004]],
  ["RES zebra", [20002, 20005]],
  ["FIX", [20002]],
  ["CON,UNC zebra", [20003, 20004]],
  ["FIX,DUP zebra", [20002, 20005]],
  ["ALL zebra stripes", [20002, 20003]],
  ["ALL zebra AND stripes", [20002, 20003]],
  ["ALL stripes OR unconfirmed", [20002, 20003, 20005]],
  ["ALL stripes|unconfirmed", [20002, 20003, 20005]],
  ["ALL stripes,unconfirmed", [20002, 20003, 20005]],
  ["ALL zebra -summary:stripes", [20004, 20005]],
  ["ALL zebra NOT summary:stripes", [20004, 20005]],
  ["ALL zebra NOT NOT summary:stripes", [20002, 20003]],
  ["ALL vanish OR NOT summary:zebra", [20002]],
  ['ALL "zebra are"', [20003]],
  ["ALL #vanish", [20002]],
  ["ALL :Places zebra", [20005]],
  ["ALL @bob zebra", [20003]],
  ["ALL !perf", [20003]],
  ["ALL [zoo]", [20002, 20003]],
  ["ALL P1 zebra", [20002]],
  ["ALL P4-1 zebra", [20002, 20003]],
  ["ALL priority!=Highest zebra", [20003, 20004, 20005]],
  ["ALL bug_id>=20004", [20004, 20005]],
  ["ALL summary,whiteboard:zoo", [20002, 20003]],
  ["ALL prio:Highest zebra", [20002]],
  ["ALL review?", [20002]],
  ["ALL review?bob", [20002]],
  ["ALL review?alice", []],
  ["ALL flag:review?bob", [20002]],
  ["ALL tracking:yes", [20002]],
  ["ALL track:yes", [20002]],
  ["resolution:--- zebra", [20003, 20004]],
  ["status:resolved zebra", [20002, 20005]],
  ['ALL whiteboard:"" zebra', [20004, 20005]],
  ["ALL zoo.example.org", [20002]],
  ["ALL http://zoo.example.org/page", [20002]],
  ["ALL #nosuch:field", []],
  ["ALL comment:okapi", [20003]],
  ["ALL content:quagga", [20002, 20004]],
  ["20003, 20002", [20002, 20003]],
])("%s", async (quicksearch, ids) => {
  expect(await searchZebras({ quicksearch, f1: "bug_id", o1: "greaterthan", v1: "20000" })).toEqual(ids);
});

test("an explicit status replaces the default of open bugs", async () => {
  expect(await searchZebras({ quicksearch: "zebra", status: "RESOLVED" })).toEqual([20002, 20005]);
});

test.each([
  ["", 1000],
  [" , ", 1000],
  ['ALL "zebra', 32000],
  ["OR zebra", 32000],
  ["zebra NOT", 32000],
  ["zebra AND OR stripes", 32000],
  ["zebra OR AND stripes", 32000],
  ["zebra NOT AND stripes", 32000],
  ["ALL nosuch:x", 32000],
  ["ALL re:x", 32000],
])("%j is rejected", async (quicksearch, code) => {
  expect(await searchZebras({ quicksearch })).toMatchObject({ code });
});
