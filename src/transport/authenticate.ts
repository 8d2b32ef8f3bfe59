import { BtError } from "../errors.ts";
import type { Secret } from "../secret.ts";
import type { AuthStyle } from "../wire/auth-style.ts";
import type { Exchange, Request } from "../wire/exchange.ts";
import { isAtOrBelow } from "../wire/url.ts";
import { asked, isLoopback } from "./address.ts";
import { isRead } from "./limits.ts";

/** A key or token, the one style in which it is shown, and the base URL that it is bound to. */
export type Credential = { readonly style: AuthStyle; readonly key: Secret; readonly boundTo: string };

/** Where requests go, and whether a key may travel unencrypted. */
export type Destination = { readonly baseUrl: string; readonly allowHttp?: boolean | undefined };

/** Shows the credential with every request, in exactly one way; refuses to show it to anyone but the tracker it belongs to. */
export function authenticated(exchange: Exchange, credential: Credential, destination: Destination): Exchange {
  const baseUrl = new URL(destination.baseUrl);
  return async (request) => {
    const refusal = reasonToRefuse(baseUrl, credential, destination.allowHttp === true);
    if (refusal)
      throw new BtError("guard", refusal.why, {
        hint: refusal.hint,
        asked: asked(baseUrl, request),
        changed: "nothing",
      });
    return exchange(STYLES[credential.style](request, credential.key.reveal()));
  };
}

/** The names under which a query may hold a credential. */
export const CREDENTIAL_PARAMETERS: readonly string[] = ["Bugzilla_api_key", "api_key", "Bugzilla_token", "token"];

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
  if (isRead(request) || typeof request.body === "string")
    return { ...request, query: [...request.query, [name, value]] };
  return { ...request, body: { ...request.body, [name]: value } };
}

function reasonToRefuse(baseUrl: URL, { key, boundTo }: Credential, allowHttp: boolean) {
  if (!isAtOrBelow(baseUrl, new URL(boundTo))) {
    return { why: `the key of ${boundTo} is not shown to ${baseUrl.href}`, hint: "bt auth login" };
  }
  if (baseUrl.protocol !== "https:" && !isLoopback(baseUrl) && !allowHttp) {
    return {
      why: `the key would travel to ${baseUrl.host} unencrypted`,
      hint: "use the https address, or --allow-http if the network can be trusted",
    };
  }
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what would break a header or a query apart
  if (/[\0-\x1f\x7f]/.test(key.reveal()))
    return { why: "the key holds a control character or line break", hint: "bt auth login" };
  return undefined;
}
