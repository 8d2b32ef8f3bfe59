import { expect, test } from "vitest";
import type { SendRequest } from "../../src/api/operations/operation.ts";
import { detectFolding } from "../../src/mirror/sync.ts";
import { NO_FACTS } from "../../src/tracker/mirror/schema.ts";
import { containsPart } from "../../src/tracker/search/compare.ts";
import type { Exchange } from "../../src/wire/exchange.ts";
import { TEXT_FOLDINGS, type TextFolding } from "../../src/wire/mirror.ts";
import { aMirror } from "./a-mirror.ts";
import { writtenTracker } from "./writers.ts";

const BUG = { id: 7, summary: "Im Café stimmt etwas nicht" };

/** Its words are also in it without accents. */
const MISLEADING = { id: 6, summary: "The page is served as ISO-8859-1: Ã¤ instead of ä" };

function mirrorWith(bug: typeof BUG | undefined, folding: TextFolding | null = null) {
  return { facts: () => ({ ...NO_FACTS, folding }), accentedBugs: () => (bug ? [MISLEADING, bug] : []) };
}

/** A tracker with one bug, which compares texts in a way. */
function trackerOf(folding: TextFolding, asked: string[] = []): SendRequest {
  return async ({ query }) => {
    const text = query.find(([name]) => name === "v2")?.[1] ?? "";
    asked.push(text);
    return {
      bugs: containsPart(BUG.summary, text, folding) ? [{ id: 7, last_change_time: "2026-11-20T12:00:00Z" }] : [],
    };
  };
}

test.each(TEXT_FOLDINGS)("variants of an accented word show that a tracker ignores %s", async (folding) => {
  const asked: string[] = [];
  expect(await detectFolding(mirrorWith(BUG), trackerOf(folding, asked))).toEqual({ folding });
  expect(asked.slice(0, 2)).toEqual(folding === "accents" ? ["cafe"] : ["cafe", "cafè"]);
});

test("no request without an accented word, or with a known comparison", async () => {
  const never: SendRequest = async () => {
    throw new Error("requested");
  };
  expect(await detectFolding(mirrorWith(undefined), never)).toEqual({ folding: null });
  expect(await detectFolding(mirrorWith(BUG, "bytes"), never)).toEqual({ folding: "bytes" });
});

test("a sync keeps what the tracker ignores", async () => {
  const tracker = writtenTracker("2026-11-20T12:00:00Z", {});
  await tracker.write(async ({ store }) => {
    store.run("UPDATE bugs SET summary = @summary WHERE id = 44", { summary: BUG.summary });
  });
  const ignoring: Exchange = (request) => {
    const query = request.query.map(([name, value]) => [name, value === "cafe" ? "café" : value] as const);
    return tracker.exchange({ ...request, query });
  };
  const mirror = aMirror({ ...tracker, exchange: ignoring });
  await mirror.sync();
  expect(mirror.facts().folding).toBe("accents");
});
