import { expect, test } from "vitest";
import { searcher, searchZebras } from "./ask.ts";
import { zebraStore } from "./zebra-store.ts";

// Beside those of test/replay/bug-search.json.

test.each<[string, readonly number[]]>([
  ["FIX", [20002]],
  ["FIX,DUP zebra", [20002, 20005]],
  ["ALL zebra AND stripes", [20002, 20003]],
  ["ALL zebra NOT summary:stripes", [20004, 20005]],
  ["ALL zebra NOT NOT summary:stripes", [20002, 20003]],
  ["ALL vanish OR NOT summary:zebra", [20002]],
  ["ALL #vanish", [20002]],
  ["ALL P4-1 zebra", [20002, 20003]],
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

test("P1 is the priority of that name, where there is one", async () => {
  const store = zebraStore();
  const field = "(SELECT id FROM fields WHERE name = 'priority')";
  store.exec(`INSERT INTO field_values (field_id, name, sort_key) VALUES (${field}, 'P1', 1000)`);
  store.exec("UPDATE bugs SET priority = 'P1' WHERE id = 20003");
  expect(await searcher(store)({ quicksearch: "ALL P1" })).toEqual([20003]);
});

test.each([
  [" , ", 1000],
  ["zebra OR AND stripes", 32000],
  ["zebra NOT AND stripes", 32000],
])("%j is rejected", async (quicksearch, code) => {
  expect(await searchZebras({ quicksearch })).toMatchObject({ code });
});
