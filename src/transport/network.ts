import { BtError } from "../errors.ts";
import { type Exchange, isRead, parsedUrl, pathAndQuery, type Request } from "../wire/exchange.ts";
import { requestText, urlPath } from "./address.ts";
import { authenticating, type Credential, requiringEncryption } from "./authenticate.ts";
import { type HttpOptions, openHttp, type TimedExchange } from "./http.ts";
import { retrying } from "./retry.ts";

/** Options of the network; without a credential, requests are anonymous. */
export type NetworkOptions = HttpOptions & {
  readonly credential?: Credential | undefined;
  readonly allowHttp?: boolean | undefined;
  readonly trace?: Trace | undefined;
  readonly random: () => number;
};

export type Network = { readonly exchange: Exchange; readonly close: () => void };

/** HTTP in wrappers, the innermost first: log, encryption, credentials, redirects, retries. */
export function openNetwork(options: NetworkOptions): Network {
  const { io, trace, credential, allowHttp } = options;
  const { exchange, close, route } = openHttp(options);
  const traced = trace ? tracing(exchange, trace, io.ticks) : exchange;
  const encrypted = requiringEncryption(traced, route, allowHttp);
  const authenticated = credential ? authenticating(encrypted, credential) : encrypted;
  return { exchange: retrying(refusingRedirects(authenticated, route.baseUrl), options), close };
}

/** Destination of a request log, which must redact secrets itself, and whether it gets headers and bodies. */
export type Trace = { readonly write: (line: string) => void; readonly isFull: boolean };

/** Logs every request and response: `> GET /rest/bug/7`, `< 200 application/json, 1234 characters in 80 ms`. */
function tracing(exchange: TimedExchange, { write, isFull }: Trace, ticks: () => number): TimedExchange {
  const detail = (mark: string, { headers = {}, body = "" }: Pick<Request, "headers" | "body">) => {
    if (!isFull) return;
    for (const [name, value] of Object.entries(headers)) write(`${mark} ${name}: ${value}`);
    if (body !== "") write(`${mark} ${typeof body === "object" ? JSON.stringify(body) : body}`);
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
