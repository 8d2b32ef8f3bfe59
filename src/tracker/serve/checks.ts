import type { IncomingMessage } from "node:http";
import { Fault } from "../fault.ts";
import { XML_RPC_PATH } from "../xml-rpc/path.ts";
import { reachedAddress } from "./peers.ts";

/**
 * Refuses what a browser could be tricked into sending: another name in Host (DNS rebinding), another site's Origin, a
 * resource for another site's page (a script with `callback=`), and writes that are not sent as JSON (a form of another
 * site cannot do that without asking first).
 */
export function checkHead(incoming: IncomingMessage, hosts: ReadonlySet<string>): void {
  const { headers, socket } = incoming;
  const isOwn = (name: string) => hosts.has(name.toLowerCase()) || name === reachedAddress(socket);
  const { host = "", origin } = headers;
  if (!isOwn(host)) throw new Fault(403, 32000, `This tracker is not known as "${host}".`);
  if (!isForOwnPage(incoming) || (origin !== undefined && !isOwn(origin.replace(/^https?:\/\//i, "")))) {
    throw new Fault(403, 32000, "Pages of other sites may not use this tracker.");
  }
  checkType(incoming);
}

// Browsers say whose page a request is for; a link that somebody follows shows the answer to nobody else.
function isForOwnPage({ method, headers }: IncomingMessage): boolean {
  const site = headers["sec-fetch-site"] ?? "none";
  const isLink =
    method === "GET" && headers["sec-fetch-mode"] === "navigate" && headers["sec-fetch-dest"] === "document";
  return site === "none" || site === "same-origin" || isLink;
}

function checkType({ method, url = "", headers }: IncomingMessage): void {
  const isWrite = method === "POST" || method === "PUT";
  const type = headers["content-type"]?.split(";")[0]?.trim().toLowerCase();
  const hasBody = headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) > 0;
  const wanted = url.startsWith(XML_RPC_PATH) ? "text/xml" : "application/json";
  if (isWrite && hasBody && type !== wanted) {
    throw new Fault(415, 32000, `The body must be sent with the Content-Type ${wanted}.`);
  }
}
