import { HOUR_MS, MINUTE_MS } from "./time.ts";

export type Json = null | boolean | number | string | readonly Json[] | JsonObject;
export type JsonObject = { readonly [key: string]: Json };

/**
 * A request to a tracker as plain data. `operation` is absent for paths of no known operation. `path` starts with `/rest` and
 * is percent-encoded; `query` has decoded pairs in order, repeated names included; a string `body` is sent as is, an object as
 * JSON. Header names are lower-case.
 */
export type Request = RequestTarget & {
  readonly operation?: string; // its name, as in Bugzilla's documentation
  readonly method: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: JsonObject | string;
  readonly file?: FilePart; // beside an object as body
};

/** Path and query of a request, relative to the tracker. */
export type RequestTarget = {
  readonly path: string;
  readonly query: readonly (readonly [name: string, value: string])[];
};

/** A file, as it was when the request was made, which is sent as the base64 text `data` of the body; `size` in bytes. */
export type FilePart = { readonly path: string; readonly size: number; readonly sha256: string };

/** A response: status, headers with lower-case names, and the decoded body as text. */
export type Response = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
};

/** Function that sends a request to a tracker: over the network, to the embedded tracker, or to a stub in a test. */
export type Exchange = (request: Request) => Promise<Response>;

/** True if a request only reads and can safely be resent. */
export function isRead({ method }: Request): boolean {
  return READING.includes(method);
}

const READING: readonly string[] = ["GET", "HEAD", "OPTIONS"];

/** Delay of the `Retry-After` header in ms, from seconds or from a date by the server's clock; undefined without one. */
export function retryAfterMs(headers: Response["headers"]): number | undefined {
  const value = headers["retry-after"]?.trim();
  if (value === undefined || value === "") return undefined;
  if (/^\d+$/.test(value)) return Number(value) * 1000;
  const wait = Date.parse(value) - Date.parse(headers["date"] ?? "");
  return Number.isFinite(wait) ? Math.max(0, wait) : undefined;
}

/** A duration rounded to its largest fitting unit: `24 h`. */
export function waitText(ms: number): string {
  if (ms >= 2 * HOUR_MS) return `${Math.round(ms / HOUR_MS)} h`;
  return ms >= 2 * MINUTE_MS ? `${Math.round(ms / MINUTE_MS)} min` : `${Math.round(ms / 1000)} s`;
}

/** Response header of trackers without pages for people. */
export const NO_WEB_PAGES = "no-web-pages";

/**
 * Path and encoded query of a request's URL. Commas, colons, slashes and "@" stay literal: servers accept them, and a list
 * of ids would be a third longer.
 * @throws URIError for a lone surrogate
 */
export function pathAndQuery(request: RequestTarget): string {
  if (request.query.length === 0) return request.path;
  return `${request.path}?${request.query.map(([name, value]) => `${encode(name)}=${encode(value)}`).join("&")}`;
}

/** True if `baseUrl` has the origin of `bound` and an equal path or one below it, by whole segments. */
export function isAtOrBelow(baseUrl: URL, bound: URL): boolean {
  const prefix = bound.pathname.replace(/\/+$/, "");
  const path = baseUrl.pathname.replace(/\/+$/, "");
  return baseUrl.origin === bound.origin && (path === prefix || path.startsWith(`${prefix}/`));
}

function encode(text: string): string {
  return encodeURIComponent(text).replace(/%(?:2C|3A|40|2F)/g, (code) => decodeURIComponent(code));
}

/** Ways to send an API key or login token, by stored name, with their help text. A server accepts one of them. */
export const AUTH_STYLES = {
  header: "X-BUGZILLA-API-KEY; Bugzilla 5.1, 5.3 and later, Mozilla",
  bearer: "Authorization: Bearer; Red Hat",
  query: "in the query of reads and the body of writes; Bugzilla 5.0 and 5.2",
  token: "a login token, in the same places",
} as const;

export type AuthStyle = keyof typeof AUTH_STYLES;

/** Styles to try a key in: the known style of a server, else all, first the styles that leave no key in its logs. */
export function keyStyles(baseUrl: string): readonly AuthStyle[] {
  return new URL(baseUrl).hostname === "bugzilla.redhat.com" ? ["bearer"] : ["header", "bearer", "query"];
}

/**
 * The address that a text is, relative to a base; undefined if it is none. `URL.canParse` of Node 20 misreads letters such as
 * ü once it has been called some thousand times.
 */
export function parsedUrl(text: string, base?: string | URL): URL | undefined {
  try {
    return new URL(text, base);
  } catch {
    return undefined;
  }
}

/** Address of the tracker's pages: where its interface is at `rest.cgi`, they are beside it. */
export function pagesAddress(address: string): string {
  return address.replace(/(?:\/rest\.cgi)?\/*$/, "");
}

/** Address of the page of a bug below the address of the tracker's pages. */
export function bugPage(web: string, id: number | string): string {
  return `${web}/show_bug.cgi?id=${id}`;
}
