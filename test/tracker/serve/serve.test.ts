import { request as httpRequest, type RequestOptions } from "node:http";
import { connect } from "node:net";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openTracker } from "../../../src/tracker/open.ts";
import { type Served, serve } from "../../../src/tracker/serve/serve.ts";

const opened = openTracker("demo:", {
  now: () => new Date("2026-11-20T12:00:00Z"),
  random: (bytes) => new Uint8Array(bytes).fill(7),
  dataDirectory: "",
});
const key = opened.firstKey()?.key ?? "";
const log: string[] = [];
let served: Served;

beforeAll(async () => {
  served = await serve({ tracker: opened.tracker, port: 0, log: (line) => log.push(line) });
});

afterAll(async () => {
  await served.close();
  opened.close();
});

type Answer = { readonly status: number; readonly headers: Record<string, unknown>; readonly body: string };

function ask(path: string, options: RequestOptions = {}, body = ""): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const request = httpRequest(`${served.url}${path}`, { agent: false, ...options }, (response) => {
      const chunks: Buffer[] = [];
      response.on("data", (chunk: Buffer) => chunks.push(chunk));
      response.on("end", () =>
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers,
          body: Buffer.concat(chunks).toString(),
        }),
      );
    });
    request.on("error", reject);
    request.end(body);
  });
}

const put = { method: "PUT", headers: { "content-type": "application/json" } };

describe("who may ask", () => {
  test("reading the demo needs no key, a key says who asks, in the query or in a header", async () => {
    expect((await ask("/rest/bug/1?include_fields=id")).body).toBe('{"bugs":[{"id":1}],"faults":[]}');
    const login = "/rest/valid_login?login=tomas@example.org";
    expect((await ask(login)).body).toBe('{"result":false}');
    expect((await ask(`${login}&api_key=${key}`)).body).toBe('{"result":true}');
    expect((await ask(login, { headers: { "x-bugzilla-api-key": key } })).body).toBe('{"result":true}');
    expect((await ask(login, { headers: { authorization: `Bearer ${key}` } })).body).toBe('{"result":true}');
  });

  test("only one first key is made", () => {
    expect(key).toBe("07".repeat(20));
    expect(opened.firstKey()).toBeUndefined();
  });

  test("it listens on loopback addresses only", async () => {
    expect(served.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    const port = Number(new URL(served.url).port);
    const refused = new Promise((resolve) => connect(port, "127.9.9.9").on("error", ({ message }) => resolve(message)));
    expect(await refused).toMatch(/ECONNREFUSED/);
  });

  test("keys, tokens and passwords are cut from the log", () => {
    const text = log.join("\n");
    expect(text).toContain("GET /rest/valid_login?login=tomas@example.org&api_key=*** 200");
    expect(text).not.toContain(key);
  });
});

describe("what a browser could be tricked into is refused", () => {
  test.each<[string, RequestOptions, number]>([
    ["another name in Host", { headers: { host: "evil.example:80" } }, 403],
    ["another site's Origin", { headers: { origin: "https://evil.example" } }, 403],
    ["a write that a form could send", { method: "POST", headers: { "content-type": "text/plain" } }, 415],
  ])("%s", async (...[, options, status]) => {
    const answer = await ask("/rest/bug/1", options, options.method === "POST" ? "{}" : "");
    expect(answer.status).toBe(status);
    expect(JSON.parse(answer.body)).toMatchObject({ error: true, code: 32000 });
  });

  test("its own Origin and other names of this machine are not", async () => {
    const { port } = new URL(served.url);
    expect((await ask("/rest/version", { headers: { origin: served.url } })).status).toBe(200);
    expect((await ask("/rest/version", { headers: { host: `localhost:${port}` } })).status).toBe(200);
  });

  test("no answer may be embedded, sniffed, cached or read by other sites", async () => {
    const { headers } = await ask("/rest/version");
    expect(headers).toMatchObject({
      "x-content-type-options": "nosniff",
      "x-frame-options": "DENY",
      "cache-control": "no-store",
    });
    expect(headers).not.toHaveProperty("access-control-allow-origin");
  });
});

describe("what is too much is refused, and the next request is answered", () => {
  test.each([
    ["a body of 64 MiB", "/rest/bug/1", put, `{"summary":"${"x".repeat(64 << 20)}"}`, 413],
    ["JSON a million levels deep", "/rest/bug/1", put, "[".repeat(1_000_000), 400],
    ["a body that is not UTF-8", "/rest/bug/1", put, Buffer.from([0x22, 0xff, 0x22]), 400],
    ["a header of 20 kB", "/rest/version", { headers: { "x-long": "x".repeat(20_000) } }, "", 431],
    ["10,000 parameters", `/rest/bug/1?${"a=1&".repeat(3_000)}`, {}, "", 400],
  ])("%s", async (...[, path, options, body, status]) => {
    const answer = await ask(path, options, body as string).catch((error: Error) => ({ status: error.message }));
    expect([status, "write EPIPE", "read ECONNRESET"]).toContain(answer.status);
    expect((await ask("/rest/version")).status).toBe(200);
  });

  test("brackets and quotes inside strings do not count as depth", async () => {
    const body = JSON.stringify({ whiteboard: `\\"${"[".repeat(100)}`, api_key: "no" });
    expect((await ask("/rest/bug/1", put, body)).body).not.toContain("levels deep");
  });

  test("300 silent connections do not keep a client waiting", async () => {
    const { port } = new URL(served.url);
    const silent = Array.from({ length: 300 }, () => connect(Number(port), "127.0.0.1"));
    expect((await ask("/rest/version")).status).toBe(200);
    for (const socket of silent) {
      socket.destroy();
    }
  });
});
