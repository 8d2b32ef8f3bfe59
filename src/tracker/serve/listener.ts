import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import type { Reply, Request } from "../../wire/exchange.ts";
import { KEYED } from "../../wire/idempotency.ts";
import { faultAnswer, toReply } from "../envelope/reply.ts";
import type { Tracker } from "../tracker.ts";
import { XML_RPC_PATH } from "../xml-rpc/path.ts";
import { checkHead } from "./checks.ts";
import { readRequest } from "./read.ts";

/** What a listener knows: whom it serves, the Host headers that are its own, and where its log goes. */
export type Listening = {
  readonly tracker: Tracker;
  readonly hosts: Set<string>;
  readonly log: (line: string) => void;
};

/** Answers HTTP requests with a tracker: checked, bounded, logged without secrets. */
export function listener(listening: Listening): RequestListener {
  return (incoming, response) => {
    void answer(listening, incoming, response);
  };
}

async function answer(listening: Listening, incoming: IncomingMessage, response: ServerResponse): Promise<void> {
  const started = Date.now();
  const reply = await replyTo(listening, incoming);
  send(response, incoming, reply);
  listening.log(`${incoming.method} ${withoutSecrets(incoming.url ?? "")} ${reply.status} ${Date.now() - started} ms`);
}

async function replyTo({ tracker, hosts }: Listening, incoming: IncomingMessage): Promise<Reply> {
  try {
    checkHead(incoming, hosts);
    const request = await readRequest(incoming);
    const origin = { address: incoming.socket.remoteAddress ?? "unknown" };
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
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY",
} as const;

function send(response: ServerResponse, incoming: IncomingMessage, { status, headers, body }: Reply): void {
  const hasUnreadBody = !incoming.complete;
  response.writeHead(status, {
    ...HEADERS,
    ...headers,
    "content-length": Buffer.byteLength(body),
    ...(hasUnreadBody ? { connection: "close" } : {}),
  });
  response.end(incoming.method === "HEAD" ? "" : body);
  if (hasUnreadBody) incoming.resume();
}

const SECRET = /([?&](?:Bugzilla_)?(?:api_key|token|password)=)[^&]*/gi;

/** A request's address as it may be logged. */
function withoutSecrets(url: string): string {
  return url.replace(SECRET, "$1***");
}
