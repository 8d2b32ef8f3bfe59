import connect from "undici/lib/api/api-connect.js";
import buildConnector from "undici/lib/core/connect.js";
import Client from "undici/lib/dispatcher/client.js";
import Dispatcher from "undici/lib/dispatcher/dispatcher.js";
import ProxyAgent from "undici/lib/dispatcher/proxy-agent.js";

Object.assign(Dispatcher.prototype, { connect }); // as undici's entry does: a proxy opens its tunnel by it

/** Options of a connection, direct or through a proxy. */
export type ConnectionOptions = {
  baseUrl: URL;
  tls: { ca?: string[]; rejectUnauthorized: boolean };
  client: Client.Options;
};

/** Connection through a proxy: a tunnel for https, plain requests for http. */
export function proxyConnection(proxy: URL, { baseUrl, tls, client }: ConnectionOptions): Dispatcher {
  return new ProxyAgent({
    uri: proxy.href,
    proxyTunnel: baseUrl.protocol === "https:",
    requestTls: tls,
    clientFactory: (origin) => new Client(origin, { ...client, connect: proxyConnector(tls) }),
    connections: 1,
    ...client,
  });
}

/** The proxy is trusted like the tracker; TLS sends its name only if it is not an IP address. */
function proxyConnector(tls: ConnectionOptions["tls"]): buildConnector.connector {
  const connectTo = buildConnector({ ...tls, timeout: 0 });
  return ({ servername: _, ...options }, done) => connectTo(options, done);
}
