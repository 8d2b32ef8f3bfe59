import { BtError, CHECK_ADDRESS } from "../errors.ts";
import { isRead, type Request } from "../wire/exchange.ts";
import { requestText } from "./address.ts";
import { type NetworkFault, OWN_FAULTS } from "./send.ts";

/** Route to a tracker: its base URL, and the proxy if any. */
export type NetworkRoute = { readonly baseUrl: URL; readonly proxy?: URL | undefined };

/** What a retry depends on: a final fault would recur. */
export type RetryFacts = { readonly isFinal: boolean; readonly sent: boolean };

/** The retry facts of an error made by `faultError`; undefined for other errors. */
export function retryFacts(error: BtError): RetryFacts | undefined {
  const { cause } = error.facts;
  return typeof cause === "object" && cause !== null && "isFinal" in cause ? (cause as RetryFacts) : undefined;
}

/** Error of a fault. A write that may have arrived is of kind unknown, whatever the fault. */
export function faultError(fault: NetworkFault, { baseUrl, proxy }: NetworkRoute, request: Request): BtError {
  const row = ROWS[fault.code] ?? certificateRow(fault.code) ?? unknownRow(fault);
  const isUnclear = fault.sent && !isRead(request);
  const reason = row.message({ ...fault, host: baseUrl.host, name: baseUrl.hostname });
  const facts: RetryFacts = { isFinal: row.isFinal === true, sent: fault.sent };
  return new BtError(isUnclear ? "unknown" : (row.kind ?? "network"), reason + routeText(fault, proxy), {
    request: requestText(baseUrl, request),
    changed: isUnclear ? "unknown" : "nothing",
    hint: proxy && row.hint === CHECK_ADDRESS ? CHECK_PROXY : hintText(row, fault),
    tooBig: row.isTooBig,
    cause: facts,
  });
}

function routeText({ sent }: NetworkFault, proxy: URL | undefined): string {
  return proxy && !sent ? `, through the proxy ${proxy.host}` : "";
}

function hintText({ hint }: Row, { code, status }: NetworkFault): string | undefined {
  return code === OWN_FAULTS.proxyRefusal && status === 407 ? PROXY_LOGIN : hint;
}

const CHECK_PROXY = "check the proxy: the setting proxy, or the variable BT_PROXY or HTTPS_PROXY";
const PROXY_LOGIN = "give the proxy credentials: bt config set proxy http://USER:PASSWORD@HOST:PORT";
const NAME_AUTHORITY =
  "if you trust the issuer, add its certificate: bt config set ca_file FILE, or NODE_EXTRA_CA_CERTS";
const ASK_OWNER = "the tracker's administrator must renew it";
const TRY_AGAIN = "retry; --verbose logs every attempt";
const RAISE_TIME = "increase it: bt config set timeout SECONDS, or BT_TIMEOUT";

/** Description of a fault; retried, and of kind network, unless it says otherwise. */
type Row = {
  readonly message: (fault: NetworkFault & { readonly host: string; readonly name: string }) => string;
  readonly hint?: string;
  readonly isFinal?: boolean;
  readonly kind?: "reply";
  readonly isTooBig?: boolean; // a smaller request may succeed
};

const NO_ROUTE: Row = { message: ({ host }) => `there is no network route to ${host}`, hint: CHECK_ADDRESS };
const NOT_TLS: Row = {
  message: ({ host }) => `${host} does not speak TLS on this port`,
  isFinal: true,
  hint: "is it an http:// address?",
};
const BROKEN_OFF: Row = {
  message: ({ host, answered, received, expected }) => {
    if (!answered) return `${host} closed the connection without a response`;
    return `truncated response from ${host}: ${received} ${expected ? `of ${expected} ` : ""}bytes`;
  },
  hint: TRY_AGAIN,
};

const ROWS: Readonly<Record<string, Row>> = {
  ECONNREFUSED: {
    message: ({ host, sent }) =>
      sent ? `connection reset by ${host}` : `cannot connect to ${host}: connection refused`,
    hint: CHECK_ADDRESS,
  },
  ENOTFOUND: {
    message: ({ name, cause }) => `cannot find ${lookedUpName(cause) ?? name}: unknown host`,
    hint: CHECK_ADDRESS,
  },
  EAI_AGAIN: { message: ({ name }) => `cannot look up ${name}: no response from DNS`, hint: TRY_AGAIN },
  EHOSTUNREACH: NO_ROUTE,
  ENETUNREACH: NO_ROUTE,
  ETIMEDOUT: { message: ({ host }) => `cannot connect to ${host}: no response`, hint: CHECK_ADDRESS },
  ECONNRESET: BROKEN_OFF,
  EPIPE: BROKEN_OFF,
  UND_ERR_SOCKET: BROKEN_OFF,
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: BROKEN_OFF,
  UND_ERR_HEADERS_OVERFLOW: {
    message: ({ host }) => `the response headers from ${host} are too large`,
    isFinal: true,
    kind: "reply",
    hint: CHECK_ADDRESS,
  },
  ERR_SSL_WRONG_VERSION_NUMBER: NOT_TLS,
  ERR_SSL_PACKET_LENGTH_TOO_LONG: NOT_TLS,
  [OWN_FAULTS.truncated]: BROKEN_OFF,
  [OWN_FAULTS.proxyRefusal]: {
    message: ({ host, status }) => `no tunnel to ${host} (status ${status})`,
    isFinal: true,
    hint: CHECK_PROXY,
  },
  [OWN_FAULTS.slowConnect]: {
    message: ({ host, limit }) => `cannot connect to ${host} within ${seconds(limit)}`,
    hint: CHECK_ADDRESS,
  },
  [OWN_FAULTS.slowHeaders]: {
    message: ({ host, limit }) => `no response from ${host} within ${seconds(limit)}`,
    hint: RAISE_TIME,
    isTooBig: true,
  },
  [OWN_FAULTS.slowResponse]: {
    message: ({ host, limit, received, expected }) =>
      `incomplete response from ${host} after ${seconds(limit)} (${received} ${expected ? `of ${expected} ` : ""}bytes received)`,
    hint: RAISE_TIME,
    isTooBig: true,
  },
  [OWN_FAULTS.notHttp]: {
    message: ({ host, errorText }) =>
      `invalid HTTP response from ${host}${errorText ? ` (it sent: ${errorText})` : ""}`,
    isFinal: true,
    kind: "reply",
    hint: CHECK_ADDRESS,
  },
  [OWN_FAULTS.tooLarge]: {
    message: ({ host, limit }) =>
      `the response from ${host} ${limit ? `is larger than ${megabytes(limit)}` : "has too many values"}`,
    isFinal: true,
    kind: "reply",
    hint: "use --fields or --limit to request less, or raise the limit: bt config set max_size MIB, or BT_MAX_SIZE",
    isTooBig: true,
  },
  [OWN_FAULTS.encoding]: {
    message: ({ host, errorText }) => `cannot decode the response from ${host} (${errorText})`,
    isFinal: true,
    kind: "reply",
    hint: "-vv shows the headers",
  },
  [OWN_FAULTS.interrupted]: { message: ({ host }) => `interrupted while waiting for ${host}`, isFinal: true },
};

/** What is wrong with a certificate, and the hint, by the code of OpenSSL or Node. */
const CERTIFICATES: Readonly<Record<string, readonly [problem: string, hint: string]>> = {
  DEPTH_ZERO_SELF_SIGNED_CERT: ["is self-signed", NAME_AUTHORITY],
  SELF_SIGNED_CERT_IN_CHAIN: ["is signed by a self-signed certificate", NAME_AUTHORITY],
  UNABLE_TO_GET_ISSUER_CERT: ["is not signed by a trusted authority", NAME_AUTHORITY],
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: ["is not signed by a trusted authority", NAME_AUTHORITY],
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: ["is not signed by a trusted authority", NAME_AUTHORITY],
  CERT_UNTRUSTED: ["is not signed by a trusted authority", NAME_AUTHORITY],
  CERT_HAS_EXPIRED: ["has expired", ASK_OWNER],
  CERT_NOT_YET_VALID: ["is not valid yet", "check this machine's clock"],
  CERT_REVOKED: ["has been revoked", ASK_OWNER],
  ERR_TLS_CERT_ALTNAME_INVALID: ["is not valid for this name", CHECK_ADDRESS],
};

function certificateRow(code: string): Row | undefined {
  const [problem, hint] = CERTIFICATES[code] ?? [];
  if (hint === undefined) return undefined;
  const names = (errorText: string | undefined) => (errorText ? `, only for ${errorText}` : "");
  const message: Row["message"] = ({ name, errorText }) => `the certificate of ${name} ${problem}${names(errorText)}`;
  return { message, hint, isFinal: true };
}

function unknownRow({ code, cause }: NetworkFault): Row {
  const isTls = /^(ERR_SSL|ERR_TLS|EPROTO)/.test(code);
  const reason = cause instanceof Error ? cause.message.trimEnd() : code;
  return {
    message: ({ host }) => `no ${isTls ? "TLS " : ""}connection to ${host}: ${reason}`,
    isFinal: isTls || code === "UND_ERR_INVALID_ARG",
  };
}

/** Host name of a failed lookup; the proxy's if there is one. */
function lookedUpName(cause: unknown): string | undefined {
  const { hostname } = Object(cause) as { hostname?: unknown };
  return typeof hostname === "string" ? hostname : undefined;
}

function seconds(ms = 0): string {
  return ms < 950 ? `${Math.round(ms)} ms` : `${Math.round(ms / 100) / 10} s`;
}

function megabytes(bytes = 0): string {
  return bytes < 1024 * 1024 ? `${bytes} bytes` : `${Math.round((bytes / 1024 / 1024) * 10) / 10} MiB`;
}
