import { gzipSync } from "node:zlib";
import { afterEach, describe, expect, test } from "vitest";
import { asSecret, createRedactor } from "../../src/secret.ts";
import { checkNotRedirected, type NetworkOptions, openNetwork } from "../../src/transport/network.ts";
import type { AuthStyle, Request } from "../../src/wire/exchange.ts";
import { ioFor } from "../bt.ts";
import { type Act, answer, type FaultServer, faultServer } from "../servers/fault-server.ts";

const KEY = "c4nary+key/0123456789=";
const READ: Request = { method: "GET", path: "/rest/bug/7", query: [["id", "7"]] };
const WRITE: Request = { method: "POST", path: "/rest/bug", query: [], body: { summary: "crash" } };
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
    io: ioFor({ ticks: () => 0 }),
    baseUrl: url,
    userAgent: "bt/test",
    settings: {},
    random: () => 0,
    trace: { isFull: true, write: (line) => told.push(redact(line)) },
    ...more,
  });
  closers.push(close);
  const credential = { style, key: asSecret(KEY) };
  return { exchange: (request: Request) => exchange(request, credential), told, redact };
}

test.each(STYLES)("D9 the key in the style %s is sent, and never printed", async (style) => {
  const echo = await server((socket, { head, body }) => socket.write(answer(JSON.stringify({ head, body }))));
  const { exchange, told } = spoken(echo.url, style);
  const read = JSON.parse((await exchange(READ)).body);
  await exchange(WRITE);
  expect(decodeURIComponent(read.head)).toContain(KEY);
  expect(told.join("\n")).not.toMatch(/c4nary|0123456789/);
  expect(told.length).toBeGreaterThan(8);
});

test("the trace of one exchange", async () => {
  const { url } = await server((socket) => socket.write(answer('{"id":7}')));
  const { exchange, told } = spoken(url, "query");
  await exchange(WRITE);
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

describe("all attempts share one limit", () => {
  const given = { io: ioFor({}), settings: { timeout: 0.9, retry: 9 } };
  const messageOf = async (url: string, request: Request) => {
    const error = await spoken(url, "header", given)
      .exchange(request)
      .catch((caught: unknown) => caught);
    return (error as Error).message.replace(/:\d+/, "");
  };

  test("A5 a handshake that never finishes, for an unsent write too", async () => {
    const silent = await server(() => undefined);
    const url = silent.url.replace("http:", "https:");
    for (const request of [READ, WRITE]) {
      const message = await messageOf(url, request);
      expect(message).toMatch(/^cannot connect to 127.0.0.1 within \d+ ms/);
    }
    expect(silent.heard).toEqual([]);
  });

  test("C4 a request that is sent and never answered is sent once", async () => {
    const silent = await server(() => undefined);
    for (const request of [READ, WRITE])
      expect(await messageOf(silent.url, request)).toMatch(/^no response from 127\.0\.0\.1 within [1-9]\d{1,2} ms$/);
    expect(silent.heard).toHaveLength(2);
  });
});

test("a read requests JSON below the base path, or in place of rest.cgi; writes have connections of their own", async () => {
  const { url, heard } = await server((socket) => socket.write(answer("{}")));
  const { exchange } = spoken(`${url}/bugzilla/`, "header");
  for (const request of [READ, WRITE, WRITE, READ]) await exchange(request);
  await spoken(`${url}/bz/rest.cgi`, "header").exchange(READ);
  expect(heard.map(({ connection }) => connection)).toEqual([1, 2, 3, 1, 4]);
  expect(heard[0]?.head).toMatch(/^GET \/bugzilla\/rest\/bug\/7\?id=7 HTTP.*\naccept: application\/json/s);
  expect(heard[1]?.head).toMatch(/content-type: application\/json/);
  expect(heard[1]?.body).toBe('{"summary":"crash"}');
  expect(heard[4]?.head).toContain("GET /bz/rest.cgi/bug/7?");
});

test("bodies are unpacked, without a byte order mark; invalid UTF-8 is noted once", async () => {
  const bytes = Buffer.concat([Buffer.from("\ufeff"), Buffer.from([0x22, 0xc3, 0x28, 0x22])]);
  const packed = gzipSync(bytes);
  const { url } = await server((socket) => {
    socket.write(`HTTP/1.1 200 OK\r\ncontent-encoding: x-gzip\r\ncontent-length: ${packed.length}\r\n\r\n`);
    socket.write(packed);
  });
  const notes: string[] = [];
  const { exchange } = spoken(url, "header", { note: (sentence) => notes.push(sentence) });
  expect((await exchange(READ)).body).toBe('"\ufffd("');
  expect(notes).toHaveLength(1);
});

test.each([
  ["https://evil.test/bugzilla/rest/bug/7?api_key=k", "https://evil.test/bugzilla/rest/bug/7"],
  ["https://bugs.example.org.evil.test/bugzilla/rest/", "https://bugs.example.org.evil.test/bugzilla/rest/"],
  ["http://bugs.example.org/bugzilla/rest/bug/7", "http://bugs.example.org/bugzilla/rest/bug/7"],
  ["https://bugs.example.org:444/bugzilla/rest/bug/7", "https://bugs.example.org:444/bugzilla/rest/bug/7"],
  ["https://bugs.example.org/bugzilla2/rest/bug/7", "https://bugs.example.org/bugzilla2/rest/bug/7"],
  ["https://bugs.example.org@evil.test/", "https://evil.test/"],
  ["/login", "https://bugs.example.org/login"],
  ["/bugzilla/rest/bug/8", "https://bugs.example.org/bugzilla/rest/bug/8"],
  ["file:///etc/passwd", "file:///etc/passwd"],
  ["javascript:alert(1)", "javascript://alert(1)"],
  [undefined, "nowhere"],
])("D1 D4 no redirect is followed: %s", (location, named) => {
  const moved = { status: 301, headers: location ? { location } : {}, body: "" };
  const check = () => checkNotRedirected(moved, READ, new URL("https://bugs.example.org/bugzilla"));
  const message = `bugs.example.org redirects to ${named}; the redirect was not followed`;
  expect(check).toThrow(expect.objectContaining({ kind: "guard", message }));
});
