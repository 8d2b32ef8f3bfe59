import { BtError, CHECK_ADDRESS, type ErrorFacts, type ErrorKind, LOG_IN } from "../../errors.ts";
import { ERROR_CODES, type ErrorName, errorCodes } from "../../wire/error-codes.ts";
import {
  isRead,
  type Json,
  type JsonObject,
  pathAndQuery,
  type Request,
  type Response,
  retryAfterMs,
  waitText,
} from "../../wire/exchange.ts";

/**
 * JSON of a successful response. `isTrackersOwn`: an error without Bugzilla's form comes from the tracker itself and from no
 * gateway, so that it refuses a write.
 * @throws BtError of the matching kind for an error body (whatever its status), a web page, an empty or non-JSON body; of
 * kind unknown if a write may have been applied
 */
export function readResponse(response: Response, request: Request, isTrackersOwn = false): Json {
  const { status, body } = response;
  const { json, problem } = parseJson(body);
  const isSuccess = status >= 200 && status < 300;
  const { error, code, message } = Object(json);
  const isCoded = codeIn(code, status) !== undefined;
  const hasError = isSuccess ? error && (code !== undefined || message !== undefined) : error === true && isCoded;
  if (hasError) throw bugzillaError(json as JsonObject, status, request);
  if (!isSuccess) throw statusError(response, request, json, isTrackersOwn);
  if (request.method === "HEAD") return null;
  if (json === undefined) throw noDataError(response, request, problem);
  if (typeof json !== "object" || json === null)
    throw invalidResponseError(request, "is neither a JSON object nor a list");
  return json;
}

/** Parses JSON; refuses nesting that would exhaust the stack of what reads it, and numbers that a double cannot represent. */
function parseJson(text: string): { readonly json?: Json; readonly problem?: string } {
  try {
    const json = JSON.parse(text) as Json;
    const problem = findProblem(json);
    return problem === undefined ? { json } : { problem };
  } catch {
    return { problem: "is not valid JSON" };
  }
}

const MAX_DEPTH = 100;

function findProblem(value: Json, depth = 0): string | undefined {
  if (typeof value === "number" && Math.abs(value) > Number.MAX_SAFE_INTEGER)
    return "contains a number that is too large to represent exactly";
  if (typeof value !== "object" || value === null) return undefined;
  if (depth === MAX_DEPTH) return `is nested deeper than ${MAX_DEPTH} levels`;
  for (const item of Array.isArray(value) ? (value as Json[]) : Object.values(value)) {
    const problem = typeof item === "string" ? undefined : findProblem(item, depth + 1);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

/** Error code that only trackers send. Gateways send none, a word, or the status again. */
function codeIn(code: Json | undefined, status: number): number | undefined {
  return /^-?\d+$/.test(String(code)) && Number(code) !== status ? Number(code) : undefined;
}

/** Error of Bugzilla's error body; only the first line of its message is for users. */
function bugzillaError(body: JsonObject, httpStatus: number, request: Request): BtError {
  const code = codeIn(body["code"], httpStatus);
  const words = typeof body["message"] === "string" ? body["message"] : "";
  const line = oneLine(words.trim().split("\n", 1)[0] ?? "", 500) || "the tracker returned an error without a message";
  const text = code === ERROR_CODES.internal ? `internal error of the tracker: ${line}` : line;
  const message = /without being logged in/i.test(words) ? "not logged in" : text;
  const kind = kindOfError(code, words, request, httpStatus);
  const hint = isRefusedLogin(kind, code) ? LOG_IN : HINTS[kind];
  const isUnclear = code === undefined || MAYBE_STORED.has(code) || httpStatus >= 500;
  const bug = BUG_IN_WORDS.exec(words)?.slice(1).find(Boolean);
  const facts = { bug, reason: BUG_REASONS[code ?? 0], bugzillaCode: code, httpStatus };
  return responseError(request, isUnclear, { kind, message, hint }, facts);
}

/**
 * Errors that may come after a write was stored: from the mail, which goes out after the commit, or from a late deadlock.
 * @see Bugzilla/BugMail.pm and Bugzilla/Mailer.pm of Bugzilla
 */
const MAYBE_STORED = errorCodes("internal", "other_fatal");

const BUG_IN_WORDS = /^'(.*)' is not|\bbug #?(\S+?)[.:]?(?:\s|$)/i;

const BUG_REASONS: Readonly<Record<number, string>> = {
  [ERROR_CODES.improper_bug_id_field_value]: "no bug number or alias",
  [ERROR_CODES.bug_id_does_not_exist]: "not found",
  [ERROR_CODES.bug_access_denied]: "not visible to you",
};

/**
 * Kind of a Bugzilla error. The code decides before the status: servers send 401 as often for "not allowed" as for
 * "log in", and 404 mostly for an unknown value.
 * @see Bugzilla/WebService/Constants.pm of Bugzilla
 */
function kindOfError(code = 0, words: string, request: Request, status: number): ErrorKind {
  if (!KNOWN.has(code)) return kindWithoutCode(words, status);
  if (!isRead(request) && UNKNOWN_LOGIN.test(words)) return "usage";
  if (code === ERROR_CODES.object_does_not_exist)
    return isRead(request) && request.operation !== "Search Bugs" ? "missing" : "refused";
  if (code === ERROR_CODES.internal) return "busy";
  if (MISSING.has(code)) return "missing";
  return DENIED.has(code) ? "auth" : "refused";
}

const KNOWN: ReadonlySet<number> = new Set(Object.values(ERROR_CODES).filter((code) => code !== ERROR_CODES.other));
const MISSING = errorCodes(
  "improper_bug_id_field_value",
  "bug_id_does_not_exist",
  "comment_id_invalid",
  "rest_invalid_resource",
);
const DENIED = errorCodes(
  "bug_access_denied",
  "product_access_denied",
  "product_edit_denied",
  "comment_is_private",
  "user_not_insider",
  "illegal_change",
  "invalid_login_or_password",
  "account_disabled",
  "auth_failure",
  "api_key_not_valid",
  "login_required",
  "user_access_by_id_denied",
  "group_cannot_view",
);

/** Codes 504 and 51 also mean that a known user may not have the bug, or that another object is unknown. */
const UNKNOWN_LOGIN = /^(?:The name .+? is not a valid username|There is no user named ')/i;

function kindWithoutCode(words: string, status: number): ErrorKind {
  if (/exceeded the rate limit/i.test(words)) return "busy";
  if (/without being logged in|(?:authori[sz]ation|authentication) header|\bbearer\b/i.test(words)) return "auth";
  if (status >= 500 || status === 429) return "busy";
  if (status === 401 || status === 403) return "auth";
  return status === 404 ? "missing" : "refused";
}

/** True for an error that another key would not have, whatever the request: the login is missing, wrong or disabled. */
export function isRefusedLogin(kind: ErrorKind, code: number | undefined): boolean {
  return kind === "auth" && (code === undefined || LOGIN_CODES.has(code));
}

const LOGIN_CODES = errorCodes(
  "invalid_login_or_password",
  "account_disabled",
  "api_key_not_valid",
  "login_required",
  "other",
);

export function hasCode(error: unknown, name: ErrorName): error is BtError {
  return error instanceof BtError && error.facts.bugzillaCode === ERROR_CODES[name];
}

/** Error of a response without Bugzilla's error body. */
function statusError(response: Response, request: Request, json: Json | undefined, isTrackersOwn: boolean): BtError {
  const { status, body } = response;
  const isPage = isWebPage(response);
  const meaning = statusMeaning(status, request, isPage);
  const { message: text } = Object(json);
  const words = isPage ? pageTitle(body) : oneLine(typeof text === "string" ? text : body, 200);
  const wait = retryAfterMs(response.headers);
  const ending = wait ? `; retry after ${waitText(wait)}` : "";
  const message = `${meaning.message} (${status}${words ? `: ${words}` : ""})${ending}`;
  const isUnclear = !isTrackersOwn && !UNPROCESSED.has(status);
  return responseError(request, isUnclear, { ...meaning, message }, { httpStatus: status });
}

/** Statuses of limits on the size and the rate of requests, which gateways check before they pass a write on. */
const UNPROCESSED: ReadonlySet<number> = new Set([413, 414, 429]);

/** Meaning of an HTTP status without an error body; a web page in its place is another server's, or of another path. */
function statusMeaning(status: number, request: Request, isPage: boolean): Meaning {
  if (status === 404 && !isPage && request.operation && /^\/rest\/(?:bug\/|group|field\/)/.test(request.path))
    return { kind: "missing", message: "not found" };
  const isLong = [400, 404, 431].includes(status) && pathAndQuery(request).length > LONG_URL;
  return STATUSES[isLong ? 414 : status] ?? STATUSES[Math.floor(status / 100) * 100] ?? BROKEN;
}

const LONG_URL = 4000; // characters, from which servers refuse an address for its length

const DENIED_ACCESS: Meaning = { kind: "auth", hint: LOG_IN, message: "the tracker denied access" };
const BROKEN: Meaning = { kind: "busy", message: "the tracker is overloaded or broken" };

/** Meanings of statuses, and of all others of their hundred. */
const STATUSES: Readonly<Record<number, Meaning>> = {
  300: { kind: "guard", message: "the tracker redirected the request; the redirect was not followed" },
  400: { kind: "refused", message: "the tracker rejected the request", hint: "-vv shows the response" },
  401: DENIED_ACCESS,
  403: DENIED_ACCESS,
  404: {
    kind: "reply",
    message: "no REST interface of Bugzilla 5.0 or newer at this address",
    hint: `${CHECK_ADDRESS}; in a browser it precedes /show_bug.cgi; without a rewrite rule for /rest it ends in /rest.cgi`,
  },
  407: { kind: "network", message: "the proxy requires a login", hint: "setting proxy, or BT_PROXY" },
  408: BROKEN,
  413: { kind: "refused", message: "the request is too large for the tracker" },
  414: { kind: "refused", message: "the request URL is too long for the tracker", hint: "use fewer values at once" },
  429: { kind: "busy", message: "the tracker's rate limit is exceeded" },
  500: BROKEN,
};

/** Error of a response with a success status but no data. */
function noDataError(response: Response, request: Request, problem = ""): BtError {
  if (response.body.trim() === "") return invalidResponseError(request, "is empty");
  if (!isWebPage(response)) return invalidResponseError(request, problem);
  const title = pageTitle(response.body);
  const named = title ? ` with the title "${title}"` : "";
  return invalidResponseError(request, `is a web page${named}: a login portal, or a wrong address`);
}

/** Error for a response that is not of this interface; `what` completes "the tracker's response …". */
export function invalidResponseError(request: Request, what: string): BtError {
  const hint = "is this the address of a Bugzilla tracker? bt config get base_url";
  return responseError(request, true, { kind: "reply", message: `the tracker's response ${what}`, hint });
}

type Meaning = { readonly kind: ErrorKind; readonly message: string; readonly hint?: string | undefined };

/** `isUnclear`: a write may have been applied, and must not be repeated. */
function responseError(
  request: Request,
  isUnclear: boolean,
  { kind, message, hint = HINTS[kind] }: Meaning,
  facts: ErrorFacts = {},
): BtError {
  const shared = { request: `${request.method} ${request.path}`, ...facts };
  if (isUnclear && !isRead(request)) return new BtError("unknown", message, { ...shared, changed: "unknown" });
  return new BtError(kind, message, { ...shared, hint, changed: "nothing" });
}

const HINTS: Readonly<Partial<Record<ErrorKind, string>>> = {
  auth: "bt auth status shows which user you are authenticated as",
  busy: "retry later; --verbose logs the requests",
};

function isWebPage({ headers, body }: Response): boolean {
  return /\bhtml\b/i.test(headers["content-type"] ?? "") || body.trimStart().startsWith("<");
}

function pageTitle(body: string): string {
  const [, title = ""] = /<title\b[^>]*>(.{0,400}?)<\/title>/is.exec(body.slice(0, 20_000)) ?? [];
  return oneLine(title, 80);
}

/** The first words of a text as one line. A word, which may be a key, is never cut: only a whole key is redacted. */
function oneLine(text: string, maximum: number): string {
  const start = wholeWords(text, maximum * 4); // of megabytes
  const words = start.replace(/\s+/g, " ").trim();
  const line = wholeWords(words, maximum).trim();
  return line === words ? line : `${line}...`;
}

/** The words that fit in whole; they end at blanks or signs beyond ASCII, which no key contains. */
function wholeWords(text: string, maximum: number): string {
  if (text.length <= maximum) return text;
  const start = text.slice(0, maximum + 1).replace(/[!-~]+$/, "");
  return start.slice(0, maximum);
}
