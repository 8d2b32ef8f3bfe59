import type { IncomingHttpHeaders } from "node:http";
import type { Dispatcher } from "undici";

/** One request for a dispatcher, with its limits (ms, bytes). */
export type SendOptions = {
  readonly dispatch: Dispatcher.DispatchOptions;
  readonly connectMs: number;
  readonly headersMs: number;
  readonly totalMs: number;
  readonly ticks: () => number; // monotonic clock (ms)
  readonly maxBytes: number; // of the body
  readonly signal?: AbortSignal | undefined;
};

/** A complete response with its encoded body. */
export type RawResponse = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
};

/** Reason why a request got no complete response, and its progress. */
export type NetworkFault = {
  readonly code: string; // of the operating system, Node or undici, or one of OWN_FAULTS
  readonly sent: boolean; // part of the request may have been sent
  readonly answered: boolean; // part of the response was received
  readonly received: number; // body size so far (bytes)
  readonly expected?: number | undefined;
  readonly errorText?: string | undefined; // first bytes sent in place of HTTP; an encoding
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

/**
 * Sends one request and collects the response within the limits. Never throws: a failure is
 * returned as a fault, and the connection must then be dropped.
 */
export function sendRequest(dispatcher: Dispatcher, options: SendOptions): Promise<RawResponse | NetworkFault> {
  return new Promise((settle) => {
    dispatcher.dispatch(options.dispatch, responseHandler(options, settle));
  });
}

/** True if a request ended in a fault. */
export function isFault(outcome: RawResponse | NetworkFault): outcome is NetworkFault {
  return "code" in outcome;
}

/** Handler of undici's events; the first end counts. */
function responseHandler(
  { connectMs, headersMs, totalMs, maxBytes, ticks, signal }: SendOptions,
  end: (outcome: RawResponse | NetworkFault) => void,
): Dispatcher.DispatchHandler {
  const started = ticks();
  const chunks: Buffer[] = [];
  let [sent, received] = [false, 0];
  let head: Omit<RawResponse, "body"> | undefined;
  let timer: NodeJS.Timeout | undefined;
  const settle = (outcome: RawResponse | NetworkFault) => {
    clearTimeout(timer);
    signal?.removeEventListener("abort", interrupt);
    end(outcome);
  };
  const fail = (code: string, more: Partial<NetworkFault> = {}) => {
    const expected = Number(head?.headers["content-length"] ?? Number.NaN) || undefined;
    settle({ code, sent, received, answered: head !== undefined, expected, ...more });
  };
  const interrupt = () => fail(OWN_FAULTS.interrupted);
  const limitPhase = (phaseMs: number, code: string) => {
    clearTimeout(timer);
    const leftMs = Math.max(0, started + totalMs - ticks());
    timer = setTimeout(() => fail(code, { limit: Math.min(phaseMs, totalMs) }), Math.min(phaseMs, leftMs));
  };
  signal?.addEventListener("abort", interrupt, { once: true });
  if (signal?.aborted) queueMicrotask(interrupt);
  limitPhase(connectMs, OWN_FAULTS.slowConnect);
  return {
    onRequestStart() {
      sent = true;
      limitPhase(headersMs, OWN_FAULTS.slowHeaders);
    },
    onResponseStart(_, status, headers) {
      if (status < 200) return;
      head = { status, headers: flatHeaders(headers) };
      limitPhase(totalMs, OWN_FAULTS.slowResponse);
    },
    onResponseData(_, chunk) {
      received += chunk.length;
      chunks.push(chunk);
      if (received > maxBytes) fail(OWN_FAULTS.tooLarge, { limit: maxBytes });
    },
    onResponseEnd: () => settle({ status: 0, headers: {}, ...head, body: Buffer.concat(chunks.splice(0)) }),
    onResponseError: (_, error) => fail(faultCode(error, head !== undefined), errorFacts(error)),
  };
}

function flatHeaders(headers: IncomingHttpHeaders): Record<string, string> {
  const pairs = Object.entries(headers).map(([name, value]) => [name, Array.isArray(value) ? value.join(", ") : value]);
  return Object.fromEntries(pairs.filter(([, value]) => value !== undefined));
}

type LowerError = Error & { code?: unknown; status?: number; data?: unknown };

/**
 * Code of a fault. undici reports length headers that contradict each other as a mismatch, without
 * having read the body.
 */
function faultCode({ code, name }: LowerError, isAnswered: boolean): string {
  const isMismatch = !isAnswered && code === "UND_ERR_RES_CONTENT_LENGTH_MISMATCH";
  if (isMismatch || BAD_HTTP.includes(name)) return OWN_FAULTS.notHttp;
  return typeof code === "string" ? code : name;
}

/**
 * Error names of undici for invalid HTTP. Node 24 words a failed assertion by its source, and fails
 * on that of a build.
 */
const BAD_HTTP = ["HTTPParserError", "AssertionError", "SyntaxError"];

/** Details of an error, with the first words of a server that does not speak HTTP. */
function errorFacts(error: LowerError): Partial<NetworkFault> {
  const printable = typeof error.data === "string" ? error.data.replace(/[^\x20-\x7e].*/s, "") : "";
  return { errorText: printable.slice(0, 60) || undefined, status: error.status, cause: error };
}
