import { type Dispatcher, ProxyAgent } from "undici";
import type { Connecting } from "./network.ts";

/** A connection that goes through a proxy: a tunnel for https, a request in the clear for http. */
export function proxyConnection(proxy: URL, { baseUrl, tls, client }: Connecting): Dispatcher {
  return new ProxyAgent({
    uri: proxy.href,
    proxyTunnel: baseUrl.protocol === "https:",
    requestTls: tls,
    connections: 1,
    ...client,
  });
}
