import type { RequestOptions } from "node:http";
import { connect, type Socket } from "node:net";
import { networkInterfaces } from "node:os";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { DEFAULT_SERVER_LIMITS, type RunningServer, startServer } from "../../../src/tracker/server/server.ts";
import { freshDemo } from "../../fresh-demo.ts";
import { ask as askAt } from "../../servers/ask.ts";
import { openSlowClients, slowClients } from "../../servers/slow-clients.ts";

const opened = freshDemo({
  now: () => new Date("2026-11-20T12:00:00Z"),
  random: (bytes) => new Uint8Array(bytes).fill(7),
});
const key = opened.addFirstKey()?.key ?? "";
const log: string[] = [];
let served: RunningServer;

beforeAll(async () => {
  served = await startServer({ tracker: opened.tracker, port: 0, log: (line) => log.push(line) });
});

afterAll(async () => {
  await served.close();
  opened.close();
});

function ask(path: string, options: RequestOptions = {}, body: string | Uint8Array = "") {
  return askAt(`${served.url}${path}`, options, body);
}

const OUTSIDE = outside();
const STATE = "SELECT (SELECT count(*) FROM comments) AS comments, (SELECT max(last_change_time) FROM bugs) AS last";
const put = { method: "PUT", headers: { "content-type": "application/json" } };

describe("authentication", () => {
  test("reading the demo requires no key, and a key in the query or a header identifies the user", async () => {
    expect((await ask("/rest/bug/1?include_fields=id")).body).toBe('{"bugs":[{"id":1}],"faults":[]}');
    const login = "/rest/valid_login?login=tomas@example.org";
    expect((await ask(login)).body).toBe('{"result":false}');
    expect((await ask(`${login}&api_key=${key}`)).body).toBe('{"result":true}');
    expect((await ask(login, { headers: { "x-bugzilla-api-key": key } })).body).toBe('{"result":true}');
    expect((await ask(login, { headers: { authorization: `Bearer ${key}` } })).body).toBe('{"result":true}');
  });

  test("only one first key is created", () => {
    expect(key).toBe("07".repeat(20));
    expect(opened.addFirstKey()).toBeUndefined();
  });

  test("it listens on loopback addresses only", async () => {
    expect(served.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    const port = Number(new URL(served.url).port);
    const refused = new Promise((resolve) => connect(port, "127.9.9.9").on("error", ({ message }) => resolve(message)));
    expect(await refused).toMatch(/ECONNREFUSED/);
  });

  test("the log has no queries, and so no keys", () => {
    expect(log.join("\n")).toMatch(/^GET \/rest\/valid_login 200 \d+ ms$/m);
    expect(log.join("\n")).not.toContain(key);
  });
});

describe("cross-site requests by a browser are refused", () => {
  const write = { method: "POST", headers: { "content-type": "application/json", "x-bugzilla-api-key": key } };
  const from = (headers: Record<string, string>) => ({ ...write, headers: { ...write.headers, ...headers } });

  test.each<[string, RequestOptions, number]>([
    ["S2 another name in Host", from({ host: "evil.test:80" }), 403],
    ["S2 another name in Host, with this port", from({ host: "evil.test:PORT" }), 403],
    ["S2 another site's Origin", from({ origin: "https://evil.test" }), 403],
    ["S2 a page with an opaque origin", from({ origin: "null" }), 403],
    ["S2 another port of this machine as the Origin", from({ origin: "http://localhost:1" }), 403],
    ["S2 a page of another site by its fetch metadata", from({ "sec-fetch-site": "cross-site" }), 403],
    ["S2 a page of another port", from({ "sec-fetch-site": "same-site", "sec-fetch-mode": "cors" }), 403],
    ["S2 a form of another site", from({ "content-type": "application/x-www-form-urlencoded" }), 415],
    ["S2 a form of another site, as plain text", from({ "content-type": "text/plain" }), 415],
    ["S2 a body without a content type", from({ "content-type": "" }), 415],
  ])("%s", async (...[, options, status]) => {
    const headers = JSON.parse(JSON.stringify(options.headers).replace("PORT", new URL(served.url).port)) as object;
    const before = opened.store.get(STATE);
    const answer = await ask("/rest/bug/1/comment", { ...options, headers: { ...headers } }, '{"comment":"tricked"}');
    expect(answer.status).toBe(status);
    expect(JSON.parse(answer.body)).toMatchObject({ error: true, code: 32000 });
    expect(opened.store.get(STATE)).toEqual(before);
  });

  test("a cross-origin script reads nothing, even if everybody may read", async () => {
    const path = "/rest/bug/1?include_fields=id,summary";
    const script = { "sec-fetch-site": "cross-site", "sec-fetch-mode": "no-cors", "sec-fetch-dest": "script" };
    expect(await ask(path, { headers: script })).toMatchObject({
      status: 403,
      body: expect.not.stringContaining("summary"),
    });
    expect((await ask(path)).headers).toMatchObject({ "cross-origin-resource-policy": "same-origin" });
  });

  test.skipIf(OUTSIDE === undefined)(
    "for other machines, the address that they connect to is its own, and no name is",
    async () => {
      const open = await startServer({
        tracker: opened.tracker,
        port: 0,
        host: "0.0.0.0",
        names: ["bugs.example.org"],
      });
      const { port } = new URL(open.url);
      const status = async (host: string) =>
        (await askAt(`http://${OUTSIDE}:${port}/rest/version`, { headers: { host } })).status;
      expect(await Promise.all([`${OUTSIDE}:${port}`, `bugs.example.org:${port}`].map(status))).toEqual([200, 200]);
      expect(await Promise.all([`evil.test:${port}`, `192.0.2.1:${port}`].map(status))).toEqual([403, 403]);
      await open.close();
    },
  );

  test("responses may not be embedded, sniffed, cached or read cross-origin", async () => {
    const { headers } = await ask("/rest/version");
    expect(headers).toMatchObject({
      "x-content-type-options": "nosniff",
      "x-frame-options": "DENY",
      "cache-control": "no-store",
      "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
    });
    expect(headers).not.toHaveProperty("access-control-allow-origin");
  });
});

describe("an oversized request is refused, and the next one is answered", () => {
  test.each([
    ["a body of 64 MiB", "/rest/bug/1", put, `{"summary":"${"x".repeat(64 << 20)}"}`, 413],
    ["JSON a million levels deep", "/rest/bug/1", put, `{"a":${"[".repeat(1_000_000)}${"]".repeat(1_000_000)}}`, 400],
    ["a body that is not UTF-8", "/rest/bug/1", put, Buffer.from([0x22, 0xff, 0x22]), 400],
    ["a header of 20 kB", "/rest/version", { headers: { "x-long": "x".repeat(20_000) } }, "", 431],
  ])("%s", async (...[, path, options, body, status]) => {
    const answer = await ask(path, options, body as string).catch((error: Error) => ({ status: error.message }));
    expect([status, "write EPIPE", "read ECONNRESET"]).toContain(answer.status);
    expect((await ask("/rest/version")).status).toBe(200);
  });

  test("an attachment of the maximum size is taken; a larger one is refused as Bugzilla does", async () => {
    const roomy = freshDemo({ now: () => new Date("2026-11-20T12:00:00Z"), random: (bytes) => new Uint8Array(bytes) });
    roomy.store.run("INSERT INTO parameters (name, value) VALUES ('maxattachmentsize', '6000')");
    const { url, close } = await startServer({ ...roomy, port: 0 });
    const post = { method: "POST", headers: { ...put.headers, "x-bugzilla-api-key": roomy.addFirstKey()?.key ?? "" } };
    const attach = async (bytes: number) => {
      const file = { file_name: "x", summary: "x", content_type: "text/plain" };
      const body = JSON.stringify({ ...file, data: Buffer.alloc(bytes, "x").toString("base64") });
      const reply = await askAt(`${url}/rest/bug/12/attachment`, post, body);
      return [reply.status, JSON.parse(reply.body).code];
    };
    const most = 6000 * 1024;
    expect([await attach(most), await attach(most + 1)]).toEqual([
      [201, undefined],
      [400, 600],
    ]);
    await close();
    roomy.close();
  });

  test("S4 idle and slow clients are disconnected", async () => {
    const { headersTimeout, requestTimeout, connectionsCheckingInterval: interval } = DEFAULT_SERVER_LIMITS; // here all goes faster
    expect([headersTimeout + 2 * interval, requestTimeout + 2 * interval]).toEqual([10_000, 30_000]);
    const limits = { headersTimeout: 300, requestTimeout: 600, connectionsCheckingInterval: 50 };
    const quick = await startServer({ tracker: opened.tracker, port: 0, limits });
    const { idleMs, headersMs, bodyMs } = await slowClients(quick.url);
    await quick.close();
    expect(Math.min(idleMs, headersMs)).toBeGreaterThan(250);
    expect(bodyMs).toBeGreaterThan(550);
    expect(Math.max(idleMs, headersMs, bodyMs)).toBeLessThan(9_000); // sooner than at the usual limits
  });

  test("S4 others do not wait for idle and slow clients", async () => {
    const { all, end } = openSlowClients(served.url);
    await Promise.all(all.map((socket) => new Promise((resolve) => socket.once("connect", resolve))));
    expect((await ask("/rest/version")).status).toBe(200);
    expect(all.filter((socket) => socket.readyState !== "open")).toEqual([]);
    end();
  });

  test("a response that is not read is aborted", async () => {
    const quick = await startServer({
      tracker: async () => ({ status: 200, headers: {}, body: "x".repeat(32 << 20) }),
      port: 0,
      limits: { socketTimeout: 500 },
    });
    const { host, port } = new URL(quick.url);
    const slow = connect(Number(port), "127.0.0.1").on("error", () => undefined);
    slow.write(`GET /rest/bug HTTP/1.1\r\nHost: ${host}\r\n\r\n`);
    let taken = 0;
    slow.on("data", (chunk) => {
      taken += chunk.length;
    });
    await new Promise((resolve) => slow.once("data", resolve));
    slow.pause();
    for (let waits = 0; waits < 4; waits += 1) await gone(connect(Number(port), "127.0.0.1").resume());
    await gone(slow.resume());
    expect(taken).toBeLessThan(32 << 20);
    await quick.close();
  });

  test("shutdown does not wait for idle connections", async () => {
    const limits = { headersTimeout: 600_000, requestTimeout: 600_000, socketTimeout: 600_000 };
    const quick = await startServer({ tracker: opened.tracker, port: 0, limits });
    const silent = connect(Number(new URL(quick.url).port), "127.0.0.1");
    await new Promise((resolve) => silent.on("connect", resolve));
    silent.write("GET / HTTP/1.1\r\nHost:");
    await quick.close();
    silent.destroy();
  });
});

function outside(): string | undefined {
  const all = Object.values(networkInterfaces()).flatMap((addresses) => addresses ?? []);
  return all.find(({ family, internal }) => family === "IPv4" && !internal)?.address;
}

function gone(socket: Socket) {
  return new Promise((resolve) => socket.on("error", () => undefined).on("close", resolve));
}
