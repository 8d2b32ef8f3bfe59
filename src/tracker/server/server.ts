import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { NO_WEB_PAGES, type Request, type Response } from "../../wire/exchange.ts";
import { encodeResponse, faultResponse } from "../http/response.ts";
import { PARAMETER_DEFAULTS } from "../http/server-parameters.ts";
import type { Tracker } from "../tracker.ts";
import { checkRequestHeaders, maxBodyBytes, peerAddress, readHttpRequest, withPort } from "./request.ts";

/** Options of `startServer`. */
export type ServeOptions = {
  tracker: Tracker;
  port: number; // 0: any free port
  host?: string; // default: loopback only
  names?: string[]; // more accepted Host headers
  log?: (line: string) => void; // one line per request, secrets redacted
  limits?: Partial<ServerLimits>;
  maxBodyBytes?: () => number; // default: of a tracker with the default parameters
};

/** Limits on a client; names and milliseconds as in Node's `http.createServer`, except `socketTimeout`. */
export type ServerLimits = {
  maxHeaderSize: number; // bytes
  headersTimeout: number;
  requestTimeout: number;
  socketTimeout: number; // idle time while the client reads a response
  keepAliveTimeout: number;
  connectionsCheckingInterval: number;
};

/** A running HTTP server; `closeServer` completes requests in progress first. */
export type RunningServer = { url: string; close: () => Promise<void> };

/** Default limits. With the checking interval, 10 s for headers and 30 s for a request. */
export const DEFAULT_SERVER_LIMITS: ServerLimits = {
  maxHeaderSize: 16 * 1024,
  headersTimeout: 9_000,
  requestTimeout: 29_000,
  keepAliveTimeout: 5_000,
  connectionsCheckingInterval: 500,
  socketTimeout: 30_000,
};

const MAX_CONNECTIONS = 1024;
const GRACE_MS = 200; // for open connections when the server closes

/** Serves a tracker over HTTP, on loopback unless `host` is set. */
export async function startServer(options: ServeOptions): Promise<RunningServer> {
  const { host = "127.0.0.1", names = [], log = () => undefined } = options;
  const context: ListenerContext = {
    tracker: options.tracker,
    hosts: new Set(),
    maxBodyBytes: options.maxBodyBytes ?? (() => maxBodyBytes(PARAMETER_DEFAULTS.maxattachmentsize)),
    log,
  };
  const limits = { ...DEFAULT_SERVER_LIMITS, ...options.limits };
  const first = await listen(createHttpServer(context, limits), options.port, host);
  const port = (first.address() as AddressInfo).port;
  const second = options.host === undefined ? await listenOnIpv6(createHttpServer(context, limits), port) : undefined;
  for (const name of [host, "127.0.0.1", "localhost", "[::1]", ...names]) {
    context.hosts.add(withPort(name.toLowerCase(), port));
  }
  const servers = second ? [first, second] : [first];
  return {
    url: `http://${host.includes(":") ? `[${host}]` : host}:${port}`,
    close: async () => {
      await Promise.all(servers.map(closeServer));
    },
  };
}

function createHttpServer(context: ListenerContext, limits: ServerLimits): Server {
  const server = createServer(limits, requestListener(context));
  server.maxConnections = MAX_CONNECTIONS;
  server.timeout = limits.socketTimeout;
  return server;
}

function listen(server: Server, port: number, host: string): Promise<Server> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen({ port, host, backlog: MAX_CONNECTIONS }, () => resolve(server));
  });
}

// Undefined on machines without IPv6.
async function listenOnIpv6(server: Server, port: number): Promise<Server | undefined> {
  try {
    return await listen(server, port, "::1");
  } catch {
    return undefined;
  }
}

function closeServer(server: Server): Promise<void> {
  return new Promise((resolve) => {
    const forceClose = setTimeout(() => server.closeAllConnections(), GRACE_MS);
    server.close(() => {
      clearTimeout(forceClose);
      resolve();
    });
    server.closeIdleConnections();
  });
}

/** Tracker, accepted Host headers, limits on bodies and log of an HTTP listener. */
export type ListenerContext = {
  maxBodyBytes: () => number;
  tracker: Tracker;
  hosts: Set<string>;
  log: (line: string) => void;
};

/** Node request listener that validates, limits and logs each request and passes it to the tracker. */
function requestListener(context: ListenerContext): RequestListener {
  return (incoming, response) => {
    void respond(context, incoming, response);
  };
}

async function respond(context: ListenerContext, incoming: IncomingMessage, response: ServerResponse): Promise<void> {
  const started = performance.now();
  const result = await handleIncoming(context, incoming);
  const body = Buffer.from(result.body);
  sendResponse(response, incoming, { ...result, body });
  context.log(
    `${incoming.method} ${redactedUrl(incoming.url ?? "")} ${result.status} ${(performance.now() - started).toFixed(0)} ms`,
  );
}

async function handleIncoming(context: ListenerContext, incoming: IncomingMessage): Promise<Response> {
  const { tracker, hosts } = context;
  try {
    checkRequestHeaders(incoming, hosts);
    const request = await readHttpRequest(incoming, context.maxBodyBytes());
    return await tracker(request, { address: peerAddress(incoming.socket) });
  } catch (error) {
    const fallbackRequest: Request = { method: incoming.method ?? "GET", path: "/", query: [] };
    return encodeResponse(fallbackRequest, faultResponse(error));
  }
}

// Responses are for programs: no web page may read or embed them or send their URL on.
const HEADERS = {
  [NO_WEB_PAGES]: "yes",
  "cache-control": "no-store",
  "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
  "cross-origin-resource-policy": "same-origin",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY",
} as const;

type BufferedResponse = Omit<Response, "body"> & { body: Buffer };

function sendResponse(
  response: ServerResponse,
  incoming: IncomingMessage,
  { status, headers, body }: BufferedResponse,
): void {
  const hasUnreadBody = !incoming.complete;
  response.writeHead(status, {
    ...HEADERS,
    ...headers,
    "content-length": body.length,
    ...(hasUnreadBody ? { connection: "close" } : {}),
  });
  response.end(incoming.method === "HEAD" ? "" : body);
  if (hasUnreadBody) incoming.resume();
}

/** A request's URL for the log: values of secret parameters replaced by `***`, printable ASCII only. */
export function redactedUrl(url: string): string {
  const redacted = url.replace(PAIR, (pair, mark: string, name: string) =>
    SECRET.test(decodedName(name)) ? `${mark}${name}=***` : pair,
  );
  return redacted.replace(/[^!-~]/g, "?");
}

const PAIR = /([?&])([^=&]*)=[^&]*/g;
const SECRET = /(?:api_key|token|password)$/i;

function decodedName(name: string): string {
  return new URLSearchParams(`${name}=`).keys().next().value ?? "";
}
