import { describe, expect, test } from "vitest";
import { readResponse } from "../../src/api/response/response.ts";
import { syncMirror } from "../../src/mirror/sync.ts";
import type { JsonObject, Request } from "../../src/wire/exchange.ts";
import { freshDemo } from "../fresh-demo.ts";
import { accountOf, aMirror, asUser, expectSame, shortPages } from "./a-mirror.ts";

const START = Date.parse("2026-11-20T12:00:00Z");

/** The demo with a clock that a test moves, as its triager and as an administrator. */
function aTracker() {
  const clock = { ms: START };
  const now = () => new Date(clock.ms);
  const { tracker, store } = freshDemo({ now, random: (bytes) => new Uint8Array(bytes) });
  const userId = (login: string) => Number(store.get("SELECT id FROM users WHERE login = ?", [login])?.["id"]);
  const login = "tomas@example.org";
  const admin = asUser(tracker, adminId(store));
  const send = async (method: "PUT" | "POST", path: string, body: JsonObject) => {
    const reply = await admin({ method, path: `/rest${path}`, query: [], body });
    if (reply.status >= 300) throw new Error(reply.body);
    return JSON.parse(reply.body) as JsonObject;
  };
  const wait = (minutes: number) => {
    clock.ms += minutes * 60_000;
  };
  return { exchange: asUser(tracker, userId(login)), login, now, send, wait, store };
}

function adminId(store: ReturnType<typeof freshDemo>["store"]): number {
  return Number(
    store.get(
      "SELECT user_id AS id FROM group_members JOIN groups ON groups.id = group_id WHERE groups.name = 'admin'",
    )?.["id"],
  );
}

test("a first sync has all bugs that its login sees", async () => {
  const tracker = aTracker();
  const mirror = aMirror(tracker);
  await mirror.sync();
  await expectSame(mirror.exchange, tracker.exchange);
  expect(mirror.facts()).toMatchObject({ progress: null, lastSync: "2026-11-20T12:00:00Z" });
});

/** A group that only administrators are in has to be joined to see the product. */
const HIDE_HARBOR = `INSERT OR REPLACE INTO group_controls (product_id, group_id, entry, member_control)
  SELECT products.id, groups.id, 1, 3 FROM products, groups WHERE products.name = 'Harbor' AND groups.name = 'admin'`;

describe("a later sync", () => {
  test("reads changed bugs, and nothing else", async () => {
    const tracker = aTracker();
    const mirror = aMirror(tracker);
    await mirror.sync();
    tracker.wait(90);
    await mirror.sync();
    await tracker.send("PUT", "/bug/3", { summary: "another title", comment: { body: "why" } });
    tracker.wait(5);
    const requests = await mirror.sync();
    await expectSame(mirror.exchange, tracker.exchange);
    expect(requests.map(({ operation }) => operation)).toEqual([
      ...["Get Users", "Last Audit Time", "Search Bugs"],
      ...["Search Bugs", "Get Comments", "Bug History", "Get Attachments of Bugs"],
    ]);
  });

  test("counts changed, new and removed bugs, and no bug that it only reads again", async () => {
    const tracker = aTracker();
    const mirror = aMirror(tracker, { products: ["Lantern"] });
    const counted = async () => {
      const send = async (request: Request) => readResponse(await tracker.exchange(request), request);
      return syncMirror({
        send,
        account: accountOf(mirror.mirror),
        mirror: mirror.mirror,
        now: tracker.now,
        ticks: () => 0,
      });
    };
    await mirror.sync();
    await tracker.send("PUT", "/bug/3", { summary: "another title" });
    await tracker.send("PUT", "/bug/8", {
      product: "Harbor",
      component: "API",
      version: "1.4",
      target_milestone: "---",
    });
    await tracker.send("POST", "/bug", { product: "Lantern", component: "Editor", version: "3.2", summary: "new" });
    expect(await counted()).toEqual({ changed: 2, added: 1, removed: 1, failed: 0, isFirst: false });
    expect(await counted()).toEqual({ changed: 0, added: 0, removed: 0, failed: 0, isFirst: false });
  });

  test.each([[false], [true]])(
    "keeps the saved searches of its login, unless it is public (%s)",
    async (publicOnly) => {
      const tracker = aTracker();
      const saved_searches = [{ id: 1, name: "Mine", query: "product=Lantern" }];
      const mirror = aMirror(
        {
          ...tracker,
          exchange: async (request) => {
            const response = await tracker.exchange(request);
            if (request.operation !== "Get Users") return response;
            const { users } = JSON.parse(response.body) as { users: JsonObject[] };
            const own = users.map((user) => ("saved_searches" in user ? { ...user, saved_searches } : user));
            return { ...response, body: JSON.stringify({ users: own }) };
          },
        },
        { publicOnly },
      );
      await mirror.sync();
      expect(mirror.facts().savedSearches).toEqual(publicOnly ? null : saved_searches);
    },
  );

  test("has a product that was created meanwhile", async () => {
    const tracker = aTracker();
    const mirror = aMirror(tracker);
    await mirror.sync();
    tracker.wait(90);
    await tracker.send("POST", "/product", { name: "Beacon", description: "Lights", version: "1" });
    await mirror.sync();
    expect(mirror.mirror.productNames()).toContain("Beacon");
  });

  test("proves its login while it asks for the last change of settings", async () => {
    const tracker = aTracker();
    const mirror = aMirror(tracker);
    await mirror.sync();
    let inFlight = 0;
    const counts: number[] = [];
    const send = async (request: Request) => {
      counts.push(++inFlight);
      const response = await tracker.exchange(request);
      inFlight -= 1;
      return readResponse(response, request);
    };
    await mirror.sync({ send });
    expect(counts.slice(0, 3)).toEqual([1, 2, 1]);
  });

  test("follows a product that was renamed, and fails for one that is not listed", async () => {
    const tracker = aTracker();
    const mirror = aMirror(tracker, { products: ["Lantern", "Harbor"] });
    const rename = (from: string, to: string, day: number) => {
      tracker.store.run("UPDATE products SET name = ? WHERE name = ?", [to, from]);
      tracker.store.run("INSERT INTO audit (time, what) VALUES (?, 'settings')", [`2026-11-${day}T13:00:00Z`]);
    };
    await mirror.sync();
    tracker.wait(90);
    rename("Lantern", "Torch", 20);
    await mirror.sync();
    expect(mirror.facts().products).toEqual(["Torch", "Harbor"]);
    await expectSame(mirror.exchange, tracker.exchange, { product: ["Torch", "Harbor"] });
    const before = mirror.mirror.counts();
    tracker.store.run(HIDE_HARBOR);
    rename("Harbor", "Harbor", 21);
    await expect(mirror.sync()).rejects.toThrow("the tracker does not list the product Harbor of the mirror");
    expect(mirror.mirror.counts()).toEqual(before);
  });
});

type Write = (tracker: ReturnType<typeof aTracker>) => Promise<unknown>;

const PLACE = { product: "Harbor", component: "API", version: "1.5", op_sys: "All", platform: "All" };
const file: Write = ({ send }) => send("POST", "/bug", { summary: "filed and lost", ...PLACE });
const changeTo =
  (summary: string, id: number): Write =>
  ({ send }) =>
    send("PUT", `/bug/${id}`, { summary });

/** A mirror that has the changes of hours, and its tracker put back to what it was before them; pages of 20 bugs. */
async function aRestored(last: Write) {
  const [lost, backup] = [aTracker(), aTracker()];
  let current = lost;
  const exchange = shortPages((request) => current.exchange(request), 20);
  const mirror = aMirror({ exchange, login: lost.login, now: () => current.now() });
  await mirror.sync();
  for (const write of [changeTo("lost", 3), changeTo("lost", 5), last]) {
    lost.wait(100);
    await write(lost);
    await mirror.sync();
  }
  backup.wait(400);
  current = backup;
  return { mirror, backup };
}

describe("a tracker that was put back to an older copy is what the next sync has", () => {
  test.each<[string, { last: Write; since: Write }]>([
    ["without its last bug, or any change since", { last: file, since: async () => undefined }],
    ["without its last change, and with another since", { last: changeTo("lost", 7), since: changeTo("of today", 9) }],
  ])("%s", async (_, { last, since }) => {
    const { mirror, backup } = await aRestored(last);
    await since(backup);
    await mirror.sync();
    await expectSame(mirror.exchange, backup.exchange);
    backup.wait(90);
    const searches = (await mirror.sync()).filter(({ operation }) => operation === "Search Bugs");
    expect(searches.length).toBeLessThanOrEqual(3); // it is not compared again; a page of 20 is no complete answer
  });
});
