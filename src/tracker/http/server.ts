import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { limitBufferedBytes } from "./buffer-limit.ts";
import { type ListenerContext, requestListener } from "./listener.ts";
import { maxBodyBytes, withPort } from "./request.ts";
import { PARAMETER_DEFAULTS } from "./server-parameters.ts";
import type { Tracker } from "./tracker.ts";

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
  readonly maxHeaderSize: number; // bytes
  readonly headersTimeout: number;
  readonly requestTimeout: number;
  readonly socketTimeout: number; // idle time while the client reads a response
  readonly keepAliveTimeout: number;
  readonly connectionsCheckingInterval: number;
};

/** A running HTTP server; `close` completes requests in progress first. */
export type RunningServer = { readonly url: string; readonly close: () => Promise<void> };

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
const MAX_BUFFERED_BYTES = 96 * 1024 * 1024;
const GRACE_MS = 200; // for open connections when the server closes

/** Serves a tracker over HTTP, on loopback unless `host` is set. */
export async function startServer(options: ServeOptions): Promise<RunningServer> {
  const { host = "127.0.0.1", names = [], log = () => undefined } = options;
  const context: ListenerContext = {
    tracker: options.tracker,
    hosts: new Set(),
    bufferLimit: limitBufferedBytes(MAX_BUFFERED_BYTES),
    maxBodyBytes: options.maxBodyBytes ?? (() => maxBodyBytes(PARAMETER_DEFAULTS)),
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
      await Promise.all(servers.map(close));
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

function close(server: Server): Promise<void> {
  return new Promise((resolve) => {
    const forceClose = setTimeout(() => server.closeAllConnections(), GRACE_MS);
    server.close(() => {
      clearTimeout(forceClose);
      resolve();
    });
    server.closeIdleConnections();
  });
}
