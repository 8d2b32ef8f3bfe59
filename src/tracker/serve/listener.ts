import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import type { Reply, Request } from "../../wire/exchange.ts";
import { KEYED } from "../../wire/idempotency.ts";
import { faultAnswer, toReply } from "../envelope/reply.ts";
import type { Tracker } from "../tracker.ts";
import { XML_RPC_PATH } from "../xml-rpc/path.ts";
import { checkHead } from "./checks.ts";
import type { Held } from "./held.ts";
import { loggedAddress } from "./log-line.ts";
import { peerAddress } from "./peers.ts";
import { readRequest } from "./read.ts";

/** What a listener knows: whom it serves, the Host headers that are its own, and where its log goes. */
export type Listening = {
  readonly tracker: Tracker;
  readonly hosts: Set<string>;
  readonly held: Held;
  readonly log: (line: string) => void;
};

/** Answers HTTP requests with a tracker: checked, bounded, logged without secrets. */
export function listener(listening: Listening): RequestListener {
  return (incoming, response) => {
    void answer(listening, incoming, response);
  };
}

async function answer(listening: Listening, incoming: IncomingMessage, response: ServerResponse): Promise<void> {
  const started = performance.now();
  response.on("close", () => listening.held.release(incoming));
  const reply = await replyTo(listening, incoming);
  const body = Buffer.from(reply.body);
  if (!response.destroyed) listening.held.add(incoming, body.length);
  send(response, incoming, { ...reply, body });
  listening.log(
    `${incoming.method} ${loggedAddress(incoming.url ?? "")} ${reply.status} ${(performance.now() - started).toFixed(0)} ms`,
  );
}

async function replyTo({ tracker, hosts, held }: Listening, incoming: IncomingMessage): Promise<Reply> {
  try {
    checkHead(incoming, hosts);
    const request = await readRequest(incoming, held);
    const origin = { address: peerAddress(incoming.socket) };
    if (request.method !== "POST" || request.path !== XML_RPC_PATH) return await tracker(request, origin);
    const { answerCall } = await import("../xml-rpc/xml-rpc.ts");
    return await answerCall(tracker, request, origin);
  } catch (error) {
    const bare: Request = { method: incoming.method ?? "GET", path: "/", query: [] };
    return toReply(bare, faultAnswer(error));
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
