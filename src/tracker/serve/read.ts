import type { IncomingMessage } from "node:http";
import type { Request } from "../../wire/exchange.ts";
import { Fault } from "../fault.ts";
import { XML_RPC_PATH } from "../xml-rpc/path.ts";
import type { Held } from "./held.ts";

const MOST_BODY_BYTES = 5 * 1024 * 1024;
const MOST_PARAMETERS = 2_000;
const DEEPEST = 64;

/** An HTTP request as the tracker takes it, bounded in size, number of parameters and depth. */
export async function readRequest(incoming: IncomingMessage, held: Held): Promise<Request> {
  const [path = "/", query = ""] = split(incoming.url ?? "/");
  const pairs = [...new URLSearchParams(query)];
  if (pairs.length > MOST_PARAMETERS) {
    throw new Fault(400, 32000, `A request may have at most ${MOST_PARAMETERS} parameters.`);
  }
  const body = await readBody(incoming, held);
  if (path !== XML_RPC_PATH) checkDepth(body);
  return {
    method: incoming.method ?? "GET",
    path,
    query: pairs,
    headers: singleHeaders(incoming),
    ...(body === "" ? {} : { body }),
  };
}

function split(url: string): readonly string[] {
  const mark = url.indexOf("?");
  return mark === -1 ? [url] : [url.slice(0, mark), url.slice(mark + 1)];
}

function singleHeaders({ headers }: IncomingMessage): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) => (typeof value === "string" ? [[name, value]] : [])),
  );
}

async function readBody(incoming: IncomingMessage, held: Held): Promise<string> {
  if (Number(incoming.headers["content-length"] ?? 0) > MOST_BODY_BYTES) throw tooLarge();
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of incoming as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > MOST_BODY_BYTES) throw tooLarge();
    held.add(incoming, chunk.length);
    chunks.push(chunk);
  }
  return decode(Buffer.concat(chunks));
}

function decode(bytes: Buffer): string {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new Fault(400, 32000, "The body is not valid UTF-8.");
  }
}

function tooLarge(): Fault {
  return new Fault(413, 32000, `A body may have at most ${MOST_BODY_BYTES / 1024 / 1024} MiB.`);
}

// Counted before it is parsed: a parser would have to be trusted with any depth.
function checkDepth(text: string): void {
  let depth = 0;
  for (let at = 0; at < text.length; at += 1) {
    const sign = text[at] ?? "";
    if (sign === '"') at = endOfString(text, at);
    depth += STEPS[sign] ?? 0;
    if (depth > DEEPEST) throw new Fault(400, 32000, `JSON may be at most ${DEEPEST} levels deep.`);
  }
}

const STEPS: Readonly<Record<string, number>> = { "[": 1, "{": 1, "]": -1, "}": -1 };

function endOfString(text: string, start: number): number {
  let at = start + 1;
  while (at < text.length && text[at] !== '"') {
    at += text[at] === "\\" ? 2 : 1;
  }
  return at;
}
