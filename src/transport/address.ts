import type { Request } from "../wire/exchange.ts";
import { pathAndQuery } from "../wire/url.ts";

/**
 * Where a request goes: the base URL's own path stays in front, and a base that names `rest.cgi` (for servers without the
 * rewrite rule of `/rest`) takes its place.
 */
export function urlPath(baseUrl: URL, request: Pick<Request, "path" | "query">): string {
  const prefix = baseUrl.pathname.replace(/\/+$/, "");
  const target = pathAndQuery(request);
  return prefix + (prefix.endsWith("/rest.cgi") ? target.replace(/^\/rest(?=[/?]|$)/, "") : target);
}

/** The request that asks for a URL of the same tracker; undefined when the URL lies outside it. */
export function requestWithin(baseUrl: URL, url: URL): Pick<Request, "path" | "query"> | undefined {
  const prefix = baseUrl.pathname.replace(/\/+$/, "");
  if (url.origin !== baseUrl.origin || url.username !== "" || !url.pathname.startsWith(`${prefix}/`)) return undefined;
  const path = url.pathname.slice(prefix.length);
  return { path: prefix.endsWith("/rest.cgi") ? `/rest${path}` : path, query: [...url.searchParams] };
}

/** Whether a URL names this very machine, where nobody listens in and no proxy is wanted. */
export function isLoopback(url: URL): boolean {
  return /^(localhost|127(\.\d+){3}|\[::1\])$/.test(url.hostname);
}

/** A request in words for messages: `GET https://bugs.example.org/rest/bug/7`. Its query is left out, since it may hold a key. */
export function asked(baseUrl: URL, request: Pick<Request, "method" | "path">): string {
  return `${request.method} ${baseUrl.origin}${urlPath(baseUrl, { path: request.path, query: [] })}`;
}
