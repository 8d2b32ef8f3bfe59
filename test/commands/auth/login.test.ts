import { afterEach, describe, expect, test } from "vitest";
import { readResponse } from "../../../src/api/response/response.ts";
import { type AuthContext, type LoginOptions, loginWithKey } from "../../../src/commands/auth/login.ts";
import { credentialFile, readLogins } from "../../../src/config/keys.ts";
import { asSecret } from "../../../src/secret.ts";
import type { Store } from "../../../src/tracker/store/store.ts";
import { createTracker } from "../../../src/tracker/tracker.ts";
import { withKey } from "../../../src/transport/authenticate.ts";
import type { Exchange, Response } from "../../../src/wire/exchange.ts";
import { machine } from "../../config/machine.ts";
import { jsonResponse } from "../../servers/responses.ts";
import { recordedStore } from "../../tracker/state.ts";

const BASE = "https://bugs.example.org/bugzilla";
const ALICE = asSecret("{alice_key}");

const stores: Store[] = [];
afterEach(() => {
  for (const store of stores.splice(0)) store.close();
});

/** A server that takes keys in the query or body alone, as the recorded one did. */
function bugzilla5(): Exchange {
  const store = recordedStore();
  stores.push(store);
  const ask = createTracker(store, {
    now: () => new Date("2026-11-20T06:00:00Z"),
    random: (count) => new Uint8Array(count).fill(7),
  });
  return (request) => ask(request);
}

/** A server of another family: it takes a key in one header alone, and may say who asks. */
function headerServer(header: string, { whoami }: { whoami: boolean }): Exchange {
  const inner = bugzilla5();
  return async (request) => {
    const key = request.headers?.[header]?.replace(/^Bearer /, "");
    if (request.query.some(([name]) => name === "Bugzilla_api_key"))
      return jsonResponse({ error: true, message: "no" }, 400);
    if (whoami && request.path === "/rest/whoami") return whoIs(key);
    return inner({ ...request, query: key ? [...request.query, ["Bugzilla_api_key", key]] : request.query });
  };
}

function whoIs(key: string | undefined): Response {
  if (key === ALICE.reveal()) return jsonResponse({ id: 2, name: "alice@example.org", real_name: "Alice Example" });
  if (key === undefined) return jsonResponse({ error: true, code: 410, message: "You must log in." }, 401);
  return jsonResponse({ error: true, code: 306, message: "The API key is invalid." }, 400);
}

/** A desk at this server, with what a person would answer; what is said is kept. */
function desk(exchange: Exchange, answers: readonly string[] = [], host = machine()) {
  const said: string[] = [];
  const asked: string[] = [];
  const waiting = [...answers];
  const at: AuthContext = {
    baseUrl: BASE,
    host,
    sendAs: (credential) => async (request) => {
      const sent = credential ? withKey(request, credential) : request;
      return readResponse(await exchange(sent), request);
    },
    hasWebPages: () => true,
    prompt:
      answers.length === 0
        ? undefined
        : async ({ kind, message }) => {
            asked.push(`${message} (${kind})`);
            return waiting.shift() ?? "";
          },
    report: async (sentence) => void said.push(sentence),
  };
  return { at, said, asked, host };
}

function login(exchange: Exchange, wish: LoginOptions = { key: ALICE }) {
  return loginWithKey(desk(exchange).at, wish);
}

describe("a login with an API key detects the auth style and the user", () => {
  test("in the query and body", async () => {
    const { at, said, host } = desk(bugzilla5());
    const stored = credentialFile(host) ?? "";
    expect(await loginWithKey(at, { key: asSecret("{bob_key}") })).toMatchObject({
      style: "query",
      base_url: BASE,
      stored,
    });
    expect(said).toEqual([
      expect.stringMatching(/^logged in to https:\/\/bugs.example.org\/bugzilla( as bob@example.org)?$/),
      `stored in ${stored}`,
      "note: reads send the API key in the URL, so it appears in the web server's logs",
    ]);
    expect(readLogins(host)).toEqual([expect.objectContaining({ origin: BASE, style: "query", key: "{bob_key}" })]);
  });

  test.each([true, false])(
    "in a header of its own, whether or not the server reports the user (%s)",
    async (whoami) => {
      expect(await login(headerServer("x-bugzilla-api-key", { whoami }))).toMatchObject({
        style: "header",
        base_url: BASE,
      });
    },
  );

  test("as a bearer token", async () => {
    expect(await login(headerServer("authorization", { whoami: false }))).toMatchObject({ style: "bearer" });
  });
});

test.each([
  ["wrong", { kind: "auth", facts: { bugzillaCode: 306 } }],
  ["al\u001bice", { kind: "usage" }],
  ["кл", { kind: "usage" }],
])("a typed key that is refused, or that no request can hold, is not stored: %j", async (key, error) => {
  const { at, host } = desk(bugzilla5(), [key]);
  await expect(loginWithKey(at, {})).rejects.toMatchObject(error);
  expect(readLogins(host)).toEqual([]);
});

describe("an unverified login is not stored", () => {
  test("an API key rejected by the tracker", async () => {
    const { at, host } = desk(bugzilla5());
    await expect(loginWithKey(at, { key: asSecret("wrong") })).rejects.toMatchObject({
      kind: "auth",
      facts: { bugzillaCode: 306 },
    });
    expect(readLogins(host)).toEqual([]);
  });
});

describe("a tracker that ignores rows and does not report the user", () => {
  const empty = async (): Promise<Exchange> => {
    const inner = bugzilla5();
    return async (request) => (request.path === "/rest/bug" ? jsonResponse({ bugs: [{ id: 1 }] }) : inner(request));
  };

  test("prompts for the login of the key", async () => {
    const { at, asked } = desk(await empty(), ["alice@example.org"]);
    expect(await loginWithKey(at, { key: ALICE })).toMatchObject({ style: "query", user: "alice@example.org" });
    expect(asked).toEqual(["Login for this API key (line)"]);
  });

  test("without a terminal the error explains why --login is required", async () => {
    await expect(login(await empty(), { key: ALICE })).rejects.toMatchObject({
      message: `${BASE} does not report the user of an API key, and there is no terminal for a prompt`,
      facts: { hint: "use --login LOGIN" },
    });
  });

  test("rejects the login of another user", async () => {
    await expect(loginWithKey(desk(await empty(), ["bob@example.org"]).at, { key: ALICE })).rejects.toMatchObject({
      kind: "auth",
    });
  });
});

describe("the login of another user beside a key", () => {
  const options = { key: ALICE, login: "bob@example.org" };

  test("is refused in words where the tracker says whose the key is", async () => {
    const { at, host } = desk(headerServer("x-bugzilla-api-key", { whoami: true }), []);
    await expect(loginWithKey(at, options)).rejects.toMatchObject({
      message: "the API key is that of alice@example.org, not of bob@example.org",
    });
    expect(readLogins(host)).toEqual([]);
    expect(await loginWithKey(at, { ...options, login: "Alice@example.org" })).toMatchObject({
      user: "alice@example.org",
    });
  });

  test("is refused where the tracker only confirms logins, though it shows bugs to the key", async () => {
    const inner = bugzilla5();
    const withoutOwn: Exchange = async (request) =>
      request.path === "/rest/bug" && request.query.some(([, value]) => value === "%user%")
        ? jsonResponse({ bugs: [] })
        : inner(request);
    await expect(login(withoutOwn, options)).rejects.toMatchObject({ kind: "auth" });
    expect(await login(withoutOwn, { key: ALICE, login: "alice@example.org" })).toMatchObject({ style: "query" });
  });
});
