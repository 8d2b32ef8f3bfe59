import { afterEach, describe, expect, test } from "vitest";
import { asSecret, createRedactor } from "../../src/secret.ts";
import { type NetworkOptions, openNetwork } from "../../src/transport/network.ts";
import type { AuthStyle, Request } from "../../src/wire/exchange.ts";
import { type Act, answer, type FaultServer, faultServer } from "../servers/fault-server.ts";

const KEY = "c4nary+key/0123456789=";
const READ: Request = { method: "GET", path: "/rest/bug/7", query: [["id", "7"]] };
const STYLES: readonly AuthStyle[] = ["header", "bearer", "query", "token"];

const closers: (() => unknown)[] = [];
afterEach(async () => {
  await Promise.all(closers.splice(0).map((close) => close()));
});

async function server(act: Act): Promise<FaultServer> {
  const started = await faultServer(act);
  closers.push(started.close);
  return started;
}

/** A tracker spoken to with the key, and all that is told of it at the noisiest level. */
function spoken(url: string, style: AuthStyle, more: Partial<NetworkOptions> = {}) {
  const { learn, redact } = createRedactor();
  learn(KEY);
  const told: string[] = [];
  const { exchange, close } = openNetwork({
    baseUrl: url,
    userAgent: "bt/test",
    env: {},
    random: () => 0,
    sleep: async () => undefined,
    credential: { style, key: asSecret(KEY) },
    trace: { level: "debug", now: () => 0, write: (line) => told.push(redact(line)) },
    ...more,
  });
  closers.push(close);
  return { exchange, told, redact };
}

test.each(STYLES)("D9 the key in the style %s is sent, and never printed", async (style) => {
  const echo = await server((socket, { head, body }) => socket.write(answer(JSON.stringify({ head, body }))));
  const { exchange, told } = spoken(echo.url, style);
  const read = JSON.parse((await exchange(READ)).body);
  await exchange({ method: "POST", path: "/rest/bug", query: [], body: { summary: "crash" } });
  expect(decodeURIComponent(read.head)).toContain(KEY);
  expect(told.join("\n")).not.toMatch(/c4nary|0123456789/);
  expect(told.length).toBeGreaterThan(8);
});

test("the trace of one exchange", async () => {
  const { url } = await server((socket) => socket.write(answer('{"id":7}')));
  const { exchange, told } = spoken(url, "query");
  await exchange({ method: "POST", path: "/rest/bug", query: [], body: { summary: "crash" } });
  expect(told.join("\n")).toMatchInlineSnapshot(`
    "> POST /rest/bug
    > {"summary":"crash","Bugzilla_api_key":"***"}
    < 200 application/json, 8 characters in 0 ms
    < content-type: application/json
    < content-length: 8
    < {"id":7}"
  `);
});

test("D10 no network error contains the key", async () => {
  const dead = await faultServer(() => undefined);
  await dead.close();
  const { exchange, told } = spoken(dead.url, "query");
  const error = await exchange(READ).catch((caught: unknown) => caught);
  expect(error).toMatchObject({ kind: "network" });
  expect(`${JSON.stringify(error)} ${(error as Error).stack} ${told}`).not.toContain("c4nary");
});

describe("every attempt has its own limit, and all of them share one", () => {
  const given = { limits: { connectMs: 300, headersMs: 300, readMs: 900, writeMs: 900 }, retries: 9 };
  const messageOf = async (url: string, request: Request) => {
    const error = await spoken(url, "header", given)
      .exchange(request)
      .catch((caught: unknown) => caught);
    return (error as Error).message.replace(/:\d+/, "");
  };

  test("A4 a tracker that accepts the request and never responds", async () => {
    const silent = await server(() => undefined);
    const message = await messageOf(silent.url, READ);
    expect(message).toMatch(/^no response from 127.0.0.1 within \d+ ms \(tried [2-4] times\)$/);
    expect(silent.heard.length).toBeGreaterThan(1);
  });

  test("A5 one whose handshake never finishes, for an unsent write too", async () => {
    const silent = await server(() => undefined);
    const url = silent.url.replace("http:", "https:");
    for (const request of [READ, { ...READ, method: "POST", query: [], body: { summary: "crash" } }]) {
      const message = await messageOf(url, request);
      expect(message).toMatch(/^cannot connect to 127.0.0.1 within \d+ ms \(tried [2-4] times\)$/);
    }
    expect(silent.heard).toEqual([]);
  });

  test("C4 a sent write is not retried within its limit", async () => {
    const silent = await server(() => undefined);
    const write: Request = { method: "POST", path: "/rest/bug", query: [], body: { summary: "crash" } };
    expect(await messageOf(silent.url, write)).toMatch(/^no response from 127\.0\.0\.1 within (?:900|8\d\d) ms$/);
    expect(silent.heard).toHaveLength(1);
  });
});
