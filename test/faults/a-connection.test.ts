import { readFileSync } from "node:fs";
import { connect, type Socket } from "node:net";
import { describe, expect, test } from "vitest";
import { deafPort } from "../servers/deaf-port.ts";
import { type Act, answer, faultServer } from "../servers/fault-server.ts";
import { CANARY, firstly, GOOD, type RawGiven, rawProcess, rawRun, says, thenReset } from "./raw.ts";

type Row = RawGiven & {
  readonly code: number;
  readonly err: RegExp;
  readonly tries: number; // requests that the server heard
  readonly line?: string;
};

const SLOW = { env: { BT_TIMEOUT: "1" } };
const trickle: RawGiven["act"] = (socket) => {
  socket.write("HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 100000\r\n\r\n");
  const timer = setInterval(() => socket.write(" "), 50);
  socket.on("close", () => clearInterval(timer));
};
const chatter: RawGiven["act"] = (socket) => {
  const timer = setInterval(() => socket.write("HTTP/1.1 102 Processing\r\n\r\n".repeat(20)), 1);
  socket.on("close", () => clearInterval(timer));
};

/** Reads that cannot come to a good end. */
const HOPELESS: Readonly<Record<string, Row>> = {
  "A3 reset in place of every answer": {
    ...{ act: (socket) => socket.resetAndDestroy(), code: 6, tries: 4 },
    err: /^bt: 127.0.0.1:PORT closed the connection without a response \(tried 4 times\)\n/,
  },
  "A4 accepted, never answered": {
    ...{ ...SLOW, code: 6, tries: 1 },
    err: /^bt: no response from 127.0.0.1:PORT within 1 s\n/,
  },
  "A5 a TLS handshake that never ends": {
    ...{ ...SLOW, url: (url) => url.replace("http:", "https:"), code: 6, tries: 0 },
    err: /^bt: cannot connect to 127.0.0.1:PORT within 1 s\n/,
  },
  "A5 https on a port without TLS": {
    server: { onConnect: (socket) => socket.write("HTTP/1.1 400 Bad Request\r\n\r\n") },
    ...{ url: (url) => url.replace("http:", "https:"), act: says(GOOD), code: 6, tries: 0 },
    err: /^bt: cannot connect to 127.0.0.1:PORT: no TLS on this port; is it an http:\/\/ address\?\n/,
  },
  "A6 a body that drips": {
    ...{ ...SLOW, act: trickle, code: 6, tries: 1 },
    err: /^bt: incomplete response from 127.0.0.1:PORT after 1 s\n/,
  },
  "A9 a body shorter than announced": {
    ...{ act: (socket) => socket.end(answer("{}", { headers: { "content-length": "50" } })), code: 6, tries: 4 },
    err: /^bt: truncated response from 127.0.0.1:PORT \(tried 4 times\)\n/,
  },
  "A10 chunks without an end": {
    act: (socket) => socket.end('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n4\r\n{"a"\r\n'),
    ...{ code: 6, tries: 4, err: /^bt: truncated response from 127.0.0.1:PORT \(tried 4 times\)\n/ },
  },
  "A11 an HTTP/1.0 body cut with the connection": {
    act: (socket) => socket.end('HTTP/1.0 200 OK\r\ncontent-type: application/json\r\n\r\n{"bugs":['),
    ...{ code: 7, tries: 1, err: /^bt: the tracker's response is not valid JSON\n/ },
  },
  "A15 429 that asks to wait a day": {
    act: says(answer("", { status: "429 Busy", headers: { "retry-after": "86400" } })),
    ...{ code: 8, tries: 1, err: /^bt: the tracker's rate limit is exceeded \(429\); retry after 24 h/ },
  },
  "A16 500 every time": {
    act: says(answer(`Oops \u001b[31mred ${"x".repeat(500)}`, { status: "500 Oops" })),
    ...{ code: 8, tries: 2, err: /^bt: the tracker is overloaded or broken \(500: Oops .{1,250}\)\n/ },
  },
  "A19 a banner in place of HTTP": {
    server: { onConnect: (socket) => socket.write("SSH-2.0-OpenSSH_9.2\r\n") },
    ...{ code: 7, tries: 1, err: /^bt: invalid HTTP response from 127.0.0.1:PORT\n/ },
  },
  "A19 a status that there is none of": {
    act: says("HTTP/1.1 099 Odd\r\ncontent-length: 2\r\n\r\n{}"),
    ...{ code: 7, tries: 1, err: /^bt: invalid HTTP response from 127.0.0.1:PORT\n/ },
  },
  "A4 no time at all": {
    ...{ env: { BT_TIMEOUT: "0" }, code: 2, tries: 0 },
    err: /^bt: BT_TIMEOUT must be an integer, 1 or more, not "0"\n/,
  },
  "A20 interim answers without end": {
    ...{ ...SLOW, act: chatter, code: 6, tries: 1, err: /^bt: no response from 127.0.0.1:PORT within 1 s\n/ },
  },
  "A21 a header of one megabyte": {
    act: says(`HTTP/1.1 200 OK\r\nx: ${"y".repeat(1_000_000)}\r\n\r\n`),
    ...{ code: 7, tries: 1, err: /^bt: invalid HTTP response from 127.0.0.1:PORT\n/ },
  },
};

test.each(Object.entries(HOPELESS))("%s", async (_, { line, code, err, tries, ...given }) => {
  const run = await rawRun(given, line);
  expect({ code: run.code, out: run.out, err: run.err }).toEqual({ code, out: "", err: expect.stringMatching(err) });
  expect(run.server.heard.length).toBe(tries);
  expect(run.ms).toBeLessThan(IN_TIME);
});

const IN_TIME = 9_000; // ms: less than any time limit that is not given

/** Reads that meet one fault and then go well; the waits are in milliseconds. */
const MENDED: Readonly<Record<string, RawGiven & { readonly wait: readonly [number, number] }>> = {
  "A7 an empty reply": { act: firstly((socket) => socket.end()), wait: [0, 500] },
  "A8 headers, then a reset": {
    act: firstly((socket) => thenReset(socket, "HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\n")),
    wait: [0, 500],
  },
  "A12 502": { act: firstly(says(answer("", { status: "502 Bad Gateway" }))), wait: [0, 2000] },
  "A12 a gateway's page with 200": {
    act: firstly(says(answer("<html><title>Restarting</title></html>", { headers: { "content-type": "text/html" } }))),
    wait: [0, 500],
  },
  "A13 503 that says when to come back": {
    act: firstly(says(answer("", { status: "503 Busy", headers: { "retry-after": "2" } }))),
    wait: [2000, 4000],
  },
  "A14 429 that says when to come back": {
    act: firstly(says(answer("", { status: "429 Busy", headers: { "retry-after": "2" } }))),
    wait: [2000, 4000],
  },
};

test.each(Object.entries(MENDED))("%s once, then a good response", async (_, { wait: [least, most], ...given }) => {
  const run = await rawRun(given, "bug get 7 --json --verbose");
  expect({ code: run.code, bugs: JSON.parse(run.out) }).toEqual({ code: 0, bugs: [{ id: 7, summary: "Crash" }] });
  expect(run.err).toMatch(/; retrying in \d\.\d s\n/);
  const [wait = -1, ...more] = run.waits;
  expect(more).toEqual([]);
  expect(wait).toBeGreaterThanOrEqual(least);
  expect(wait).toBeLessThanOrEqual(most);
});

test("A1 nothing listens: retries, and an error with the address", async () => {
  const { port, close } = await faultServer(() => undefined);
  await close();
  const run = await rawRun({ url: () => `http://127.0.0.1:${port}` });
  expect(run).toMatchObject({ code: 6, out: "" });
  expect(run.err).toContain(`cannot connect to 127.0.0.1:${port}: connection refused (tried 4 times)`);
  expect(run.waits).toHaveLength(3);
  expect(run.waits.reduce((sum, wait) => sum + wait, 0)).toBeLessThan(5000);
});

test("A2 a host name that does not resolve is an error with the name", async () => {
  const run = await rawRun({ url: () => "http://no-such-host.invalid", env: { BT_API_KEY: "" } });
  expect(run).toMatchObject({
    code: 6,
    out: "",
    err: expect.stringMatching(/^bt: cannot connect to no-such-host\.invalid: /),
  });
});

describe("a server that closes connections causes no error", () => {
  const FIELDS = [...Array(100).keys()].map((at) => `cf_${at}`);
  const field = (name: string) => ({ id: 1, name, type: 1, display_name: name, is_custom: true });
  const fieldsFor = (head: string) => {
    const [, name] = /bug\/(cf_\d+)/.exec(head) ?? [];
    const body = JSON.stringify({ fields: (name ? [name] : FIELDS).map(field) });
    return answer(body, { headers: { connection: "keep-alive" } });
  };
  const used = new WeakSet<Socket>();

  test.each<[what: string, rounds: number, act: Act]>([
    [
      "A17 by resetting each that is used again",
      1,
      (socket, { head }) => {
        if (used.has(socket)) socket.resetAndDestroy();
        else socket.write(fieldsFor(head));
        used.add(socket);
      },
    ],
    [
      "A18 by ending after each response",
      40,
      (socket, { head }) => socket.write(fieldsFor(head), () => socket.destroy()),
    ],
  ])("%s", async (_, rounds, act) => {
    const names = FIELDS.slice(0, rounds === 1 ? 100 : 10);
    for (let round = 0; round < rounds; round += 1) {
      const run = await rawRun({ act }, `field get ${names.join(" ")} --json`);
      expect([run.code, run.err]).toEqual([0, ""]);
      expect(JSON.parse(run.out).map(({ name }: { name: string }) => name)).toEqual(names);
      expect(run.server.heard.length).toBeGreaterThan(names.length);
    }
  });
});

describe("A22 an untrusted certificate is an error before any request", () => {
  test.each([
    ["self-signed", {}, "self-signed certificate"],
    ["expired", {}, "certificate has expired"],
    ["not-yet", {}, "certificate is not yet valid"],
    ["other-name", {}, "Hostname/IP does not match"],
    ["good", { BT_CA_FILE: "" }, "unable to verify the first certificate"],
  ])("%s with %j", async (name, env, why) => {
    const server = { tls: { key: pem("test.key"), cert: pem(`${name}.crt`) } };
    const given = { act: says(GOOD), server, env: { BT_CA_FILE: `${TLS}/authority.crt`, ...env } };
    for (const line of ["bug get 7", "api POST /rest/bug/7/comment -f comment=Hello"]) {
      const run = await rawRun(given, line);
      expect(run).toMatchObject({ code: 6, out: "", err: expect.stringMatching(`is not valid: ${why}`) });
      expect(run.err).not.toContain("--insecure");
      expect(run.server.heard).toEqual([]);
    }
  });

  test("by the configured authority is accepted", async () => {
    const given = { act: says(GOOD), server: { tls: AUTHENTIC }, env: { BT_CA_FILE: `${TLS}/authority.crt` } };
    expect((await rawRun(given, "bug get 7 --json")).code).toBe(0);
  });
});

const TLS = `${import.meta.dirname}/../transport/tls`;
const pem = (name: string) => readFileSync(`${TLS}/${name}`);
const AUTHENTIC = { key: pem("test.key"), cert: pem("good.crt") };
const PASSWORD = "ada@example.org:pass:word";

/** A proxy as it should be, for https. */
const tunnel: RawGiven["act"] = (socket, { head }) => {
  const [, host, port] = /^CONNECT (\S+):(\d+)/.exec(head) ?? [];
  const onward = connect(Number(port), host, () => {
    socket.removeAllListeners("data");
    socket.write("HTTP/1.1 200 Connection established\r\n\r\n");
    socket.pipe(onward).pipe(socket);
  });
  onward.on("error", () => socket.destroy());
};

describe("A23 a proxy", () => {
  test("from the environment is not used for this machine", async () => {
    const proxy = await faultServer(says(answer("{}")));
    const env = { http_proxy: proxy.url, HTTP_PROXY: proxy.url, https_proxy: proxy.url };
    const run = await rawRun({ act: says(GOOD), env });
    await proxy.close();
    expect({ code: run.code, proxied: proxy.connections() }).toEqual({ code: 0, proxied: 0 });
  });

  test("that is configured is used, but never for an unencrypted key", async () => {
    const proxy = await faultServer(says(GOOD));
    const far = { url: () => "http://bugs.example.org", env: { BT_API_KEY: "" } };
    const through = (given: RawGiven, more = "") =>
      rawRun({ ...given, env: { ...given.env, BT_PROXY: proxy.url } }, `bug get 7 --json ${more}`);
    const withKey = { ...far, env: { BT_API_KEY: CANARY } };
    const ends = [await through(withKey), await through({}), await through(far), await through({}, "--allow-http")];
    await proxy.close();
    expect(ends.map(({ code, server }) => [code, server.heard.length])).toEqual([
      [13, 0],
      [13, 0],
      [0, 0],
      [0, 0],
    ]);
    expect(proxy.heard.map(({ head }) => head.split("?")[0])).toEqual([
      "GET http://bugs.example.org/rest/bug/7",
      expect.stringMatching(/^GET http:\/\/127.0.0.1:\d+\/rest\/bug\/7$/),
    ]);
  });

  test.each([
    ["of http", {}, (url: string) => url],
    ["of https, with the certificate authority of the tracker", { tls: AUTHENTIC }, (url: string) => url],
    ["with a password", {}, (url: string) => url.replace("http://", "http://ada%40example.org:pass%3Aword@")],
  ])("%s to an https tracker is a tunnel that it cannot read", async (_, kind, named) => {
    const proxy = await faultServer(tunnel, kind);
    const env = { BT_CA_FILE: `${TLS}/authority.crt`, BT_PROXY: named(proxy.url) };
    const given = { act: says(GOOD), server: { tls: AUTHENTIC }, env };
    const { code, err, server } = await rawRun(given);
    await proxy.close();
    expect([code, err, server.heard.length]).toEqual([0, "", 1]);
    expect(proxy.heard.map(({ head }) => head.split(" ")[0])).toEqual(["CONNECT"]);
    const isKnown = proxy.heard.every(({ head }) => head.includes(`proxy-authorization: Basic ${btoa(PASSWORD)}`));
    expect(isKnown).toBe(named(proxy.url) !== proxy.url);
    expect(JSON.stringify(proxy.heard)).not.toContain(CANARY);
  });

  test("that rejects the tunnel, or is untrusted, is an error before any request", async () => {
    const [closed, strange] = [
      await faultServer(says("HTTP/1.1 407 Who are you\r\ncontent-length: 0\r\n\r\n")),
      await faultServer(tunnel, { tls: { key: pem("test.key"), cert: pem("self-signed.crt") } }),
    ];
    const through = (proxy: string) => ({ BT_CA_FILE: `${TLS}/authority.crt`, BT_PROXY: proxy, BT_RETRY: "0" });
    const given = { act: says(GOOD), server: { tls: AUTHENTIC } };
    const runs = [
      await rawRun({ ...given, env: through(closed.url) }),
      await rawRun({ ...given, env: through(strange.url) }),
    ];
    await Promise.all([closed.close(), strange.close()]);
    expect(runs.map(({ code, server }) => [code, server.heard.length])).toEqual(Array(2).fill([6, 0]));
    expect(runs[0]?.err).toMatch(/Proxy response \(407\).*, through the proxy .*USER:PASSWORD@HOST/s);
    expect(runs[1]?.err).toContain("self-signed certificate, through the proxy");
  });
});

describe("A24 address families", () => {
  const BOTH = { NODE_OPTIONS: `--require ${import.meta.dirname}/../process/two-families.cjs` };
  const named = (url: string) => url.replace("[::1]", "both.test").replace("127.0.0.1", "both.test");

  test.each(["::1", "127.0.0.1"])("%s only", async (host) => {
    const given = { act: says(GOOD), server: { host } };
    const [bare, byName] = [
      await rawRun(given),
      await rawProcess({ ...given, url: named, env: { ...BOTH, BT_API_KEY: "" } }),
    ];
    expect([bare.code, bare.err, byName.code, byName.err]).toEqual([0, "", 0, ""]);
  });

  test("a name with both, the first of them dead: the second is tried before the time limit of the first", async () => {
    const port = await deafPort("::1");
    const given = { act: says(GOOD), env: { ...BOTH, BT_API_KEY: "" }, server: { port }, url: named };
    const { code, err, server, ms } = await rawProcess(given);
    expect([code, err, server.heard.length]).toEqual([0, "", 1]);
    expect(ms).toBeLessThan(IN_TIME);
  });
});
