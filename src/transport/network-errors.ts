import { BtError, CHECK_ADDRESS } from "../errors.ts";
import { isRead, type Request } from "../wire/exchange.ts";
import { requestText } from "./address.ts";

/** Route to a tracker: its base URL, and the proxy if any. */
export type NetworkRoute = { readonly baseUrl: URL; readonly proxy?: URL | undefined };

/** Reason why a request got no complete response, and its progress. */
export type Fault = {
  readonly code: string; // of the operating system, Node or undici, or one of OWN_FAULTS
  readonly isSent: boolean; // part of the request may have been sent
  readonly isAnswered: boolean; // part of the response was received
  readonly limit?: number | undefined; // exceeded limit (ms or bytes)
  readonly cause?: unknown;
};

/** Fault codes of this tool; all others come from lower layers. */
export const OWN_FAULTS = {
  slow: "BT_SLOW",
  tooLarge: "BT_TOO_LARGE",
  notHttp: "BT_NOT_HTTP",
  encoding: "BT_ENCODING",
  interrupted: "BT_INTERRUPTED",
} as const;

/** Error of a fault. A write that may have arrived is of kind unknown, whatever the fault. */
export function faultError(fault: Fault, { baseUrl, proxy }: NetworkRoute, request: Request): BtError {
  const row = ROWS[fault.code] ?? otherRow(fault);
  const isUnclear = fault.isSent && !isRead(request);
  const message = row.message({ ...fault, host: baseUrl.host });
  const route = proxy && !fault.isSent ? `, through the proxy ${proxy.host}` : "";
  return new BtError(isUnclear ? "unknown" : (row.kind ?? "network"), message + route, {
    request: requestText(baseUrl, request),
    changed: isUnclear ? "unknown" : "nothing",
    hint: proxy && row.hint === CHECK_ADDRESS ? CHECK_PROXY : row.hint,
    tooBig: fault.isSent && [OWN_FAULTS.slow, OWN_FAULTS.tooLarge].some((code) => code === fault.code),
    isTransient: row.isTransient && !isUnclear,
    cause: fault.cause,
  });
}

const CHECK_PROXY =
  "check the proxy: the setting proxy (http://USER:PASSWORD@HOST:PORT), or the variable BT_PROXY or HTTPS_PROXY";
const RAISE_SIZE =
  "use --fields or --limit to request less, or raise the limit: bt config set max_size MIB, or BT_MAX_SIZE";

/** Description of a fault; a transient one may be retried. */
type Row = {
  readonly message: (fault: Fault & { readonly host: string }) => string;
  readonly hint?: string | undefined;
  readonly isTransient?: boolean;
  readonly kind?: "reply";
};

const BROKEN_OFF: Row = {
  message: ({ host, isAnswered }) =>
    isAnswered ? `truncated response from ${host}` : `${host} closed the connection without a response`,
  hint: "retry; --verbose logs every attempt",
  isTransient: true,
};

const ROWS: Readonly<Record<string, Row>> = {
  ECONNREFUSED: noConnection("connection refused"),
  ENOTFOUND: noConnection("unknown host"),
  EAI_AGAIN: noConnection("no response from DNS"),
  EHOSTUNREACH: noConnection("no network route"),
  ENETUNREACH: noConnection("no network route"),
  ETIMEDOUT: noConnection("no response"),
  ECONNRESET: BROKEN_OFF,
  EPIPE: BROKEN_OFF,
  UND_ERR_SOCKET: BROKEN_OFF,
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: BROKEN_OFF,
  UND_ERR_HEADERS_OVERFLOW: invalid(({ host }) => `the response headers from ${host} are too large`),
  ERR_SSL_WRONG_VERSION_NUMBER: {
    message: ({ host }) => `${host} does not speak TLS on this port`,
    hint: "is it an http:// address?",
  },
  [OWN_FAULTS.slow]: {
    message: ({ host, limit = 0, isSent, isAnswered }) => {
      const time = limit < 950 ? `${Math.round(limit)} ms` : `${Math.round(limit / 100) / 10} s`;
      if (!isSent) return `cannot connect to ${host} within ${time}`;
      return isAnswered ? `incomplete response from ${host} after ${time}` : `no response from ${host} within ${time}`;
    },
    hint: "the limit is the setting timeout: bt config set timeout SECONDS, or BT_TIMEOUT",
    isTransient: true,
  },
  [OWN_FAULTS.notHttp]: invalid(({ host }) => `invalid HTTP response from ${host}`),
  [OWN_FAULTS.tooLarge]: invalid(({ host, limit = 0 }) => {
    const size = limit < 1024 * 1024 ? `${limit} bytes` : `${Math.round((limit / 1024 / 1024) * 10) / 10} MiB`;
    return `the response from ${host} is too large (limit ${size})`;
  }, RAISE_SIZE),
  [OWN_FAULTS.encoding]: invalid(({ host }) => `cannot decode the response from ${host}`, "-vv shows the headers"),
  [OWN_FAULTS.interrupted]: { message: ({ host }) => `interrupted while waiting for ${host}` },
};

function noConnection(reason: string): Row {
  return { message: ({ host }) => `cannot connect to ${host}: ${reason}`, hint: CHECK_ADDRESS, isTransient: true };
}

function invalid(message: Row["message"], hint = CHECK_ADDRESS): Row {
  return { message, hint, kind: "reply" };
}

/**
 * Row of any other fault, in the words of Node or undici. Certificates, TLS and a proxy's refusal stay as they are.
 * @see https://nodejs.org/api/tls.html#x509-certificate-error-codes
 */
function otherRow({ code, cause }: Fault): Row {
  const [reason = code] = (cause instanceof Error ? cause.message : code).split("; if "); // Node advises a flag of its own
  if (/CERT|^UNABLE_TO_/.test(code)) {
    const trust = "if you trust the issuer, add its certificate: bt config set ca_file FILE, or NODE_EXTRA_CA_CERTS";
    const hint = /EXPIRED|NOT_YET|ALTNAME/.test(code) ? CHECK_ADDRESS : trust;
    return { message: ({ host }) => `the certificate of ${host} is not valid: ${reason.trimEnd()}`, hint };
  }
  const isTransient = !/^(?:ERR_SSL|ERR_TLS|EPROTO|UND_ERR_INVALID_ARG|UND_ERR_ABORTED)/.test(code);
  return { message: ({ host }) => `no connection to ${host}: ${reason.trimEnd()}`, hint: CHECK_ADDRESS, isTransient };
}
