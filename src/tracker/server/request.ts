import type { IncomingMessage } from "node:http";
import type { Socket } from "node:net";
import type { Request } from "../../wire/exchange.ts";
import { Fault } from "../http/fault.ts";

const MIB = 1024 * 1024;
const MAX_JSON_BYTES = 5 * MIB; // of a body without a file
const MAX_BODY_BYTES = 64 * MIB; // it takes several times as much memory
const MAX_PARAMETERS = 2_000;

/** Maximum size of a body in bytes: an attachment of the maximum size in base64, and JSON around it. */
export function maxBodyBytes(maxattachmentsize: string): number {
  const fileBytes = Math.max(0, Number(maxattachmentsize) * 1024 || 0);
  return Math.min(MAX_BODY_BYTES, MAX_JSON_BYTES + Math.ceil(fileBytes / 3) * 4);
}

/**
 * An HTTP request as the tracker takes it.
 * @throws Fault other if body or number of parameters exceeds its limit (413 or 400)
 */
export async function readHttpRequest(incoming: IncomingMessage, maxBytes: number): Promise<Request> {
  const { url = "/" } = incoming;
  const [path = "/"] = url.split("?", 1);
  const pairs = [...new URLSearchParams(url.slice(path.length))];
  if (pairs.length > MAX_PARAMETERS) {
    throw new Fault("other", `A request may have at most ${MAX_PARAMETERS} parameters.`);
  }
  const body = await readBody(incoming, maxBytes);
  return {
    method: incoming.method ?? "GET",
    path,
    query: pairs,
    headers: singleHeaders(incoming),
    ...(body === "" ? {} : { body }),
  };
}

function singleHeaders({ headers }: IncomingMessage): Readonly<Record<string, string>> {
  const single: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) if (typeof value === "string") single[name] = value;
  return single;
}

async function readBody(incoming: IncomingMessage, maxBytes: number): Promise<string> {
  if (Number(incoming.headers["content-length"] ?? 0) > maxBytes) throw tooLargeFault(maxBytes);
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of incoming as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > maxBytes) throw tooLargeFault(maxBytes);
    chunks.push(chunk);
  }
  return decodeBody(Buffer.concat(chunks));
}

function decodeBody(bytes: Buffer): string {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new Fault("other", "The body is not valid UTF-8.");
  }
}

function tooLargeFault(maxBytes: number): Fault {
  return new Fault("other", `A body may have at most ${(maxBytes / MIB).toFixed(1)} MiB.`, 413);
}

/**
 * Rejects what a browser could be tricked into sending: a foreign Host (DNS rebinding), a foreign
 * Origin, what another site's page asks for, and writes that are not JSON (a cross-site form
 * cannot send JSON without a CORS preflight).
 * @throws Fault other with status 403 or 415
 */
export function checkRequestHeaders(incoming: IncomingMessage, hosts: ReadonlySet<string>): void {
  const { headers, socket } = incoming;
  const isOwn = (name: string) => hosts.has(name.toLowerCase()) || name === localAddress(socket);
  const { host = "", origin } = headers;
  if (!isOwn(host)) throw new Fault("other", `This tracker has no host name "${host}".`, 403);
  const isForOwnPage = ["none", "same-origin"].includes(String(headers["sec-fetch-site"] ?? "none"));
  if (!isForOwnPage || (origin !== undefined && !isOwn(origin.replace(/^https?:\/\//i, "")))) {
    throw new Fault("other", "Cross-site requests are not allowed.", 403);
  }
  checkJsonBody(incoming);
}

function checkJsonBody({ method, headers }: IncomingMessage): void {
  const isWrite = method === "POST" || method === "PUT";
  const type = headers["content-type"]?.split(";")[0]?.trim().toLowerCase();
  const hasBody = headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) > 0;
  if (isWrite && hasBody && type !== "application/json") {
    throw new Fault("other", "The body must be sent with the Content-Type application/json.", 415);
  }
}

/** Address of the client, by which wrong passwords are counted; any loopback is `127.0.0.1`. */
export function peerAddress({ remoteAddress = "unknown" }: Socket): string {
  const address = unmappedAddress(remoteAddress);
  return address === "::1" || address.startsWith("127.") ? "127.0.0.1" : address;
}

/** Local address of a connection, as a Host header writes it. */
export function localAddress({ localAddress: ip = "", localPort = 0 }: Socket): string {
  const address = unmappedAddress(ip);
  return withPort(address.includes(":") ? `[${address}]` : address, localPort);
}

/** `host:port`, without the port if it is 80. */
export function withPort(host: string, port: number): string {
  return port === 80 ? host : `${host}:${port}`;
}

function unmappedAddress(address: string): string {
  return address.replace(/^::ffff:(?=\d+\.)/i, "");
}
