import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { NO_WEB_PAGES, type Response } from "../../wire/exchange.ts";
import { PARAMETER_DEFAULTS } from "../http/server-parameters.ts";
import { faultResponse, type Tracker } from "../tracker.ts";
import { checkRequestHeaders, maxBodyBytes, peerAddress, readHttpRequest, withPort } from "./request.ts";

/** Options of `startServer`. */
export type ServeOptions = {
  readonly tracker: Tracker;
  readonly port: number; // 0: any free port
  readonly host?: string; // default: loopback only
  readonly names?: readonly string[]; // more accepted Host headers
  readonly log?: (line: string) => void; // one line per request, secrets redacted
  readonly limits?: Partial<typeof DEFAULT_SERVER_LIMITS>;
  readonly maxBodyBytes?: () => number; // default: of a tracker with the default parameters
};

/** A running HTTP server; `close` completes requests in progress first. */
export type RunningServer = { readonly url: string; readonly close: () => Promise<void> };

/** Limits in bytes and ms. With the checking interval, 10 s for headers and 30 s for a request. */
export const DEFAULT_SERVER_LIMITS = {
  maxHeaderSize: 16 * 1024,
  headersTimeout: 9_000,
  requestTimeout: 29_000,
  keepAliveTimeout: 5_000,
  connectionsCheckingInterval: 500,
  socketTimeout: 30_000, // idle time while the client reads a response
};

const MAX_CONNECTIONS = 1024;
const GRACE_MS = 200; // for open connections when the server closes

/** Serves a tracker over HTTP, on loopback unless `host` is set. */
export async function startServer(options: ServeOptions): Promise<RunningServer> {
  const { host = "127.0.0.1", names = [] } = options;
  const hosts = new Set<string>();
  const first = await listen(createHttpServer(options, hosts), options.port, host);
  const { port } = first.address() as AddressInfo;
  const isLoopback = options.host === undefined;
  // none on machines without IPv6
  const second = isLoopback && (await listen(createHttpServer(options, hosts), port, "::1").catch(() => undefined));
  for (const name of [host, "127.0.0.1", "localhost", "[::1]", ...names]) hosts.add(withPort(name.toLowerCase(), port));
  return {
    url: `http://${host.includes(":") ? `[${host}]` : host}:${port}`,
    close: async () => {
      await Promise.all([first, second || []].flat().map(closeServer));
    },
  };
}

function createHttpServer(options: ServeOptions, hosts: ReadonlySet<string>): Server {
  const limits = { ...DEFAULT_SERVER_LIMITS, ...options.limits };
  const server = createServer(limits, (incoming, response) => void respond(options, hosts, { incoming, response }));
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

type Exchanged = { readonly incoming: IncomingMessage; readonly response: ServerResponse };

async function respond(options: ServeOptions, hosts: ReadonlySet<string>, exchanged: Exchanged): Promise<void> {
  const started = performance.now();
  const { method, url = "" } = exchanged.incoming;
  const result = await readAndHandle(options, hosts, exchanged.incoming);
  sendResponse(exchanged, result);
  options.log?.(`${method} ${redactedUrl(url)} ${result.status} ${(performance.now() - started).toFixed(0)} ms`);
}

/** Checks, limits and reads a request, and passes it to the tracker. */
async function readAndHandle(
  options: ServeOptions,
  hosts: ReadonlySet<string>,
  incoming: IncomingMessage,
): Promise<Response> {
  try {
    checkRequestHeaders(incoming, hosts);
    const maxBytes = options.maxBodyBytes?.() ?? maxBodyBytes(PARAMETER_DEFAULTS.maxattachmentsize);
    const request = await readHttpRequest(incoming, maxBytes);
    return await options.tracker(request, { address: peerAddress(incoming.socket) });
  } catch (error) {
    return faultResponse(error);
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

function sendResponse({ incoming, response }: Exchanged, { status, headers, body }: Response): void {
  const bytes = Buffer.from(body);
  const hasUnreadBody = !incoming.complete;
  response.writeHead(status, {
    ...HEADERS,
    ...headers,
    "content-length": bytes.length,
    ...(hasUnreadBody ? { connection: "close" } : {}),
  });
  response.end(bytes);
  if (hasUnreadBody) incoming.resume();
}

/** A URL for the log: values of secret parameters replaced by `***`, printable ASCII only. */
export function redactedUrl(url: string): string {
  const redacted = url.replace(/([?&])([^=&]*)=[^&]*/g, (pair, mark: string, name: string) =>
    /(?:api_key|token|password)$/i.test(decodedName(name)) ? `${mark}${name}=***` : pair,
  );
  return redacted.replace(/[^!-~]/g, "?");
}

function decodedName(name: string): string {
  return new URLSearchParams(`${name}=`).keys().next().value ?? "";
}
