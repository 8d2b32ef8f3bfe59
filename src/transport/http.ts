import { isUtf8 } from "node:buffer";
import { promisify } from "node:util";
import zlib from "node:zlib";
import type { Dispatcher } from "undici";
import type { SettingValues } from "../config/settings.ts";
import { systemErrorCode } from "../errors.ts";
import type { Io } from "../io.ts";
import { isRead, type Request, type Response } from "../wire/exchange.ts";
import { once } from "../wire/once.ts";
import { proxyFor, urlPath } from "./address.ts";
import { loadTrust, openDispatcher } from "./connections.ts";
import { type Fault, faultError } from "./network-errors.ts";

/** The machine, and a tracker on the network with its settings. */
export type HttpOptions = {
  readonly io: Pick<Io, "env" | "ticks" | "sleep" | "signal" | "halt">;
  readonly baseUrl: string;
  readonly userAgent: string;
  readonly settings: SettingValues;
  readonly insecure?: boolean | undefined;
  readonly note?: ((sentence: string) => void) | undefined; // receives notices about repaired responses
};

/** Sends a request that has to end at a time of the monotonic clock (ms). */
export type TimedExchange = (request: Request, end: number) => Promise<Response>;

export const MAX_BYTES = 10 * 1024 * 1024; // of a body, before and after decoding; parsed data takes about ten times as much
const CONNECT_MS = 10_000; // for DNS lookup, connection and TLS handshake

/**
 * HTTP without redirects and retries: one attempt per request.
 * @throws BtError (from the exchange) that says whether anything may have been changed
 */
export function openHttp({ io, settings, userAgent, insecure, note, ...options }: HttpOptions) {
  const baseUrl = new URL(options.baseUrl);
  const route = { baseUrl, proxy: proxyFor(baseUrl, io.env, settings.proxy) };
  const maxBytes = settings.max_size === undefined ? MAX_BYTES : settings.max_size * 1024 * 1024;
  const trust = once(() => loadTrust(settings.ca_file, insecure));
  const open = async (isPool: boolean) => openDispatcher(route, await trust(), isPool);
  let pool: Promise<Dispatcher> | undefined; // for reads; a write gets a connection of its own
  const send = async (request: Request, end: number): Promise<RawResponse | Fault> => {
    if (isRead(request)) pool ??= open(true);
    const shared = isRead(request) ? pool : undefined;
    const limits = { end, maxBytes, ticks: io.ticks, signal: shared ? io.signal : io.halt };
    const message = requestOptions(baseUrl, userAgent, request);
    const dispatcher = await (shared ?? open(false));
    try {
      return await new Promise((settle) => dispatcher.dispatch(message, responseHandler(limits, settle)));
    } finally {
      if (!shared) dispatcher.destroy().catch(() => undefined);
    }
  };
  return {
    route,
    close: () => void pool?.then((opened) => opened.destroy()).catch(() => undefined),
    async exchange(request: Request, end: number): Promise<Response> {
      const sent = await send(request, end);
      const received = "code" in sent ? sent : await decompress(sent, maxBytes);
      if ("code" in received) throw faultError(received, route, request);
      if (hasTooManyValues(received.body, maxBytes)) throw faultError(tooLarge(maxBytes), route, request);
      if (!isUtf8(received.body)) note?.("invalid UTF-8 in the response; shown as \ufffd");
      return { ...received, body: received.body.toString("utf8").replace(/^\ufeff/, "") };
    },
  };
}

function requestOptions(baseUrl: URL, userAgent: string, request: Request): Dispatcher.DispatchOptions {
  const body = typeof request.body === "object" ? JSON.stringify(request.body) : request.body;
  const headers = {
    accept: "application/json",
    "accept-encoding": "gzip",
    "user-agent": userAgent,
    ...(body === undefined ? {} : { "content-type": "application/json" }),
    ...request.headers,
  };
  const method = request.method as Dispatcher.HttpMethod;
  return { origin: baseUrl.origin, method, path: urlPath(baseUrl, request), headers, body: body ?? null };
}

/** A complete response with its bytes. */
type RawResponse = Omit<Response, "body"> & { readonly body: Buffer };

type Limits = Pick<Io, "ticks" | "signal"> & { readonly end: number; readonly maxBytes: number };

/** Handler of undici's events, which collects the response within the limits; the first end counts. */
function responseHandler(
  { end, maxBytes, ticks, signal }: Limits,
  settle: (outcome: RawResponse | Fault) => void,
): Dispatcher.DispatchHandler {
  const started = ticks();
  const chunks: Buffer[] = [];
  let [isSent, received] = [false, 0];
  let head: Omit<RawResponse, "body"> | undefined;
  let timer: NodeJS.Timeout | undefined;
  let isOver = false;
  let controller: Dispatcher.DispatchController | undefined;
  const finish = (outcome: RawResponse | Fault) => {
    isOver = true;
    clearTimeout(timer);
    signal.removeEventListener("abort", interrupt);
    settle(outcome);
  };
  const fail = (code: string, more: Partial<Fault> = {}) => {
    if (isOver) return;
    finish({ code, isSent, isAnswered: head !== undefined, ...more });
    controller?.abort(new Error(code));
  };
  const interrupt = () => fail("BT_INTERRUPTED");
  const limitTo = (limit: number) => {
    clearTimeout(timer);
    timer = setTimeout(() => fail("BT_SLOW", { limit }), Math.max(0, started + limit - ticks()));
  };
  signal.addEventListener("abort", interrupt, { once: true });
  if (signal.aborted) queueMicrotask(interrupt);
  limitTo(Math.min(CONNECT_MS, end - started));
  return {
    onRequestStart(own) {
      if (isOver) return own.abort(new Error("too late"));
      [controller, isSent] = [own, true];
      limitTo(end - started);
    },
    onResponseStart(_, status, headers) {
      if (status < 200) return;
      const pairs = Object.entries(headers).map(([name, value]) => [name, [value ?? []].flat().join(", ")] as const);
      head = { status, headers: Object.fromEntries(pairs) };
    },
    onResponseData(_, chunk) {
      received += chunk.length;
      chunks.push(chunk);
      if (received > maxBytes) fail("BT_TOO_LARGE", { limit: maxBytes });
    },
    onResponseEnd: () => finish({ status: 0, headers: {}, ...head, body: Buffer.concat(chunks.splice(0)) }),
    onResponseError: (_, error) => fail(faultCode(error, head !== undefined), { cause: error }),
  };
}

/**
 * Code of a fault. undici reports length headers that contradict each other as a mismatch, without having read the body;
 * Node 24 words a failed assertion by its source, and fails on that of a build.
 */
function faultCode({ code, name }: Error & { code?: unknown }, isAnswered: boolean): string {
  const isInvalid =
    code === "UND_ERR_HEADERS_OVERFLOW" || (!isAnswered && code === "UND_ERR_RES_CONTENT_LENGTH_MISMATCH");
  if (isInvalid || ["HTTPParserError", "AssertionError", "SyntaxError"].includes(name)) return "BT_NOT_HTTP";
  return typeof code === "string" ? code : name;
}

/** The response with the bytes of its body, of at most `maxBytes`. */
async function decompress(response: RawResponse, maxBytes: number): Promise<RawResponse | Fault> {
  const { headers, body } = response;
  const encoding = (headers["content-encoding"]?.trim() || "identity").toLowerCase();
  if (encoding === "identity" || body.length === 0) return response;
  const fault = { code: "BT_ENCODING", isSent: true, isAnswered: true };
  if (!["gzip", "x-gzip"].includes(encoding)) return fault;
  try {
    return { ...response, body: await gunzip(body, { maxOutputLength: maxBytes }) };
  } catch (cause) {
    const code = systemErrorCode(cause);
    if (code === "ERR_BUFFER_TOO_LARGE") return tooLarge(maxBytes);
    return code === "Z_BUF_ERROR" ? { ...fault, code: "UND_ERR_SOCKET" } : { ...fault, cause };
  }
}

function tooLarge(limit: number): Fault {
  return { code: "BT_TOO_LARGE", isSent: true, isAnswered: true, limit };
}

/** True if the values of a JSON text would take far more memory than the text: an empty object takes thirty times as much. */
function hasTooManyValues(bytes: Buffer, maxBytes: number): boolean {
  if (bytes.length < maxBytes / 5) return false;
  let signs = 0;
  // an iterator takes twice as long
  for (let at = 0; at < bytes.length; at += 1)
    if (bytes[at] === 0x7b || bytes[at] === 0x5b || bytes[at] === 0x2c) signs += 1; // { [ ,
  return signs > maxBytes / BYTES_PER_VALUE;
}

const BYTES_PER_VALUE = 16; // in a text of the full size; bugs and fields have more

const gunzip = promisify<Buffer, { maxOutputLength: number }, Buffer>(zlib.gunzip);
