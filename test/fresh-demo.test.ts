import { expect, test } from "vitest";
import { openTracker } from "../src/tracker/open.ts";
import { clockOf } from "./clock.ts";
import { freshDemo } from "./fresh-demo.ts";

const surroundings = { now: clockOf(), random: (count: number) => new Uint8Array(count) };

function everything({ store }: ReturnType<typeof freshDemo>) {
  const tables = store.all<{ readonly name: string }>(
    "SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name",
  );
  return tables.map(({ name }) => ({ name, rows: store.all(`SELECT * FROM ${name}`) }));
}

test("the demo of a test is a fresh copy, whatever an earlier test changed", () => {
  freshDemo(surroundings).store.exec("DELETE FROM bug_cc");
  const demo = openTracker("demo:", { ...surroundings, dataDirectory: "" });
  expect(everything(freshDemo(surroundings))).toEqual(everything(demo));
});
