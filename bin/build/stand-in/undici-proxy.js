// undici for the one module that goes through a proxy, set up as undici's entry does it: its proxy asks for a tunnel by
// a method that every dispatcher is given there.
import connect from "undici/lib/api/api-connect.js";
import Dispatcher from "undici/lib/dispatcher/dispatcher.js";

Object.assign(Dispatcher.prototype, { connect });

export { default as buildConnector } from "undici/lib/core/connect.js";
export { default as Client } from "undici/lib/dispatcher/client.js";
export { default as ProxyAgent } from "undici/lib/dispatcher/proxy-agent.js";
