import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { NO_WEB_PAGES, type Request, type Response } from "../../wire/exchange.ts";
import { errorResponse, type Tracker } from "../tracker.ts";
import { Fault } from "../values.ts";

export type ServeOptions = {
  readonly tracker: Tracker;
  readonly port: number; // 0: any free port
  readonly host?: string; // default: loopback only
  readonly names?: readonly string[]; // more accepted Host headers
  readonly log?: (line: string) => void; // one line per request, without the query, which can have secrets
  readonly limits?: Partial<typeof DEFAULT_SERVER_LIMITS>;
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
  const { host = "127.0.0.1" } = options;
  const server = createHttpServer(options);
  const listening = once(server, "listening"); // fails with the error of the server
  server.listen({ port: options.port, host, backlog: MAX_CONNECTIONS });
  await listening;
  const { port } = server.address() as AddressInfo;
  return { url: `http://${hostInUrl(host)}:${port}`, close: () => closeServer(server) };
}

function createHttpServer(options: ServeOptions): Server {
  const { host = "127.0.0.1", names = [] } = options;
  const hosts = new Set([host, "127.0.0.1", "localhost", ...names].map((name) => hostInUrl(name.toLowerCase())));
  const limits = { ...DEFAULT_SERVER_LIMITS, ...options.limits };
  const server = createServer(limits, (incoming, outgoing) => {
    const started = performance.now();
    void handleRequest(options, hosts, incoming).then((response) => {
      sendResponse(incoming, outgoing, response);
      const path = (incoming.url ?? "").replace(/\?.*/, "").replace(/[^!-~]/g, "?"); // printable
      options.log?.(`${incoming.method} ${path} ${response.status} ${(performance.now() - started).toFixed(0)} ms`);
    });
  });
  server.maxConnections = MAX_CONNECTIONS;
  server.timeout = limits.socketTimeout;
  return server;
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

async function handleRequest(
  options: ServeOptions,
  hosts: ReadonlySet<string>,
  incoming: IncomingMessage,
): Promise<Response> {
  try {
    checkRequestHeaders(incoming, hosts);
    const request = await readHttpRequest(incoming);
    return await options.tracker(request);
  } catch (error) {
    return errorResponse(error);
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

/** Sends a response; what is still to come of a refused request is dropped. */
function sendResponse(incoming: IncomingMessage, outgoing: ServerResponse, { status, headers, body }: Response): void {
  const bytes = Buffer.from(body);
  const closing = incoming.complete ? {} : { connection: "close" };
  outgoing.writeHead(status, { ...HEADERS, ...headers, "content-length": bytes.length, ...closing });
  outgoing.end(bytes);
  if (!incoming.complete) incoming.resume();
}

const MIB = 1024 * 1024;
const MAX_BODY_BYTES = 32 * MIB; // a file of 24 MiB in base64; it takes several times as much memory

/** An HTTP request as the tracker takes it. @throws Fault other if the body exceeds its limit (413) */
async function readHttpRequest(incoming: IncomingMessage): Promise<Request> {
  const { url = "/" } = incoming;
  const [path = "/"] = url.split("?", 1);
  const body = await readBody(incoming);
  return {
    method: incoming.method ?? "GET",
    path,
    query: [...new URLSearchParams(url.slice(path.length))],
    headers: incoming.headers as Record<string, string>,
    ...(body === "" ? {} : { body }),
  };
}

async function readBody(incoming: IncomingMessage): Promise<string> {
  if (Number(incoming.headers["content-length"] ?? 0) > MAX_BODY_BYTES) throw tooLargeFault();
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of incoming as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > MAX_BODY_BYTES) throw tooLargeFault();
    chunks.push(chunk);
  }
  return decodeBody(Buffer.concat(chunks));
}

function decodeBody(bytes: Buffer): string {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new Fault("other", "The body is not valid UTF-8.");
  }
}

function tooLargeFault(): Fault {
  return new Fault("other", `A body may have at most ${MAX_BODY_BYTES / MIB} MiB.`, 413);
}

/**
 * Rejects what a browser could be tricked into sending: a foreign Host (DNS rebinding), a foreign
 * Origin, what another site's page asks for, and writes that are not JSON (a cross-site form
 * cannot send JSON without a CORS preflight).
 * @throws Fault other with status 403 or 415
 */
function checkRequestHeaders(incoming: IncomingMessage, hosts: ReadonlySet<string>): void {
  const { headers, socket, method } = incoming;
  const { host = "", origin } = headers;
  const hostName = host.toLowerCase().replace(/:\d+$/, "");
  if (!hosts.has(hostName) && hostName !== localAddress(socket))
    throw new Fault("other", `This tracker has no host name "${host}".`, 403);
  const isSameSite = ["none", "same-origin"].includes(String(headers["sec-fetch-site"] ?? "none"));
  if (!isSameSite || (origin !== undefined && origin.replace(/^https?:\/\//i, "") !== host))
    throw new Fault("other", "Cross-site requests are not allowed.", 403);
  const isWrite = method === "POST" || method === "PUT";
  const type = headers["content-type"]?.split(";")[0]?.trim().toLowerCase();
  const hasBody = headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) > 0;
  if (isWrite && hasBody && type !== "application/json")
    throw new Fault("other", "The body must be sent with the Content-Type application/json.", 415);
}

/** Local address of a connection as a Host header has it, IPv4 without the prefix of IPv6. */
function localAddress({ localAddress: address = "" }: Socket): string {
  return hostInUrl(address.replace(/^::ffff:(?=\d+\.)/i, ""));
}

/** A host name or address as a URL has it: IPv6 in brackets. */
function hostInUrl(host: string): string {
  return host.includes(":") ? `[${host}]` : host;
}
