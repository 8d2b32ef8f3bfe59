import { BtError } from "../errors.ts";
import type { Secret } from "../secret.ts";
import type { AuthStyle } from "../wire/auth-style.ts";
import { type Exchange, isAtOrBelow, isRead, type Request } from "../wire/exchange.ts";
import { isLoopback, requestText } from "./address.ts";
import type { NetworkRoute } from "./network-errors.ts";

/** A key or token, the one style in which it is shown, and the base URL that it is bound to. */
export type Credential = { readonly style: AuthStyle; readonly key: Secret; readonly boundTo: string };

/** Shows the credential with every request, in exactly one way; refuses to show it to anyone but the tracker it belongs to. */
export function authenticated(exchange: Exchange, { style, key, boundTo }: Credential, base: string): Exchange {
  const baseUrl = new URL(base);
  return async (request) => {
    if (!isAtOrBelow(baseUrl, new URL(boundTo))) {
      throw refusal(requestText(baseUrl, request), `the key of ${boundTo} is not shown to ${baseUrl.href}`, LOG_IN);
    }
    const value = key.reveal();
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what would break a header or a query apart
    if (/[\0-\x1f\x7f]/.test(value))
      throw refusal(requestText(baseUrl, request), "the key holds a control character or line break", LOG_IN);
    return exchange(STYLES[style](request, value));
  };
}

/**
 * Refuses to send a key, token or password unencrypted to another machine, or to a proxy of any, unless that is allowed.
 * Stands below all that adds one.
 */
export function requireEncryption(exchange: Exchange, { baseUrl, proxy }: NetworkRoute, allowHttp = false): Exchange {
  const isLocal = isLoopback(baseUrl) && proxy === undefined;
  if (allowHttp || isLocal || baseUrl.protocol === "https:") return exchange;
  const way = proxy ? `${baseUrl.host} through the proxy ${proxy.host}` : baseUrl.host;
  return async (request) => {
    if (!carriesSecret(request)) return exchange(request);
    const hint = "use the https address, or --allow-http if the network can be trusted";
    throw refusal(requestText(baseUrl, request), `a key would travel to ${way} unencrypted`, hint);
  };
}

/** The names under which a query may hold a key or token. */
export const CREDENTIAL_PARAMETERS: readonly string[] = ["Bugzilla_api_key", "api_key", "Bugzilla_token", "token"];

const PASSWORD_PARAMETERS = ["Bugzilla_password", "password"];
const CREDENTIAL_HEADERS = ["x-bugzilla-api-key", "x-bugzilla-token", "authorization"];

const LOG_IN = "bt auth login";

const STYLES: Readonly<Record<AuthStyle, (request: Request, key: string) => Request>> = {
  header: (request, key) => withHeader(request, "x-bugzilla-api-key", key),
  bearer: (request, key) => withHeader(request, "authorization", `Bearer ${key}`),
  query: (request, key) => withParameter(request, "Bugzilla_api_key", key),
  token: (request, key) => withParameter(request, "Bugzilla_token", key),
};

function withHeader(request: Request, name: string, value: string): Request {
  return { ...request, headers: { ...request.headers, [name]: value } };
}

/** In the body where there can be one, since servers write queries to their logs; a body given as text is not touched. */
function withParameter(request: Request, name: string, value: string): Request {
  if (isRead(request) || typeof request.body === "string") {
    return { ...request, query: [...request.query, [name, value]] };
  }
  return { ...request, body: { ...request.body, [name]: value } };
}

function carriesSecret({ query, headers = {}, body }: Request): boolean {
  const names = [...query.map(([name]) => name), ...(typeof body === "object" ? Object.keys(body) : [])];
  return (
    names.some((name) => CREDENTIAL_PARAMETERS.includes(name) || PASSWORD_PARAMETERS.includes(name)) ||
    Object.keys(headers).some((name) => CREDENTIAL_HEADERS.includes(name.toLowerCase()))
  );
}

function refusal(request: string, message: string, hint: string): BtError {
  return new BtError("guard", message, { hint, asked: request, changed: "nothing" });
}
