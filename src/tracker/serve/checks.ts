import type { IncomingMessage } from "node:http";
import { Fault } from "../fault.ts";
import { XML_RPC_PATH } from "../xml-rpc/path.ts";

/**
 * Refuses what a browser could be tricked into sending: another name in Host (DNS rebinding), another site's Origin, and
 * writes that are not sent as JSON (a form of another site cannot do that without asking first).
 */
export function checkHead({ method, url = "", headers }: IncomingMessage, hosts: ReadonlySet<string>): void {
  const host = headers.host?.toLowerCase() ?? "";
  if (!hosts.has(host)) throw new Fault(403, 32000, `This tracker is not known as "${host}".`);
  if (headers.origin !== undefined && !hosts.has(headers.origin.toLowerCase().replace(/^https?:\/\//, ""))) {
    throw new Fault(403, 32000, "Pages of other sites may not use this tracker.");
  }
  const isWrite = method === "POST" || method === "PUT";
  const type = headers["content-type"]?.split(";")[0]?.trim().toLowerCase();
  const hasBody = headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) > 0;
  const wanted = url.startsWith(XML_RPC_PATH) ? "text/xml" : "application/json";
  if (isWrite && hasBody && type !== wanted) {
    throw new Fault(415, 32000, `The body must be sent with the Content-Type ${wanted}.`);
  }
}
