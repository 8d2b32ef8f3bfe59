import type { IncomingHttpHeaders } from "node:http";
import type { Dispatcher } from "undici";

/** One request for a dispatcher, with its limits (ms, bytes). */
export type SendOptions = {
  dispatch: Dispatcher.DispatchOptions;
  connectMs: number;
  headersMs: number;
  totalMs: number;
  ticks: () => number; // monotonic clock (ms)
  maxBytes: number; // of the body
  signal?: AbortSignal | undefined;
};

/** A complete response with its encoded body. */
export type RawResponse = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
};

/** True if a request ended in a fault. */
export function isFault(outcome: RawResponse | NetworkFault): outcome is NetworkFault {
  return "code" in outcome;
}

/**
 * Sends one request and collects the response within the limits. Never throws: a failure is returned as a fault, and
 * the connection must then be dropped.
 */
export function sendRequest(dispatcher: Dispatcher, options: SendOptions): Promise<RawResponse | NetworkFault> {
  return new Promise((settle) => {
    dispatcher.dispatch(options.dispatch, responseHandler(options, settle));
  });
}

/** Handler of undici's events; the first end counts. */
function responseHandler(
  options: SendOptions,
  end: (outcome: RawResponse | NetworkFault) => void,
): Dispatcher.DispatchHandler {
  const progress: Progress = { sent: false, received: 0, chunks: [] };
  const settle = (outcome: RawResponse | NetworkFault) => {
    timers.stop();
    end(outcome);
  };
  const fail = (code: string, more: Partial<NetworkFault> = {}) =>
    settle({ ...progressFacts(progress), code, ...more });
  const timers = createTimers(options, fail);
  timers.limitPhase(options.connectMs, OWN_FAULTS.slowConnect);
  return {
    onRequestStart() {
      progress.sent = true;
      timers.limitPhase(options.headersMs, OWN_FAULTS.slowHeaders);
    },
    onResponseStart(_, status, headers) {
      if (status < 200) return;
      progress.head = { status, headers: flatHeaders(headers) };
      timers.limitPhase(options.totalMs, OWN_FAULTS.slowResponse);
    },
    onResponseData(_, chunk) {
      progress.received += chunk.length;
      progress.chunks.push(chunk);
      if (progress.received > options.maxBytes) fail(OWN_FAULTS.tooLarge, { limit: options.maxBytes });
    },
    onResponseEnd() {
      const { head = { status: 0, headers: {} }, chunks } = progress;
      settle({ ...head, body: Buffer.concat(chunks) });
    },
    onResponseError: (_, error) => fail(faultCode(error, progress), errorFacts(error)),
  };
}

type Progress = {
  sent: boolean;
  received: number; // bytes of the body
  head?: { status: number; headers: Readonly<Record<string, string>> };
  chunks: Buffer[];
};

function progressFacts({ sent, received, head }: Progress): Omit<NetworkFault, "code"> {
  const length = Number(head?.headers["content-length"]);
  return { sent, received, answered: head !== undefined, expected: Number.isFinite(length) ? length : undefined };
}

/** Time limits of one request: of its phase, and in total; an abort ends it, too. */
function createTimers(options: SendOptions, fail: (code: string, more?: Partial<NetworkFault>) => void) {
  const { totalMs, ticks, signal } = options;
  const end = ticks() + totalMs;
  let timer: NodeJS.Timeout | undefined;
  const interrupt = () => fail(OWN_FAULTS.interrupted);
  signal?.addEventListener("abort", interrupt, { once: true });
  if (signal?.aborted) queueMicrotask(interrupt);
  return {
    limitPhase(limit: number, code: string) {
      clearTimeout(timer);
      const left = Math.max(0, end - ticks());
      timer = setTimeout(() => fail(code, { limit: Math.min(limit, totalMs) }), Math.min(limit, left));
    },
    stop() {
      clearTimeout(timer);
      signal?.removeEventListener("abort", interrupt);
    },
  };
}

function flatHeaders(headers: IncomingHttpHeaders): Record<string, string> {
  const pairs = Object.entries(headers).map(([name, value]) => [name, Array.isArray(value) ? value.join(", ") : value]);
  return Object.fromEntries(pairs.filter(([, value]) => value !== undefined));
}

type LowerError = Error & { code?: unknown; status?: number; data?: unknown; cert?: { subjectaltname?: unknown } };

/** Code of a fault. undici reports length headers that contradict each other as a mismatch, without having read the body. */
function faultCode({ code, name }: LowerError, { head }: Progress): string {
  if (BAD_HTTP.includes(name)) return OWN_FAULTS.notHttp;
  if (head === undefined && code === "UND_ERR_RES_CONTENT_LENGTH_MISMATCH") return OWN_FAULTS.notHttp;
  return typeof code === "string" ? code : name;
}

/** Error names of undici for invalid HTTP. Node 24 words a failed assertion by its source, and fails on that of a build. */
const BAD_HTTP = ["HTTPParserError", "AssertionError", "SyntaxError"];

/** Details of an error: the first words of a server that does not speak HTTP, or the names in a certificate. */
function errorFacts(error: LowerError): Partial<NetworkFault> {
  const text = error.data ?? error.cert?.subjectaltname;
  const printable = typeof text === "string" ? text.replace(/[^\x20-\x7e].*/s, "").replaceAll("DNS:", "") : "";
  return { errorText: printable.slice(0, 60) || undefined, status: error.status, cause: error };
}

/** Reason why a request got no complete response, and its progress. */
export type NetworkFault = {
  readonly code: string; // of the operating system, Node or undici, or one of OWN_FAULTS
  readonly sent: boolean; // part of the request may have been sent
  readonly answered: boolean; // part of the response was received
  readonly received: number; // body size so far (bytes)
  readonly expected?: number | undefined;
  readonly errorText?: string | undefined; // first bytes sent in place of HTTP; names in a certificate
  readonly limit?: number | undefined; // exceeded limit (ms or bytes)
  readonly status?: number | undefined; // of a proxy
  readonly cause?: unknown;
};

/** Fault codes of this tool; all others come from lower layers. */
export const OWN_FAULTS = {
  slowConnect: "BT_SLOW_CONNECT",
  slowHeaders: "BT_SLOW_HEADERS",
  slowResponse: "BT_SLOW_RESPONSE",
  truncated: "BT_TRUNCATED",
  tooLarge: "BT_TOO_LARGE",
  notHttp: "BT_NOT_HTTP",
  encoding: "BT_ENCODING",
  interrupted: "BT_INTERRUPTED",
  proxyRefusal: "BT_PROXY_REFUSAL",
} as const;
