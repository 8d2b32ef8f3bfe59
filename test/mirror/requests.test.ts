import { describe, expect, test } from "vitest";
import type { NewMirror } from "../../src/tracker/mirror/open.ts";
import type { JsonObject, Request } from "../../src/wire/exchange.ts";
import { crowd } from "../servers/demo-server.ts";
import type { QueryValues } from "../tracker/mirror/received.ts";
import { aboutBugs, aMirror, expectSame, type TestMirror } from "./a-mirror.ts";
import { type WrittenTracker, writtenTracker } from "./writers.ts";

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const DAY = 24 * 60 * MINUTE;

/** A tracker with so many bugs, and a mirror of it that was synchronized twice. */
async function aMirrored(bugs: number, facts: Partial<NewMirror> = {}) {
  const tracker = writtenTracker("2026-11-20T12:00:00Z", {});
  crowd({ store: tracker.demo.store }, bugs);
  await tracker.wait(100 * MINUTE);
  const mirror = aMirror(tracker, facts);
  await mirror.sync();
  await tracker.wait(100 * MINUTE);
  await mirror.sync();
  return { tracker, mirror };
}

/** Changes bugs one after the other, with some time between them (ms). */
async function change(tracker: WrittenTracker, ids: readonly number[], betweenMs: number): Promise<void> {
  for (const id of ids) await send(tracker, { id, body: { whiteboard: `seen ${id}` }, betweenMs });
}

type Change = { readonly id: number; readonly body: JsonObject; readonly betweenMs: number };

async function send(tracker: WrittenTracker, { id, body, betweenMs }: Change): Promise<void> {
  const request: Request = { method: "PUT", path: `/rest/bug/${id}`, query: [], body };
  await tracker.write(async (demo) => {
    const reply = await demo.tracker(request, { address: "127.0.0.1", userId: 1 });
    expect(JSON.parse(reply.body)).not.toHaveProperty("error");
  });
  await tracker.wait(betweenMs);
}

/** Ids with equal distances. */
function spread(count: number, distance: number): readonly number[] {
  return Array.from({ length: count }, (_, at) => 10 + at * distance);
}

async function expectFive(mirror: TestMirror, tracker: WrittenTracker, criteria: QueryValues = {}): Promise<void> {
  expect(aboutBugs(await mirror.sync())).toEqual([
    ...["Search Bugs", "Search Bugs"],
    ...["Get Comments", "Bug History", "Get Attachments of Bugs"],
  ]);
  await expectSame(mirror.exchange, tracker.exchange, criteria);
}

describe("a sync of a hundred changed bugs or fewer costs five requests", () => {
  test.each([
    ["one bug", { bugs: 300, ids: [200], betweenMs: 0 }],
    ["a hundred in one second", { bugs: 300, ids: spread(100, 1), betweenMs: 0 }],
    ["a hundred in an hour, spread over a page", { bugs: 1000, ids: spread(100, 9), betweenMs: 36 * SECOND }],
    ["nearly all bugs of the tracker", { bugs: 110, ids: spread(100, 1), betweenMs: SECOND }],
  ])("%s", async (_, { bugs, ids, betweenMs }) => {
    const { tracker, mirror } = await aMirrored(bugs);
    await change(tracker, ids, betweenMs);
    await expectFive(mirror, tracker);
  });

  test("those near the ones read last are read with them", async () => {
    const { tracker, mirror } = await aMirrored(300);
    await change(tracker, [200, 201, 202], SECOND);
    await mirror.sync();
    await tracker.wait(20 * MINUTE);
    await change(tracker, spread(100, 1), SECOND);
    await expectFive(mirror, tracker);
  });

  test("once a day, when the changes of a day are listed", async () => {
    const { tracker, mirror } = await aMirrored(300);
    await tracker.wait(DAY);
    await change(tracker, [200], MINUTE);
    await mirror.sync();
    await tracker.wait(MINUTE);
    await change(tracker, spread(99, 1), SECOND);
    await expectFive(mirror, tracker);
  });
});

test("a second with more bugs than a page costs five requests per hundred bugs", async () => {
  const { tracker, mirror } = await aMirrored(1300);
  await tracker.write(async ({ store }) => {
    store.run("UPDATE bugs SET whiteboard = 'all', last_change_time = '2026-11-20T16:00:00Z'");
  });
  await tracker.wait(90 * MINUTE);
  expect(aboutBugs(await mirror.sync()).length).toBeLessThanOrEqual(5 * 13);
  await expectSame(mirror.exchange, tracker.exchange);
});

test("a sync without changes costs one request", async () => {
  const { tracker, mirror } = await aMirrored(300);
  await tracker.wait(MINUTE);
  expect(aboutBugs(await mirror.sync())).toEqual(["Search Bugs"]);
});

describe("of a mirror of products", () => {
  const ofLantern = { products: ["Lantern"] };
  const CHOICE = { product: "Lantern" };
  const idsIn = (tracker: WrittenTracker, product: string) =>
    tracker.demo.store
      .all<{ readonly id: number }>(
        "SELECT bugs.id FROM bugs JOIN products ON products.id = product_id WHERE products.name = ? ORDER BY bugs.id",
        [product],
      )
      .map(({ id }) => id);

  test("a sync of a hundred changed bugs costs five requests, those that leave included", async () => {
    const { tracker, mirror } = await aMirrored(400, ofLantern);
    const ids = idsIn(tracker, "Lantern").slice(-100);
    await change(tracker, ids, SECOND);
    await expectFive(mirror, tracker, CHOICE);
    await tracker.wait(100 * MINUTE);
    const place = { product: "Harbor", component: "API", version: "1.5" };
    for (const id of ids.slice(0, 20)) await send(tracker, { id, body: place, betweenMs: SECOND });
    await change(tracker, ids.slice(20), SECOND);
    await expectFive(mirror, tracker, CHOICE);
  });

  test("a sync with changes of other products, or none, costs one", async () => {
    const { tracker, mirror } = await aMirrored(300, ofLantern);
    for (const ids of [idsIn(tracker, "Harbor").slice(0, 3), []]) {
      await change(tracker, ids, SECOND);
      await tracker.wait(MINUTE);
      expect(aboutBugs(await mirror.sync())).toEqual(["Search Bugs"]);
    }
    await expectSame(mirror.exchange, tracker.exchange, CHOICE);
  });
});
