/** Any JSON value, as both sides of the wire speak it. */
export type Json = null | boolean | number | string | readonly Json[] | JsonObject;
/** A JSON object. */
export type JsonObject = { readonly [key: string]: Json };

/**
 * One request to a tracker as plain data. `operation` is absent where the path is of none that `bt` knows. `path` starts with
 * `/rest` and is already percent-encoded; `query` holds decoded pairs in the order they are sent, repeats kept; a `body` that
 * is text goes out exactly as it stands, an object as JSON. Header names are lower-case.
 */
export type Request = {
  readonly operation?: OperationName;
  readonly method: string;
  readonly path: string;
  readonly query: readonly (readonly [name: string, value: string])[];
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: JsonObject | string;
};

/** The operations of the interface that `bt` uses, by the names of the specification where it has them. */
export type OperationName =
  | "Get Bug"
  | "Bug History"
  | "Search Bugs"
  | "Create Bug"
  | "Update Bug"
  | "Get Comments"
  | "Get Comments by Id"
  | "Create Comments"
  | "Search Comment Tags"
  | "Update Comment Tags"
  | "Get Group"
  | "Create Group"
  | "Update Group"
  | "Fields"
  | "Get Field"
  | "Legal Values"
  | "Legal Values of Product"
  | "Get Products"
  | "Get Product"
  | "Get Flag Types"
  | "Get Users"
  | "Who Am I"
  | "Valid Login"
  | "Login"
  | "Logout"
  | "Version"
  | "Time";

/** What came back: the status, lower-case headers, and the whole decoded body as text. */
export type Reply = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
};

/** The only way to a tracker: the network is one, the embedded tracker is one, a canned reply in a test is one. */
export type Exchange = (request: Request) => Promise<Reply>;

/** Whether a request only reads, so that sending it again cannot change anything. */
export function isRead({ method }: Pick<Request, "method">): boolean {
  return READING.includes(method);
}

const READING: readonly string[] = ["GET", "HEAD", "OPTIONS"];

/** The wait in milliseconds that a server asks for, in seconds or as a date by its own clock; undefined when it asks for none. */
export function retryAfterMs(headers: Reply["headers"]): number | undefined {
  const value = headers["retry-after"]?.trim();
  if (value === undefined || value === "") return undefined;
  if (/^\d+$/.test(value)) return Number(value) * 1000;
  const wait = Date.parse(value) - Date.parse(headers["date"] ?? "");
  return Number.isFinite(wait) ? Math.max(0, wait) : undefined;
}

/** A wait in its largest fitting unit, for people: `24 h`. */
export function waitText(ms: number): string {
  const [size, unit] = UNITS.find(([least]) => ms >= least * 2) ?? [1000, "s"];
  return `${Math.round(ms / size)} ${unit}`;
}

const UNITS = [
  [3_600_000, "h"],
  [60_000, "min"],
] as const;

/** The header of a write that names it, so that a tracker which knows the name applies it once, however often it comes. */
export const IDEMPOTENCY_KEY = "idempotency-key";

/** The header by which such a tracker says so in every answer; it takes update tokens in `If-Match` too. */
export const KEYED = "idempotency-key-accepted";

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
