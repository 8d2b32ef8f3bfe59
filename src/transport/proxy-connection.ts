import connect from "undici/lib/api/api-connect.js";
import buildConnector from "undici/lib/core/connect.js";
import Client from "undici/lib/dispatcher/client.js";
import Dispatcher from "undici/lib/dispatcher/dispatcher.js";
import ProxyAgent from "undici/lib/dispatcher/proxy-agent.js";
import { OWN_FAULTS } from "./send.ts";

Object.assign(Dispatcher.prototype, { connect: openTunnel }); // undici's entry adds `connect`, by which a proxy opens its tunnel

/** Opens a tunnel. undici itself would report a refusal in words alone. */
async function openTunnel(this: Dispatcher, options: Dispatcher.ConnectOptions) {
  const tunnel = await connect.call(this, options);
  if (tunnel.statusCode === 200) return tunnel;
  tunnel.socket.on("error", () => undefined).destroy();
  throw Object.assign(new Error("the proxy refused"), { code: OWN_FAULTS.proxyRefusal, status: tunnel.statusCode });
}

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
