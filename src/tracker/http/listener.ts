import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import { KEYED, type Reply, type Request } from "../../wire/exchange.ts";
import type { BufferLimit } from "./buffer-limit.ts";
import { checkRequestHeaders, peerAddress, readHttpRequest, XML_RPC_PATH } from "./request.ts";
import { faultResponse, toReply } from "./response.ts";
import type { Tracker } from "./tracker.ts";

/** What a listener knows: whom it serves, the Host headers that are its own, and where its log goes. */
export type ListenerContext = {
  readonly tracker: Tracker;
  readonly hosts: Set<string>;
  readonly held: BufferLimit;
  readonly log: (line: string) => void;
};

/** Answers HTTP requests with a tracker: checked, bounded, logged without secrets. */
export function requestListener(listening: ListenerContext): RequestListener {
  return (incoming, response) => {
    void respond(listening, incoming, response);
  };
}

async function respond(listening: ListenerContext, incoming: IncomingMessage, response: ServerResponse): Promise<void> {
  const started = performance.now();
  response.on("close", () => listening.held.release(incoming));
  const reply = await replyTo(listening, incoming);
  const body = Buffer.from(reply.body);
  if (!response.destroyed) listening.held.add(incoming, body.length);
  send(response, incoming, { ...reply, body });
  listening.log(
    `${incoming.method} ${redactedUrl(incoming.url ?? "")} ${reply.status} ${(performance.now() - started).toFixed(0)} ms`,
  );
}

async function replyTo({ tracker, hosts, held }: ListenerContext, incoming: IncomingMessage): Promise<Reply> {
  try {
    checkRequestHeaders(incoming, hosts);
    const request = await readHttpRequest(incoming, held);
    const origin = { address: peerAddress(incoming.socket) };
    if (request.method !== "POST" || request.path !== XML_RPC_PATH) return await tracker(request, origin);
    const { handleXmlRpc } = await import("./xml-rpc.ts");
    return await handleXmlRpc(tracker, request, origin);
  } catch (error) {
    const bare: Request = { method: incoming.method ?? "GET", path: "/", query: [] };
    return toReply(bare, faultResponse(error));
  }
}

// Everything is JSON for programs; no page of a browser may read it, embed it, or pass its address on.
const HEADERS = {
  [KEYED]: "yes",
  "cache-control": "no-store",
  "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
  "cross-origin-resource-policy": "same-origin",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY",
} as const;

type Sent = Omit<Reply, "body"> & { readonly body: Buffer };

function send(response: ServerResponse, incoming: IncomingMessage, { status, headers, body }: Sent): void {
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

/** A request's address as it may be logged: without secrets, however their names are written, and in plain characters. */
export function redactedUrl(url: string): string {
  const hidden = url.replace(PAIR, (pair, mark: string, name: string) =>
    SECRET.test(decoded(name)) ? `${mark}${name}=***` : pair,
  );
  return hidden.replace(/[^!-~]/g, "?");
}

const PAIR = /([?&])([^=&]*)=[^&]*/g;
const SECRET = /(?:api_key|token|password)$/i;

function decoded(name: string): string {
  return new URLSearchParams(`${name}=`).keys().next().value ?? "";
}
