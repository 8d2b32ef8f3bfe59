import { describe, expect, test } from "vitest";
import { momentBefore } from "../../src/api/bugs/change-reach.ts";
import { readResponse } from "../../src/api/response/response.ts";
import type { Exchange, Request } from "../../src/wire/exchange.ts";
import { crowd } from "../servers/demo-server.ts";
import { get } from "../tracker/mirror/received.ts";
import { aMirror, asUser, shortPages, type TestMirror } from "./a-mirror.ts";
import { type WrittenTracker, writtenTracker } from "./writers.ts";

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** Bugs in a page; a share has half as many, so that a bug outside it is only found by its time or its id. */
const PAGE = 20;

/** A tracker, and a mirror of it that has its bugs. */
async function aMirrored() {
  const tracker = writtenTracker("2026-11-20T12:00:00Z", {});
  await tracker.wait(100 * MINUTE);
  await stamp(tracker, 7, { time: tracker.now().toISOString(), text: "the newest" });
  const mirror = aMirror({ ...tracker, exchange: shortPages(tracker.exchange, PAGE) });
  for (let sync = 0; sync < 2; sync += 1) {
    await mirror.sync();
    await tracker.wait(30 * MINUTE);
  }
  return { tracker, mirror };
}

type Stamped = { readonly time: string; readonly text: string };

/** Changes a bug with this time (ISO 8601) as its last change. */
async function stamp(tracker: WrittenTracker, id: number, { time, text }: Stamped): Promise<void> {
  const change = { id, text, time: `${time.slice(0, 19)}Z` };
  await tracker.write(async ({ store }) => {
    store.run("UPDATE bugs SET whiteboard = @text, last_change_time = @time WHERE id = @id", change);
  });
}

/** An id that the next sync does not compare. */
function outsideShare({ facts }: TestMirror): number {
  const { checkedAbove, highestId } = facts();
  const below = checkedAbove ?? highestId + 1;
  return below - PAGE > 12 ? 12 : highestId;
}

async function whiteboardIn({ exchange }: TestMirror, id: number) {
  const { bugs } = await get(exchange, `/bug/${id}`, { include_fields: "whiteboard" });
  return bugs;
}

function markOf({ facts }: TestMirror): string {
  return facts().mark ?? "";
}

test("a bug that changes twice in the second of a sync is read again by the next one", async () => {
  const { tracker, mirror } = await aMirrored();
  const [id, time] = [outsideShare(mirror), tracker.now().toISOString()];
  await stamp(tracker, id, { time, text: "before the sync" });
  await mirror.sync();
  await stamp(tracker, id, { time, text: "after it" });
  await tracker.wait(MINUTE);
  await mirror.sync();
  expect(await whiteboardIn(mirror, id)).toEqual([{ whiteboard: "after it" }]);
});

test("bugs stamped in the 10 seconds before the mark are read again, once, and earlier ones not", async () => {
  const { tracker, mirror } = await aMirrored();
  await stamp(tracker, 31, { time: tracker.now().toISOString(), text: "the mark" });
  const mark = `${tracker.now().toISOString().slice(0, 19)}Z`;
  await stamp(tracker, 32, { time: momentBefore(mark, 10 * SECOND), text: "near" });
  await stamp(tracker, 33, { time: momentBefore(mark, 11 * SECOND), text: "not near" });
  await mirror.sync();
  const readAgain = async () => {
    await tracker.wait(MINUTE);
    const requests = await mirror.sync();
    const comments = requests.filter(({ operation }) => operation === "Get Comments");
    return comments.flatMap(({ path, query }) => [
      path.split("/")[3],
      ...query.flatMap(([name, value]) => (name === "ids" ? [value] : [])),
    ]);
  };
  const again = new Set(await readAgain());
  expect([31, 32, 33].map((id) => again.has(String(id)))).toEqual([true, true, false]);
  expect(await readAgain()).toEqual([]);
});

describe("a change that appears late", () => {
  test.each([
    ["69 minutes before the mark is read by the next sync", { waitMs: MINUTE, beforeMs: 69 * MINUTE }],
    ["24 hours before it by the one that reads a whole day", { waitMs: 25 * HOUR, beforeMs: 24 * HOUR }],
  ])("with a stamp %s", async (_, { waitMs, beforeMs }) => {
    const { tracker, mirror } = await aMirrored();
    await tracker.wait(waitMs);
    await stamp(tracker, 30, { time: tracker.now().toISOString(), text: "the mark" });
    await mirror.sync();
    const id = outsideShare(mirror);
    await stamp(tracker, id, { time: momentBefore(markOf(mirror), beforeMs), text: "late" });
    await tracker.wait(MINUTE);
    await mirror.sync();
    expect(await whiteboardIn(mirror, id)).toEqual([{ whiteboard: "late" }]);
  });

  test("a whole day is read again once a day only", async () => {
    const { tracker, mirror } = await aMirrored();
    const sinces: (string | undefined)[] = [];
    for (const ms of [HOUR, 23 * HOUR, HOUR, HOUR]) {
      await tracker.wait(ms);
      await stamp(tracker, 30, { time: tracker.now().toISOString(), text: "the mark" });
      const mark = markOf(mirror);
      const [search] = (await mirror.sync()).filter(({ operation }) => operation === "Search Bugs");
      const [, since = ""] = search?.query.find(([name]) => name === "last_change_time") ?? [];
      sinces.push(since === momentBefore(mark, 25 * HOUR) ? "a day" : since && "70 minutes");
      if (sinces.at(-1) === "70 minutes") expect(since).toBe(momentBefore(mark, 70 * MINUTE));
    }
    expect(sinces).toEqual(["70 minutes", "70 minutes", "a day", "70 minutes"]);
  });
});

describe("the mark is the greatest time of a change that was received", () => {
  test("whatever the clock of this machine is", async () => {
    const tracker = writtenTracker("2026-11-20T12:00:00Z", {});
    const time = "2026-11-20T12:00:00Z";
    await stamp(tracker, 7, { time, text: "the newest" });
    await tracker.wait(HOUR);
    const mirror = aMirror(tracker);
    for (let sync = 0; sync < 2; sync += 1) {
      await mirror.sync();
      expect(markOf(mirror)).toBe(time);
      await tracker.wait(HOUR);
    }
  });

  test.each([0, 1])("but none more than 26 hours ahead of it, after %i syncs", async (syncs) => {
    const tracker = writtenTracker("2026-11-20T12:00:00Z", {});
    const [near, far] = ["2026-11-21T13:00:00Z", "2031-01-01T00:00:00Z"];
    const mirror = aMirror(tracker);
    for (let sync = 0; sync < syncs; sync += 1) await mirror.sync();
    await stamp(tracker, 7, { time: near, text: "near" });
    await stamp(tracker, 8, { time: far, text: "far" });
    await tracker.wait(MINUTE);
    await mirror.sync();
    if (syncs === 0) await mirror.sync();
    expect(markOf(mirror)).toBe(near);
    for (const [id, whiteboard] of [
      [7, "near"],
      [8, "far"],
    ] as const)
      expect(await whiteboardIn(mirror, id)).toEqual([{ whiteboard }]);
  });
});

test("an imported bug with an old stamp is found by its number", async () => {
  const { tracker, mirror } = await aMirrored();
  const id = mirror.facts().highestId + 1;
  await tracker.write(async ({ store }) => crowd({ store }, id));
  await stamp(tracker, id, { time: "2011-01-01T00:00:00Z", text: "imported" });
  await mirror.sync();
  expect(await whiteboardIn(mirror, id)).toEqual([{ whiteboard: "imported" }]);
});

describe("two changes of a field in the second in which a bug is read stay two", () => {
  /** Changes a bug before its fields are read, and again in the same second after its history was. */
  function changing(tracker: WrittenTracker, id: number): Exchange {
    const texts = ["the first", "the second"];
    const change = async (text: string) => {
      const request: Request = { method: "PUT", path: `/rest/bug/${id}`, query: [], body: { whiteboard: text } };
      await tracker.write(async ({ tracker: demo }) => void (await asUser(demo, 1)(request)));
    };
    return async (request) => {
      const isFull = request.query.some(([name, value]) => name === "include_fields" && value === "_all");
      if (isFull && texts.length === 2) await change(texts.shift() ?? "");
      const reply = await tracker.exchange(request);
      if (request.operation === "Bug History" && texts.length === 1) await change(texts.shift() ?? "");
      return reply;
    };
  }

  test.each([0, 2])("after %i syncs", async (syncs) => {
    const tracker = writtenTracker("2026-11-20T12:00:00Z", {});
    const mirror = aMirror(tracker);
    await tracker.wait(HOUR);
    for (let sync = 0; sync < syncs; sync += 1) {
      await mirror.sync();
      await tracker.wait(HOUR);
    }
    const id = 30;
    await stamp(tracker, id, { time: tracker.now().toISOString(), text: "before" });
    await tracker.wait(MINUTE);
    const exchange = changing(tracker, id);
    await mirror.sync({ send: async (request) => readResponse(await exchange(request), request) });
    await tracker.wait(MINUTE);
    await stamp(tracker, 31, { time: tracker.now().toISOString(), text: "the mark" });
    await mirror.sync();
    const path = `/bug/${id}/history`;
    const history = await get(mirror.exchange, path);
    expect(JSON.stringify(history)).toContain('"removed":"the first","added":"the second"');
    expect(history).toEqual(await get(tracker.exchange, path));
  });
});
