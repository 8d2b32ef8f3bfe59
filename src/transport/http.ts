import type { Dispatcher } from "undici";
import { type Exchange, isRead, type Response } from "../wire/exchange.ts";
import { proxyFor, urlPath } from "./address.ts";
import { createConnectionPool } from "./connections.ts";
import { DEFAULT_LIMITS, type RequestLimits, type TimedRequest, totalMs } from "./limits.ts";
import { faultError, type NetworkRoute } from "./network-errors.ts";
import { decodeBody } from "./response-body.ts";
import { isFault, type NetworkFault, type RawResponse, type SendOptions, sendRequest } from "./send.ts";

/** Options of HTTP; `env` is read for proxies, `engine` is V8's version. */
export type HttpOptions = {
  baseUrl: string;
  userAgent: string;
  env: Readonly<Record<string, string | undefined>>;
  ticks?: (() => number) | undefined; // monotonic clock (ms)
  engine?: string | undefined;
  caFile?: string | undefined;
  insecure?: boolean | undefined;
  proxy?: string | undefined;
  limits?: Partial<RequestLimits> | undefined;
  signal?: AbortSignal | undefined; // aborts reads
  halt?: AbortSignal | undefined; // aborts writes, too
  note?: ((sentence: string) => void) | undefined; // receives notices about repaired responses
};

/** HTTP as an Exchange, with its route. */
type Http = { exchange: Exchange; route: NetworkRoute; close: () => void };

/**
 * One HTTP attempt per request: redirects are not followed, and only a read on a connection that the server had closed
 * is resent.
 * @throws BtError (from the Exchange) that says whether anything may have been changed
 */
export function openHttp(options: HttpOptions): Http {
  const baseUrl = new URL(options.baseUrl);
  const proxy = proxyFor(baseUrl, options.env, options.proxy);
  const { ticks = () => performance.now() } = options;
  const setup: HttpSetup = { ...options, baseUrl, proxy, ticks, limits: { ...DEFAULT_LIMITS, ...options.limits } };
  const connections = createConnectionPool(setup);

  const attempt = async (request: TimedRequest, connection: "new" | "any"): Promise<RawResponse | NetworkFault> => {
    const started = ticks();
    const lease = await connections.take(connection);
    const outcome = await sendRequest(lease.dispatcher, sendOptions(setup, request));
    connections.giveBack(lease, connection === "any" && !isFault(outcome));
    if (!lease.isReused || !isFault(outcome) || !wasClosed(outcome)) return outcome;
    const timeoutMs = Math.max(1, totalMs(request, setup.limits) - (ticks() - started));
    return attempt({ ...request, timeoutMs }, "new");
  };

  return {
    async exchange(request: TimedRequest) {
      const outcome = await attempt(request, isRead(request) ? "any" : "new");
      if (isFault(outcome)) throw faultError(outcome, setup, request);
      return decodeResponse(outcome, setup, request);
    },
    route: { baseUrl, proxy },
    close: connections.close,
  };
}

type HttpSetup = Omit<HttpOptions, "baseUrl" | "limits" | "proxy" | "ticks"> &
  NetworkRoute & { limits: RequestLimits; ticks: () => number };

/** True if the server had closed a connection before the request was sent on it. */
function wasClosed({ answered, code }: NetworkFault): boolean {
  return !answered && ["ECONNRESET", "EPIPE", "UND_ERR_SOCKET"].includes(code);
}

function sendOptions(setup: HttpSetup, request: TimedRequest): SendOptions {
  const { limits, signal, halt } = setup;
  const total = totalMs(request, limits);
  const body = typeof request.body === "object" ? JSON.stringify(request.body) : request.body;
  const headers = {
    accept: "application/json",
    "accept-encoding": "gzip, br",
    "user-agent": setup.userAgent,
    ...(body === undefined ? {} : { "content-type": "application/json" }),
    ...request.headers,
  };
  const method = request.method as Dispatcher.HttpMethod;
  return {
    dispatch: {
      origin: setup.baseUrl.origin,
      method,
      path: urlPath(setup.baseUrl, request),
      headers,
      body: body ?? null,
    },
    connectMs: limits.connectMs,
    headersMs: isRead(request) ? limits.headersMs : total,
    totalMs: total,
    ticks: setup.ticks,
    maxBytes: limits.maxBytes,
    signal: isRead(request) ? signal : halt,
  };
}

async function decodeResponse(response: RawResponse, setup: HttpSetup, request: TimedRequest): Promise<Response> {
  const body = await decodeBody(response, setup.limits.maxBytes);
  if ("code" in body) {
    throw faultError({ ...body, sent: true, answered: true, received: response.body.length }, setup, request);
  }
  if (body.isMended) setup.note?.("invalid UTF-8 in the response; shown as \ufffd");
  return { status: response.status, headers: response.headers, body: body.text };
}
