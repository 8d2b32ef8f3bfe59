import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { limitBufferedBytes } from "./buffer-limit.ts";
import { type ListenerContext, requestListener } from "./listener.ts";
import { withPort } from "./request.ts";
import type { Tracker } from "./tracker.ts";

/** What a served tracker needs to know. */
export type ServeOptions = {
  readonly tracker: Tracker;
  readonly port: number; // 0: any that is free
  readonly host?: string; // default: the loopback addresses, and only they
  readonly names?: readonly string[]; // further names that the Host header may have
  readonly log?: (line: string) => void; // one line a request, without keys
  readonly limits?: Partial<ServerLimits>;
};

/** How long a client may take, in milliseconds, and how much it may send ahead of its request. */
export type ServerLimits = {
  readonly maxHeaderSize: number; // bytes
  readonly headersTimeout: number;
  readonly requestTimeout: number;
  readonly takingTimeout: number; // as long may nothing of a reply be taken
  readonly keepAliveTimeout: number;
  readonly connectionsCheckingInterval: number;
};

/** A tracker that is being served: where, and how to stop; requests under way are answered first. */
export type RunningServer = { readonly url: string; readonly close: () => Promise<void> };

/** The limits that hold unless others are given: with the time between two checks, 10 s for headers and 30 s in all. */
export const DEFAULT_SERVER_LIMITS: ServerLimits = {
  maxHeaderSize: 16 * 1024,
  headersTimeout: 9_000,
  requestTimeout: 29_000,
  keepAliveTimeout: 5_000,
  connectionsCheckingInterval: 500,
  takingTimeout: 30_000,
};

const MAX_CONNECTIONS = 1024;
const MAX_BUFFERED_BYTES = 96 * 1024 * 1024;
const GRACE_MS = 200; // for requests that are still coming, and replies that are still going, at the end

/** Puts a tracker on a port over HTTP, on this machine only unless another address is asked for. */
export async function startServer(options: ServeOptions): Promise<RunningServer> {
  const { host = "127.0.0.1", names = [], log = () => undefined } = options;
  const listening: ListenerContext = {
    tracker: options.tracker,
    hosts: new Set(),
    held: limitBufferedBytes(MAX_BUFFERED_BYTES),
    log,
  };
  const limits = { ...DEFAULT_SERVER_LIMITS, ...options.limits };
  const first = await listen(makeServer(listening, limits), options.port, host);
  const port = (first.address() as AddressInfo).port;
  const second = options.host === undefined ? await alsoOnV6(makeServer(listening, limits), port) : undefined;
  for (const name of [host, "127.0.0.1", "localhost", "[::1]", ...names]) {
    listening.hosts.add(withPort(name.toLowerCase(), port));
  }
  const servers = second ? [first, second] : [first];
  return {
    url: `http://${host.includes(":") ? `[${host}]` : host}:${port}`,
    close: async () => {
      await Promise.all(servers.map(close));
    },
  };
}

function makeServer(listening: ListenerContext, limits: ServerLimits): Server {
  const server = createServer(limits, requestListener(listening));
  server.maxConnections = MAX_CONNECTIONS;
  server.timeout = limits.takingTimeout;
  return server;
}

function listen(server: Server, port: number, host: string): Promise<Server> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen({ port, host, backlog: MAX_CONNECTIONS }, () => resolve(server));
  });
}

// A machine without IPv6 is served on the other address alone.
async function alsoOnV6(server: Server, port: number): Promise<Server | undefined> {
  try {
    return await listen(server, port, "::1");
  } catch {
    return undefined;
  }
}

function close(server: Server): Promise<void> {
  return new Promise((resolve) => {
    const giveUp = setTimeout(() => server.closeAllConnections(), GRACE_MS);
    server.close(() => {
      clearTimeout(giveUp);
      resolve();
    });
    server.closeIdleConnections();
  });
}
