import type { IncomingMessage } from "node:http";
import type { Socket } from "node:net";
import type { Request } from "../../wire/exchange.ts";
import type { BufferLimit } from "./buffer-limit.ts";
import { Fault } from "./fault.ts";

const MAX_BODY_BYTES = 5 * 1024 * 1024;
const MAX_PARAMETERS = 2_000;
const MAX_JSON_DEPTH = 64;

/** An HTTP request as the tracker takes it, bounded in size, number of parameters and depth. */
export async function readHttpRequest(incoming: IncomingMessage, held: BufferLimit): Promise<Request> {
  const [path = "/", query = ""] = splitUrl(incoming.url ?? "/");
  const pairs = [...new URLSearchParams(query)];
  if (pairs.length > MAX_PARAMETERS) {
    throw new Fault(400, 32000, `A request may have at most ${MAX_PARAMETERS} parameters.`);
  }
  const body = await readBody(incoming, held);
  if (path !== XML_RPC_PATH) checkJsonDepth(body);
  return {
    method: incoming.method ?? "GET",
    path,
    query: pairs,
    headers: singleHeaders(incoming),
    ...(body === "" ? {} : { body }),
  };
}

function splitUrl(url: string): readonly string[] {
  const mark = url.indexOf("?");
  return mark === -1 ? [url] : [url.slice(0, mark), url.slice(mark + 1)];
}

function singleHeaders({ headers }: IncomingMessage): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) => (typeof value === "string" ? [[name, value]] : [])),
  );
}

async function readBody(incoming: IncomingMessage, held: BufferLimit): Promise<string> {
  if (Number(incoming.headers["content-length"] ?? 0) > MAX_BODY_BYTES) throw tooLarge();
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of incoming as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > MAX_BODY_BYTES) throw tooLarge();
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
  return new Fault(413, 32000, `A body may have at most ${MAX_BODY_BYTES / 1024 / 1024} MiB.`);
}

// Counted before it is parsed: a parser would have to be trusted with any depth.
function checkJsonDepth(text: string): void {
  let depth = 0;
  for (let at = 0; at < text.length; at += 1) {
    const sign = text[at] ?? "";
    if (sign === '"') at = endOfString(text, at);
    depth += DEPTH_CHANGES[sign] ?? 0;
    if (depth > MAX_JSON_DEPTH) throw new Fault(400, 32000, `JSON may be at most ${MAX_JSON_DEPTH} levels deep.`);
  }
}

const DEPTH_CHANGES: Readonly<Record<string, number>> = { "[": 1, "{": 1, "]": -1, "}": -1 };

function endOfString(text: string, start: number): number {
  let at = start + 1;
  while (at < text.length && text[at] !== '"') {
    at += text[at] === "\\" ? 2 : 1;
  }
  return at;
}

/**
 * Refuses what a browser could be tricked into sending: another name in Host (DNS rebinding), another site's Origin, a
 * resource for another site's page (a script with `callback=`), and writes that are not sent as JSON (a form of another
 * site cannot do that without asking first).
 */
export function checkRequestHeaders(incoming: IncomingMessage, hosts: ReadonlySet<string>): void {
  const { headers, socket } = incoming;
  const isOwn = (name: string) => hosts.has(name.toLowerCase()) || name === localAddress(socket);
  const { host = "", origin } = headers;
  if (!isOwn(host)) throw new Fault(403, 32000, `This tracker is not known as "${host}".`);
  if (!isForOwnPage(incoming) || (origin !== undefined && !isOwn(origin.replace(/^https?:\/\//i, "")))) {
    throw new Fault(403, 32000, "Pages of other sites may not use this tracker.");
  }
  checkContentType(incoming);
}

// Browsers say whose page a request is for; a link that somebody follows shows the answer to nobody else.
function isForOwnPage({ method, headers }: IncomingMessage): boolean {
  const site = headers["sec-fetch-site"] ?? "none";
  const isLink =
    method === "GET" && headers["sec-fetch-mode"] === "navigate" && headers["sec-fetch-dest"] === "document";
  return site === "none" || site === "same-origin" || isLink;
}

function checkContentType({ method, url = "", headers }: IncomingMessage): void {
  const isWrite = method === "POST" || method === "PUT";
  const type = headers["content-type"]?.split(";")[0]?.trim().toLowerCase();
  const hasBody = headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) > 0;
  const wanted = url.startsWith(XML_RPC_PATH) ? "text/xml" : "application/json";
  if (isWrite && hasBody && type !== wanted) {
    throw new Fault(415, 32000, `The body must be sent with the Content-Type ${wanted}.`);
  }
}

/**
 * Where a request came from. This machine is one place, whichever of its loopback addresses somebody takes: failed logins
 * are counted by place.
 */
export function peerAddress({ remoteAddress = "unknown" }: Socket): string {
  const address = unmapped(remoteAddress);
  return address === "::1" || address.startsWith("127.") ? "127.0.0.1" : address;
}

/** The address that a connection reached, as a Host header writes it: no name that somebody else could give it. */
export function localAddress({ localAddress = "", localPort = 0 }: Socket): string {
  const address = unmapped(localAddress);
  return withPort(address.includes(":") ? `[${address}]` : address, localPort);
}

/** A host with its port, which goes without saying when it is that of HTTP. */
export function withPort(host: string, port: number): string {
  return port === 80 ? host : `${host}:${port}`;
}

function unmapped(address: string): string {
  return address.replace(/^::ffff:(?=\d+\.)/i, "");
}

/** Where clients before REST send their calls. */
export const XML_RPC_PATH = "/xmlrpc.cgi";
