import { isUtf8 } from "node:buffer";
import { promisify } from "node:util";
import zlib from "node:zlib";
import type { Dispatcher } from "undici";
import { systemErrorCode } from "../errors.ts";
import { type Exchange, isRead, type Request } from "../wire/exchange.ts";
import { proxyFor, urlPath } from "./address.ts";
import { createConnectionPool } from "./connections.ts";
import { faultError, type NetworkRoute } from "./network-errors.ts";
import { isFault, type NetworkFault, OWN_FAULTS, type RawResponse, type SendOptions, sendRequest } from "./send.ts";

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

/** Limits of one request: times in milliseconds, sizes in bytes. */
export type RequestLimits = {
  connectMs: number; // DNS lookup, connection and TLS handshake
  headersMs: number; // until the status line of the response to a read
  readMs: number; // a whole read, including retries and redirects
  writeMs: number; // a whole write
  maxBytes: number; // body size before and after decoding; parsed data takes about ten times as much
  maxHeaderBytes: number;
};

export const DEFAULT_LIMITS: RequestLimits = {
  connectMs: 10_000,
  headersMs: 30_000,
  readMs: 60_000,
  writeMs: 120_000,
  maxBytes: 10 * 1024 * 1024,
  maxHeaderBytes: 64 * 1024,
};

/** A request with its remaining time (ms). */
export type TimedRequest = Request & { timeoutMs?: number };

/** Time limit of a whole request (ms); an attachment has time for a slow connection. */
export function totalMs(request: TimedRequest, limits: RequestLimits): number {
  const limit = isRead(request) ? limits.readMs : limits.writeMs;
  const data = typeof request.body === "object" ? request.body["data"] : "";
  return request.timeoutMs ?? limit + (typeof data === "string" ? data.length : 0) / SLOW_BYTES_PER_MS;
}

const SLOW_BYTES_PER_MS = 128; // a million bits per second

/** HTTP as an Exchange, with its route. */
type Http = { exchange: Exchange; route: NetworkRoute; close: () => void };

/**
 * One HTTP attempt per request: redirects are not followed, and only a read on a connection that
 * the server had closed is resent.
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
      const bytes = isFault(outcome) ? outcome : await decompress(outcome, setup.limits.maxBytes);
      if (isFault(outcome) || !Buffer.isBuffer(bytes)) throw faultError(bytes as NetworkFault, setup, request);
      if (hasTooManyValues(bytes, setup.limits.maxBytes)) throw faultError(tooManyValues(bytes), setup, request);
      if (!isUtf8(bytes)) setup.note?.("invalid UTF-8 in the response; shown as \ufffd");
      const body = bytes.toString("utf8").replace(/^\ufeff/, "");
      return { status: outcome.status, headers: outcome.headers, body };
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
  const { baseUrl, limits, userAgent, ticks, signal, halt } = setup;
  const total = totalMs(request, limits);
  const body = typeof request.body === "object" ? JSON.stringify(request.body) : request.body;
  const headers = {
    accept: "application/json",
    "accept-encoding": "gzip",
    "user-agent": userAgent,
    ...(body === undefined ? {} : { "content-type": "application/json" }),
    ...request.headers,
  };
  const method = request.method as Dispatcher.HttpMethod;
  return {
    dispatch: { origin: baseUrl.origin, method, path: urlPath(baseUrl, request), headers, body: body ?? null },
    connectMs: limits.connectMs,
    headersMs: isRead(request) ? limits.headersMs : total,
    totalMs: total,
    ticks,
    maxBytes: limits.maxBytes,
    signal: isRead(request) ? signal : halt,
  };
}

/**
 * True if the values of a JSON text would take far more memory than the text: an empty object takes
 * thirty times as much.
 */
function hasTooManyValues(bytes: Buffer, maxBytes: number): boolean {
  if (bytes.length < maxBytes / 5) return false;
  let signs = 0;
  for (let at = 0; at < bytes.length; at += 1) signs += VALUE_SIGNS[bytes[at] ?? 0] ?? 0; // an iterator takes twice as long
  return signs > maxBytes / BYTES_PER_VALUE;
}

const VALUE_SIGNS = Uint8Array.from({ length: 256 }, (_, code) => ("{[,".includes(String.fromCharCode(code)) ? 1 : 0));
const BYTES_PER_VALUE = 16; // in a text of the full size; bugs and fields have more

function tooManyValues({ length }: Buffer): NetworkFault {
  return { code: OWN_FAULTS.tooLarge, sent: true, answered: true, received: length };
}

/** The bytes of a body, of at most `maxBytes`. */
async function decompress({ headers, body }: RawResponse, maxBytes: number): Promise<Buffer | NetworkFault> {
  const fault = { sent: true, answered: true, received: body.length };
  const encoding = (headers["content-encoding"]?.trim() || "identity").toLowerCase();
  if (encoding === "identity" || body.length === 0) return body;
  const undecodable = { ...fault, code: OWN_FAULTS.encoding, errorText: encoding.slice(0, 40) };
  if (!["gzip", "x-gzip"].includes(encoding)) return undecodable;
  try {
    return await gunzip(body, { maxOutputLength: maxBytes });
  } catch (error) {
    const code = systemErrorCode(error);
    if (code === "ERR_BUFFER_TOO_LARGE") return { ...fault, code: OWN_FAULTS.tooLarge, limit: maxBytes };
    return code === "Z_BUF_ERROR" ? { ...fault, code: OWN_FAULTS.truncated } : undecodable;
  }
}

const gunzip = promisify<Buffer, { maxOutputLength: number }, Buffer>(zlib.gunzip);
