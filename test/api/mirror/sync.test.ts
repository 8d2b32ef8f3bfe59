import { describe, expect, test } from "vitest";
import type { JsonObject } from "../../../src/wire/exchange.ts";
import { freshDemo } from "../../fresh-demo.ts";
import { aMirror, asUser, expectSame } from "./a-mirror.ts";

const START = Date.parse("2026-11-20T12:00:00Z");

/** The demo with a clock that a test moves, as its triager and as an administrator. */
function aTracker() {
  const clock = { ms: START };
  const now = () => new Date(clock.ms);
  const { tracker, store } = freshDemo({ now, random: (bytes) => new Uint8Array(bytes) });
  const userId = (login: string) => Number(store.get("SELECT id FROM users WHERE login = ?", [login])?.["id"]);
  const login = "tomas@example.org";
  store.run("INSERT INTO audit (time, what) VALUES ('2026-01-01T00:00:00Z', 'settings')");
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

  test("reads all bugs that come to meet the criteria since something got a name from them", async () => {
    const tracker = aTracker();
    const mirror = aMirror(tracker, { criteria: "component = Library", compiled: '[["component","Library"]]' });
    await mirror.sync();
    tracker.wait(90);
    tracker.store.run("UPDATE components SET name = 'Library' WHERE name = 'API'");
    tracker.store.run("INSERT INTO audit (time, what) VALUES ('2026-11-20T13:00:00Z', 'settings')");
    const killed = () => Promise.reject(new Error("killed"));
    await expect(mirror.sync({ onMetadata: killed })).rejects.toThrow("killed");
    await mirror.sync();
    await expectSame(mirror.exchange, tracker.exchange, { component: "Library" });
  });
});
