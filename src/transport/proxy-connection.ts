import { type Client, type Dispatcher, ProxyAgent } from "undici";

/** What a connection is made from, straight or through a proxy. */
export type Connecting = {
  readonly baseUrl: URL;
  readonly tls: { readonly ca?: string[]; readonly rejectUnauthorized: boolean };
  readonly client: Client.Options;
};

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
