import { readFileSync } from "node:fs";
import type { Socket } from "node:net";
import { gzipSync } from "node:zlib";
import { afterEach, expect, test } from "vitest";
import { BtError } from "../../src/errors.ts";
import { type HttpOptions, openHttp } from "../../src/transport/http.ts";
import type { Request, Response } from "../../src/wire/exchange.ts";
import { type Act, answer, faultServer } from "../servers/fault-server.ts";

const READ: Request = { method: "GET", path: "/rest/bug/7", query: [["Bugzilla_api_key", "k3y-that-must-not-show"]] };
const WRITE: Request = { method: "POST", path: "/rest/bug", query: [], body: { summary: "crash" } };

const closers: (() => unknown)[] = [];
afterEach(async () => {
  await Promise.all(closers.splice(0).map((close) => close()));
});

type Faulty = {
  readonly act?: Act;
  readonly server?: Parameters<typeof faultServer>[1];
  readonly options?: Partial<HttpOptions>;
  readonly scheme?: "https"; // where the server does not speak TLS
};

/** The error that the request ends in, with the port hidden. */
async function outcome({ act = () => undefined, server, options, scheme }: Faulty, request: Request) {
  const faulty = await faultServer(act, server);
  const baseUrl = scheme ? faulty.url.replace("http:", "https:") : faulty.url;
  const { exchange, close } = openHttp({ baseUrl, userAgent: "bt/test", env: {}, ...options });
  closers.push(close, faulty.close);
  const { kind, message, facts } = await refusal(exchange(request));
  return { kind, message: message.replaceAll(String(faulty.port), "PORT"), changed: facts.changed };
}

async function refusal(promise: Promise<Response>): Promise<BtError> {
  const end = await promise.then((reply) => reply.body.slice(0, 99)).catch((error: unknown) => error);
  if (end instanceof BtError) return end;
  throw new Error("not refused", { cause: end });
}

function pem(name: string) {
  return readFileSync(`${import.meta.dirname}/tls/${name}`);
}

const AUTHORITY = `${import.meta.dirname}/tls/authority.crt`;

function tls(name: string): Faulty {
  return {
    server: { tls: { key: pem("test.key"), cert: pem(`${name}.crt`) } },
    act: (socket) => socket.write(answer("{}")),
    options: { caFile: AUTHORITY },
  };
}

function limits(more: HttpOptions["limits"]): Partial<HttpOptions> {
  return { limits: more };
}

const FAULTS: Readonly<Record<string, Faulty>> = {
  "A4 accepted, never answered": { options: limits({ headersMs: 30, writeMs: 40 }) },
  "A6 a body that drips": {
    act: (socket) => socket.write(answer("{}", { headers: { "content-length": "100000" } })),
    options: limits({ readMs: 30, writeMs: 40 }),
  },
  "A8 headers, then a reset": {
    act: (socket) => socket.write("HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\n", () => socket.resetAndDestroy()),
  },
  "A22 an expired certificate": tls("expired"),
  "A22 a certificate that is not valid yet": tls("not-yet"),
  "A22 a certificate for another name": tls("other-name"),
  "A22 a self-signed certificate": tls("self-signed"),
  "A22 an authority that is not known": { ...tls("good"), options: {} },
  "A5 a TLS handshake that never ends": { scheme: "https", options: limits({ connectMs: 30 }) },
  "a server that does not speak TLS": { scheme: "https", server: { onConnect: (socket) => socket.end(answer("{}")) } },
  "B17 a body over the limit": {
    act: (socket) => socket.write(answer("x".repeat(2_000))),
    options: limits({ maxBytes: 1_000 }),
  },
  "B18 chunks over the limit, without end": { act: endless, options: limits({ maxBytes: 100_000 }) },
  "B19 a compressed bomb": { act: bomb, options: limits({ maxBytes: 100_000 }) },
  "an encoding that nobody asked for": {
    act: (socket) => socket.write(answer("{}", { headers: { "content-encoding": "pack200" } })),
  },
  "a broken compressed body": {
    act: (socket) => socket.write(answer("{}", { headers: { "content-encoding": "gzip" } })),
  },
  "a compressed body that was cut": {
    act: (socket) => socket.write(answer("\x1f", { headers: { "content-encoding": "gzip" } })),
  },
  "a stop from outside": { options: { signal: AbortSignal.abort(), halt: AbortSignal.abort() } },
};

test("every fault has its message, and a write that may have arrived has an unknown outcome", async () => {
  const lines: string[] = [];
  for (const [name, faulty] of Object.entries(FAULTS)) {
    const [read, write] = [await outcome(faulty, READ), await outcome(faulty, WRITE)];
    lines.push(`${name}\n  ${read.kind}: ${read.message}\n  a write: ${write.kind}, changed: ${write.changed}`);
    expect(read.changed).toBe("nothing");
  }
  expect(lines.join("\n")).toMatchInlineSnapshot(`
    "A4 accepted, never answered
      network: no response from 127.0.0.1:PORT within 30 ms
      a write: unknown, changed: unknown
    A6 a body that drips
      network: incomplete response from 127.0.0.1:PORT after 30 ms (2 of 100000 bytes received)
      a write: unknown, changed: unknown
    A8 headers, then a reset
      network: truncated response from 127.0.0.1:PORT: 0 of 9 bytes
      a write: unknown, changed: unknown
    A22 an expired certificate
      network: the certificate of 127.0.0.1 is not valid: certificate has expired
      a write: network, changed: nothing
    A22 a certificate that is not valid yet
      network: the certificate of 127.0.0.1 is not valid: certificate is not yet valid
      a write: network, changed: nothing
    A22 a certificate for another name
      network: the certificate of 127.0.0.1 is not valid: Hostname/IP does not match certificate's altnames: IP: 127.0.0.1 is not in the cert's list:
      a write: network, changed: nothing
    A22 a self-signed certificate
      network: the certificate of 127.0.0.1 is not valid: self-signed certificate
      a write: network, changed: nothing
    A22 an authority that is not known
      network: the certificate of 127.0.0.1 is not valid: unable to verify the first certificate
      a write: network, changed: nothing
    A5 a TLS handshake that never ends
      network: cannot connect to 127.0.0.1:PORT within 30 ms
      a write: network, changed: nothing
    a server that does not speak TLS
      network: 127.0.0.1:PORT does not speak TLS on this port
      a write: network, changed: nothing
    B17 a body over the limit
      reply: the response from 127.0.0.1:PORT is larger than 1000 bytes
      a write: unknown, changed: unknown
    B18 chunks over the limit, without end
      reply: the response from 127.0.0.1:PORT is larger than 100000 bytes
      a write: unknown, changed: unknown
    B19 a compressed bomb
      reply: the response from 127.0.0.1:PORT is larger than 100000 bytes
      a write: unknown, changed: unknown
    an encoding that nobody asked for
      reply: cannot decode the response from 127.0.0.1:PORT (content-encoding: pack200)
      a write: unknown, changed: unknown
    a broken compressed body
      reply: cannot decode the response from 127.0.0.1:PORT (content-encoding: gzip)
      a write: unknown, changed: unknown
    a compressed body that was cut
      network: truncated response from 127.0.0.1:PORT: 1 bytes
      a write: unknown, changed: unknown
    a stop from outside
      network: interrupted while waiting for 127.0.0.1:PORT
      a write: network, changed: nothing"
  `);
});

function endless(socket: Socket): void {
  socket.write("HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n");
  const more = () => socket.writable && socket.write(`1000\r\n${" ".repeat(0x1000)}\r\n`, () => setImmediate(more));
  more();
}

function bomb(socket: Socket): void {
  const body = gzipSync(Buffer.alloc(50_000_000));
  socket.write(`HTTP/1.1 200 OK\r\ncontent-encoding: gzip\r\ncontent-length: ${body.length}\r\n\r\n`);
  socket.write(body);
}
