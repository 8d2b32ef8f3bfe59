import { beforeEach, describe, expect, test } from "vitest";
import type { Store } from "../../../src/tracker/store/store.ts";
import { createTracker, type Tracker } from "../../../src/tracker/tracker.ts";
import { sha256 } from "../../../src/tracker/users/authenticate.ts";
import { PASSWORD, recordedStore } from "../state.ts";

let store: Store;
let ask: Tracker;
let now = new Date("2026-11-20T12:00:00Z");

beforeEach(() => {
  store = recordedStore();
  let made = 8;
  ask = createTracker(store, {
    now: () => now,
    random: (bytes) => {
      made += 1;
      return new Uint8Array(bytes).fill(made);
    },
  });
  now = new Date("2026-11-20T12:00:00Z");
});

async function get(path: string, query: Record<string, string>, userId?: number) {
  const reply = await ask({ method: "GET", path, query: Object.entries(query) }, userId);
  return JSON.parse(reply.body) as {
    readonly result?: boolean;
    readonly code?: number;
    readonly token?: string;
    readonly message?: string;
  };
}

async function isAlice(credentials: Record<string, string>) {
  return get("/rest/valid_login", { login: "alice@example.org", ...credentials });
}

function login(more: Record<string, string> = {}) {
  return get("/rest/login", { login: "alice@example.org", password: PASSWORD, ...more });
}

describe("a login token", () => {
  test("identifies the user until logout", async () => {
    const { token = "" } = await login();
    expect(token).toBe(`2-${"09".repeat(16)}`);
    expect(await isAlice({ token })).toEqual({ result: true });
    await get("/rest/logout", { token });
    expect(await isAlice({ token })).toMatchObject({ code: 32000 });
  });

  test("is stored as a digest only", async () => {
    const { token = "" } = await login();
    expect(store.get("SELECT token_sha256 FROM login_tokens")).toEqual({ token_sha256: sha256(token) });
  });

  test("expires after thirty days without use", async () => {
    const { token = "" } = await login();
    now = new Date("2026-12-19T12:00:00Z");
    expect(await isAlice({ token })).toEqual({ result: true });
    now = new Date("2027-01-17T12:00:00Z");
    expect(await isAlice({ token })).toEqual({ result: true });
    now = new Date("2027-02-20T12:00:00Z");
    expect(await isAlice({ token })).toMatchObject({ code: 32000 });
  });
});

test("five wrong passwords of a login are tried in a minute, also of one that is of nobody", async () => {
  const logIn = async (login: string, password: string) =>
    (await ask({ method: "GET", path: "/rest/login", query: Object.entries({ login, password }) })).status;
  for (const login of ["alice@example.org", "nobody@example.org"]) {
    for (let tries = 0; tries < 5; tries += 1) expect(await logIn(login, "wrong")).toBe(401);
    expect(await logIn(login.toUpperCase(), PASSWORD)).toBe(429);
  }
  expect(await logIn("bob@example.org", "wrong")).toBe(401);
  now = new Date(now.getTime() + 61_000);
  expect(await logIn("alice@example.org", PASSWORD)).toBe(200);
});

describe("a key in a header", () => {
  const headers = [{ "x-bugzilla-api-key": "{alice_key}" }, { authorization: "Bearer {alice_key}" }];

  const says = async (given: Record<string, string>) => {
    const query: [string, string][] = [["login", "alice@example.org"]];
    return JSON.parse((await ask({ method: "GET", path: "/rest/valid_login", query, headers: given })).body) as unknown;
  };

  test.each(headers)("is accepted only if the tracker is configured so: %j", async (header) => {
    expect(await says(header)).toEqual({ result: false });
    store.run("INSERT INTO parameters (name, value) VALUES ('header_api_keys', '1')");
    expect(await says(header)).toEqual({ result: true });
    expect(await says({ ...header, ...{ authorization: "Bearer no", "x-bugzilla-api-key": "no" } })).toMatchObject({
      code: 306,
    });
  });
});

test("credentials override the default user of this process", async () => {
  expect(await get("/rest/valid_login", { login: "bob@example.org" }, 3)).toEqual({ result: true });
  const both = { login: "alice@example.org", api_key: "{alice_key}" };
  expect(await get("/rest/valid_login", both, 3)).toEqual({ result: true });
});

describe("whoami", () => {
  const API_KEY = { api_key: "{alice_key}" };

  test("is answered where keys are accepted in headers, to authenticated users", async () => {
    store.run("INSERT OR REPLACE INTO parameters (name, value) VALUES ('header_api_keys', '1')");
    expect(await get("/rest/whoami", API_KEY)).toEqual({
      id: 2,
      name: "alice@example.org",
      real_name: "Alice Example",
    });
    expect(await get("/rest/whoami", {})).toMatchObject({ code: 410 });
  });
});
