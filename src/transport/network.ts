import { BtError } from "../errors.ts";
import { type Exchange, isRead, parsedUrl, pathAndQuery, type Request } from "../wire/exchange.ts";
import { requestText, urlPath } from "./address.ts";
import { authenticating, type Credential, requiringEncryption } from "./authenticate.ts";
import { type HttpOptions, openHttp, type TimedExchange } from "./http.ts";
import { retrying } from "./retry.ts";

/** Options of the network; without a credential, requests are anonymous. */
export type NetworkOptions = HttpOptions & {
  credential?: Credential | undefined;
  allowHttp?: boolean | undefined;
  timeoutMs?: number | undefined; // of a request with its retries
  retries?: number | undefined; // default 3
  trace?: Trace | undefined;
  random: () => number;
  sleep: (ms: number) => Promise<void>; // ends early if `signal` is aborted
};

export type Network = { readonly exchange: Exchange; readonly close: () => void };

/** HTTP in wrappers, the innermost first: log, encryption, credentials, redirects, retries. */
export function openNetwork(options: NetworkOptions): Network {
  const { trace, credential, ticks } = options;
  const { exchange, close, route } = openHttp(options);
  const traced = trace ? tracing(exchange, trace, ticks) : exchange;
  const encrypted = requiringEncryption(traced, route, options.allowHttp);
  const authenticated = credential ? authenticating(encrypted, credential) : encrypted;
  const direct = refusingRedirects(authenticated, route.baseUrl);
  const isStopped = () => options.signal?.aborted === true;
  return { exchange: retrying(direct, { ...options, isStopped, note: trace?.write }), close };
}

/** Destination and detail of a request log. `write` must redact secrets itself. */
type Trace = {
  write: (line: string) => void;
  level: "verbose" | "debug"; // debug: with headers and bodies
};

/** Logs every request and response: `> GET /rest/bug/7`, `< 200 application/json, 1234 characters in 80 ms`. */
function tracing(exchange: TimedExchange, { write, level }: Trace, ticks: () => number): TimedExchange {
  const detail = (mark: string, { headers = {}, body = "" }: Pick<Request, "headers" | "body">) => {
    if (level !== "debug") return;
    for (const [name, value] of Object.entries(headers)) write(`${mark} ${name}: ${value}`);
    const text = typeof body === "object" ? JSON.stringify(body) : body;
    const rest = text.length > MAX_TRACED_BODY ? `... (${text.length} characters)` : "";
    if (text) write(`${mark} ${text.slice(0, MAX_TRACED_BODY)}${rest}`);
  };
  return async (request, end) => {
    const started = ticks();
    const took = () => `in ${Math.round(ticks() - started)} ms`;
    write(`> ${request.method} ${pathAndQuery(request)}`);
    detail(">", request);
    try {
      const response = await exchange(request, end);
      const { status, headers, body } = response;
      write(`< ${status} ${headers["content-type"] ?? "no type"}, ${body.length} characters ${took()}`);
      detail("<", response);
      return response;
    } catch (error) {
      write(`< ${error instanceof Error ? error.message : "failed"} ${took()}`);
      throw error;
    }
  };
}

const MAX_TRACED_BODY = 10_000;

/** Refuses redirects, so that neither keys nor writes go elsewhere. @throws BtError of kind guard */
export function refusingRedirects(exchange: TimedExchange, baseUrl: URL): TimedExchange {
  return async (request, end) => {
    const { status, headers, ...response } = await exchange(request, end);
    if (!REDIRECTS.includes(status)) return { status, headers, ...response };
    const target = headers["location"] && parsedUrl(headers["location"], new URL(urlPath(baseUrl, request), baseUrl));
    const place = target ? `${target.protocol}//${target.host}${target.pathname}` : "nowhere"; // a query may contain a key
    const written = isRead(request) ? "" : "the write ";
    throw new BtError("guard", `${baseUrl.host} redirects ${written}to ${place}; the redirect was not followed`, {
      request: requestText(baseUrl, request),
      changed: written && MAY_HAVE_ACTED.includes(status) ? "unknown" : "nothing",
      hint: "if this is the tracker's new address: bt config set base_url NEW-ADDRESS",
      httpStatus: status,
    });
  };
}

const REDIRECTS = [301, 302, 303, 307, 308];
const MAY_HAVE_ACTED = [302, 303]; // usual responses to an accepted form
