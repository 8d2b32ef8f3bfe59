import { BtError, CHECK_ADDRESS } from "../errors.ts";
import { isRead, type Request } from "../wire/exchange.ts";
import { requestText } from "./address.ts";
import { type NetworkFault, OWN_FAULTS } from "./send.ts";

/** Route to a tracker: its base URL, and the proxy if any. */
export type NetworkRoute = { readonly baseUrl: URL; readonly proxy?: URL | undefined };

/** Error of a fault. A write that may have arrived is of kind unknown, whatever the fault. */
export function faultError(fault: NetworkFault, { baseUrl, proxy }: NetworkRoute, request: Request): BtError {
  const row = ROWS[fault.code] ?? certificateRow(fault) ?? unknownRow(fault);
  const isUnclear = fault.sent && !isRead(request);
  const message = row.message({ ...fault, host: baseUrl.host, name: baseUrl.hostname });
  const route = proxy && !fault.sent ? `, through the proxy ${proxy.host}` : "";
  return new BtError(isUnclear ? "unknown" : (row.kind ?? "network"), message + route, {
    request: requestText(baseUrl, request),
    changed: isUnclear ? "unknown" : "nothing",
    hint: proxy && row.hint === CHECK_ADDRESS ? CHECK_PROXY : row.hint,
    tooBig: TOO_BIG.includes(fault.code),
    isTransient: !row.isFinal && !isUnclear,
    cause: fault.cause,
  });
}

/** Faults that a smaller request may not meet. */
const TOO_BIG: readonly string[] = [OWN_FAULTS.slowHeaders, OWN_FAULTS.slowResponse, OWN_FAULTS.tooLarge];

const CHECK_PROXY =
  "check the proxy: the setting proxy (http://USER:PASSWORD@HOST:PORT), or the variable BT_PROXY or HTTPS_PROXY";
const TRY_AGAIN = "retry; --verbose logs every attempt";
const RAISE_TIME = "increase it: bt config set timeout SECONDS, or BT_TIMEOUT";
const RAISE_SIZE =
  "use --fields or --limit to request less, or raise the limit: bt config set max_size MIB, or BT_MAX_SIZE";

type Message = (fault: NetworkFault & { readonly host: string; readonly name: string }) => string;

/** Description of a fault: retried, final, or final and of kind reply. */
type Row = {
  readonly message: Message;
  readonly hint: string | undefined;
  readonly isFinal?: boolean;
  readonly kind?: "reply";
};

function retried(message: Message, hint?: string): Row {
  return { message, hint };
}

function final(message: Message, hint?: string): Row {
  return { message, hint, isFinal: true };
}

function invalid(message: Message, hint: string): Row {
  return { message, hint, isFinal: true, kind: "reply" };
}

const BROKEN_OFF = retried(({ host, answered, ...fault }) => {
  if (!answered) return `${host} closed the connection without a response`;
  return `truncated response from ${host}: ${bytesText(fault)}`;
}, TRY_AGAIN);
const NOT_TLS = final(({ host }) => `${host} does not speak TLS on this port`, "is it an http:// address?");

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
  UND_ERR_HEADERS_OVERFLOW: invalid(({ host }) => `the response headers from ${host} are too large`, CHECK_ADDRESS),
  ERR_SSL_WRONG_VERSION_NUMBER: NOT_TLS,
  ERR_SSL_PACKET_LENGTH_TOO_LONG: NOT_TLS,
  [OWN_FAULTS.truncated]: BROKEN_OFF,
  [OWN_FAULTS.proxyRefusal]: final(({ host, status }) => `no tunnel to ${host} (status ${status})`, CHECK_PROXY),
  [OWN_FAULTS.slowConnect]: retried(
    ({ host, limit }) => `cannot connect to ${host} within ${seconds(limit)}`,
    CHECK_ADDRESS,
  ),
  [OWN_FAULTS.slowHeaders]: retried(
    ({ host, limit }) => `no response from ${host} within ${seconds(limit)}`,
    RAISE_TIME,
  ),
  [OWN_FAULTS.slowResponse]: retried(
    ({ host, limit, ...fault }) =>
      `incomplete response from ${host} after ${seconds(limit)} (${bytesText(fault)} received)`,
    RAISE_TIME,
  ),
  [OWN_FAULTS.notHttp]: invalid(
    ({ host, errorText }) => `invalid HTTP response from ${host}${errorText ? ` (it sent: ${errorText})` : ""}`,
    CHECK_ADDRESS,
  ),
  [OWN_FAULTS.tooLarge]: invalid(
    ({ host, limit }) =>
      `the response from ${host} ${limit ? `is larger than ${sizeText(limit)}` : "has too many values"}`,
    RAISE_SIZE,
  ),
  [OWN_FAULTS.encoding]: invalid(
    ({ host, errorText }) => `cannot decode the response from ${host} (content-encoding: ${errorText})`,
    "-vv shows the headers",
  ),
  [OWN_FAULTS.interrupted]: final(({ host }) => `interrupted while waiting for ${host}`),
};

function noConnection(reason: string): Row {
  return retried(({ host }) => `cannot connect to ${host}: ${reason}`, CHECK_ADDRESS);
}

/** @see https://nodejs.org/api/tls.html#x509-certificate-error-codes */
function certificateRow({ code, cause }: NetworkFault): Row | undefined {
  if (!/CERT|^UNABLE_TO_/.test(code)) return undefined;
  const isOfAnother = /EXPIRED|NOT_YET|ALTNAME/.test(code);
  const trust = "if you trust the issuer, add its certificate: bt config set ca_file FILE, or NODE_EXTRA_CA_CERTS";
  const [reason] = reasonOf(code, cause).split("; if "); // then newer versions of Node advise a flag of their own
  const message: Message = ({ name }) => `the certificate of ${name} is not valid: ${reason}`;
  return final(message, isOfAnother ? CHECK_ADDRESS : trust);
}

function unknownRow({ code, cause }: NetworkFault): Row {
  const isTls = /^(ERR_SSL|ERR_TLS|EPROTO)/.test(code);
  const message: Message = ({ host }) => `no ${isTls ? "TLS " : ""}connection to ${host}: ${reasonOf(code, cause)}`;
  return isTls || code === "UND_ERR_INVALID_ARG" ? final(message) : retried(message);
}

function reasonOf(code: string, cause: unknown): string {
  return cause instanceof Error ? cause.message.trimEnd() : code;
}

function bytesText({ received, expected }: Pick<NetworkFault, "received" | "expected">): string {
  return `${received} ${expected ? `of ${expected} ` : ""}bytes`;
}

function seconds(ms = 0): string {
  return ms < 950 ? `${Math.round(ms)} ms` : `${Math.round(ms / 100) / 10} s`;
}

function sizeText(bytes: number): string {
  return bytes < 1024 * 1024 ? `${bytes} bytes` : `${Math.round((bytes / 1024 / 1024) * 10) / 10} MiB`;
}
