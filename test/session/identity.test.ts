import { writeFileSync } from "node:fs";
import { describe, expect, onTestFinished, test } from "vitest";
import { startServer } from "../../src/tracker/server/server.ts";
import { applySetup } from "../../src/tracker/setup/setup.ts";
import type { Tracker } from "../../src/tracker/tracker.ts";
import type { Request } from "../../src/wire/exchange.ts";
import { btConnected } from "../bt.ts";
import { NOON } from "../clock.ts";
import { freshDemo } from "../fresh-demo.ts";
import { freshFolder } from "../fresh-folder.ts";
import { addApiKey } from "../servers/api-key.ts";
import { interfaceServer } from "../servers/interface-server.ts";
import { errorResponse } from "../servers/responses.ts";

const [STORED, IN_FILE, IN_VARIABLE] = ["tomas@example.org", "mei@example.org", "jonas@example.org"];

type Way = (request: Request, send: (request: Request) => ReturnType<Tracker>) => ReturnType<Tracker>;

/** A demo on a port behind a way of its own, the keys of three users, and what it was sent. */
async function served(way: Way = (request, send) => send(request), parameters = {}) {
  const opened = freshDemo({ now: () => new Date(NOON), random: (bytes) => new Uint8Array(bytes) });
  applySetup(opened.store, { parameters });
  const requests: Request[] = [];
  const tracker: Tracker = (request, origin) => {
    requests.push(request);
    return way(request, (sent) => opened.tracker(sent, origin));
  };
  const { url, close } = await startServer({ tracker, port: 0 });
  onTestFinished(async () => {
    await close();
    opened.close();
  });
  const writer = () =>
    opened.store.get("SELECT login FROM users WHERE id = (SELECT creator_id FROM comments ORDER BY id DESC LIMIT 1)");
  const keys = [STORED, IN_FILE, IN_VARIABLE].map((login) => addApiKey(opened.store, login));
  return { url, requests, keys, store: opened.store, writer: () => writer()?.["login"] };
}

type Served = Awaited<ReturnType<typeof served>>;

/** A server that reads a key in one header alone, as its own. */
const bearerOnly: Way = (request, send) => {
  const { authorization = "", "x-bugzilla-api-key": _, ...headers } = request.headers ?? {};
  const key = authorization.replace(/^Bearer /, "");
  const query = request.query.filter(([name]) => name !== "Bugzilla_api_key");
  return send({ ...request, query, headers: key ? { ...headers, "x-bugzilla-api-key": key } : headers });
};

/** Runs lines in a home of their own, with the key of a user of one tracker in the variable. */
function at({ url, keys }: Pick<Served, "url" | "keys">, more: Record<string, string> = {}) {
  const env = { HOME: freshFolder(), BT_BASE_URL: url, BT_API_KEY: keys[2] ?? "", ...more };
  return (line: string, now = NOON) => btConnected(line, { env, now });
}

describe("who acts, on the default tracker A or on B of the profile work, with a stored login at both", () => {
  // the flags, the environment, the tracker that they name, and the one that BT_API_KEY is the key for
  const rows = [
    ["", {}, "A", "A"],
    ["--base-url A", {}, "A", "A"],
    ["--base-url B", {}, "B", "A"],
    ["-P work", {}, "B", "A"],
    ["--base-url A -P work", {}, "A", "A"],
    ["", { BT_PROFILE: "work" }, "B", "B"],
    ["--base-url A", { BT_PROFILE: "work" }, "A", "B"],
    ["-P work", { BT_PROFILE: "work" }, "B", "B"],
    ["", { BT_BASE_URL: "B" }, "B", "B"],
    ["--base-url A", { BT_BASE_URL: "B" }, "A", "B"],
    ["-P work", { BT_BASE_URL: "B" }, "B", "B"],
    ["-P work", { BT_BASE_URL: "A" }, "B", "A"],
    ["", { BT_BASE_URL: "A", BT_PROFILE: "work" }, "A", "A"],
  ] as const;

  test.each(rows)("%s with %j", async (flags, env, named, owner) => {
    const trackers = { A: await served(), B: await served() };
    const home = freshFolder();
    const [stored = "", inFile = "", inVariable = ""] = trackers.A.keys;
    writeFileSync(`${home}/key`, inFile, { mode: 0o600 });
    const addressed = (text: string) => text.replace(/\b[AB]\b/g, (name) => trackers[name as "A" | "B"].url);
    const login = (line: string) => btConnected(addressed(line), { env: { HOME: home }, stdin: stored });
    await login("auth login A --api-key-file -");
    await login("auth login B -P work --api-key-file -");
    const variables = Object.fromEntries(Object.entries(env).map(([name, value]) => [name, addressed(value)]));
    const { url, requests, writer } = trackers[named];
    const other = trackers[named === "A" ? "B" : "A"];
    /** The exit code and the writer of the comment, if any was sent. */
    const acts = async (keyFlag: string, key: object) => {
      for (const tracker of [requests, other.requests]) tracker.length = 0;
      const line = `comment add 44 -m hi ${addressed(flags)} ${keyFlag}`;
      const { code, err } = await btConnected(line, { env: { HOME: home, ...variables, ...key } });
      expect(other.requests).toEqual([]);
      return [code, requests.length > 0 ? writer() : err.split("\n")[0]];
    };
    const refusal = `bt: BT_API_KEY is the key for ${other.url}, and the command is for ${url}`;
    expect(await acts("", {})).toEqual([0, STORED]);
    expect(await acts("", { BT_API_KEY: inVariable })).toEqual(owner === named ? [0, IN_VARIABLE] : [13, refusal]);
    expect(await acts(`--api-key-file ${home}/key`, { BT_API_KEY: inVariable })).toEqual([0, IN_FILE]);
  });

  test("BT_API_KEY is the key for the tracker of the command where nothing else names one", async () => {
    const tracker = await served();
    expect((await at(tracker, { BT_BASE_URL: "" })(`comment add 44 -m hi --base-url ${tracker.url}`)).code).toBe(0);
    expect(tracker.writer()).toBe(IN_VARIABLE);
  });

  test("the demo ignores it", async () => {
    const env = { HOME: freshFolder(), BT_BASE_URL: "https://bugs.example.org", BT_API_KEY: "k3y" };
    expect((await btConnected("comment add 44 -m hi --base-url demo:", { env })).code).toBe(0);
  });
});

describe("a key that no login has proven is proven before the first request", () => {
  test.each([
    ["header", undefined, {}, ["/rest/whoami"]],
    ["bearer", bearerOnly, {}, ["/rest/whoami", "/rest/whoami"]],
    ["query", undefined, { header_api_keys: "0" }, ["/rest/whoami", ...Array(5).fill("/rest/bug")]],
  ])("in the style %s, once a day", async (_, way, parameters, proofs) => {
    const tracker = await served(way, parameters);
    const run = at(tracker);
    expect((await run("comment add 44 -m hi")).code).toBe(0);
    expect(tracker.writer()).toBe(IN_VARIABLE);
    const paths = () => tracker.requests.splice(0).map(({ path }) => path);
    expect(paths().slice(0, proofs.length)).toEqual(proofs);
    await run("api GET /rest/version", "2026-11-21T11:59:00Z");
    expect(paths()).toEqual(["/rest/version"]);
    await run("api GET /rest/version", "2026-11-21T12:01:00Z");
    expect(paths()).toEqual([...proofs, "/rest/version"]);
  });

  test("and nothing is read as nobody where the tracker ignores it", async () => {
    const tracker = await served((request, send) => send({ ...request, headers: {}, query: [] }));
    const ran = await at(tracker)("bug get 1");
    expect(ran).toMatchObject({ code: 13, out: "" });
    expect(ran.err).toContain(`${tracker.url} ignores the API key from BT_API_KEY\n`);
    const one = await at(tracker, { BT_AUTH_STYLE: "bearer" })("bug get 1");
    expect(one.err).toContain(" ignores the API key from BT_API_KEY sent as bearer\n");
    expect(await at(tracker)("auth status")).toMatchObject({
      code: 4,
      out: expect.stringContaining(`${tracker.url} ignored the API key from BT_API_KEY: you are anonymous\n`),
    });
  });

  test("a refusal that names the header is of a style", async () => {
    const refusing: Way = (request, send) =>
      request.headers?.["x-bugzilla-api-key"] || request.query.some(([name]) => name === "Bugzilla_api_key")
        ? Promise.resolve(errorResponse(32_000, "The API key must be sent in the Authorization header."))
        : bearerOnly(request, send);
    const tracker = await served(refusing);
    expect((await at(tracker)("bug get 1")).code).toBe(0);
    const { code, err } = await at(tracker, { BT_AUTH_STYLE: "query" })("bug get 1");
    expect([code, err]).toEqual([13, expect.stringContaining("BT_AUTH_STYLE=auto")]);
  });
});

describe("the setting login is a claim", () => {
  const TRACKERS = { "names the user": {}, "knows the user": { header_api_keys: "0" } };
  const cases = Object.entries(TRACKERS).flatMap(([what, parameters]) =>
    ["bug take 3", "bug update 3 --add-cc @me", "bug search -a @me", "bug get 3"].map(
      (line) => [line, what, parameters] as const,
    ),
  );
  test.each(cases)("bt %s is refused where a tracker that %s contradicts it", async (line, _, parameters) => {
    const tracker = await served(undefined, parameters);
    const run = at(tracker);
    await run("config set login mei@example.org");
    const ran = await run(line);
    expect(ran).toMatchObject({ code: 4, out: "" });
    expect(ran.err).toMatch(/the API key is (that of jonas@example\.org, )?not of mei@example\.org/);
    expect(tracker.requests.filter(({ method }) => method !== "GET")).toEqual([]);
    await run("config set login Jonas@example.org");
    expect((await run(line)).code).not.toBe(4);
  });

  test.each([
    ["", async (tracker: Tracker, request: Request) => tracker(request)],
    [" and has no bugs", async () => ({ status: 200, headers: {}, body: '{"bugs":[]}' })],
  ])("a tracker that cannot tell%s is believed nothing", async (_, search) => {
    const { exchange } = interfaceServer();
    const tracker: Tracker = (request) =>
      request.path === "/rest/bug" ? search(exchange, request) : exchange(request);
    const { url, close } = await startServer({ tracker, port: 0 });
    onTestFinished(close);
    const env = { HOME: freshFolder(), BT_BASE_URL: url, BT_API_KEY: "k3y" };
    const status = () => btConnected("auth status --fields state,user --format tsv", { env });
    expect(await status()).toMatchObject({ code: 4, out: "unknown\t\n" });
    await btConnected("config set login ann@team.test", { env });
    expect(await status()).toMatchObject({ code: 4, out: "unknown\tann@team.test\n" });
    const { out } = await btConnected("auth status", { env });
    expect(out).toContain(
      "does not report whether it accepted the API key from BT_API_KEY; used as ann@team.test (as set, not checked)\n",
    );
    expect((await btConnected("bug search -a @me --count", { env })).code).toBe(0);
  });
});

test("a key is not sent in an unknown style, and one that is rejected is the error", async () => {
  const { url } = await served(async () => errorResponse(306, "The API key you specified is invalid.", 400));
  const run = at({ url, keys: ["", "", "k3y"] });
  expect(await run("bug search --status CONFIRMED --count")).toMatchObject({
    code: 4,
    err: expect.stringMatching(/^bt: The API key you specified is invalid.\n/),
  });
  const basic = at({ url, keys: ["", "", "k3y"] }, { BT_AUTH_STYLE: "basic" });
  expect((await basic("bug get 1")).err).toMatch(/^bt: BT_AUTH_STYLE must be one of auto, .*, not "basic"$/m);
});
