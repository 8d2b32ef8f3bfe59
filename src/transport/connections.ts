import { versions } from "node:process";
import v8 from "node:v8";
import type { Dispatcher } from "undici";
import buildConnector from "undici/lib/core/connect.js";
import Client from "undici/lib/dispatcher/client.js";
import Pool from "undici/lib/dispatcher/pool.js";
import { readContent } from "../config/files.ts";
import type { NetworkRoute } from "./network-errors.ts";

/** What connections trust: the usual authorities, those in a file, or any server. */
export type Trust = Awaited<ReturnType<typeof loadTrust>>;

/** Opens a pool of connections to one server, or a connection that is closed after one response. */
export async function openDispatcher(
  { baseUrl, proxy }: NetworkRoute,
  { tls, connect }: Trust,
  isPool: boolean,
): Promise<Dispatcher> {
  const client: Client.Options = {
    pipelining: isPool ? 1 : 0, // 0: closed after the response
    maxHeaderSize: 64 * 1024,
    headersTimeout: 0, // http.ts enforces all time limits
    bodyTimeout: 0,
    keepAliveTimeoutThreshold: 500, // with the usual 2 s, none is reused where the server keeps it for 2 s
  };
  if (proxy !== undefined) return openProxied(proxy, baseUrl, tls, client);
  return new (isPool ? Pool : Client)(baseUrl.origin, { ...client, connect });
}

/**
 * Connections through a proxy: a tunnel for https, plain requests for http. The proxy is trusted like the tracker; TLS sends
 * its name only if it is not an IP address.
 */
async function openProxied(
  proxy: URL,
  { protocol }: URL,
  tls: Trust["tls"],
  client: Client.Options,
): Promise<Dispatcher> {
  const { default: ProxyAgent } = await import("undici/lib/dispatcher/proxy-agent.js");
  const { default: AnyDispatcher } = await import("undici/lib/dispatcher/dispatcher.js");
  const { default: tunnel } = await import("undici/lib/api/api-connect.js");
  Object.assign(AnyDispatcher.prototype, { connect: tunnel }); // as undici's entry does
  const connectTo = buildConnector({ ...tls, timeout: 0 });
  const connect: buildConnector.connector = ({ servername: _, ...options }, done) => connectTo(options, done);
  return new ProxyAgent({
    uri: proxy.href,
    proxyTunnel: protocol === "https:",
    requestTls: tls,
    clientFactory: (origin) => new Client(origin, { ...client, connect }),
    ...client,
  });
}

/** Trusted certificates, and a connector that keeps TLS sessions. `caFile` has additional authorities. */
export async function loadTrust(caFile: string | undefined, insecure = false) {
  const ca = caFile === undefined ? undefined : [...(await import("node:tls")).rootCertificates, readContent(caFile)];
  const tls = { ca, rejectUnauthorized: !insecure };
  const connect = buildConnector({ ...tls, timeout: 0 });
  return { tls, connect: versions.v8.startsWith("11.") ? withoutWasmTierUp(connect) : connect };
}

/**
 * Keeps V8 11, the engine of Node 20, from optimising llhttp, with which undici reads HTTP as WebAssembly: Node does not end
 * before that background job does, which doubles the CPU time of a search. undici compiles llhttp when the first connection
 * calls back. The flags are restored exactly: they are part of the key of every code cache.
 */
export function withoutWasmTierUp(connect: buildConnector.connector): buildConnector.connector {
  return (options, callback) =>
    connect(options, (...outcome) => {
      for (const flag of FLAGS) v8.setFlagsFromString(`--no-${flag}`);
      try {
        callback(...outcome);
      } finally {
        for (const flag of FLAGS) v8.setFlagsFromString(`--${flag}`);
      }
    });
}

/** Flags of V8 that are on by default. */
const FLAGS = ["wasm-lazy-compilation", "wasm-tier-up", "wasm-dynamic-tiering"];
