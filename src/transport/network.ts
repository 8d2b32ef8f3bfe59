import { BtError } from "../errors.ts";
import type { Io } from "../io.ts";
import {
  type Exchange,
  isRead,
  parsedUrl,
  pathAndQuery,
  type Request,
  type Response,
  retryAfterMs,
} from "../wire/exchange.ts";
import { requestText, urlPath } from "./address.ts";
import { authenticating, type Credential, requiringEncryption } from "./authenticate.ts";
import { type HttpOptions, openHttp, type TimedExchange } from "./http.ts";

/** Options of the network; without a credential, requests are anonymous. */
export type NetworkOptions = HttpOptions & {
  readonly credential?: Credential | undefined;
  readonly allowHttp?: boolean | undefined;
  readonly trace?: Trace | undefined;
  readonly random: () => number;
};

export type Network = { readonly exchange: Exchange; readonly close: () => void };

/** HTTP in wrappers, the innermost first: log, encryption, credentials, redirects, retries. */
export function openNetwork(options: NetworkOptions): Network {
  const { io, trace, credential, allowHttp } = options;
  const { exchange, close, route } = openHttp(options);
  const traced = trace ? tracing(exchange, trace, io.ticks) : exchange;
  const encrypted = requiringEncryption(traced, route, allowHttp);
  const authenticated = credential ? authenticating(encrypted, credential) : encrypted;
  return { exchange: retrying(refusingRedirects(authenticated, route.baseUrl), options), close };
}

/** Destination of a request log, which must redact secrets itself, and whether it gets headers and bodies. */
export type Trace = { readonly write: (line: string) => void; readonly isFull: boolean };

/** Logs every request and response: `> GET /rest/bug/7`, `< 200 application/json, 1234 characters in 80 ms`. */
function tracing(exchange: TimedExchange, { write, isFull }: Trace, ticks: () => number): TimedExchange {
  const detail = (mark: string, { headers = {}, body = "" }: Pick<Request, "headers" | "body">) => {
    if (!isFull) return;
    for (const [name, value] of Object.entries(headers)) write(`${mark} ${name}: ${value}`);
    if (body !== "") write(`${mark} ${typeof body === "object" ? JSON.stringify(body) : body}`);
  };
  return async (request, end) => {
    const started = ticks();
    const took = () => `in ${Math.round(ticks() - started)} ms`;
    write(`> ${request.method} ${pathAndQuery(request)}`);
    detail(">", request);
    try {
      const response = await exchange(request, end);
      const { status, headers, body } = response;
      write(`< ${status} ${headers["content-type"] ?? "no type"}, ${body.length} characters ${took()}`);
      detail("<", response);
      return response;
    } catch (error) {
      write(`< ${error instanceof Error ? error.message : "failed"} ${took()}`);
      throw error;
    }
  };
}

/** Refuses redirects, so that neither keys nor writes go elsewhere. @throws BtError of kind guard */
export function refusingRedirects(exchange: TimedExchange, baseUrl: URL): TimedExchange {
  return async (request, end) => {
    const response = await exchange(request, end);
    const { status, headers } = response;
    if (!REDIRECTS.includes(status)) return response;
    const target = headers["location"] && parsedUrl(headers["location"], new URL(urlPath(baseUrl, request), baseUrl));
    const place = target ? `${target.protocol}//${target.host}${target.pathname}` : "nowhere"; // a query may contain a key
    throw new BtError("guard", `${baseUrl.host} redirects to ${place}; the redirect was not followed`, {
      request: requestText(baseUrl, request),
      changed: !isRead(request) && MAY_HAVE_ACTED.includes(status) ? "unknown" : "nothing",
      hint: "if this is the tracker's new address: bt config set base_url NEW-ADDRESS",
      httpStatus: status,
    });
  };
}

const REDIRECTS = [301, 302, 303, 307, 308];
const MAY_HAVE_ACTED = [302, 303]; // usual responses to an accepted form

/** Retry policy; `random` from 0 to 1. */
type RetryPolicy = Pick<NetworkOptions, "settings" | "random" | "trace"> & {
  readonly io: Pick<Io, "ticks" | "sleep" | "signal">; // a stop signal ends a sleep, and further attempts
};

/**
 * Retries transient failures within one time limit. A write is resent only if it never left, or if
 * the server rejected it (429) with a Retry-After.
 */
export function retrying(exchange: TimedExchange, { settings, random, trace, io }: RetryPolicy): Exchange {
  const { retry = 3 } = settings;
  return async (request) => {
    const { timeout = isRead(request) ? READ_S : WRITE_S } = settings;
    const end = io.ticks() + timeout * 1000;
    for (let tries = 1; ; tries += 1) {
      const result = await exchange(request, end).catch(thrownError);
      const next = tries <= retry ? nextTry(request, result, tries, random) : undefined;
      if (next === undefined || next.waitMs >= end - io.ticks()) return finish(result, tries);
      trace?.write(`${next.why}; retrying in ${(next.waitMs / 1000).toFixed(1)} s`);
      await io.sleep(next.waitMs);
      if (io.signal.aborted) return finish(result, tries);
    }
  };
}

const READ_S = 60;
const WRITE_S = 120;
const BASE_DELAY_MS = 500;
const MAX_DELAY_MS = 8_000;
const MAX_JITTER_MS = 1000; // beyond a Retry-After
const MAX_RETRY_AFTER_MS = 60_000; // a longer Retry-After is reported instead

type TryResult = Response | BtError;

function thrownError(error: unknown): BtError {
  if (error instanceof BtError) return error;
  throw error;
}

function finish(result: TryResult, tries: number): Response {
  if (!(result instanceof BtError)) return result;
  throw tries === 1 ? result : new BtError(result.kind, `${result.message} (tried ${tries} times)`, result.facts);
}

/** The wait before the next attempt, and its reason; undefined if there is none. */
function nextTry(request: Request, result: TryResult, tries: number, random: () => number) {
  const backoffMs = random() * Math.min(MAX_DELAY_MS, BASE_DELAY_MS * 2 ** (tries - 1));
  if (result instanceof BtError)
    return result.facts.isTransient ? { waitMs: backoffMs, why: result.message } : undefined;
  const isPage = result.status === 200 && /^\s*</.test(result.body); // gateways send one while a tracker restarts
  const status = isPage ? 503 : result.status;
  if (!TRANSIENT.has(status) || (status === 500 && tries > 1)) return undefined; // a 500 is rarely transient
  const requiredMs = retryAfterMs(result.headers);
  if ((requiredMs ?? 0) > MAX_RETRY_AFTER_MS) return undefined;
  if (status === 429 ? requiredMs === undefined : !isRead(request)) return undefined; // a block is prolonged by each request
  const waitMs = requiredMs === undefined ? backoffMs : requiredMs + random() * MAX_JITTER_MS;
  return { waitMs, why: `the tracker returned ${isPage ? "a web page" : status}` };
}

/** Statuses after which a read is retried. A write is retried only after a 429, with which it was not processed. */
const TRANSIENT: ReadonlySet<number> = new Set([408, 425, 429, 500, 502, 503, 504]);
