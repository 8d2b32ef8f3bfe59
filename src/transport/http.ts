import type { Readable } from "node:stream";
import type { Dispatcher } from "undici";
import { type Exchange, isRead, type Response } from "../wire/exchange.ts";
import { proxyFor, urlPath } from "./address.ts";
import { createConnectionPool } from "./connections.ts";
import { checkFile, fileBody, type StreamedBody } from "./file-data.ts";
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
    const outcome = await sendRequest(lease.dispatcher, await sendOptions(setup, request));
    if (connection === "any" && !isFault(outcome)) connections.giveBack(lease);
    else connections.drop(lease);
    if (!lease.isReused || !isFault(outcome) || !wasClosed(outcome)) return outcome;
    const timeoutMs = Math.max(1, totalMs(request, setup.limits) - (ticks() - started));
    return attempt({ ...request, timeoutMs }, "new");
  };

  return {
    async exchange(request: TimedRequest) {
      if (request.file) await checkFile(request.file);
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

async function sendOptions(setup: HttpSetup, request: TimedRequest): Promise<SendOptions> {
  const total = totalMs(request, setup.limits);
  const body = await readSentBody(request);
  const headers = {
    accept: "application/json",
    "accept-encoding": request.receiver ? "identity" : "gzip, br",
    "user-agent": setup.userAgent,
    ...(body === undefined ? {} : { "content-type": "application/json" }),
    ...(typeof body === "object" ? { "content-length": String(body.length) } : {}),
    ...request.headers,
  };
  return {
    dispatch: {
      origin: setup.baseUrl.origin,
      method: request.method as Dispatcher.HttpMethod,
      path: urlPath(setup.baseUrl, request),
      headers,
      body: typeof body === "object" ? unbuffered(body) : (body ?? null),
    },
    connectMs: setup.limits.connectMs,
    headersMs: isRead(request) ? setup.limits.headersMs : total,
    totalMs: total,
    ticks: setup.ticks,
    maxBytes: setup.limits.maxBytes,
    receiver: request.receiver,
    signal: isRead(request) ? setup.signal : setup.halt,
  };
}

/**
 * A body in pieces as it comes: undici asks for a piece when the socket has taken the last one, while a stream would ask for
 * it before, and so overwrite what is still to be sent. Its types lack iterables.
 * @see https://undici.nodejs.org/#/docs/api/Dispatcher?id=parameter-dispatchoptions
 */
function unbuffered({ pieces }: StreamedBody): Readable {
  return pieces as Readable;
}

async function readSentBody({ body, file }: TimedRequest): Promise<string | StreamedBody | undefined> {
  if (body === undefined || typeof body === "string") return body;
  return file ? fileBody(body, file) : JSON.stringify(body);
}

async function decodeResponse(response: RawResponse, setup: HttpSetup, request: TimedRequest): Promise<Response> {
  const { maxBytes } = setup.limits;
  const body = await decodeBody(response, maxBytes);
  if ("code" in body) {
    const fault = { ...body, sent: true, answered: true, received: response.body.length, limit: maxBytes };
    throw faultError(fault, setup, request);
  }
  if (body.isMended) setup.note?.("invalid UTF-8 in the response; shown as \ufffd");
  return { status: response.status, headers: response.headers, body: body.text };
}
