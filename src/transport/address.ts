import { BtError } from "../errors.ts";
import { pathAndQuery, type Request, type RequestTarget } from "../wire/exchange.ts";
import { parsedUrl } from "../wire/url.ts";

/**
 * Path and query of a request: the base URL's path is prepended, and a base that ends in `rest.cgi` (servers without
 * the rewrite rule for `/rest`) replaces `/rest`.
 */
export function urlPath(baseUrl: URL, request: RequestTarget): string {
  const prefix = baseUrl.pathname.replace(/\/+$/, "");
  const target = pathAndQuery(request);
  return prefix + (prefix.endsWith("/rest.cgi") ? target.replace(/^\/rest(?=[/?]|$)/, "") : target);
}

/** Request for a URL of the same tracker; undefined for any other URL. */
export function requestWithin(baseUrl: URL, url: URL): RequestTarget | undefined {
  const prefix = baseUrl.pathname.replace(/\/+$/, "");
  if (url.origin !== baseUrl.origin || url.username !== "" || !url.pathname.startsWith(`${prefix}/`)) return undefined;
  const path = url.pathname.slice(prefix.length);
  return { path: prefix.endsWith("/rest.cgi") ? `/rest${path}` : path, query: [...url.searchParams] };
}

/** True if a URL points to this machine. */
export function isLoopback(url: URL): boolean {
  return /^(localhost|127(\.\d+){3}|\[::1\])$/.test(url.hostname);
}

/**
 * A request in messages: `GET https://bugs.example.org/rest/bug/7`. The query is omitted, since it may contain a key.
 */
export function requestText(baseUrl: URL, request: Request): string {
  return `${request.method} ${baseUrl.origin}${urlPath(baseUrl, { path: request.path, query: [] })}`;
}

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Proxy for a base URL: the configured one, else HTTPS_PROXY, HTTP_PROXY and NO_PROXY (lower-case names first). This
 * machine is reached directly unless a proxy is configured.
 */
export function proxyFor(baseUrl: URL, env: Environment, explicit?: string): URL | undefined {
  if (explicit !== undefined)
    return proxyUrl(explicit, explicit === env["BT_PROXY"] ? "BT_PROXY" : "the setting proxy");
  const name = baseUrl.protocol === "https:" ? "HTTPS_PROXY" : "HTTP_PROXY";
  const source = variableInAnyCase(env, name) ? name : "ALL_PROXY";
  const value = variableInAnyCase(env, source);
  if (!value || isLoopback(baseUrl) || isExempt(baseUrl, variableInAnyCase(env, "NO_PROXY") ?? "")) return undefined;
  return proxyUrl(value, source);
}

function variableInAnyCase(env: Environment, name: string): string | undefined {
  return env[name.toLowerCase()] ?? env[name];
}

function proxyUrl(value: string, source: string): URL {
  const text = value.includes("://") ? value : `http://${value}`;
  if (!PROTOCOLS.includes(parsedUrl(text)?.protocol ?? "")) {
    const hint = "use http://HOST:PORT, or exempt the tracker with NO_PROXY";
    throw new BtError("usage", `${source} is not an http or https URL`, { hint });
  }
  return new URL(text);
}

const PROTOCOLS = ["http:", "https:"];

function isExempt(baseUrl: URL, list: string): boolean {
  const entries = list.split(/[\s,]+/).filter((entry) => entry !== "");
  return entries.some((entry) => entry === "*" || isCoveredBy(baseUrl, entry.toLowerCase()));
}

/**
 * True if an entry of NO_PROXY covers the base URL: `example.org`, `.example.org` and `*.example.org` cover the name
 * and its subdomains; a port restricts it.
 */
function isCoveredBy(baseUrl: URL, entry: string): boolean {
  const [, name = "", port] = /^(?:\*?\.)?(.*?)(?::(\d+))?$/.exec(entry) ?? [];
  const actual = baseUrl.port || (baseUrl.protocol === "https:" ? "443" : "80");
  const host = baseUrl.hostname.replace(/^\[|\]$/g, "");
  return (port === undefined || port === actual) && (host === name || host.endsWith(`.${name}`));
}
