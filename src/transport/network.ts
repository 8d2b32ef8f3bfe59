import { BtError, CHECK_ADDRESS } from "../errors.ts";
import {
  type Exchange,
  isRead,
  parsedUrl,
  pathAndQuery,
  type Request,
  type RequestTarget,
  type Response,
} from "../wire/exchange.ts";
import { requestText, requestWithin, urlPath } from "./address.ts";
import { authenticating, CREDENTIAL_PARAMETERS, type Credential, requiringEncryption } from "./authenticate.ts";
import { DEFAULT_LIMITS, type HttpOptions, openHttp, type TimedRequest } from "./http.ts";
import { retrying } from "./retry.ts";

/** Options of the network; without a credential, requests are anonymous. */
export type NetworkOptions = HttpOptions & {
  credential?: Credential | undefined;
  allowHttp?: boolean | undefined;
  retries?: number | undefined; // default 3
  trace?: Trace | undefined;
  random: () => number;
  sleep: (ms: number) => Promise<void>; // ends early if `signal` is aborted
};

export type Network = { readonly exchange: Exchange; readonly close: () => void };

/** HTTP in wrappers, the innermost first: log, encryption, credentials, redirects, retries. */
export function openNetwork(options: NetworkOptions): Network {
  const ticks = options.ticks ?? (() => performance.now());
  const { exchange, close, route } = openHttp({ ...options, ticks });
  const traced = options.trace ? tracing(exchange, options.trace) : exchange;
  const encrypted = requiringEncryption(traced, route, options.allowHttp);
  const authenticated = options.credential ? authenticating(encrypted, options.credential) : encrypted;
  const redirected = followingRedirects(authenticated, options.baseUrl, ticks);
  const retried = retrying(redirected, {
    retries: options.retries,
    limits: { ...DEFAULT_LIMITS, ...options.limits },
    random: options.random,
    now: ticks,
    sleep: options.sleep,
    isStopped: () => options.signal?.aborted === true,
    note: options.trace?.write,
  });
  return { exchange: retried, close };
}

/**
 * Destination and detail of a request log. `write` must redact secrets itself; `now` in
 * milliseconds.
 */
type Trace = {
  write: (line: string) => void;
  level: "verbose" | "debug"; // debug: with headers and bodies
  now: () => number;
};

/**
 * Logs every request and response: `> GET /rest/bug/7`, `< 200 application/json, 1234 characters in
 * 80 ms`.
 */
function tracing(exchange: Exchange, { write, level, now }: Trace): Exchange {
  const detail = (mark: string, message: Pick<Request, "headers" | "body">) => {
    if (level === "debug") for (const line of details(message)) write(`${mark} ${line}`);
  };
  return async (request) => {
    const started = now();
    const took = () => `in ${Math.round(now() - started)} ms`;
    write(`> ${request.method} ${pathAndQuery(request)}`);
    detail(">", request);
    try {
      const response = await exchange(request);
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

/** Headers and the beginning of the body. */
function details({ headers = {}, body = "" }: Pick<Request, "headers" | "body">): string[] {
  const text = typeof body === "object" ? JSON.stringify(body) : body;
  const rest = text.length > MAX_TRACED_BODY ? `... (${text.length} characters)` : "";
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  return text ? [...lines, text.slice(0, MAX_TRACED_BODY) + rest] : lines;
}

const MAX_TRACED_BODY = 10_000;

/**
 * Follows redirects of reads within the same tracker. Wraps the Exchange above the credentials,
 * which are added to each hop. `ticks` is a monotonic clock (ms).
 * @throws BtError of kind guard for any other redirect, so that neither keys nor writes go
 * elsewhere
 */
export function followingRedirects(exchange: Exchange, base: string, ticks: () => number): Exchange {
  const baseUrl = new URL(base);
  return async (request: TimedRequest) => {
    const started = ticks();
    let current: TimedRequest = request;
    for (let hops = 0; hops <= MAX_REDIRECTS; hops += 1) {
      const response = await exchange(current);
      if (!REDIRECTS.includes(response.status)) return response;
      const target = redirectTarget(baseUrl, current, response);
      const left = request.timeoutMs && { timeoutMs: Math.max(1, request.timeoutMs - (ticks() - started)) };
      current = { ...request, ...target, ...left };
    }
    throw new BtError("reply", `redirect loop at ${baseUrl.host}`, {
      request: requestText(baseUrl, request),
      changed: "nothing",
      hint: CHECK_ADDRESS,
    });
  };
}

const MAX_REDIRECTS = 3;
const REDIRECTS = [301, 302, 303, 307, 308];
const MAY_HAVE_ACTED = [302, 303]; // usual responses to an accepted form

function redirectTarget(baseUrl: URL, request: Request, { headers, status }: Response): RequestTarget {
  const target = headers["location"] && parsedUrl(headers["location"], new URL(urlPath(baseUrl, request), baseUrl));
  const within = target && isRead(request) ? requestWithin(baseUrl, target) : undefined;
  if (within) return { ...within, query: within.query.filter(([name]) => !CREDENTIAL_PARAMETERS.includes(name)) };
  const written = isRead(request) ? "" : "the write ";
  const place = target ? targetText(target) : "nowhere";
  throw new BtError("guard", `${baseUrl.host} redirects ${written}to ${place}; the redirect was not followed`, {
    request: requestText(baseUrl, request),
    changed: written && MAY_HAVE_ACTED.includes(status) ? "unknown" : "nothing",
    hint: "if this is the tracker's new address: bt config set base_url NEW-ADDRESS",
    httpStatus: status,
  });
}

/** URL without its query, which may contain a key. */
function targetText({ host, protocol, pathname }: URL): string {
  return host === "" ? `a ${protocol} address` : `${protocol}//${host}${pathname}`;
}
