// undici for the bundle: the client alone. What only a proxy needs is loaded when there is one; a name that is missing
// here fails the build.
import request from "undici/lib/api/api-request.js";
import Dispatcher from "undici/lib/dispatcher/dispatcher.js";

export { default as errors } from "undici/lib/core/errors.js";
export { default as Agent } from "undici/lib/dispatcher/agent.js";
export { default as Client } from "undici/lib/dispatcher/client.js";
export { default as Pool } from "undici/lib/dispatcher/pool.js";
export { Dispatcher };

Dispatcher.prototype.request = request;

export function EnvHttpProxyAgent(options) {
  return new (require("undici/lib/dispatcher/env-http-proxy-agent.js"))(options);
}

export function ProxyAgent(options) {
  return new (require("undici/lib/dispatcher/proxy-agent.js"))(options);
}
