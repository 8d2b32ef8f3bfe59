import { BtError } from "../errors.ts";
import type { Secret } from "../secret.ts";
import { type AuthStyle, isRead, type Request } from "../wire/exchange.ts";
import { isLoopback, requestText } from "./address.ts";
import type { NetworkRoute } from "./network-errors.ts";

/** A key or token of the tracker, and its authentication style. */
export type Credential = { readonly style: AuthStyle; readonly key: Secret };

/** The request with the credential in exactly one style. */
export function withKey(request: Request, { style, key: secret }: Credential): Request {
  const { query, headers, body } = request;
  const key = secret.reveal();
  if (style === "header") return { ...request, headers: { ...headers, "x-bugzilla-api-key": key } };
  if (style === "bearer") return { ...request, headers: { ...headers, authorization: `Bearer ${key}` } };
  const name = style === "query" ? "Bugzilla_api_key" : "Bugzilla_token";
  const isInQuery = isRead(request) || typeof body === "string"; // else in the JSON body, since servers log queries
  return isInQuery ? { ...request, query: [...query, [name, key]] } : { ...request, body: { ...body, [name]: key } };
}

/**
 * Rejects keys, tokens and passwords over unencrypted HTTP to another machine or proxy, unless allowed.
 * @throws BtError of kind guard
 */
export function checkEncryption(request: Request, { baseUrl, proxy }: NetworkRoute, allowHttp = false): void {
  const isLocal = isLoopback(baseUrl) && proxy === undefined;
  if (allowHttp || isLocal || baseUrl.protocol === "https:" || !hasCredentials(request)) return;
  const way = proxy ? `${baseUrl.host} through the proxy ${proxy.host}` : baseUrl.host;
  throw new BtError("guard", `refusing to send the API key to ${way} unencrypted`, {
    hint: "use https, or --allow-http on a trusted network",
    request: requestText(baseUrl, request),
  });
}

/** Parameters, members and headers that hold a key, a token or a password. */
const SECRET_NAMES: readonly string[] = [
  "Bugzilla_api_key",
  "api_key",
  "Bugzilla_token",
  "token",
  "Bugzilla_password",
  "password",
  "x-bugzilla-api-key",
  "x-bugzilla-token",
  "authorization",
];

function hasCredentials({ query, headers = {}, body }: Request): boolean {
  const members = typeof body === "object" ? Object.keys(body) : [];
  const names = [...query.map(([name]) => name), ...members, ...Object.keys(headers)];
  return names.some((name) => SECRET_NAMES.includes(name));
}
