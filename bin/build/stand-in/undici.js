// undici for the bundle: one connection and nothing around it. A name that is missing here fails the build.
export { default as buildConnector } from "undici/lib/core/connect.js";
export { default as Client } from "undici/lib/dispatcher/client.js";
