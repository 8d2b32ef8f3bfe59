import { BtError } from "../errors.ts";
import type { Secret } from "../secret.ts";
import { type AuthStyle, isRead, type Request } from "../wire/exchange.ts";
import { isLoopback, requestText } from "./address.ts";
import type { NetworkRoute } from "./network-errors.ts";

/** A key or token of the tracker, and its authentication style. */
export type Credential = { readonly style: AuthStyle; readonly key: Secret };

/**
 * The request with the credential in exactly one style. In a JSON body if there is one, since servers log queries; a text body is not modified.
 */
export function withKey(request: Request, { style, key: secret }: Credential): Request {
  const key = secret.reveal();
  const header = style === "header" ? { "x-bugzilla-api-key": key } : { authorization: `Bearer ${key}` };
  if (style === "header" || style === "bearer") return { ...request, headers: { ...request.headers, ...header } };
  const name = style === "query" ? "Bugzilla_api_key" : "Bugzilla_token";
  if (isRead(request) || typeof request.body === "string")
    return { ...request, query: [...request.query, [name, key]] };
  return { ...request, body: { ...request.body, [name]: key } };
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
  ...["Bugzilla_api_key", "api_key", "Bugzilla_token", "token", "Bugzilla_password", "password"],
  ...["x-bugzilla-api-key", "x-bugzilla-token", "authorization"],
];

function hasCredentials({ query, headers = {}, body }: Request): boolean {
  const members = typeof body === "object" ? Object.keys(body) : [];
  const names = [...query.map(([name]) => name), ...members, ...Object.keys(headers).map((name) => name.toLowerCase())];
  return names.some((name) => SECRET_NAMES.includes(name));
}
