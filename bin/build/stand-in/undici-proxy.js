// undici for the one module that goes through a proxy.
export { default as ProxyAgent } from "undici/lib/dispatcher/proxy-agent.js";
