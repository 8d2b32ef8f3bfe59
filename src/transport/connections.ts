import { readFileSync } from "node:fs";
import v8 from "node:v8";
import type { Dispatcher } from "undici";
import buildConnector from "undici/lib/core/connect.js";
import Client from "undici/lib/dispatcher/client.js";
import { BtError } from "../errors.ts";
import { once } from "../wire/once.ts";
import type { NetworkRoute } from "./network-errors.ts";

/** Server, proxy and trust of connections; `engine` is V8's version, like `11.3.244.8-node.33`. */
type ConnectionOptions = NetworkRoute & {
  caFile?: string | undefined;
  insecure?: boolean | undefined;
  engine?: string | undefined;
  limits: { maxHeaderBytes: number };
};

/** A connection in use by one request. A reused one may have been closed by the server. */
type Lease = { dispatcher: Dispatcher; isReused: boolean };

/** Pool of connections to one server: a write gets a new one, idle ones serve the next read. */
export function createConnectionPool(options: ConnectionOptions) {
  const { baseUrl, proxy, limits } = options;
  const trust = once(() => loadTrust(options));
  const idle: Dispatcher[] = [];
  const busy = new Set<Dispatcher>();
  const open = async (pipelining: number): Promise<Dispatcher> => {
    const { tls, connect } = await trust();
    const client: Client.Options = {
      pipelining, // 0: closed after the response
      maxHeaderSize: limits.maxHeaderBytes,
      headersTimeout: 0, // send.ts enforces all time limits
      bodyTimeout: 0,
      keepAliveTimeoutThreshold: 500, // with the usual 2 s, none is reused where the server keeps it for 2 s
    };
    if (proxy === undefined) return new Client(baseUrl.origin, { ...client, connect });
    const { proxyConnection } = await import("./proxy-connection.ts");
    return proxyConnection(proxy, { baseUrl, tls, client });
  };
  return {
    async take(kind: "new" | "any"): Promise<Lease> {
      const waiting = kind === "any" ? idle.pop() : undefined;
      const dispatcher = waiting ?? (await open(kind === "any" ? 1 : 0));
      busy.add(dispatcher);
      return { dispatcher, isReused: waiting !== undefined };
    },
    giveBack({ dispatcher }: Lease, isReusable: boolean): void {
      busy.delete(dispatcher);
      if (isReusable) idle.push(dispatcher);
      else destroy(dispatcher);
    },
    close: () => busy.forEach(destroy), // idle ones end with the process, or by themselves after some seconds
  };
}

function destroy(dispatcher: Dispatcher): void {
  dispatcher.destroy(CLOSED).catch(() => undefined);
}

/**
 * Error that connections are destroyed with. Node reads its stack, which V8 would otherwise have to
 * write.
 */
const CLOSED = Object.assign(new Error("the connection is no longer needed"), { stack: "" });

/** Trusted certificates, and a connector that keeps TLS sessions. */
async function loadTrust({ caFile, insecure, engine = "" }: ConnectionOptions) {
  const ca =
    caFile === undefined ? {} : { ca: [...(await import("node:tls")).rootCertificates, readAuthority(caFile)] };
  const tls = { ...ca, rejectUnauthorized: insecure !== true };
  const connect = buildConnector({ ...tls, autoSelectFamily: true, autoSelectFamilyAttemptTimeout: 250, timeout: 0 });
  return { tls, connect: engine.startsWith("11.") ? withoutWasmTierUp(connect) : connect };
}

function readAuthority(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch (cause) {
    throw new BtError("local", `cannot read the certificate file ${file}`, { cause });
  }
}

/**
 * Keeps V8 11, the engine of Node 20, from optimising llhttp, with which undici reads HTTP as
 * WebAssembly: Node does not end before that background job does, which doubles the CPU time of a
 * search and takes 25 MiB. undici compiles llhttp when the first connection calls back, so for that
 * call V8 compiles at once and has no higher tier. The flags are restored exactly: they are part of
 * the key of every code cache.
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
