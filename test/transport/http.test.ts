import { readFileSync } from "node:fs";
import { connect } from "node:net";
import { gzipSync } from "node:zlib";
import { afterEach, describe, expect, test } from "vitest";
import { type HttpOptions, openHttp } from "../../src/transport/http.ts";
import type { Request } from "../../src/wire/exchange.ts";
import { type Act, answer, faultServer } from "../servers/fault-server.ts";

const READ: Request = { method: "GET", path: "/rest/bug/7", query: [["include_fields", "id,summary"]] };
const WRITE: Request = { method: "POST", path: "/rest/bug", query: [], body: { summary: "crash" } };

const closers: (() => unknown)[] = [];
afterEach(async () => {
  await Promise.all(closers.splice(0).map((close) => close()));
});

async function started(act: Act, options: Partial<HttpOptions> = {}, more: Parameters<typeof faultServer>[1] = {}) {
  const server = await faultServer(act, more);
  const { exchange, close } = openHttp({ baseUrl: server.url, userAgent: "bt/test", env: {}, ...options });
  closers.push(close, server.close);
  return { server, exchange };
}

describe("a request on the wire", () => {
  test("a read requests JSON and keeps the base path", async () => {
    const { server, exchange } = await started((socket) => socket.write(answer("{}")));
    const { exchange: under, close } = openHttp({
      baseUrl: `${server.url}/bugzilla/`,
      userAgent: "bt/test",
      env: {},
    });
    closers.push(close);
    await exchange(READ);
    await under(READ);
    const [first, second] = server.heard;
    expect(first?.head.replace(/:\d+/, ":PORT")).toMatchInlineSnapshot(`
      "GET /rest/bug/7?include_fields=id,summary HTTP/1.1
      host: 127.0.0.1:PORT
      connection: keep-alive
      accept: application/json
      accept-encoding: gzip
      user-agent: bt/test"
    `);
    expect(second?.head).toContain("GET /bugzilla/rest/bug/7?include_fields=id,summary HTTP/1.1");
  });

  test("a base URL that ends in rest.cgi replaces /rest", async () => {
    const { server } = await started((socket) => socket.write(answer("{}")));
    const { exchange, close } = openHttp({
      baseUrl: `${server.url}/bz/rest.cgi`,
      userAgent: "bt/test",
      env: {},
    });
    closers.push(close);
    await exchange(READ);
    expect(server.heard[0]?.head).toContain("GET /bz/rest.cgi/bug/7?");
  });

  test("a write sends JSON on its own connection", async () => {
    const { server, exchange } = await started((socket) => socket.write(answer("{}")));
    await exchange(READ);
    await exchange(WRITE);
    await exchange(WRITE);
    await exchange(READ);
    expect(server.heard.map((request) => request.connection)).toEqual([1, 2, 3, 1]);
    expect(server.heard[1]?.head).toMatch(/content-type: application\/json/);
    expect(server.heard[1]?.head).toMatch(/connection: close/);
    expect(server.heard[1]?.body).toBe('{"summary":"crash"}');
  });
});

describe("bodies", () => {
  const json = JSON.stringify({ summary: "größer 🐞 \u0000" });
  const packed = {
    gzip: gzipSync(json),
    "x-gzip": gzipSync(json),
  };

  test.each(Object.entries(packed))("%s is decoded", async (encoding, bytes) => {
    const { exchange } = await started((socket) => {
      socket.write(`HTTP/1.1 200 OK\r\ncontent-encoding: ${encoding}\r\ncontent-length: ${bytes.length}\r\n\r\n`);
      socket.write(bytes);
    });
    expect((await exchange(READ)).body).toBe(json);
  });

  test("a byte order mark is removed, and invalid UTF-8 is replaced, with one note", async () => {
    const notes: string[] = [];
    const { exchange } = await started(
      (socket) =>
        socket.write(
          Buffer.concat([
            Buffer.from("HTTP/1.1 200 OK\r\ncontent-length: 7\r\n\r\n\ufeff"),
            Buffer.from([0x22, 0xc3, 0x28, 0x22]),
          ]),
        ),
      { note: (sentence) => notes.push(sentence) },
    );
    expect((await exchange(READ)).body).toBe('"\ufffd("');
    expect(notes).toHaveLength(1);
  });

  test("header names are lower case, and repeated headers joined", async () => {
    const { exchange } = await started((socket) =>
      socket.write(answer("{}", { headers: { "X-One": "1", "x-one": "2" } })),
    );
    expect((await exchange(READ)).headers["x-one"]).toBe("1, 2");
  });
});

describe("connections", () => {
  test("an unreadable certificate file is an error with its name", async () => {
    const { exchange } = openHttp({
      baseUrl: "https://a.test",
      userAgent: "",
      env: {},
      caFile: "/nowhere/ca.pem",
    });
    await expect(exchange(READ)).rejects.toThrow("cannot read the certificate file /nowhere/ca.pem");
  });

  test("a stop aborts a running request at once", async () => {
    const stop = new AbortController();
    const { exchange } = await started(() => stop.abort(), { signal: stop.signal });
    await expect(exchange(READ)).rejects.toThrow(/^interrupted while waiting for/);
  });
});

describe("A23 proxies", () => {
  const relay: Act = (socket, { head }) => {
    const [, target] = /^CONNECT (\S+)/.exec(head) ?? [];
    if (target === undefined) {
      socket.write(answer('{"through":"proxy"}'));
      return;
    }
    const [host, port] = target.split(":");
    const onward = connect(Number(port), host, () => {
      socket.removeAllListeners("data");
      socket.write("HTTP/1.1 200 Connection established\r\n\r\n");
      socket.pipe(onward).pipe(socket);
    });
    onward.on("error", () => socket.destroy());
  };

  test("a plain request goes to the proxy unencrypted, with its credentials", async () => {
    const proxy = await faultServer(relay);
    const baseUrl = "http://bugs.example.org";
    const http_proxy = proxy.url.replace("//", "//me:pass@");
    const { exchange, close } = openHttp({ baseUrl, userAgent: "bt/test", env: { http_proxy } });
    closers.push(close, proxy.close);
    expect((await exchange(READ)).body).toBe('{"through":"proxy"}');
    expect(proxy.heard[0]?.head).toMatch(/^GET http:\/\/bugs.example.org\/rest\/bug\/7\?/);
    expect(proxy.heard[0]?.head).toContain(`Basic ${btoa("me:pass")}`);
  });

  test("a TLS request goes through the proxy in a tunnel that it cannot read", async () => {
    const folder = `${import.meta.dirname}/tls`;
    const tls = { key: readFileSync(`${folder}/test.key`), cert: readFileSync(`${folder}/good.crt`) };
    const proxy = await faultServer(relay);
    closers.push(proxy.close);
    const { exchange } = await started(
      (socket) => socket.write(answer("{}")),
      { caFile: `${folder}/authority.crt`, proxy: proxy.url },
      { tls },
    );
    expect((await exchange({ ...READ, headers: { "x-bugzilla-api-key": "k3y" } })).status).toBe(200);
    expect(proxy.heard.map(({ head }) => head.split(" ")[0])).toEqual(["CONNECT"]);
    expect(JSON.stringify(proxy.heard)).not.toContain("k3y");
  });

  test.each(["403 Forbidden", "407 Proxy Authentication Required"])(
    "an error of the proxy is distinguished from one of the tracker: %s",
    async (status) => {
      const proxy = await faultServer((socket) => socket.write(`HTTP/1.1 ${status}\r\ncontent-length: 0\r\n\r\n`));
      const { exchange, close } = openHttp({
        baseUrl: "https://bugs.example.org",
        userAgent: "",
        env: {},
        proxy: proxy.url,
      });
      closers.push(close, proxy.close);
      const message = new RegExp(
        `^no tunnel to bugs.example.org \\(status ${status.slice(0, 3)}\\), through the proxy 127.0.0.1:\\d+$`,
      );
      await expect(exchange(READ)).rejects.toMatchObject({
        message: expect.stringMatching(message),
        facts: { hint: expect.stringContaining("check the proxy: ") },
      });
    },
  );
});
