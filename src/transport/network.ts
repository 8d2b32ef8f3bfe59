import { readFileSync } from "node:fs";
import { buildConnector, Client, type Dispatcher } from "undici";
import { BtError } from "../errors.ts";
import { type Exchange, isRead, type Reply, type Request } from "../wire/exchange.ts";
import { proxyFor, urlPath } from "./address.ts";
import { decodedBody } from "./body.ts";
import { faultError, type NetworkRoute } from "./network-errors.ts";
import { isFault, type NetworkFault, type RawResponse, type SendOptions, sendRequest } from "./send.ts";
import { withoutWasmTierUp } from "./wasm-tierup-workaround.ts";

/** What the network has to know; `env` is read for proxies, `engine` is V8's version (see tier-up.ts). */
export type NetworkOptions = {
  readonly baseUrl: string;
  readonly userAgent: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly engine?: string | undefined;
  readonly caFile?: string | undefined;
  readonly insecure?: boolean | undefined;
  readonly proxy?: string | undefined;
  readonly limits?: Partial<RequestLimits> | undefined;
  readonly signal?: AbortSignal | undefined; // ends every read under way
  readonly halt?: AbortSignal | undefined; // ends the writes too
  readonly note?: ((sentence: string) => void) | undefined; // hears of what was mended on the way
};

/** The network as an Exchange, the way that it takes, and the end of its connections. */
export type Network = { readonly exchange: Exchange; readonly way: NetworkRoute; readonly close: () => void };

/**
 * One attempt over HTTP for each request: no redirect is followed, nothing is sent again but a read that met a connection
 * which the server had closed meanwhile. Every failure is a BtError that says whether anything may have been changed.
 */
export function openNetworkExchange(options: NetworkOptions): Network {
  const baseUrl = new URL(options.baseUrl);
  const proxy = proxyFor(baseUrl, options.env, options.proxy);
  const setup: Setup = { ...options, baseUrl, proxy, limits: { ...DEFAULT_LIMITS, ...options.limits } };
  const sockets = connections(opener(setup));

  const attempt = async (request: TimedRequest, kind: "fresh" | "any"): Promise<RawResponse | NetworkFault> => {
    const started = performance.now();
    const lease = await sockets.take(kind);
    const outcome = await sendRequest(lease.dispatcher, sending(setup, request));
    if (kind === "any" && !isFault(outcome)) sockets.giveBack(lease);
    else sockets.drop(lease);
    const stale = isFault(outcome) && lease.reused && !outcome.answered && STALE.includes(outcome.code);
    if (!stale) return outcome;
    const timeoutMs = Math.max(1, totalMs(request, setup.limits) - (performance.now() - started));
    return attempt({ ...request, timeoutMs }, "fresh");
  };

  return {
    async exchange(request: TimedRequest) {
      const outcome = await attempt(request, isRead(request) ? "any" : "fresh");
      if (isFault(outcome)) throw faultError(outcome, setup, request);
      return replyOf(outcome, setup, request);
    },
    way: { baseUrl, proxy },
    close: sockets.close,
  };
}

type Setup = Omit<NetworkOptions, "baseUrl" | "limits" | "proxy"> & NetworkRoute & { readonly limits: RequestLimits };

const STALE = ["ECONNRESET", "EPIPE", "UND_ERR_SOCKET"];

function opener(setup: Setup): (keepAlive: boolean) => Promise<Dispatcher> {
  let prepared: ReturnType<typeof prepare> | undefined;
  return async (keepAlive) => {
    prepared ??= prepare(setup);
    const { tls, connect } = await prepared;
    const client: Client.Options = {
      pipelining: keepAlive ? 1 : 0,
      maxHeaderSize: setup.limits.maxHeaderBytes,
      headersTimeout: 0, // send.ts keeps the time of every phase, of the connection too
      bodyTimeout: 0,
    };
    if (setup.proxy === undefined) return new Client(setup.baseUrl.origin, { ...client, connect });
    const { proxyConnection } = await import("./proxy-connection.ts");
    return proxyConnection(setup.proxy, { baseUrl: setup.baseUrl, tls, client });
  };
}

/** What all connections share: whom TLS trusts, and the way to connect that remembers TLS sessions. */
async function prepare(setup: Setup) {
  const ca = setup.caFile === undefined ? {} : { ca: await authorities(setup.caFile) };
  const tls = { ...ca, rejectUnauthorized: setup.insecure !== true };
  const family = { autoSelectFamily: true, autoSelectFamilyAttemptTimeout: 250 };
  return { tls, connect: withoutWasmTierUp(buildConnector({ ...tls, ...family, timeout: 0 }), setup.engine ?? "") };
}

/** The authorities that Node trusts, and those of a file. */
async function authorities(file: string): Promise<string[]> {
  const { rootCertificates } = await import("node:tls");
  try {
    return [...rootCertificates, readFileSync(file, "utf8")];
  } catch (cause) {
    throw new BtError("local", `cannot read the certificate file ${file}`, { cause, changed: "nothing" });
  }
}

function sending(setup: Setup, request: TimedRequest): SendOptions {
  const total = totalMs(request, setup.limits);
  const { body } = request;
  const headers = {
    accept: "application/json",
    "accept-encoding": "gzip, br",
    "user-agent": setup.userAgent,
    ...(body === undefined ? {} : { "content-type": "application/json" }),
    ...request.headers,
  };
  return {
    options: {
      origin: setup.baseUrl.origin,
      method: request.method as Dispatcher.HttpMethod,
      path: urlPath(setup.baseUrl, request),
      headers,
      body: body === undefined || typeof body === "string" ? (body ?? null) : JSON.stringify(body),
    },
    connectMs: setup.limits.connectMs,
    headersMs: isRead(request) ? setup.limits.headersMs : total,
    totalMs: total,
    maxBytes: setup.limits.maxBytes,
    signal: isRead(request) ? setup.signal : setup.halt,
  };
}

async function replyOf(answer: RawResponse, setup: Setup, request: TimedRequest): Promise<Reply> {
  const { maxBytes } = setup.limits;
  const body = await decodedBody(answer, maxBytes);
  if ("code" in body) {
    const fault = { ...body, sent: true, answered: true, received: answer.body.length, limit: maxBytes };
    throw faultError(fault, setup, request);
  }
  if (body.mended) setup.note?.("the answer held bytes that are not UTF-8; they are shown as \ufffd");
  return { status: answer.status, headers: answer.headers, body: body.text };
}

/** How long and how much one request may take: times in milliseconds, sizes in bytes. */
export type RequestLimits = {
  readonly connectMs: number; // name, connection and TLS handshake
  readonly headersMs: number; // from the request to the first line of the answer, for a read
  readonly readMs: number; // a read as a whole, every attempt and redirect in it
  readonly writeMs: number; // a write as a whole
  readonly maxBytes: number; // the body, counted before and after decoding; what is made of it takes ten times as much
  readonly maxHeaderBytes: number;
};

/** What `bt` allows unless told otherwise. */
export const DEFAULT_LIMITS: RequestLimits = {
  connectMs: 10_000,
  headersMs: 30_000,
  readMs: 60_000,
  writeMs: 120_000,
  maxBytes: 10 * 1024 * 1024,
  maxHeaderBytes: 64 * 1024,
};

/** A request as the lower wrappers see it: with what is left of its time. */
export type TimedRequest = Request & { readonly timeoutMs?: number };

/** The time that a request has as a whole. */
export function totalMs(request: TimedRequest, limits: Pick<RequestLimits, "readMs" | "writeMs">): number {
  return request.timeoutMs ?? (isRead(request) ? limits.readMs : limits.writeMs);
}

/** A connection lent for one request; a reused one may have been closed by the server meanwhile. */
export type Lease = { readonly dispatcher: Dispatcher; readonly reused: boolean };

/** Connections to one server: idle ones wait here for the next read, all of them end with `close`. */
export type Connections = {
  readonly take: (kind: "fresh" | "any") => Promise<Lease>;
  readonly giveBack: (lease: Lease) => void;
  readonly drop: (lease: Lease) => void;
  readonly close: () => void;
};

/** Makes connections with `open`; a fresh one is not kept alive, since it serves one write and nothing else. */
function connections(open: (keepAlive: boolean) => Promise<Dispatcher>): Connections {
  const idle: Dispatcher[] = [];
  const all = new Set<Dispatcher>();
  const end = (dispatcher: Dispatcher) => {
    all.delete(dispatcher);
    dispatcher.destroy().catch(() => undefined);
  };
  return {
    async take(kind) {
      const waiting = kind === "any" ? idle.pop() : undefined;
      const dispatcher = waiting ?? (await open(kind === "any"));
      all.add(dispatcher);
      return { dispatcher, reused: waiting !== undefined };
    },
    giveBack: ({ dispatcher }) => void idle.push(dispatcher),
    drop: ({ dispatcher }) => end(dispatcher),
    close: () => all.forEach(end),
  };
}
