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

/** Pool of connections to one server; idle ones serve the next read. */
type ConnectionPool = {
  /** A new connection is not kept alive, since it serves a single write. */
  take: (kind: "new" | "any") => Promise<Lease>;
  giveBack: (lease: Lease, isReusable: boolean) => void;
  close: () => void; // idle ones end with the process, or by themselves after some seconds
};

export function createConnectionPool(options: ConnectionOptions): ConnectionPool {
  const open = connectionFactory(options);
  const idle: Dispatcher[] = [];
  const busy = new Set<Dispatcher>();
  return {
    async take(kind) {
      const waiting = kind === "any" ? idle.pop() : undefined;
      const dispatcher = waiting ?? (await open({ keepAlive: kind === "any" }));
      busy.add(dispatcher);
      return { dispatcher, isReused: waiting !== undefined };
    },
    giveBack({ dispatcher }, isReusable) {
      busy.delete(dispatcher);
      if (isReusable) idle.push(dispatcher);
      else destroy(dispatcher);
    },
    close: () => busy.forEach(destroy),
  };
}

function destroy(dispatcher: Dispatcher): void {
  dispatcher.destroy(CLOSED).catch(() => undefined);
}

/** Error that connections are destroyed with. Node reads its stack, which V8 would otherwise have to write. */
const CLOSED = Object.assign(new Error("the connection is no longer needed"), { stack: "" });

function connectionFactory(options: ConnectionOptions): (kind: { keepAlive: boolean }) => Promise<Dispatcher> {
  const { baseUrl, proxy, limits } = options;
  const connectOptions = once(() => loadConnectOptions(options));
  return async ({ keepAlive }) => {
    const { tls, connect } = await connectOptions();
    const client: Client.Options = {
      pipelining: keepAlive ? 1 : 0,
      maxHeaderSize: limits.maxHeaderBytes,
      headersTimeout: 0, // send.ts enforces all time limits
      bodyTimeout: 0,
      keepAliveTimeoutThreshold: 500, // with the usual 2 s, none is reused where the server keeps it for 2 s
    };
    if (proxy === undefined) return new Client(baseUrl.origin, { ...client, connect });
    const { proxyConnection } = await import("./proxy-connection.ts");
    return proxyConnection(proxy, { baseUrl, tls, client });
  };
}

/** Options shared by all connections: trusted certificates, and a connector that keeps TLS sessions. */
async function loadConnectOptions({ caFile, insecure, engine = "" }: ConnectionOptions) {
  const ca = caFile === undefined ? {} : { ca: await readTrustedAuthorities(caFile) };
  const tls = { ...ca, rejectUnauthorized: insecure !== true };
  const family = { autoSelectFamily: true, autoSelectFamilyAttemptTimeout: 250 };
  return { tls, connect: withoutWasmTierUp(buildConnector({ ...tls, ...family, timeout: 0 }), engine) };
}

/** Certificate authorities of Node and of a file. */
async function readTrustedAuthorities(file: string): Promise<string[]> {
  const { rootCertificates } = await import("node:tls");
  try {
    return [...rootCertificates, readFileSync(file, "utf8")];
  } catch (cause) {
    throw new BtError("local", `cannot read the certificate file ${file}`, { cause, changed: "nothing" });
  }
}

/**
 * Keeps V8 11, the engine of Node 20, from optimising llhttp, with which undici reads HTTP as WebAssembly. V8 finds its one
 * huge function hot after a single response and optimises it in the background, and Node does not end before that job does: a
 * search of 20 bugs takes twice the CPU time and 25 MiB more. undici compiles llhttp when the first connection calls back, so
 * for that call alone V8 compiles at once all that it would compile later, and has no higher tier. The flags are restored
 * exactly: they are part of the key of every code cache, Node's own for its builtins included.
 */
export function withoutWasmTierUp(connect: buildConnector.connector, engine: string): buildConnector.connector {
  if (!engine.startsWith("11.")) return connect;
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
