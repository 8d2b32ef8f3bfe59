import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import { IDEMPOTENCY_KEY_ACCEPTED, NO_WEB_PAGES, type Request, type Response } from "../../wire/exchange.ts";
import { type BodyLimits, checkRequestHeaders, peerAddress, readHttpRequest } from "./request.ts";
import { faultResponse, toReply } from "./response.ts";
import type { Tracker } from "./tracker.ts";

/** Tracker, accepted Host headers, limits on bodies and log of an HTTP listener. */
export type ListenerContext = BodyLimits & {
  tracker: Tracker;
  hosts: Set<string>;
  log: (line: string) => void;
};

/** Node request listener that validates, limits and logs each request and passes it to the tracker. */
export function requestListener(context: ListenerContext): RequestListener {
  return (incoming, response) => {
    void respond(context, incoming, response);
  };
}

async function respond(context: ListenerContext, incoming: IncomingMessage, response: ServerResponse): Promise<void> {
  const started = performance.now();
  response.on("close", () => context.bufferLimit.release(incoming));
  const result = await responseTo(context, incoming);
  const body = Buffer.from(result.body);
  if (!response.destroyed) context.bufferLimit.add(incoming, body.length);
  send(response, incoming, { ...result, body });
  context.log(
    `${incoming.method} ${redactedUrl(incoming.url ?? "")} ${result.status} ${(performance.now() - started).toFixed(0)} ms`,
  );
}

async function responseTo(context: ListenerContext, incoming: IncomingMessage): Promise<Response> {
  const { tracker, hosts } = context;
  try {
    checkRequestHeaders(incoming, hosts);
    const request = await readHttpRequest(incoming, context);
    return pageOf(request) ?? (await tracker(request, { address: peerAddress(incoming.socket) }));
  } catch (error) {
    const fallbackRequest: Request = { method: incoming.method ?? "GET", path: "/", query: [] };
    return toReply(fallbackRequest, faultResponse(error));
  }
}

/** Redirect from the address that people know a bug by to its JSON, since this tracker has no web pages. */
function pageOf({ method, path, query }: Request): Response | undefined {
  const id = query.find(([name]) => name === "id")?.[1];
  if (method !== "GET" || path !== "/show_bug.cgi" || id === undefined) return undefined;
  return { status: 302, headers: { location: `/rest/bug/${encodeURIComponent(id)}` }, body: "" };
}

// Responses are for programs: no web page may read or embed them or send their URL on.
const HEADERS = {
  [IDEMPOTENCY_KEY_ACCEPTED]: "yes",
  [NO_WEB_PAGES]: "yes",
  "cache-control": "no-store",
  "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
  "cross-origin-resource-policy": "same-origin",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY",
} as const;

type BufferedReply = Omit<Response, "body"> & { body: Buffer };

function send(response: ServerResponse, incoming: IncomingMessage, { status, headers, body }: BufferedReply): void {
  const hasUnreadBody = !incoming.complete;
  response.writeHead(status, {
    ...HEADERS,
    ...headers,
    "content-length": body.length,
    ...(hasUnreadBody ? { connection: "close" } : {}),
  });
  response.end(incoming.method === "HEAD" ? "" : body);
  if (hasUnreadBody) incoming.resume();
}

/** A request's URL for the log: values of secret parameters replaced by `***`, printable ASCII only. */
export function redactedUrl(url: string): string {
  const redacted = url.replace(PAIR, (pair, mark: string, name: string) =>
    SECRET.test(decoded(name)) ? `${mark}${name}=***` : pair,
  );
  return redacted.replace(/[^!-~]/g, "?");
}

const PAIR = /([?&])([^=&]*)=[^&]*/g;
const SECRET = /(?:api_key|token|password)$/i;

function decoded(name: string): string {
  return new URLSearchParams(`${name}=`).keys().next().value ?? "";
}
