import type { Request } from "./exchange.ts";

/**
 * The path and query of a request as they stand in its URL. Commas, colons, slashes and "@" stay literal, since servers take
 * them so and a list of ids would grow by a third; a text with half a surrogate pair throws a URIError.
 */
export function pathAndQuery(request: Pick<Request, "path" | "query">): string {
  if (request.query.length === 0) return request.path;
  return `${request.path}?${request.query.map(([name, value]) => `${encode(name)}=${encode(value)}`).join("&")}`;
}

/** Whether one base URL lies at or below another: same scheme, host and port, and path segments, never mere letters. */
export function isAtOrBelow(baseUrl: URL, bound: URL): boolean {
  const prefix = bound.pathname.replace(/\/+$/, "");
  const path = baseUrl.pathname.replace(/\/+$/, "");
  return baseUrl.origin === bound.origin && (path === prefix || path.startsWith(`${prefix}/`));
}

const LITERAL: Readonly<Record<string, string>> = { "%2C": ",", "%3A": ":", "%40": "@", "%2F": "/" };

function encode(text: string): string {
  return encodeURIComponent(text).replace(/%(?:2C|3A|40|2F)/g, (code) => LITERAL[code] ?? code);
}
