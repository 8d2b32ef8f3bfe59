import type { IncomingHttpHeaders } from "node:http";
import type { Dispatcher } from "undici";

/** One request as a dispatcher takes it, and what it may cost: times in milliseconds, the body's size in bytes. */
export type SendOptions = {
  readonly options: Dispatcher.DispatchOptions;
  readonly connectMs: number;
  readonly headersMs: number;
  readonly totalMs: number;
  readonly maxBytes: number;
  readonly signal?: AbortSignal | undefined;
};

/** A whole answer as it came, its body still encoded. */
export type RawResponse = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
};

/** Whether a request ended in a fault. */
export function isFault(outcome: RawResponse | NetworkFault): outcome is NetworkFault {
  return "code" in outcome;
}

/**
 * Sends one request and gathers its answer within the limits. It never throws: what goes wrong is the outcome, told as a
 * fault, and the connection is then to be thrown away.
 */
export function sendRequest(dispatcher: Dispatcher, sending: SendOptions): Promise<RawResponse | NetworkFault> {
  return new Promise((settle) => {
    dispatcher.dispatch(sending.options, gather(sending, settle));
  });
}

/** The handler that undici tells of every step; the first end it comes to counts. */
function gather(sending: SendOptions, end: (outcome: RawResponse | NetworkFault) => void): Dispatcher.DispatchHandler {
  const progress: Progress = { sent: false, received: 0, interim: 0, chunks: [] };
  const settle = (outcome: RawResponse | NetworkFault) => {
    watch.stop();
    end(outcome);
  };
  const fail = (code: string, more: Partial<NetworkFault> = {}) => settle({ ...soFar(progress), code, ...more });
  const watch = watchTime(sending, fail);
  watch.within(sending.connectMs, OWN_FAULTS.slowConnect);
  return {
    onRequestStart() {
      progress.sent = true;
      watch.within(sending.headersMs, OWN_FAULTS.slowHeaders);
    },
    onResponseStart(_, status, headers) {
      progress.interim += 1;
      if (status < 200) return progress.interim > MOST_INTERIM ? fail(OWN_FAULTS.chatter) : undefined;
      progress.head = { status, headers: flat(headers) };
      watch.within(sending.totalMs, OWN_FAULTS.slowAnswer);
    },
    onResponseData(_, chunk) {
      progress.received += chunk.length;
      progress.chunks.push(chunk);
      if (progress.received > sending.maxBytes) fail(OWN_FAULTS.tooBig, { limit: sending.maxBytes });
    },
    onResponseEnd() {
      const { head = { status: 0, headers: {} }, chunks } = progress;
      settle({ ...head, body: Buffer.concat(chunks) });
    },
    onResponseError: (_, error) => fail(codeOf(error, progress), { said: said(error), cause: error }),
  };
}

const MOST_INTERIM = 16; // 1xx answers before the real one

type Progress = {
  sent: boolean;
  received: number;
  interim: number;
  head?: { readonly status: number; readonly headers: Readonly<Record<string, string>> };
  readonly chunks: Buffer[];
};

function soFar({ sent, received, head }: Progress): Omit<NetworkFault, "code"> {
  const length = Number(head?.headers["content-length"]);
  return { sent, received, answered: head !== undefined, expected: Number.isFinite(length) ? length : undefined };
}

/** One clock for a request: each phase has its limit, all together have the total, and an abort ends them at once. */
function watchTime({ totalMs, signal }: SendOptions, fail: (code: string, more?: Partial<NetworkFault>) => void) {
  const end = performance.now() + totalMs;
  let timer: NodeJS.Timeout | undefined;
  const interrupt = () => fail(OWN_FAULTS.interrupted);
  signal?.addEventListener("abort", interrupt, { once: true });
  if (signal?.aborted) queueMicrotask(interrupt);
  return {
    within(limit: number, code: string) {
      clearTimeout(timer);
      const left = Math.max(0, end - performance.now());
      timer = setTimeout(() => fail(code, { limit: Math.min(limit, totalMs) }), Math.min(limit, left));
    },
    stop() {
      clearTimeout(timer);
      signal?.removeEventListener("abort", interrupt);
    },
  };
}

function flat(headers: IncomingHttpHeaders): Record<string, string> {
  const pairs = Object.entries(headers).map(([name, value]) => [name, Array.isArray(value) ? value.join(", ") : value]);
  return Object.fromEntries(pairs.filter(([, value]) => value !== undefined));
}

function codeOf(error: Error & { readonly code?: unknown }, { head }: Progress): string {
  if (head === undefined && breaksFraming(error)) return OWN_FAULTS.lengths;
  if (BAD_HTTP.includes(error.name)) return OWN_FAULTS.notHttp;
  if (error.message === "bad response") return OWN_FAULTS.unasked; // undici's word for 100 Continue
  return typeof error.code === "string" ? error.code : error.name;
}

/**
 * Whether headers tell the length of a body twice or not at all well. undici says of most that the body has another length,
 * although it has not read a byte of it.
 * @see https://www.rfc-editor.org/rfc/rfc9112#section-6.3
 */
function breaksFraming({ code, name, message }: Error & { readonly code?: unknown }): boolean {
  if (code === "UND_ERR_RES_CONTENT_LENGTH_MISMATCH") return true;
  return name === "HTTPParserError" && /content-length|transfer-encoding/i.test(message);
}

/** How undici calls what it cannot read; a status line below 100 it does not expect at all. */
const BAD_HTTP = ["HTTPParserError", "AssertionError"];

/** What the error tells beside its code: the first words of a server that does not speak HTTP, the names in a certificate. */
function said(error: Error & { data?: unknown; cert?: { subjectaltname?: unknown } }): string | undefined {
  const text = error.data ?? error.cert?.subjectaltname;
  if (typeof text !== "string") return undefined;
  return (
    text
      .replace(/[^\x20-\x7e].*/s, "")
      .replaceAll("DNS:", "")
      .slice(0, 60) || undefined
  );
}

/** Why a request got no whole answer, and how far it had come. */
export type NetworkFault = {
  readonly code: string; // of the operating system, Node or undici, or one of OWN below
  readonly sent: boolean; // a byte of the request may have left
  readonly answered: boolean; // a byte of the answer came
  readonly received: number; // bytes of the body
  readonly expected?: number | undefined;
  readonly said?: string | undefined; // what the other side sent in place of HTTP; the names in a certificate
  readonly limit?: number | undefined; // the limit that was met, in milliseconds or bytes
  readonly cause?: unknown;
};

/** Faults that `bt` finds itself; the names of all others come from below. */
export const OWN_FAULTS = {
  slowConnect: "BT_SLOW_CONNECT",
  slowHeaders: "BT_SLOW_HEADERS",
  slowAnswer: "BT_SLOW_ANSWER",
  cut: "BT_CUT",
  tooBig: "BT_TOO_BIG",
  tooMany: "BT_TOO_MANY",
  chatter: "BT_CHATTER",
  unasked: "BT_UNASKED",
  notHttp: "BT_NOT_HTTP",
  lengths: "BT_LENGTHS",
  encoding: "BT_ENCODING",
  interrupted: "BT_INTERRUPTED",
} as const;
