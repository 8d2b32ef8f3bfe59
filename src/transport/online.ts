import { type Exchange, pathAndQuery, type Request, type Response } from "../wire/exchange.ts";
import { authenticated, type Credential, requireEncryption } from "./authenticate.ts";
import { DEFAULT_LIMITS, type NetworkOptions, openNetworkExchange } from "./network.ts";
import { followingRedirects } from "./redirect.ts";
import { retrying } from "./retry.ts";

/** Options of a network tracker. */
export type OnlineOptions = NetworkOptions & {
  credential?: Credential | undefined; // absent: anonymous
  allowHttp?: boolean | undefined;
  retries?: number | undefined; // default 3
  trace?: Trace | undefined;
  random: () => number;
  sleep: (ms: number) => Promise<void>; // ends early if `signal` is aborted
};

/** A way to a tracker on the network. */
export type Online = { readonly exchange: Exchange; readonly close: () => void };

/** A network tracker: the network wrapped in tracing, credentials, redirects and retries, in this order. */
export function openOnline(options: OnlineOptions): Online {
  const ticks = options.ticks ?? (() => performance.now());
  const { exchange, close, route } = openNetworkExchange({ ...options, ticks });
  const seen = options.trace ? withTracing(exchange, options.trace) : exchange;
  const safe = requireEncryption(seen, route, options.allowHttp);
  const known = options.credential ? authenticated(safe, options.credential, options.baseUrl) : safe;
  const patient = retrying(followingRedirects(known, options.baseUrl, ticks), {
    retries: options.retries ?? 3,
    limits: { ...DEFAULT_LIMITS, ...options.limits },
    random: options.random,
    now: ticks,
    sleep: options.sleep,
    isStopped: () => options.signal?.aborted === true,
    note: options.trace?.write,
  });
  return { exchange: patient, close };
}

/** Destination and detail of a request log. `write` must redact secrets itself; `now` in milliseconds. */
export type Trace = {
  readonly write: (line: string) => void;
  readonly level: "verbose" | "debug"; // debug: with headers and bodies
  readonly now: () => number;
};

/** Logs every request and response: `> GET /rest/bug/7`, `< 200 application/json 1,234 bytes in 80 ms`. */
function withTracing(exchange: Exchange, trace: Trace): Exchange {
  const debug = trace.level === "debug" ? trace.write : () => undefined;
  return async (request) => {
    const started = trace.now();
    const took = () => `in ${Math.round(trace.now() - started)} ms`;
    trace.write(`> ${request.method} ${pathAndQuery(request)}`);
    for (const line of requestDetails(request)) debug(`> ${line}`);
    try {
      const response = await exchange(request);
      trace.write(
        `< ${response.status} ${response.headers["content-type"] ?? "no type"}, ${response.body.length} characters ${took()}`,
      );
      for (const line of replyDetails(response)) debug(`< ${line}`);
      return response;
    } catch (error) {
      trace.write(`< ${error instanceof Error ? error.message : "failed"} ${took()}`);
      throw error;
    }
  };
}

const MAX_TRACED_BODY = 10_000;

function requestDetails({ headers = {}, body, file }: Request): string[] {
  const text = typeof body === "object" ? JSON.stringify(body) : body;
  const data = file ? [`data: ${file.path}, ${file.size} bytes as base64`] : [];
  return [...headerLines(headers), ...(text === undefined ? [] : [cut(text)]), ...data];
}

function replyDetails({ headers, body }: Response): string[] {
  return [...headerLines(headers), cut(body)];
}

function headerLines(headers: Readonly<Record<string, string>>): string[] {
  return Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
}

function cut(text: string): string {
  return text.length <= MAX_TRACED_BODY ? text : `${text.slice(0, MAX_TRACED_BODY)}... (${text.length} characters)`;
}
