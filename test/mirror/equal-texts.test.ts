import { expect, test } from "vitest";
import type { JsonObject } from "../../src/wire/exchange.ts";
import type { TextFolding } from "../../src/wire/mirror.ts";
import { get, type QueryValues } from "../tracker/mirror/received.ts";
import { aMirror } from "./a-mirror.ts";
import { writtenTracker } from "./writers.ts";

const SUMMARIES = ["zero equal d", "Zéro equal d", "ZERO EQUAL D", "zero\u200b equal d", "zero equal e"];

/** Search among bugs 1 to 5 of a mirror, with these summaries, and a whiteboard without a visible character on bug 2. */
async function searchOf(folding: TextFolding): Promise<(query: QueryValues) => Promise<unknown[]>> {
  const tracker = writtenTracker("2026-11-20T12:00:00Z", {});
  await tracker.write(async ({ store }) => {
    for (const [at, summary] of SUMMARIES.entries())
      store.run("UPDATE bugs SET summary = ?, whiteboard = '' WHERE id = ?", [summary, at + 1]);
    store.run("UPDATE bugs SET whiteboard = ? WHERE id = 2", ["\u200b\ufeff"]);
  });
  const mirror = aMirror(tracker, { folding });
  await mirror.sync();
  return async (query) => {
    const { bugs } = await get(mirror.exchange, "/bug", { id: "1,2,3,4,5", include_fields: "id", ...query });
    return (bugs as JsonObject[]).map(({ id }) => id);
  };
}

const EMPTY = { f1: "status_whiteboard", o1: "isempty" };
const SET = { f1: "status_whiteboard", o1: "isnotempty" };

// as MariaDB 10.11 answers with utf8mb4_unicode_520_ci
test("a mirror of a tracker that ignores accents sorts and tests texts as the tracker does", async () => {
  const found = await searchOf("accents");
  expect(await found({ order: "short_desc" })).toEqual([1, 2, 3, 4, 5]);
  expect(await found({ order: "short_desc DESC" })).toEqual([5, 1, 2, 3, 4]);
  expect(await found(EMPTY)).toEqual([1, 2, 3, 4, 5]);
  expect(await found(SET)).toEqual([]);
});

test("a mirror of another tracker compares characters", async () => {
  const found = await searchOf("case");
  expect(await found({ order: "short_desc" })).toEqual([1, 3, 5, 4, 2]);
  expect(await found(SET)).toEqual([2]);
});
