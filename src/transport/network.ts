import { BtError } from "../errors.ts";
import type { Io } from "../io.ts";
import { isRead, parsedUrl, pathAndQuery, type Request, type Response, retryAfterMs } from "../wire/exchange.ts";
import { requestText, urlPath } from "./address.ts";
import { type Credential, checkEncryption, withKey } from "./authenticate.ts";
import { type HttpOptions, openHttp, type TimedExchange } from "./http.ts";

/** Options of the network. */
export type NetworkOptions = HttpOptions & {
  readonly allowHttp?: boolean | undefined;
  readonly trace?: Trace | undefined;
  readonly random: () => number;
};

export type Network = {
  /** Sends a request with a credential, or anonymously. */
  readonly exchange: (request: Request, credential?: Credential) => Promise<Response>;
  readonly close: () => void;
};

/** Opens the network to one tracker. */
export function openNetwork(options: NetworkOptions): Network {
  const { io, trace, allowHttp } = options;
  const http = openHttp(options);
  const attempt: TimedExchange = async (request, end) => {
    checkEncryption(request, http.route, allowHttp);
    const response = await (trace
      ? sendLogged(request, end, http.exchange, trace, io.ticks)
      : http.exchange(request, end));
    checkNotRedirected(response, request, http.route.baseUrl);
    return response;
  };
  return {
    exchange: (request, credential) =>
      sendRepeatedly(credential ? withKey(request, credential) : request, attempt, options),
    close: http.close,
  };
}

/** Retry policy; `random` from 0 to 1. */
type RetryPolicy = Pick<NetworkOptions, "settings" | "random" | "trace"> & {
  readonly io: Pick<Io, "ticks" | "sleep" | "signal">; // a stop signal ends a sleep, and further attempts
};

/**
 * Sends a request, and retries transient failures within one time limit. A write is resent only if it never left, or if
 * the server rejected it (429) with a Retry-After.
 */
export async function sendRepeatedly(
  request: Request,
  attempt: TimedExchange,
  { settings, random, trace, io }: RetryPolicy,
): Promise<Response> {
  const { retry = 3, timeout = isRead(request) ? READ_S : WRITE_S } = settings;
  const end = io.ticks() + timeout * 1000;
  for (let tries = 1; ; tries += 1) {
    const result = await attempt(request, end).catch(errorAsResult);
    const next = tries <= retry ? nextTry(request, result, tries, random) : undefined;
    const leftMs = end - io.ticks() - 1; // the timer that ended an attempt may be a millisecond early
    if (next === undefined || next.waitMs >= leftMs) return responseOrThrow(result, tries);
    trace?.write(`${next.why}; retrying in ${(next.waitMs / 1000).toFixed(1)} s`);
    await io.sleep(next.waitMs);
    if (io.signal.aborted) return responseOrThrow(result, tries);
  }
}

const READ_S = 60;
const WRITE_S = 120;
const BASE_DELAY_MS = 500;
const MAX_DELAY_MS = 8_000;
const MAX_JITTER_MS = 1000; // beyond a Retry-After
const MAX_RETRY_AFTER_MS = 60_000; // a longer Retry-After is reported instead

type TryResult = Response | BtError;

function errorAsResult(error: unknown): BtError {
  if (error instanceof BtError) return error;
  throw error;
}

function responseOrThrow(result: TryResult, tries: number): Response {
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
  const mayRetry = status === 429 ? requiredMs !== undefined : isRead(request); // a block is prolonged by each request
  if (!mayRetry || (requiredMs ?? 0) > MAX_RETRY_AFTER_MS) return undefined;
  const waitMs = requiredMs === undefined ? backoffMs : requiredMs + random() * MAX_JITTER_MS;
  return { waitMs, why: `the tracker returned ${isPage ? "a web page" : status}` };
}

/** Statuses after which a read is retried. A write is retried only after a 429, with which it was not processed. */
const TRANSIENT: ReadonlySet<number> = new Set([408, 425, 429, 500, 502, 503, 504]);

/** Destination of a request log, which must redact secrets itself, and whether it gets headers and bodies. */
export type Trace = { readonly write: (line: string) => void; readonly isFull: boolean };

/** Sends a request and logs it with its response: `> GET /rest/bug/7`, `< 200 application/json, 1234 characters in 80 ms`. */
async function sendLogged(
  request: Request,
  end: number,
  exchange: TimedExchange,
  { write, isFull }: Trace,
  ticks: () => number,
): Promise<Response> {
  const writeDetails = (mark: string, { headers = {}, body = "" }: Pick<Request, "headers" | "body">) => {
    if (!isFull) return;
    for (const [name, value] of Object.entries(headers)) write(`${mark} ${name}: ${value}`);
    if (body !== "") write(`${mark} ${typeof body === "object" ? JSON.stringify(body) : body}`);
  };
  const started = ticks();
  const duration = () => `in ${Math.round(ticks() - started)} ms`;
  write(`> ${request.method} ${pathAndQuery(request)}`);
  writeDetails(">", request);
  try {
    const response = await exchange(request, end);
    const { status, headers, body } = response;
    write(`< ${status} ${headers["content-type"] ?? "no type"}, ${body.length} characters ${duration()}`);
    writeDetails("<", response);
    return response;
  } catch (error) {
    write(`< ${error instanceof Error ? error.message : "failed"} ${duration()}`);
    throw error;
  }
}

/** No redirect is followed, so that neither keys nor writes go elsewhere. @throws BtError of kind guard */
export function checkNotRedirected({ status, headers }: Response, request: Request, baseUrl: URL): void {
  if (!REDIRECTS.includes(status)) return;
  const target = headers["location"] && parsedUrl(headers["location"], new URL(urlPath(baseUrl, request), baseUrl));
  const place = target ? `${target.protocol}//${target.host}${target.pathname}` : "nowhere"; // a query may contain a key
  throw new BtError("guard", `${baseUrl.host} redirects to ${place}; the redirect was not followed`, {
    request: requestText(baseUrl, request),
    changed: !isRead(request) && MAY_HAVE_ACTED.includes(status) ? "unknown" : "nothing",
    hint: "if this is the tracker's new address: bt config set base_url NEW-ADDRESS",
    httpStatus: status,
  });
}

const REDIRECTS = [301, 302, 303, 307, 308];
const MAY_HAVE_ACTED = [302, 303]; // usual responses to an accepted form
