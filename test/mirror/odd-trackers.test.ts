import { describe, expect, test } from "vitest";
import type { Exchange, JsonObject, Request } from "../../src/wire/exchange.ts";
import { sampled } from "../sampling.ts";
import { idsOf } from "../tracker/mirror/received.ts";
import { aMirror, expectSame, shortPages } from "./a-mirror.ts";
import { type WrittenTracker, writtenTracker } from "./writers.ts";

const MINUTE = 60_000;

function aTracker(): WrittenTracker {
  return writtenTracker("2026-11-20T12:00:00Z", {});
}

/** Changes bugs as an administrator does. */
async function change(tracker: WrittenTracker, ids: readonly number[], body: JsonObject): Promise<void> {
  const request: Request = { method: "PUT", path: `/rest/bug/${ids[0]}`, query: [], body: { ids, ...body } };
  await tracker.write(async (demo) => {
    const reply = await demo.tracker(request, { address: "127.0.0.1", userId: 1 });
    expect(JSON.parse(reply.body)).not.toHaveProperty("error");
  });
}

const NEW_BUG = { product: "Lantern", component: "Editor", version: "3.1", description: "text" };

async function create(tracker: WrittenTracker, body: JsonObject): Promise<void> {
  await tracker.write(async (demo) => {
    const request: Request = { method: "POST", path: "/rest/bug", query: [], body };
    const reply = await demo.tracker(request, { address: "127.0.0.1", userId: 1 });
    expect(JSON.parse(reply.body)).toHaveProperty("id");
  });
}

test("a second with more bugs than a page is read by ids", async () => {
  const tracker = aTracker();
  const exchange = shortPages(tracker.exchange, 5);
  const mirror = aMirror({ ...tracker, exchange });
  await mirror.sync();
  await expectSame(mirror.exchange, tracker.exchange);
  await tracker.wait(90 * MINUTE);
  await change(
    tracker,
    Array.from({ length: 17 }, (_, at) => at + 30),
    { whiteboard: "seen" },
  );
  await tracker.wait(1000);
  await change(tracker, [3, 4], { whiteboard: "seen" });
  await tracker.wait(90 * MINUTE);
  await mirror.sync();
  await expectSame(mirror.exchange, tracker.exchange);
});

function idsIn(body: string): readonly number[] {
  const { bugs = [] } = JSON.parse(body) as { readonly bugs?: readonly JsonObject[] | JsonObject };
  return Array.isArray(bugs) ? bugs.map(({ id }) => Number(id)) : Object.keys(bugs).map(Number);
}

/** A tracker in which these bugs spoil every response that has more than their ids. */
function spoilt(exchange: Exchange, bad: readonly number[]): Exchange {
  return async (request) => {
    const reply = await exchange(request);
    const isIds = request.query.some(([name, value]) => name === "include_fields" && value === "id");
    const hasBad = bad.some((id) => idsIn(reply.body).includes(id));
    if (isIds || !hasBad || !request.path.startsWith("/rest/bug")) return reply;
    return {
      ...reply,
      status: 500,
      body: '{"error":true,"code":100500,"message":"Invalid local time for date in time zone"}',
    };
  };
}

test("bugs that spoil their pages are listed with the reason, and all others are there", async () => {
  const tracker = aTracker();
  const mirror = aMirror({ ...tracker, exchange: spoilt(tracker.exchange, [12, 33]) });
  const requests = await mirror.sync();
  expect(mirror.mirror.bugs({ state: "failed" }).map(({ id, reason }) => [id, reason])).toEqual([
    [12, expect.stringContaining("Invalid local time")],
    [33, expect.stringContaining("Invalid local time")],
  ]);
  const visible = await idsOf(tracker.exchange);
  expect(await idsOf(mirror.exchange)).toEqual(visible.filter((id) => id !== "12" && id !== "33"));
  expect(requests.length).toBeLessThan(120);
  const later = aMirror(tracker);
  await later.sync();
  await expectSame(later.exchange, tracker.exchange);
});

test("a bug that could not be read is read again the next day", async () => {
  const tracker = aTracker();
  const state = { bad: [12] };
  const short = shortPages(tracker.exchange, 10); // so that its number is not compared before
  const mirror = aMirror({ ...tracker, exchange: (request) => spoilt(short, state.bad)(request) });
  await mirror.sync();
  state.bad = [];
  await mirror.sync();
  expect(mirror.mirror.bugs({ state: "failed" }).map(({ id }) => id)).toEqual([12]);
  await tracker.wait(24 * 60 * MINUTE);
  await mirror.sync();
  await expectSame(mirror.exchange, tracker.exchange);
});

test("a bug that a lagging replica returns with an old name is read again when it has caught up", async () => {
  const tracker = aTracker();
  const state = { name: undefined as string | undefined };
  const lagging: Exchange = async (request) => {
    const reply = await tracker.exchange(request);
    if (request.operation !== "Search Bugs" || state.name === undefined) return reply;
    return {
      ...reply,
      body: reply.body.replaceAll(`"component":${JSON.stringify(state.name)}`, '"component":"Editor"'),
    };
  };
  const mirror = aMirror({ ...tracker, exchange: lagging });
  await mirror.sync();
  await tracker.wait(100 * MINUTE);
  await tracker.write(async ({ store }) => {
    store.run("UPDATE components SET name = 'Darkroom' WHERE name = 'Editor'");
    store.run("INSERT INTO audit (time, what) VALUES ('2026-11-20T13:00:00Z', 'settings')");
  });
  const [edited = 0] = (await idsOf(tracker.exchange, { component: "Darkroom" })).map(Number);
  await change(tracker, [edited], { whiteboard: "seen" });
  await tracker.wait(MINUTE);
  const other = (await idsOf(tracker.exchange, { component: "Library" })).map(Number);
  await change(tracker, other.slice(0, 1), { whiteboard: "the mark" });
  state.name = "Darkroom";
  await tracker.wait(MINUTE);
  await mirror.sync();
  expect(await idsOf(mirror.exchange, { component: "Editor" })).toContain(String(edited));
  state.name = undefined;
  await tracker.wait(80 * MINUTE);
  await mirror.sync();
  await expectSame(mirror.exchange, tracker.exchange);
});

describe("a mirror of a product", () => {
  const OF_LANTERN = { products: ["Lantern"] };
  const CHOICE = { product: "Lantern" };
  const PLACE = { product: "Lantern", component: "Editor", version: "3.1", target_milestone: "---" };

  /** A bug of the product, and one of another, by number. */
  async function twoBugs(exchange: Exchange): Promise<readonly [inside: number, outside: number]> {
    const held = (await idsOf(exchange, CHOICE)).map(Number);
    const seen = (await idsOf(exchange)).map(Number);
    return [held[0] ?? 0, seen.find((id) => !held.includes(id)) ?? 0];
  }

  test("has its bugs, and no other, with what they depend on by number", async () => {
    const tracker = aTracker();
    const [inside, outside] = await twoBugs(tracker.exchange);
    await change(tracker, [inside], { depends_on: { add: [outside] } });
    const mirror = aMirror(tracker, OF_LANTERN);
    await mirror.sync();
    await expectSame(mirror.exchange, tracker.exchange, CHOICE);
    expect(await idsOf(mirror.exchange)).toEqual(await idsOf(tracker.exchange, CHOICE));
    expect(mirror.mirror.bugs({ ids: [outside] })).toEqual([]);
  });

  test("a bug that leaves is removed, one that enters is read", async () => {
    const tracker = aTracker();
    const mirror = aMirror(tracker, OF_LANTERN);
    await mirror.sync();
    const [inside, outside] = await twoBugs(tracker.exchange);
    await tracker.wait(100 * MINUTE);
    await change(tracker, [outside], PLACE);
    const elsewhere = { product: "Harbor", component: "API", version: "1.5", target_milestone: "---" };
    await change(tracker, [inside], elsewhere);
    await tracker.wait(MINUTE);
    await mirror.sync();
    expect(await idsOf(mirror.exchange)).toContain(String(outside));
    await expectSame(mirror.exchange, tracker.exchange, CHOICE);
    expect(mirror.mirror.bugs({ ids: [inside] })).toEqual([]);
  });

  test("bugs that appear and disappear without a new time are noticed when it is their turn", async () => {
    const tracker = aTracker();
    const restrict = "INSERT OR IGNORE INTO bug_groups SELECT @id, id FROM groups WHERE name = 'security'";
    const run = (sql: string, id: number) => tracker.write(async ({ store }) => void store.run(sql, { id }));
    const [hidden, seen] = (await idsOf(tracker.exchange, CHOICE)).map(Number) as [number, number];
    await run(restrict, hidden);
    const mirror = aMirror(tracker, OF_LANTERN);
    await mirror.sync();
    await tracker.wait(200 * MINUTE);
    await run("DELETE FROM bug_groups WHERE bug_id = @id", hidden);
    await run(restrict, seen);
    for (let sync = 0; sync < 3; sync += 1) await mirror.sync();
    await expectSame(mirror.exchange, tracker.exchange, CHOICE);
    expect(mirror.mirror.bugs({ ids: [hidden, seen] }).map(({ id }) => id)).toEqual([hidden]);
  });

  test("a bug that could not be read is left out once it is known to be of another product", async () => {
    const tracker = aTracker();
    const state = { bad: [] as readonly number[] };
    const mirror = aMirror(
      { ...tracker, exchange: (request) => spoilt(tracker.exchange, state.bad)(request) },
      OF_LANTERN,
    );
    await mirror.sync();
    const [, outside] = await twoBugs(tracker.exchange);
    state.bad = [outside];
    await tracker.wait(100 * MINUTE);
    await change(tracker, [outside], { whiteboard: "seen" });
    await mirror.sync();
    expect(mirror.mirror.bugs({ state: "failed" }).map(({ id }) => id)).toEqual([outside]);
    state.bad = [];
    await tracker.wait(24 * 60 * MINUTE);
    await mirror.sync();
    expect(mirror.mirror.bugs({ ids: [outside] })).toEqual([]);
  });
});

test("other groups of the login make a mirror read everything again", async () => {
  const tracker = aTracker();
  const mirror = aMirror(tracker);
  await mirror.sync();
  const before = (await idsOf(tracker.exchange)).length;
  await tracker.write(async ({ store }) => {
    const group = Number(store.get("SELECT id FROM groups WHERE name = 'security'")?.["id"]);
    store.run("INSERT OR IGNORE INTO group_members (group_id, user_id, kind) VALUES (?, 2, 'member')", [group]);
    store.run(
      "DELETE FROM group_members WHERE user_id = 2 AND group_id = (SELECT id FROM groups WHERE name = 'staff')",
    );
  });
  await mirror.sync();
  expect((await idsOf(tracker.exchange)).length).toBeGreaterThan(before);
  await expectSame(mirror.exchange, tracker.exchange);
});

describe("a first sync that is interrupted", () => {
  test.each(sampled([3, 9, 14, 20], 2))(
    "after %i requests is continued where it was, and has everything",
    async (most) => {
      const tracker = aTracker();
      for (let at = 0; at < 200; at += 1) await create(tracker, { ...NEW_BUG, summary: `bug ${at}` });
      await tracker.wait(90 * MINUTE);
      await change(tracker, [1], { whiteboard: "last" });
      const mirror = aMirror(tracker);
      let left = most;
      const limited: Exchange = (request) => {
        left -= 1;
        return left < 0 ? Promise.reject(new Error("killed")) : tracker.exchange(request);
      };
      const dying = aMirrorOf(mirror, { ...tracker, exchange: limited });
      await dying().catch(() => undefined);
      const read = mirror.mirror.bugs({}).length;
      const requests = await mirror.sync();
      await expectSame(mirror.exchange, tracker.exchange);
      const asked = requests
        .filter(({ operation }) => operation === "Get Comments")
        .flatMap(({ query }) => query.filter(([name]) => name === "ids"));
      if (read > 0) expect(asked.length).toBeLessThan(250);
    },
  );
});

function aMirrorOf(mirror: ReturnType<typeof aMirror>, mirrored: Parameters<typeof aMirror>[0]) {
  return () => mirror.sync({ send: async (request) => JSON.parse((await mirrored.exchange(request)).body) });
}
