import { beforeEach, describe, expect, test } from "vitest";
import type { Store } from "../../src/tracker/store/store.ts";
import { createTracker, type Tracker } from "../../src/tracker/tracker.ts";
import type { Json, JsonObject } from "../../src/wire/exchange.ts";
import { recordedStore } from "./state.ts";

let store: Store;
let ask: Tracker;

beforeEach(() => {
  store = recordedStore();
  ask = createTracker(store, { now: () => new Date("2026-11-20T12:00:00Z"), random: (bytes) => new Uint8Array(bytes) });
});

type Answer = { readonly status: number; readonly body: Record<string, Json> };

async function send(
  method: string,
  path: string,
  { body, headers = {}, as = "alice" }: { body?: JsonObject; headers?: Record<string, string>; as?: string },
): Promise<Answer> {
  const query: [string, string][] = [["api_key", `{${as}_key}`]];
  const reply = await ask({ method, path, query, headers, ...(body === undefined ? {} : { body }) });
  return { status: reply.status, body: JSON.parse(reply.body) as Record<string, Json> };
}

const bug = {
  product: "Firefox",
  component: "General",
  version: "121",
  op_sys: "Linux",
  platform: "PC",
  summary: "Once is enough",
};

function countBugs() {
  return store.get("SELECT count(*) AS n FROM bugs WHERE summary = 'Once is enough'")?.["n"];
}

describe("an Idempotency-Key", () => {
  const headers = { "idempotency-key": "k-1" };
  const file = (more: JsonObject = {}, as = "alice") =>
    send("POST", "/rest/bug", { body: { ...bug, ...more }, headers, as });

  test("applies the same request once, and repeats its response", async () => {
    const [first, second] = await Promise.all([file(), file()]);
    expect(second).toEqual(first);
    expect(countBugs()).toBe(1);
  });

  test("cannot be reused for another request", async () => {
    await file();
    expect(await file({ summary: "Another" })).toMatchObject({ status: 422, body: { error: true } });
    expect(countBugs()).toBe(1);
  });
});

describe("If-Match", () => {
  const token = async (as = "alice") => {
    const answer = await send("GET", "/rest/bug/5", { as });
    return String((answer.body["bugs"] as JsonObject[])[0]?.["update_token"]);
  };
  const whiteboard = (text: string, ifMatch: string) =>
    send("PUT", "/rest/bug/5", { body: { whiteboard: text }, headers: { "if-match": ifMatch } });

  test("lets one of several writers win, even within one second", async () => {
    const read = await token();
    expect((await whiteboard("first", read)).status).toBe(200);
    expect(await whiteboard("second", read)).toMatchObject({ status: 409, body: { error: true } });
    expect((await whiteboard("third", `"${await token()}"`)).status).toBe(200);
    expect(store.get("SELECT whiteboard FROM bugs WHERE id = 5")).toEqual({ whiteboard: "third" });
  });

  test("rejects a token of another user", async () => {
    expect((await whiteboard("mine", await token("bob"))).status).toBe(409);
  });
});

describe("several bugs", () => {
  test.each([
    ["does not exist", 999_999, 404],
    ["is hidden", 20_004, 401],
    ["is invalid", "6x", 400],
    ["may not change to the status", 7, 400],
  ])("S12 are updated together or not at all if one of three %s", async (...[, bad, status]) => {
    const columns = store.all("SELECT name FROM pragma_table_info('bugs')").map(({ name }) => String(name));
    const own: Record<string, string> = { id: "20004", is_cc_accessible: "0", is_creator_accessible: "0" };
    store.exec(`INSERT OR IGNORE INTO bugs (${columns.join()})
      SELECT ${columns.map((name) => own[name] ?? name).join()} FROM bugs WHERE id = 6;
      UPDATE bugs SET assigned_to_id = 1, creator_id = 1 WHERE id = 20004;
      INSERT OR IGNORE INTO bug_groups SELECT 20004, id FROM groups WHERE name = 'core-security';
      UPDATE bugs SET status = 'RESOLVED', resolution = 'FIXED' WHERE id = 7;
      UPDATE bugs SET status = 'CONFIRMED', resolution = '' WHERE id IN (5, 6)`);
    const before = everythingOf(store);
    const body = {
      ids: [5, 6, bad],
      status: "IN_PROGRESS",
      whiteboard: "half",
      comment: { body: "half" },
      work_time: 1,
    };
    expect((await send("PUT", "/rest/bug/5", { body, as: "bob" })).status).toBe(status);
    expect(everythingOf(store)).toEqual(before);
  });
});

function everythingOf({ all }: Store): unknown {
  return ["bugs", "activity", "comments", "bug_cc", "flags", "outbox"].map((table) => all(`SELECT * FROM ${table}`));
}

describe("an internal error", () => {
  test("is answered without details, rolled back and logged", async () => {
    const reported: unknown[] = [];
    const broken = createTracker(store, {
      now: () => new Date("2026-11-20T12:00:00Z"),
      random: () => new Uint8Array(),
      report: (failure) => reported.push(failure),
    });
    store.exec("DROP TABLE comment_tags");
    const reply = await broken({ method: "GET", path: "/rest/bug/5/comment", query: [] });
    expect([reply.status, JSON.parse(reply.body)]).toMatchObject([500, { error: true, code: 100500 }]);
    expect(reply.body).not.toMatch(/comment_tags|SQL/);
    expect(String(reported[0])).toContain("comment_tags");
  });
});
