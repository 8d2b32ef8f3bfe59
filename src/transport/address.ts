import { usageError } from "../errors.ts";
import { parsedUrl, pathAndQuery, type Request, type RequestTarget } from "../wire/exchange.ts";

/**
 * Path and query of a request: the base URL's path is prepended, and a base that ends in `rest.cgi`
 * (servers without the rewrite rule for `/rest`) replaces `/rest`.
 */
export function urlPath(baseUrl: URL, request: RequestTarget): string {
  const prefix = baseUrl.pathname.replace(/\/+$/, "");
  const target = pathAndQuery(request);
  return prefix + (prefix.endsWith("/rest.cgi") ? target.replace(/^\/rest(?=[/?]|$)/, "") : target);
}

/** True if a URL points to this machine. */
export function isLoopback(url: URL): boolean {
  return /^(localhost|127(\.\d+){3}|\[::1\])$/.test(url.hostname);
}

/** `GET https://bugs.example.org/rest/bug/7`, without the query, which may contain a key. */
export function requestText(baseUrl: URL, request: Request): string {
  return `${request.method} ${baseUrl.origin}${urlPath(baseUrl, { path: request.path, query: [] })}`;
}

/**
 * Proxy for a base URL: the configured one, else HTTPS_PROXY, HTTP_PROXY and NO_PROXY (lower-case
 * names first). This machine is reached directly unless a proxy is configured.
 */
export function proxyFor(
  baseUrl: URL,
  env: Readonly<Record<string, string | undefined>>,
  explicit?: string,
): URL | undefined {
  if (explicit !== undefined)
    return proxyUrl(explicit, explicit === env["BT_PROXY"] ? "BT_PROXY" : "the setting proxy");
  const variable = (upper: string) => env[upper.toLowerCase()] ?? env[upper];
  const name = baseUrl.protocol === "https:" ? "HTTPS_PROXY" : "HTTP_PROXY";
  const value = variable(name);
  if (!value || isLoopback(baseUrl) || isExempt(baseUrl, variable("NO_PROXY") ?? "")) return undefined;
  return proxyUrl(value, name);
}

function proxyUrl(value: string, source: string): URL {
  const url = parsedUrl(value.includes("://") ? value : `http://${value}`);
  if (url && /^https?:$/.test(url.protocol)) return url;
  throw usageError(
    `${source} is not an http or https URL`,
    "use http://HOST:PORT, or exempt the tracker with NO_PROXY",
  );
}

/**
 * True if NO_PROXY covers a host: `example.org`, `.example.org` and `*.example.org` cover the name and its subdomains;
 * `*` covers all.
 */
function isExempt({ hostname }: URL, list: string): boolean {
  const host = `.${hostname.replace(/^\[|\]$/g, "")}`;
  const names = list
    .toLowerCase()
    .split(/[\s,]+/)
    .filter(Boolean);
  return names.some((name) => name === "*" || host.endsWith(`.${name.replace(/^\*?\./, "")}`));
}
