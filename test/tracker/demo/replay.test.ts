import { readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { DEMO_TIME, openDemo } from "../../../src/tracker/demo/demo.ts";
import { replayDemo, saveRows } from "../../../src/tracker/demo/replay.ts";
import { SCHEMA_VERSION } from "../../../src/tracker/store/schema.ts";
import { openDatabase, openStore, type Store } from "../../../src/tracker/store/store.ts";
import { freshFolder } from "../../fresh-folder.ts";

function rowsOf(store: Store) {
  const tables = store.all<{ readonly name: string }>(
    "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT GLOB 'sqlite_*' AND name NOT GLOB '*_words*'",
  );
  return Object.fromEntries(tables.map(({ name }) => [name, store.all(`SELECT * FROM ${name}`)]));
}

test("the built demo is its stories, replayed by the rules of the tracker", async () => {
  expect(rowsOf(openDemo(new Date(DEMO_TIME)))).toEqual(rowsOf(await replayDemo()));
});

test("a demo that was built for another schema is refused with how to build it", async () => {
  const file = path.join(freshFolder(), "demo.db");
  saveRows(await replayDemo(), file);
  openDemo(new Date(DEMO_TIME), file).close();
  const stale = openDatabase(file);
  stale.exec(`PRAGMA user_version = -${SCHEMA_VERSION + 1}`);
  stale.close();
  expect(() => openDemo(new Date(DEMO_TIME), file)).toThrow(
    `${file} has schema ${SCHEMA_VERSION + 1}, and this bt schema ${SCHEMA_VERSION}: run "npm run build"`,
  );
});

test("what is shipped of the demo is no tracker, and a copy of it is not modified", async () => {
  const file = path.join(freshFolder(), "copy.db");
  saveRows(await replayDemo(), file);
  const before = readFileSync(file);
  expect(() => openStore(file)).toThrow("The file has the rows of the demo, not a tracker");
  expect(readFileSync(file).equals(before)).toBe(true);
});

const MOMENT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/;
const DAY = /^\d{4}-\d\d-\d\d$/;

/** All moments and days of the rows as seconds, and days, since 1970. */
function timesIn(store: Store): readonly (readonly [where: string, time: number])[] {
  return Object.entries(rowsOf(store)).flatMap(([table, rows]) =>
    rows.flatMap((row) =>
      Object.entries(row).flatMap(([column, value]) => {
        const text = String(value);
        if (MOMENT.test(text)) return [[`${table}.${column}`, Date.parse(text) / 1000] as const];
        return DAY.test(text) ? [[`${table}.${column} in days`, Date.parse(text) / 86_400_000] as const] : [];
      }),
    ),
  );
}

test("all times and days of the demo shift with the hour in which it is opened", () => {
  const first = timesIn(openDemo(new Date("2026-11-20T23:59:59.900Z")));
  const later = timesIn(openDemo(new Date("2031-03-01T00:00:00Z")));
  expect(first.length).toBeGreaterThan(500);
  const seconds = (Date.parse("2031-03-01T00:00:00Z") - Date.parse("2026-11-20T23:00:00Z")) / 1000;
  const days = (Date.parse("2031-03-01") - Date.parse("2026-11-20")) / 86_400_000;
  expect(later).toEqual(first.map(([where, time]) => [where, time + (where.endsWith("in days") ? days : seconds)]));
});
