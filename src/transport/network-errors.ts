import { BtError, CHECK_ADDRESS, type ErrorKind } from "../errors.ts";
import { isRead, type Request } from "../wire/exchange.ts";
import { requestText } from "./address.ts";
import { type NetworkFault, OWN_FAULTS } from "./send.ts";

/** Details of a network error for the wrapping Exchanges: retry advice and fault. */
export type FaultNote = { readonly retry: RetryAdvice; readonly fault: NetworkFault };

/** Details of an error made by `faultError`; undefined for other errors. */
export function faultNote(error: unknown): FaultNote | undefined {
  const cause = error instanceof BtError ? error.facts.cause : undefined;
  return typeof cause === "object" && cause !== null && "fault" in cause ? (cause as FaultNote) : undefined;
}

/** Error of a fault. A write that may have arrived is of kind unknown, whatever the fault. */
export function faultError(fault: NetworkFault, route: NetworkRoute, request: Request): BtError {
  const { baseUrl, proxy } = route;
  const row = describeError(fault);
  const unclear = fault.sent && !isRead(request);
  const reason = row.message({ ...fault, host: baseUrl.host, name: baseUrl.hostname });
  const sentence = proxy && !fault.sent ? `${reason}, through the proxy ${proxy.host}` : reason;
  const hint = row === BROKEN_OFF && !fault.answered && baseUrl.protocol === "http:" ? MAYBE_TLS : row.hint;
  const note: FaultNote = { retry: row.retry ?? "usual", fault };
  return new BtError(unclear ? "unknown" : (row.kind ?? "network"), sentence, {
    request: requestText(baseUrl, request),
    changed: unclear ? "unknown" : "nothing",
    hint: proxy && row.hint === CHECK_ADDRESS ? CHECK_PROXY : hint,
    tooBig: row.tooBig,
    cause: note,
  });
}

/** Route to a tracker: its base URL, and the proxy if any. */
export type NetworkRoute = { readonly baseUrl: URL; readonly proxy?: URL | undefined };

/** Retries of a request after a fault: the policy's number, at most two, or none, since it would fail again. */
export type RetryAdvice = "usual" | "twice" | "never";

/** Message and retry advice for a fault; `usual` and kind `network` by default. */
export type ErrorDescription = {
  readonly message: (fault: NetworkFault & { readonly host: string; readonly name: string }) => string;
  readonly retry?: RetryAdvice;
  readonly kind?: ErrorKind;
  readonly hint?: string;
  readonly tooBig?: boolean; // a smaller request may succeed
};

/** Description of a fault; generic if unknown. */
export function describeError(fault: NetworkFault): ErrorDescription {
  return proxyRefusal(fault) ?? ROWS[fault.code] ?? unknownFault(fault);
}

const CHECK_PROXY = "check the proxy: the setting proxy, or the variable BT_PROXY or HTTPS_PROXY";
const NAME_AUTHORITY =
  "if you trust the issuer, add its certificate: bt config set ca_file FILE, or NODE_EXTRA_CA_CERTS";
const ASK_OWNER = "the tracker's administrator must renew it";
const TRY_AGAIN = "retry; --verbose logs every attempt";
const MAYBE_TLS = `is it an https:// address? if not, ${TRY_AGAIN}`;
const TOO_MUCH = {
  retry: "never",
  kind: "reply",
  hint: "use --fields or --limit to request less, or raise the limit: bt config set max_size MIB, or BT_MAX_SIZE",
  tooBig: true,
} as const;
const RAISE_TIME = "increase it: bt config set timeout SECONDS, or BT_TIMEOUT";

const NO_ROUTE: ErrorDescription = {
  message: ({ host }) => `there is no network route to ${host}`,
  retry: "twice",
  hint: CHECK_ADDRESS,
};
const NOT_TLS: ErrorDescription = {
  message: ({ host }) => `${host} does not speak TLS on this port`,
  retry: "never",
  hint: "is it an http:// address?",
};
const UNTRUSTED: ErrorDescription = {
  message: ({ name }) => `the certificate of ${name} is not signed by a trusted authority`,
  retry: "never",
  hint: NAME_AUTHORITY,
};
const SELF_SIGNED: ErrorDescription = {
  ...UNTRUSTED,
  message: ({ name }) => `the certificate of ${name} is self-signed`,
};
const BROKEN_OFF: ErrorDescription = {
  message: ({ host, answered, received, expected }) => {
    if (!answered) return `${host} closed the connection without a response`;
    return `truncated response from ${host}: ${received} ${expected ? `of ${expected} ` : ""}bytes`;
  },
  hint: TRY_AGAIN,
};

const ROWS: Readonly<Record<string, ErrorDescription>> = {
  ECONNREFUSED: {
    message: ({ host, sent }) =>
      sent ? `connection reset by ${host}` : `cannot connect to ${host}: connection refused`,
    retry: "twice",
    hint: CHECK_ADDRESS,
  },
  ENOTFOUND: {
    message: ({ name, cause }) => `cannot find ${lookedUpName(cause) ?? name}: unknown host`,
    retry: "twice",
    hint: CHECK_ADDRESS,
  },
  EAI_AGAIN: {
    message: ({ name }) => `cannot look up ${name}: no response from DNS`,
    retry: "twice",
    hint: TRY_AGAIN,
  },
  EHOSTUNREACH: NO_ROUTE,
  ENETUNREACH: NO_ROUTE,
  EADDRNOTAVAIL: NO_ROUTE,
  ETIMEDOUT: { message: ({ host }) => `cannot connect to ${host}: no response`, hint: CHECK_ADDRESS },
  [OWN_FAULTS.slowConnect]: {
    message: ({ host, limit }) => `cannot connect to ${host} within ${seconds(limit)}`,
    hint: CHECK_ADDRESS,
  },
  [OWN_FAULTS.slowHeaders]: {
    message: ({ host, limit }) => `no response from ${host} within ${seconds(limit)}`,
    hint: RAISE_TIME,
    tooBig: true,
  },
  [OWN_FAULTS.slowResponse]: {
    message: ({ host, limit, received, expected }) =>
      `incomplete response from ${host} after ${seconds(limit)} (${received} ${expected ? `of ${expected} ` : ""}bytes received)`,
    hint: RAISE_TIME,
    tooBig: true,
  },
  [OWN_FAULTS.truncated]: BROKEN_OFF,
  ECONNRESET: BROKEN_OFF,
  EPIPE: BROKEN_OFF,
  UND_ERR_SOCKET: BROKEN_OFF,
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: BROKEN_OFF,
  UND_ERR_INVALID_ARG: {
    message: ({ host, cause }) => `cannot send a request to ${host}: ${firstLine(cause)}`,
    retry: "never",
  },
  UND_ERR_ABORTED: { message: ({ host, cause }) => `cannot reach ${host}: ${firstLine(cause)}` },
  UND_ERR_HEADERS_OVERFLOW: {
    message: ({ host }) => `the response headers from ${host} are too large`,
    retry: "never",
    kind: "reply",
    hint: CHECK_ADDRESS,
  },
  [OWN_FAULTS.interimResponses]: {
    message: ({ host }) => `${host} sends too many interim responses`,
    retry: "never",
    kind: "reply",
    hint: CHECK_ADDRESS,
  },
  [OWN_FAULTS.unexpectedContinue]: {
    message: ({ host }) => `${host} sent an unexpected "100 Continue"`,
    retry: "never",
    kind: "reply",
    hint: CHECK_ADDRESS,
  },
  [OWN_FAULTS.notHttp]: {
    message: ({ host, answered, errorText }) => {
      if (answered) return `invalid HTTP response from ${host}`;
      return `${host} is not an HTTP server${errorText ? ` (it sent: ${errorText})` : ""}`;
    },
    retry: "never",
    kind: "reply",
    hint: CHECK_ADDRESS,
  },
  [OWN_FAULTS.conflictingLengths]: {
    message: ({ host }) => `conflicting or invalid length headers in the response from ${host}`,
    retry: "never",
    kind: "reply",
    hint: "--debug shows the request; a proxy may have mixed up two responses",
  },
  [OWN_FAULTS.tooLarge]: {
    message: ({ host, limit }) => `the response from ${host} is larger than ${megabytes(limit)}`,
    ...TOO_MUCH,
  },
  [OWN_FAULTS.tooMuchMemory]: {
    message: ({ host }) => `the response from ${host} needs too much memory`,
    ...TOO_MUCH,
  },
  [OWN_FAULTS.encoding]: {
    message: ({ host, errorText }) => `cannot decode the response from ${host} (${errorText})`,
    retry: "never",
    kind: "reply",
    hint: "--debug shows the headers",
  },
  [OWN_FAULTS.interrupted]: { message: ({ host }) => `interrupted while waiting for ${host}`, retry: "never" },
  DEPTH_ZERO_SELF_SIGNED_CERT: SELF_SIGNED,
  SELF_SIGNED_CERT_IN_CHAIN: {
    ...UNTRUSTED,
    message: ({ name }) => `the certificate chain of ${name} ends in an untrusted self-signed certificate`,
  },
  UNABLE_TO_GET_ISSUER_CERT: UNTRUSTED,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: UNTRUSTED,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: UNTRUSTED,
  CERT_UNTRUSTED: UNTRUSTED,
  CERT_HAS_EXPIRED: {
    message: ({ name }) => `the certificate of ${name} has expired`,
    retry: "never",
    hint: ASK_OWNER,
  },
  CERT_NOT_YET_VALID: {
    message: ({ name }) => `the certificate of ${name} is not valid yet`,
    retry: "never",
    hint: "check this machine's clock",
  },
  CERT_REVOKED: {
    message: ({ name }) => `the certificate of ${name} has been revoked`,
    retry: "never",
    hint: ASK_OWNER,
  },
  ERR_TLS_CERT_ALTNAME_INVALID: {
    message: ({ name, errorText }) => `the certificate is not for ${name}${errorText ? ` but for ${errorText}` : ""}`,
    retry: "never",
    hint: CHECK_ADDRESS,
  },
  ERR_SSL_WRONG_VERSION_NUMBER: NOT_TLS,
  ERR_SSL_PACKET_LENGTH_TOO_LONG: NOT_TLS,
};

/** Description of a proxy's refusal to open a tunnel, which undici reports in its message only. */
function proxyRefusal({ cause }: NetworkFault): ErrorDescription | undefined {
  const [, status] = /^Proxy response \((\d+)\)/.exec(firstLine(cause) ?? "") ?? [];
  if (status === undefined) return undefined;
  const hint =
    status === "407" ? "give the proxy credentials: bt config set proxy http://USER:PASSWORD@HOST:PORT" : CHECK_PROXY;
  return {
    message: ({ host }) => `no tunnel to ${host} (status ${status})`,
    retry: status < "500" ? "never" : "usual",
    hint,
  };
}

function unknownFault({ code, cause }: NetworkFault): ErrorDescription {
  const tls = code.startsWith("ERR_SSL") || code.startsWith("ERR_TLS") || code === "EPROTO";
  const what = tls ? "no TLS connection to" : "no connection to";
  return { message: ({ host }) => `${what} ${host}: ${firstLine(cause) ?? code}`, retry: tls ? "never" : "usual" };
}

/** Host name of a failed lookup; the proxy's if there is one. */
function lookedUpName(cause: unknown): string | undefined {
  const { hostname } = Object(cause) as { hostname?: unknown };
  return typeof hostname === "string" ? hostname : undefined;
}

function firstLine(cause: unknown): string | undefined {
  return cause instanceof Error ? cause.message.split("\n", 1)[0] : undefined;
}

function seconds(ms = 0): string {
  return ms < 950 ? `${Math.round(ms)} ms` : `${Math.round(ms / 100) / 10} s`;
}

function megabytes(bytes = 0): string {
  return bytes < 1024 * 1024 ? `${bytes} bytes` : `${Math.round((bytes / 1024 / 1024) * 10) / 10} MiB`;
}
