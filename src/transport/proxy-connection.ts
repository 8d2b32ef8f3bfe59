import { buildConnector, Client, type Dispatcher, ProxyAgent } from "undici";

/** What a connection is made from, straight or through a proxy. */
export type ConnectionOptions = {
  readonly baseUrl: URL;
  readonly tls: { readonly ca?: string[]; readonly rejectUnauthorized: boolean };
  readonly client: Client.Options;
};

/** A connection that goes through a proxy: a tunnel for https, a request in the clear for http. */
export function proxyConnection(proxy: URL, { baseUrl, tls, client }: ConnectionOptions): Dispatcher {
  return new ProxyAgent({
    uri: proxy.href,
    proxyTunnel: baseUrl.protocol === "https:",
    requestTls: tls,
    clientFactory: (origin) => new Client(origin, { ...client, connect: toProxy(tls) }),
    connections: 1,
    ...client,
  });
}

/** The proxy itself is trusted as the tracker is; its name is told to it by TLS only where it has one, and not for an address. */
function toProxy(tls: ConnectionOptions["tls"]): buildConnector.connector {
  const connect = buildConnector({ ...tls, timeout: 0 });
  return ({ servername: _, ...asked }, done) => connect(asked, done);
}
