import { isUtf8 } from "node:buffer";
import { readFileSync } from "node:fs";
import type { Readable } from "node:stream";
import { promisify } from "node:util";
import zlib from "node:zlib";
import type { Dispatcher } from "undici";
import buildConnector from "undici/lib/core/connect.js";
import Client from "undici/lib/dispatcher/client.js";
import { BtError } from "../errors.ts";
import { type Exchange, isRead, type Request, type Response } from "../wire/exchange.ts";
import { once } from "../wire/once.ts";
import { proxyFor, urlPath } from "./address.ts";
import { checkFile, fileBody, type StreamedBody } from "./file-body.ts";
import { faultError, type NetworkRoute } from "./network-errors.ts";
import { isFault, type NetworkFault, OWN_FAULTS, type RawResponse, type SendOptions, sendRequest } from "./send.ts";
import { withoutWasmTierUp } from "./wasm-tierup-workaround.ts";

/** Options of the network; `env` is read for proxies, `engine` is V8's version (see wasm-tierup-workaround.ts). */
export type NetworkOptions = {
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

/** The network as an Exchange, with its route. */
export type Network = { readonly exchange: Exchange; readonly route: NetworkRoute; readonly close: () => void };

/**
 * One HTTP attempt per request: redirects are not followed, and only a read on a connection that the server had closed
 * is resent.
 * @throws BtError (from the Exchange) that says whether anything may have been changed
 */
export function openNetworkExchange(options: NetworkOptions): Network {
  const baseUrl = new URL(options.baseUrl);
  const proxy = proxyFor(baseUrl, options.env, options.proxy);
  const { ticks = () => performance.now() } = options;
  const setup: NetworkSetup = { ...options, baseUrl, proxy, ticks, limits: { ...DEFAULT_LIMITS, ...options.limits } };
  const sockets = createConnections(dispatcherFactory(setup));

  const attempt = async (request: TimedRequest, kind: "fresh" | "any"): Promise<RawResponse | NetworkFault> => {
    const started = ticks();
    const lease = await sockets.take(kind);
    const outcome = await sendRequest(lease.dispatcher, await sendOptions(setup, request));
    if (kind === "any" && !isFault(outcome)) sockets.giveBack(lease);
    else sockets.drop(lease);
    const wasClosed = isFault(outcome) && lease.reused && !outcome.answered && CLOSED_CODES.includes(outcome.code);
    if (!wasClosed) return outcome;
    const timeoutMs = Math.max(1, totalMs(request, setup.limits) - (ticks() - started));
    return attempt({ ...request, timeoutMs }, "fresh");
  };

  return {
    async exchange(request: TimedRequest) {
      if (request.file) await checkFile(request.file);
      const outcome = await attempt(request, isRead(request) ? "any" : "fresh");
      if (isFault(outcome)) throw faultError(outcome, setup, request);
      return readResponse(outcome, setup, request);
    },
    route: { baseUrl, proxy },
    close: sockets.close,
  };
}

type NetworkSetup = Omit<NetworkOptions, "baseUrl" | "limits" | "proxy" | "ticks"> &
  NetworkRoute & { limits: RequestLimits; ticks: () => number };

/** Codes of a request on a connection that the server had closed meanwhile. */
const CLOSED_CODES = ["ECONNRESET", "EPIPE", "UND_ERR_SOCKET"];

function dispatcherFactory(setup: NetworkSetup): (keepAlive: boolean) => Promise<Dispatcher> {
  const connectOptions = once(() => loadConnectOptions(setup));
  return async (keepAlive) => {
    const { tls, connect } = await connectOptions();
    const client: Client.Options = {
      pipelining: keepAlive ? 1 : 0,
      maxHeaderSize: setup.limits.maxHeaderBytes,
      headersTimeout: 0, // send.ts enforces all time limits
      bodyTimeout: 0,
      keepAliveTimeoutThreshold: 500, // with the usual 2 s, none is reused where the server keeps it for 2 s
    };
    if (setup.proxy === undefined) return new Client(setup.baseUrl.origin, { ...client, connect });
    const { proxyConnection } = await import("./proxy-connection.ts");
    return proxyConnection(setup.proxy, { baseUrl: setup.baseUrl, tls, client });
  };
}

/** Options shared by all connections: trusted certificates, and a connector that keeps TLS sessions. */
async function loadConnectOptions(setup: NetworkSetup) {
  const ca = setup.caFile === undefined ? {} : { ca: await readTrustedAuthorities(setup.caFile) };
  const tls = { ...ca, rejectUnauthorized: setup.insecure !== true };
  const family = { autoSelectFamily: true, autoSelectFamilyAttemptTimeout: 250 };
  return { tls, connect: withoutWasmTierUp(buildConnector({ ...tls, ...family, timeout: 0 }), setup.engine ?? "") };
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

async function sendOptions(setup: NetworkSetup, request: TimedRequest): Promise<SendOptions> {
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
    options: {
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

async function readResponse(response: RawResponse, setup: NetworkSetup, request: TimedRequest): Promise<Response> {
  const { maxBytes } = setup.limits;
  const body = await decodedBody(response, maxBytes);
  if ("code" in body) {
    const fault = { ...body, sent: true, answered: true, received: response.body.length, limit: maxBytes };
    throw faultError(fault, setup, request);
  }
  if (body.mended) setup.note?.("invalid UTF-8 in the response; shown as \ufffd");
  return { status: response.status, headers: response.headers, body: body.text };
}

/** Limits of one request: times in milliseconds, sizes in bytes. */
export type RequestLimits = {
  readonly connectMs: number; // DNS lookup, connection and TLS handshake
  readonly headersMs: number; // until the status line of the response to a read
  readonly readMs: number; // a whole read, including retries and redirects
  readonly writeMs: number; // a whole write
  readonly maxBytes: number; // body size before and after decoding; parsed data takes about ten times as much
  readonly maxHeaderBytes: number;
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
export type TimedRequest = Request & { readonly timeoutMs?: number };

/** Time limit of a whole request (ms); a file has time for a slow connection. */
export function totalMs(request: TimedRequest, limits: RequestLimits): number {
  const limit = isRead(request) ? limits.readMs : limits.writeMs;
  return request.timeoutMs ?? limit + (request.file ?? request.receiver ?? { size: 0 }).size / SLOW_BYTES_PER_MS;
}

const SLOW_BYTES_PER_MS = 128; // a million bits per second

/** A connection in use by one request. A reused one may have been closed by the server. */
export type Lease = { readonly dispatcher: Dispatcher; readonly reused: boolean };

/** Pool of connections to one server; idle ones serve the next read. */
export type Connections = {
  readonly take: (kind: "fresh" | "any") => Promise<Lease>;
  readonly giveBack: (lease: Lease) => void;
  readonly drop: (lease: Lease) => void;
  readonly close: () => void; // idle ones end with the process, or by themselves after some seconds
};

/** Error that connections are destroyed with. Node reads its stack, which V8 would otherwise have to write. */
const CLOSED = Object.assign(new Error("the connection is no longer needed"), { stack: "" });

/** Creates a pool. A fresh connection is not kept alive, since it serves a single write. */
function createConnections(open: (keepAlive: boolean) => Promise<Dispatcher>): Connections {
  const idle: Dispatcher[] = [];
  const all = new Set<Dispatcher>();
  const end = (dispatcher: Dispatcher) => {
    all.delete(dispatcher);
    dispatcher.destroy(CLOSED).catch(() => undefined);
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
    close() {
      for (const dispatcher of all) if (!idle.includes(dispatcher)) end(dispatcher);
    },
  };
}

const WEIGHT_BY_SIGN: Readonly<Record<string, number>> = { '"': 0.75, ",": 1, ":": 1, "[": 2, "{": 8 };

/** Text of a body, or the fault code and its subject. */
export type DecodedBody =
  | { readonly text: string; readonly mended: boolean } // mended: invalid UTF-8 was replaced by U+FFFD
  | { readonly code: string; readonly errorText?: string };

/** Decodes a response body of at most `maxBytes`; a byte order mark is removed. */
async function decodedBody(response: RawResponse, maxBytes: number): Promise<DecodedBody> {
  const bytes = await decompress(response, maxBytes);
  if (!Buffer.isBuffer(bytes)) return bytes;
  if (needsTooMuchMemory(bytes, maxBytes)) return { code: OWN_FAULTS.tooMany };
  const text = bytes.toString("utf8").replace(/^\ufeff/, "");
  if (endsWithConnection(response) && isJson(response) && !isValidJson(text)) return { code: OWN_FAULTS.cut };
  return { text, mended: !isUtf8(bytes) };
}

/**
 * True if the parsed JSON would take far more memory than its text: an empty object takes thirty times its text, and
 * one letter beyond Latin-1 doubles the whole string. Bugs and fields are far from either.
 */
function needsTooMuchMemory(bytes: Buffer, maxBytes: number): boolean {
  if (bytes.length < maxBytes / 5) return false;
  let [weight, units, unit] = [0, 0, 1];
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at] ?? 0; // an iterator takes twice as long
    weight += WEIGHTS[byte] ?? 0;
    if (byte < 0x80 || byte > 0xbf) units += 1; // continuation bytes
    if (byte >= FIRST_BEYOND_LATIN) unit = 2;
  }
  return weight > maxBytes / 4 || units * unit > maxBytes;
}

/** Number of values that a JSON delimiter accounts for: half a text, a value, a name, a list, an object. */
const WEIGHTS = Float64Array.from({ length: 256 }, (_, code) => WEIGHT_BY_SIGN[String.fromCharCode(code)] ?? 0);
const FIRST_BEYOND_LATIN = 0xc4; // first UTF-8 byte of U+0100

async function decompress(
  response: RawResponse,
  maxBytes: number,
): Promise<Buffer | { code: string; errorText?: string }> {
  const encoding = (response.headers["content-encoding"]?.trim() || "identity").toLowerCase();
  if (encoding === "identity" || response.body.length === 0) return response.body;
  const decoder = DECODERS.get(encoding);
  if (decoder === undefined)
    return { code: OWN_FAULTS.encoding, errorText: `encoding ${JSON.stringify(encoding.slice(0, 40))}` };
  try {
    return await promisify<Buffer, { maxOutputLength: number }, Buffer>(zlib[decoder])(response.body, {
      maxOutputLength: maxBytes,
    });
  } catch (error) {
    const code = error instanceof Error && "code" in error ? String(error.code) : "";
    const fault = DECODING_FAULTS.get(code);
    return fault === undefined ? { code: OWN_FAULTS.encoding, errorText: `broken ${encoding}` } : { code: fault };
  }
}

/** Fault codes by zlib error: too large, or truncated. */
const DECODING_FAULTS: ReadonlyMap<string, string> = new Map([
  ["ERR_BUFFER_TOO_LARGE", OWN_FAULTS.tooBig],
  ["Z_BUF_ERROR", OWN_FAULTS.cut],
]);

const DECODERS: ReadonlyMap<string, "unzip" | "brotliDecompress"> = new Map([
  ["gzip", "unzip"],
  ["x-gzip", "unzip"],
  ["deflate", "unzip"],
  ["br", "brotliDecompress"],
]);

/** True if the body is delimited by the end of the connection, so that truncation cannot be detected. */
function endsWithConnection({ headers }: RawResponse): boolean {
  return headers["content-length"] === undefined && headers["transfer-encoding"] === undefined;
}

function isJson({ headers }: RawResponse): boolean {
  return /\bjson\b/i.test(headers["content-type"] ?? "");
}

function isValidJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
