import { gzipSync } from "node:zlib";
import { answer } from "../servers/fault-server.ts";
import { FATES, type Fate, type Incident } from "./faulty-tracker.ts";

function gateway(body: string, status: string, headers = {}): string {
  return answer(body, { status, headers });
}

const packed = gzipSync("{}").subarray(0, 12);

/** Replies in place of the answer, which tells nothing of what became of the write. */
export const LOST: Readonly<Record<string, (socket: Incident["socket"]) => unknown>> = {
  "a reset": (socket) => socket.resetAndDestroy(),
  "an end": (socket) => socket.end(),
  "headers, then an end": (socket) => socket.end("HTTP/1.1 200 OK\r\ncontent-length: 99\r\n\r\n{"),
  "a banner": (socket) => socket.end("SSH-2.0-OpenSSH_9.2\r\n"),
  "an empty answer": (socket) => socket.write(answer("")),
  "no content": (socket) => socket.write("HTTP/1.1 204 No Content\r\n\r\n"),
  "not modified": (socket) => socket.write("HTTP/1.1 304 Not Modified\r\n\r\n"),
  "a web page": (socket) => socket.write(answer("<html>Log in</html>", { headers: { "content-type": "text/html" } })),
  "an answer of another kind": (socket) => socket.write(answer('{"result":"ok"}')),
  "an answer about another bug": (socket) =>
    socket.write(answer('{"bugs":[{"id":1,"alias":[],"changes":{},"last_change_time":"2020-01-01T00:00:00Z"}]}')),
  "an error of nobody": (socket) => socket.write(answer('{"error":true,"message":null}')),
  "a broken encoding": (socket) => {
    socket.write(gateway("", "200 OK", { "content-encoding": "gzip", "content-length": packed.length }));
    socket.write(packed);
  },
  "a page of a gateway": (socket) => socket.write(gateway("<html>nginx</html>", "502 Bad Gateway")),
  "JSON of a gateway": (socket) =>
    socket.write(gateway('{"error":"Gateway Timeout","message":"upstream","code":504}', "504 Gateway Timeout")),
  "a gateway that wants patience": (socket) => socket.write(gateway("", "502 Bad Gateway", { "retry-after": "1" })),
  "a cache whose server broke off": (socket) => socket.write(gateway("", "503 Backend failed", { "retry-after": "5" })),
  "a page that denies access": (socket) =>
    socket.write(gateway("<title>Blocked</title>", "403 Forbidden", { "content-type": "text/html" })),
  "JSON that denies access": (socket) =>
    socket.write(gateway('{"message":"Forbidden","requestId":"7f"}', "403 Forbidden")),
  "an error without a body": (socket) => socket.write(gateway("", "400 Bad Request")),
  "a time-out": (socket) => socket.write(gateway("", "408 Request Timeout")),
  "a late deadlock": (socket) => socket.write(answer('{"error":true,"code":100500,"message":"Deadlock found"}')),
  "a dead mail server": (
    socket, // mail goes out after the commit
  ) => socket.write(gateway('{"error":true,"code":68000,"message":"connect: refused"}', "400 Bad Request")),
  "a 500 of the tracker": (socket) => socket.write(gateway('{"error":true,"code":53,"message":"No."}', "500 Error")),
};

/** Those that each kind of write has to tell apart. */
export const TELLING: readonly string[] = [
  "a reset",
  "no content",
  "an answer of another kind",
  "an answer about another bug",
  "JSON of a gateway",
  "a page that denies access",
  "JSON that denies access",
  "a late deadlock",
  "a dead mail server",
];

/** Statuses that gateways, firewalls and proxies put in place of those of a tracker. */
const GATEWAY_CODES = [
  400, 401, 402, 403, 404, 405, 406, 407, 409, 410, 411, 412, 415, 417, 421, 422, 425, 426, 431, 451, 500, 501, 502,
  503, 504, 507, 511, 520, 524,
];

const GATEWAY_BODIES = {
  "a page": ["<html><title>Blocked</title></html>", { "content-type": "text/html" }],
  "no body": ["", {}],
  "JSON of its own": ['{"message":"Blocked","ray":"7f"}', { "content-type": "application/json" }],
} as const;

/** Responses of a gateway in place of the tracker's, by code and body. */
export const GATEWAY_PAGES: readonly (readonly [name: string, response: string])[] = GATEWAY_CODES.flatMap((code) =>
  Object.entries(GATEWAY_BODIES).map(
    ([name, [body, headers]]) => [`${code} with ${name}`, gateway(body, `${code} Blocked`, headers)] as const,
  ),
);

/** Answers that prove that nothing was done, and the exit code that each of them has. */
export const REFUSED: Readonly<Record<string, readonly [answer: string, code: number]>> = {
  "too busy for a day": [gateway("", "429 Busy", { "retry-after": "86400" }), 8],
  "too busy": [gateway("", "429 Busy"), 8],
  "Mozilla's rate limit": [
    gateway('{"error":true,"code":32000,"message":"You have exceeded the rate limit."}', "400 Bad Request"),
    8,
  ],
  "too large": [gateway("", "413 Too Large"), 3],
  "not allowed": [gateway('{"error":true,"code":410,"message":"Log in first."}', "401 No"), 4],
};

/** Faults that keep a command from reading what it has to know before it may write. */
export const BLIND: Readonly<Record<string, Fate>> = {
  "no response": FATES.resetBefore,
  "a gateway": FATES.badGatewayBefore,
  "a login page": FATES.loginPageBefore,
  "an empty object": FATES.emptyBefore,
};
