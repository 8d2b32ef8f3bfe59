import { BtError, CHECK_ADDRESS } from "../errors.ts";
import { isRead, type Request } from "../wire/exchange.ts";
import { requestText } from "./address.ts";

/** Route to a tracker: its base URL, and the proxy if any. */
export type NetworkRoute = { readonly baseUrl: URL; readonly proxy?: URL | undefined };

/** Reason why a request got no complete response, and its progress. */
export type Fault = {
  readonly code: string; // of the operating system, Node or undici, or one of ours: BT_SLOW and others
  readonly isSent: boolean; // part of the request may have been sent
  readonly isAnswered: boolean; // part of the response was received
  readonly limit?: number | undefined; // exceeded limit (ms or bytes)
  readonly cause?: unknown;
};

/** Error of a fault. A write that may have arrived is of kind unknown, whatever the fault. */
export function faultError(fault: Fault, { baseUrl, proxy }: NetworkRoute, request: Request): BtError {
  const { code, isSent, cause } = fault;
  const { message, hint, isTransient = false } = describeFault(fault, baseUrl.host);
  const isUnclear = isSent && !isRead(request);
  const kind = INVALID.includes(code) ? "reply" : "network";
  const route = proxy && !isSent ? `, through the proxy ${proxy.host}` : "";
  return new BtError(isUnclear ? "unknown" : kind, message + route, {
    request: requestText(baseUrl, request),
    changed: isUnclear ? "unknown" : "nothing",
    hint: proxy && hint === CHECK_ADDRESS ? CHECK_PROXY : hint,
    tooBig: isSent && (code === "BT_SLOW" || code === "BT_TOO_LARGE"),
    isTransient: isTransient && !isUnclear,
    cause,
  });
}

const INVALID = ["BT_TOO_LARGE", "BT_NOT_HTTP", "BT_ENCODING"];

const CHECK_PROXY =
  "check the proxy: the setting proxy (http://USER:PASSWORD@HOST:PORT), or the variable BT_PROXY or HTTPS_PROXY";
const RAISE_SIZE =
  "use --fields or --limit to request less, or raise the limit: bt config set max_size MIB, or BT_MAX_SIZE";
const RAISE_TIME = "the limit is the setting timeout: bt config set timeout SECONDS, or BT_TIMEOUT";

/** What is wrong; a transient fault may be retried. */
type Description = { readonly message: string; readonly hint?: string; readonly isTransient?: boolean };

function describeFault(fault: Fault, host: string): Description {
  const { code, isAnswered, limit = 0 } = fault;
  switch (code) {
    case "ECONNRESET":
    case "EPIPE":
    case "UND_ERR_SOCKET":
    case "UND_ERR_RES_CONTENT_LENGTH_MISMATCH": {
      const message = isAnswered
        ? `truncated response from ${host}`
        : `${host} closed the connection without a response`;
      return { message, hint: "retry; --verbose logs every attempt", isTransient: true };
    }
    case "BT_SLOW":
      return { message: slowText(fault, host), hint: RAISE_TIME, isTransient: true };
    case "BT_TOO_LARGE": {
      const mib = limit / 1024 / 1024;
      return { message: `the response from ${host} is too large (limit ${mib} MiB)`, hint: RAISE_SIZE };
    }
    case "BT_NOT_HTTP":
      return { message: `invalid HTTP response from ${host}`, hint: CHECK_ADDRESS };
    case "BT_ENCODING":
      return { message: `cannot decode the response from ${host}`, hint: "-vv shows the headers" };
    case "BT_INTERRUPTED":
      return { message: `interrupted while waiting for ${host}` };
    default:
      return describeOther(fault, host);
  }
}

function slowText({ limit = 0, isSent, isAnswered }: Fault, host: string): string {
  const time = limit < 950 ? `${Math.round(limit)} ms` : `${Math.round(limit / 100) / 10} s`;
  if (!isSent) return `cannot connect to ${host} within ${time}`;
  return isAnswered ? `incomplete response from ${host} after ${time}` : `no response from ${host} within ${time}`;
}

/** A fault of the connection, in common words or those of Node or undici. Certificates, TLS and a proxy's refusal stay as they are. */
function describeOther({ code, cause }: Fault, host: string): Description {
  const [words = code] = (cause instanceof Error ? cause.message : code).split("; if "); // Node advises a flag of its own
  if (/CERT|^UNABLE_TO_/.test(code)) {
    const trust = "if you trust the issuer, add its certificate: bt config set ca_file FILE, or NODE_EXTRA_CA_CERTS";
    const hint = /EXPIRED|NOT_YET|ALTNAME/.test(code) ? CHECK_ADDRESS : trust;
    return { message: `the certificate of ${host} is not valid: ${words.trimEnd()}`, hint };
  }
  const isTransient = !/^(?:ERR_SSL|ERR_TLS|EPROTO|UND_ERR_INVALID_ARG|UND_ERR_ABORTED)/.test(code);
  return {
    message: `cannot connect to ${host}: ${REASONS[code] ?? words.trimEnd()}`,
    hint: CHECK_ADDRESS,
    isTransient,
  };
}

const REASONS: Readonly<Record<string, string>> = {
  ECONNREFUSED: "connection refused",
  ENOTFOUND: "unknown host",
  EAI_AGAIN: "no response from DNS",
  EHOSTUNREACH: "no network route",
  ENETUNREACH: "no network route",
  ETIMEDOUT: "no response",
  ERR_SSL_WRONG_VERSION_NUMBER: "no TLS on this port; is it an http:// address?",
};
