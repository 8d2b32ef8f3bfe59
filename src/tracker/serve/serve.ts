import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { Tracker } from "../tracker.ts";
import { type Listening, listener } from "./listener.ts";

/** What a served tracker needs to know. */
export type ServeOptions = {
  readonly tracker: Tracker;
  readonly port: number; // 0: any that is free
  readonly host?: string; // default: the loopback addresses, and only they
  readonly names?: readonly string[]; // further names that the Host header may have
  readonly log?: (line: string) => void; // one line a request, without keys
};

/** A tracker that is being served: where, and how to stop; requests under way are answered first. */
export type Served = { readonly url: string; readonly close: () => Promise<void> };

const LIMITS = {
  maxHeaderSize: 16 * 1024,
  headersTimeout: 10_000,
  requestTimeout: 30_000,
  keepAliveTimeout: 5_000,
  connectionsCheckingInterval: 1_000,
} as const;

const MOST_CONNECTIONS = 1024;

/** Puts a tracker on a port over HTTP, on this machine only unless another address is asked for. */
export async function serve(options: ServeOptions): Promise<Served> {
  const { host = "127.0.0.1", names = [] } = options;
  const listening: Listening = { tracker: options.tracker, hosts: new Set(), log: options.log ?? (() => undefined) };
  const first = await listen(makeServer(listening), options.port, host);
  const port = (first.address() as AddressInfo).port;
  const second = options.host === undefined ? await alsoOnV6(makeServer(listening), port) : undefined;
  for (const name of [host, "127.0.0.1", "localhost", "[::1]", ...names]) {
    listening.hosts.add(`${name}:${port}`.toLowerCase());
  }
  const servers = second ? [first, second] : [first];
  return {
    url: `http://${host.includes(":") ? `[${host}]` : host}:${port}`,
    close: async () => {
      await Promise.all(servers.map(close));
    },
  };
}

function makeServer(listening: Listening): Server {
  const server = createServer(LIMITS, listener(listening));
  server.maxConnections = MOST_CONNECTIONS;
  return server;
}

function listen(server: Server, port: number, host: string): Promise<Server> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, host, () => resolve(server));
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
    server.close(() => resolve());
    server.closeIdleConnections();
  });
}
