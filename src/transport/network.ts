import { readFileSync } from "node:fs";
import { buildConnector, Client, type Dispatcher } from "undici";
import { BtError } from "../errors.ts";
import type { Exchange, Reply } from "../wire/exchange.ts";
import { isRead } from "../wire/reading.ts";
import { urlPath } from "./address.ts";
import { bodyText } from "./body.ts";
import { connections } from "./connections.ts";
import type { Fault } from "./fault.ts";
import { faultError, type Way } from "./fault-error.ts";
import { type Attempt, LIMITS, type Limits, totalMs } from "./limits.ts";
import { proxyFor } from "./proxy.ts";
import { type Answer, isFault, type Sending, send } from "./send.ts";
import { withoutTierUp } from "./tier-up.ts";

/** What the network has to know; `env` is read for proxies, `engine` is V8's version (see tier-up.ts). */
export type NetworkOptions = {
  readonly baseUrl: string;
  readonly userAgent: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly engine?: string | undefined;
  readonly caFile?: string | undefined;
  readonly insecure?: boolean | undefined;
  readonly proxy?: string | undefined;
  readonly limits?: Partial<Limits> | undefined;
  readonly signal?: AbortSignal | undefined; // ends every read under way
  readonly halt?: AbortSignal | undefined; // ends the writes too
  readonly note?: ((sentence: string) => void) | undefined; // hears of what was mended on the way
};

/** The network as an Exchange, the way that it takes, and the end of its connections. */
export type Network = { readonly exchange: Exchange; readonly way: Way; readonly close: () => void };

/**
 * One attempt over HTTP for each request: no redirect is followed, nothing is sent again but a read that met a connection
 * which the server had closed meanwhile. Every failure is a BtError that says whether anything may have been changed.
 */
export function network(options: NetworkOptions): Network {
  const baseUrl = new URL(options.baseUrl);
  const proxy = proxyFor(baseUrl, options.env, options.proxy);
  const setup: Setup = { ...options, baseUrl, proxy, limits: { ...LIMITS, ...options.limits } };
  const sockets = connections(opener(setup));

  const attempt = async (request: Attempt, kind: "fresh" | "any"): Promise<Answer | Fault> => {
    const started = performance.now();
    const lease = await sockets.take(kind);
    const outcome = await send(lease.dispatcher, sending(setup, request));
    if (kind === "any" && !isFault(outcome)) sockets.giveBack(lease);
    else sockets.drop(lease);
    const stale = isFault(outcome) && lease.reused && !outcome.answered && STALE.includes(outcome.code);
    if (!stale) return outcome;
    const timeoutMs = Math.max(1, totalMs(request, setup.limits) - (performance.now() - started));
    return attempt({ ...request, timeoutMs }, "fresh");
  };

  return {
    async exchange(request: Attempt) {
      const outcome = await attempt(request, isRead(request) ? "any" : "fresh");
      if (isFault(outcome)) throw faultError(outcome, setup, request);
      return replyOf(outcome, setup, request);
    },
    way: { baseUrl, proxy },
    close: sockets.close,
  };
}

type Setup = Omit<NetworkOptions, "baseUrl" | "limits" | "proxy"> & Way & { readonly limits: Limits };

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
  return { tls, connect: withoutTierUp(buildConnector({ ...tls, ...family, timeout: 0 }), setup.engine ?? "") };
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

function sending(setup: Setup, request: Attempt): Sending {
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

async function replyOf(answer: Answer, setup: Setup, request: Attempt): Promise<Reply> {
  const { maxBytes } = setup.limits;
  const body = await bodyText(answer, maxBytes);
  if ("code" in body) {
    const fault = { ...body, sent: true, answered: true, received: answer.body.length, limit: maxBytes };
    throw faultError(fault, setup, request);
  }
  if (body.mended) setup.note?.("the answer held bytes that are not UTF-8; they are shown as \ufffd");
  return { status: answer.status, headers: answer.headers, body: body.text };
}
