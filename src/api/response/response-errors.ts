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

/** True if an error body has Bugzilla's form. */
export function isBugzillaError(body: JsonObject, response: Response): boolean {
  return body["error"] === true && codeIn(body, response) !== undefined;
}

/** Error code that only trackers send. Gateways send none, a word, or the status again. */
function codeIn({ code }: JsonObject, { status }: Response): number | undefined {
  const isNumber = typeof code === "number" || (typeof code === "string" && /^-?\d+$/.test(code));
  return isNumber && Number(code) !== status ? Number(code) : undefined;
}

/** Error of Bugzilla's error body; only the first line of its message is for users. */
export function bugzillaError(body: JsonObject, response: Response, request: Request): BtError {
  const code = codeIn(body, response);
  const words = typeof body["message"] === "string" ? body["message"] : "";
  const line = oneLine(words.trim().split("\n", 1)[0] ?? "", 500) || "the tracker returned an error without a message";
  const facts = { ...factsIn(words, code), bugzillaCode: code, httpStatus: response.status, cause: words };
  const kind = kindOfError(code, words, request, response.status);
  const isUnclear = code === undefined || MAYBE_STORED.has(code) || response.status >= 500;
  const hint = kind === "auth" && needsLogin(code) ? LOG_IN : undefined;
  const text = code === ERROR_CODES.internal ? `internal error of the tracker: ${line}` : line;
  const message = /without being logged in/i.test(words) ? "not logged in" : text;
  return responseError(request, isUnclear, { kind, message, hint }, facts);
}

/**
 * Errors that may come after a write was stored: from the mail, which goes out after the commit, or from a late deadlock.
 * @see Bugzilla/BugMail.pm and Bugzilla/Mailer.pm of Bugzilla
 */
const MAYBE_STORED = errorCodes("internal", "other_fatal");

/** Error of a response without Bugzilla's error body; `isOwn` if the tracker itself sends errors of this form. */
export function statusError(
  response: Response,
  request: Request,
  { json, isOwn }: { readonly json?: Json | undefined; readonly isOwn: boolean },
): BtError {
  const { status, body } = response;
  const isPage = isWebPage(response);
  const meaning = statusMeaning(status, request, isPage);
  const detail = isPage ? pageTitle(body) : oneLine(foreignMessage(json) ?? body, 200);
  const wait = retryAfterMs(response.headers);
  const ending = wait ? `; retry after ${waitText(wait)}` : "";
  const message = `${meaning.message} (${status}${detail ? `: ${detail}` : ""})${ending}`;
  const isUnclear = !isOwn && !UNPROCESSED.has(status);
  return responseError(request, isUnclear, { ...meaning, message }, { httpStatus: status });
}

/** Statuses of limits on the size and the rate of requests, which gateways check before they pass a write on. */
const UNPROCESSED: ReadonlySet<number> = new Set([413, 414, 429]);

/** The sentence of an error body that is not of this interface. */
function foreignMessage(body: Json | undefined): string | undefined {
  const { message, error, detail, title } = Object(body) as JsonObject;
  return [message, error, detail, title].find((text) => typeof text === "string");
}

/** Error of a response with a success status but no data. */
export function noDataError(response: Response, request: Request, why: string): BtError {
  if (response.body.trim() === "") return invalidResponseError(request, "is empty");
  if (!isWebPage(response)) return invalidResponseError(request, why);
  const title = pageTitle(response.body);
  const named = title ? ` with the title "${title}"` : "";
  return invalidResponseError(request, `is a web page${named}: a login portal, or a wrong address`);
}

/** Error for a response that is not of this interface; `what` completes "the tracker's response …". */
export function invalidResponseError(request: Request, what: string): BtError {
  const hint = "is this the address of a Bugzilla tracker? bt config get base_url";
  return responseError(request, true, { kind: "reply", message: `the tracker's response ${what}`, hint });
}

/** What a response means. */
type Meaning = { readonly kind: ErrorKind; readonly message: string; readonly hint?: string | undefined };

/** `isUnclear`: a write may have been applied, and must not be repeated. */
function responseError(
  request: Request,
  isUnclear: boolean,
  { kind, message, hint = HINTS[kind] }: Meaning,
  facts: ErrorFacts = {},
): BtError {
  const text = `${request.method} ${request.path}`;
  if (isUnclear && !isRead(request))
    return new BtError("unknown", message, { request: text, changed: "unknown", ...facts });
  return new BtError(kind, message, { hint, request: text, changed: "nothing", ...facts });
}

const HINTS: Readonly<Partial<Record<ErrorKind, string>>> = {
  auth: "bt auth status shows which user you are authenticated as",
  busy: "retry later; --verbose logs the requests",
};

/**
 * Kind of a Bugzilla error. The code decides before the status: servers send 401 as often for "not allowed" as for
 * "log in", and 404 mostly for an unknown value.
 * @see Bugzilla/WebService/Constants.pm of Bugzilla
 */
function kindOfError(code: number | undefined, words: string, request: Request, status: number): ErrorKind {
  const name = ERROR_NAMES.get(code ?? 0);
  const failure = failureKind(status, request);
  if (name === undefined) return kindOfWords(words) ?? KINDS_OF_STATUS.get(status) ?? failure;
  if (name === "other") return kindOfWords(words) ?? failure;
  if (!isRead(request) && factsIn(words, code).login !== undefined) return "usage";
  if (name === "object_does_not_exist")
    return isRead(request) && request.operation !== "Search Bugs" ? "missing" : "refused";
  return (Object.keys(KINDS) as ErrorKind[]).find((kind) => KINDS[kind]?.includes(name)) ?? "refused";
}

/** Kind of an error that neither code nor words tell; a read of a path that the tracker lacks is a 404. */
function failureKind(status: number, request: Request): ErrorKind {
  if (status >= 500) return "busy";
  return status === 404 && isRead(request) ? "missing" : "refused";
}

/** Kind of an error that shares a generic code. */
function kindOfWords(words: string): ErrorKind | undefined {
  if (/exceeded the rate limit/i.test(words)) return "busy";
  return LOGIN_WORDS.test(words) ? "auth" : undefined;
}

const LOGIN_WORDS =
  /cookies or token|locked out of this account|without being logged in|(?:authori[sz]ation|authentication) header|\bbearer\b/i;

const ERROR_NAMES: ReadonlyMap<number, ErrorName> = new Map(
  Object.entries(ERROR_CODES).map(([name, code]) => [code, name as ErrorName]),
);

const KINDS_OF_STATUS: ReadonlyMap<number, ErrorKind> = new Map([
  [401, "auth"],
  [403, "auth"],
  [404, "missing"],
  [429, "busy"],
]);

/** Errors that are no wrong value and no rule of the tracker. */
const KINDS: Readonly<Partial<Record<ErrorKind, readonly ErrorName[]>>> = {
  busy: ["internal"],
  missing: ["improper_bug_id_field_value", "bug_id_does_not_exist", "comment_id_invalid", "rest_invalid_resource"],
  auth: [
    ...(["bug_access_denied", "product_access_denied", "product_edit_denied", "comment_is_private"] as const),
    ...(["user_not_insider", "illegal_change", "invalid_login_or_password", "account_disabled"] as const),
    ...(["auth_invalid_email", "auth_failure", "password_not_complex", "api_key_not_valid"] as const),
    ...(["auth_invalid_token", "login_required", "user_access_by_id_denied", "group_cannot_view"] as const),
  ],
};

/** True for an error that another key would not have, whatever the request: the login is missing, wrong or disabled. */
export function isRefusedLogin(kind: ErrorKind, code: number | undefined): boolean {
  return code === undefined ? kind === "auth" : LOGIN_CODES.has(code);
}

const LOGIN_CODES = errorCodes("invalid_login_or_password", "account_disabled", "api_key_not_valid", "login_required");

/** True if a login is the next step after an error of kind auth, and not another one. */
function needsLogin(code: number | undefined): boolean {
  return isRefusedLogin("auth", code) || code === ERROR_CODES.other || code === ERROR_CODES.user_access_by_id_denied;
}

/** True for an error that a tracker responds with under this name. */
export function hasCode(error: unknown, name: ErrorName): error is BtError {
  return error instanceof BtError && error.facts.bugzillaCode === ERROR_CODES[name];
}

/** The bug and the unknown login in the words of a tracker. */
function factsIn(words: string, code: number | undefined): Pick<ErrorFacts, "bug" | "reason" | "login"> {
  const name = ERROR_NAMES.get(code ?? 0);
  return {
    bug: /^'(.*)' is not|\bbug #?(\S+?)[.:]?(?:\s|$)/i.exec(words)?.slice(1).find(Boolean),
    reason: name && BUG_REASONS[name],
    login: (name && UNKNOWN_LOGINS[name])?.exec(words)?.[1],
  };
}

const BUG_REASONS: Readonly<Partial<Record<ErrorName, string>>> = {
  improper_bug_id_field_value: "no bug number or alias",
  bug_id_does_not_exist: "not found",
  bug_access_denied: "not visible to you",
};

/** Code 504 also means that a known user may not be assigned to a bug of the product. */
const UNKNOWN_LOGINS: Readonly<Partial<Record<ErrorName, RegExp>>> = {
  invalid_username: /^The name (.+?) is not a valid username/i,
  object_does_not_exist: /^There is no user named '(.+?)'/i,
};

/** Meaning of an HTTP status without an error body; a web page in its place is another server's, or of another path. */
function statusMeaning(status: number, request: Request, isPage: boolean): Meaning {
  if (status === 414 || (pathAndQuery(request).length > LONG_URL && [400, 404, 431].includes(status)))
    return {
      kind: "refused",
      message: "the request URL is too long for the tracker",
      hint: "use fewer values at once",
    };
  const [, object] = /^\/rest\/(?:bug\/)?(group|(?:comment|bug|field)(?=\/))/.exec(request.path) ?? [];
  if (status === 404 && !isPage && object && request.operation)
    return { kind: "missing", message: `the tracker has no such ${object}` };
  if (status >= 300 && status < 400)
    return { kind: "guard", message: "the tracker redirected the request; the redirect was not followed" };
  if (status >= 500 || [408, 425].includes(status))
    return { kind: "busy", message: "the tracker is overloaded or broken" };
  return (
    STATUSES[status] ?? { kind: "refused", message: "the tracker rejected the request", hint: "-vv shows the response" }
  );
}

const LONG_URL = 4000; // characters, from which servers refuse an address for its length

const DENIED: Meaning = { kind: "auth", hint: LOG_IN, message: "the tracker denied access" };

const STATUSES: Readonly<Record<number, Meaning>> = {
  401: DENIED,
  403: DENIED,
  404: {
    kind: "reply",
    message: "no REST interface of Bugzilla 5.0 or newer at this address",
    hint: `${CHECK_ADDRESS}; in a browser it precedes /show_bug.cgi; without a rewrite rule for /rest it ends in /rest.cgi`,
  },
  407: { kind: "network", message: "the proxy requires a login", hint: "setting proxy, or BT_PROXY" },
  413: { kind: "refused", message: "the request is too large for the tracker" },
  429: { kind: "busy", message: "the tracker's rate limit is exceeded" },
};

function isWebPage({ headers, body }: Response): boolean {
  return (
    /\bhtml\b/i.test(headers["content-type"] ?? "") ||
    /^\s*<(?:!doctype|html|head|title|\?xml)\b/i.test(body.slice(0, 200))
  );
}

/** Title or first heading of an HTML page. */
function pageTitle(body: string): string | undefined {
  const [, , title = ""] = /<(title|h1)\b[^>]*>(.{0,400}?)<\/\1/is.exec(body.slice(0, 20_000)) ?? [];
  return oneLine(title.replace(/<[^>]*>/g, ""), 80) || undefined;
}

/** The first characters of a text as one line. */
function oneLine(text: string, most: number): string {
  const line = text
    .slice(0, most * 4)
    .replace(/\s+/g, " ")
    .trim();
  return line.length > most ? `${line.slice(0, most)}...` : line;
}
