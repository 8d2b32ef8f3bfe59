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
  const { sentence, ...meaning } = errorMeaning(code ?? 0, words, request, response.status);
  const line =
    firstLine(words.trim().split("\n", 1)[0] ?? "", 500) || "the tracker returned an error without a message";
  const message = code === ERROR_CODES.internal ? `internal error of the tracker: ${line}` : line;
  return responseError(meaning, sentence ?? message, {
    request,
    isUnclear: code === undefined || MAYBE_STORED.has(code) || response.status >= 500,
    facts: { bugzillaCode: code, httpStatus: response.status, cause: words, ...factsIn(words, code ?? 0) },
  });
}

/**
 * Errors that may come after a write was stored: from the mail, which goes out after the commit, or
 * from a late deadlock.
 * @see Bugzilla/BugMail.pm and Bugzilla/Mailer.pm of Bugzilla
 */
const MAYBE_STORED = errorCodes("internal", "other_fatal");

/**
 * Error of a response without Bugzilla's error body; `isOwn` if the tracker itself sends errors of
 * this form.
 */
export function statusError(response: Response, request: Request, { json, isOwn }: ForeignError): BtError {
  const { status, body } = response;
  const isPage = isWebPage(response);
  const { message: words, ...meaning } = statusMeaning(status, request, isPage);
  const detail = isPage ? pageTitle(body) : firstLine(foreignMessage(json) ?? body, 200);
  const wait = retryAfterMs(response.headers);
  const ending = wait ? `; retry after ${waitText(wait)}` : "";
  return responseError(meaning, `${words} (${status}${detail ? `: ${detail}` : ""})${ending}`, {
    request,
    isUnclear: !isOwn && !UNPROCESSED.has(status),
    facts: { httpStatus: status },
  });
}

type ForeignError = { readonly json?: Json | undefined; readonly isOwn?: boolean };

/**
 * Statuses of limits on the size and the rate of requests, which gateways check before they pass a
 * write on.
 */
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
  const meaning = { kind: "reply", hint: "is this the address of a Bugzilla tracker? bt config get base_url" } as const;
  return responseError(meaning, `the tracker's response ${what}`, { request, isUnclear: true });
}

/** `isUnclear`: if it is a write, it may have been applied. */
type Circumstances = { readonly request: Request; readonly isUnclear: boolean; readonly facts?: ErrorFacts };

function responseError({ kind, hint }: Meaning, message: string, { request, isUnclear, facts }: Circumstances) {
  const isUnknown = isUnclear && !isRead(request);
  return new BtError(isUnknown ? "unknown" : kind, message, {
    hint: isUnknown ? undefined : hint, // an unknown write must not be repeated
    request: `${request.method} ${request.path}`,
    changed: isUnknown ? "unknown" : "nothing",
    ...facts,
  });
}

/** The kind determines the exit code; the hint is a next step. */
type Meaning = { readonly kind: ErrorKind; readonly hint?: string | undefined };

/**
 * Meaning of a Bugzilla error. The code decides before the status: servers send 401 as often for
 * "not allowed" as for "log in", and 404 mostly for an unknown value. `sentence` replaces the words
 * of the tracker.
 * @see Bugzilla/WebService/Constants.pm of Bugzilla
 */
function errorMeaning(
  code: number,
  words: string,
  request: Request,
  status: number,
): Meaning & { readonly sentence?: string } {
  const name = ERROR_NAMES.get(code);
  const byWords = name === undefined || name === "other" ? WORDS.find(([pattern]) => pattern.test(words)) : undefined;
  if (byWords) return byWords[1];
  if (name === "other") return { kind: failure(status) };
  if (name === undefined) return { kind: KINDS_OF_STATUS.get(status) ?? failure(status) };
  if (request.method !== "GET" && factsIn(words, code).login !== undefined) return { kind: "usage" };
  const isOfOneThing = request.method === "GET" && request.operation !== "Search Bugs";
  if (name === "object_does_not_exist") return { kind: isOfOneThing ? "missing" : "refused" };
  return ERRORS[name] ?? { kind: "refused" };
}

function failure(status: number): ErrorKind {
  return status >= 500 ? "busy" : "refused";
}

const ERROR_NAMES: ReadonlyMap<number, ErrorName> = new Map(
  Object.entries(ERROR_CODES).map(([name, code]) => [code, name as ErrorName]),
);

const KINDS_OF_STATUS: ReadonlyMap<number, ErrorKind> = new Map([
  [401, "auth"],
  [403, "auth"],
  [404, "missing"],
  [429, "busy"],
]);

const MISSING: Meaning = { kind: "missing" };
const NO_LOGIN: Meaning = { kind: "auth", hint: LOG_IN };
const NO_RIGHT: Meaning = { kind: "auth", hint: "bt auth status shows which user you are authenticated as" };

/** Errors that are no wrong or missing value and no rule of the tracker, or that have a hint. */
const ERRORS: Readonly<Partial<Record<ErrorName, Meaning>>> = {
  improper_bug_id_field_value: MISSING,
  bug_id_does_not_exist: MISSING,
  comment_id_invalid: MISSING,
  rest_invalid_resource: { kind: "missing", hint: "bt api GET /rest/version shows the tracker's version" },
  bug_access_denied: NO_RIGHT,
  product_access_denied: { kind: "auth", hint: "bt field values product lists the products visible to you" },
  product_edit_denied: NO_RIGHT,
  comment_is_private: NO_RIGHT,
  user_not_insider: NO_RIGHT,
  illegal_change: NO_RIGHT,
  group_restriction_not_allowed: { kind: "refused", hint: "bt group list shows the groups of the tracker" },
  invalid_login_or_password: NO_LOGIN,
  account_disabled: { kind: "auth" },
  auth_invalid_email: { kind: "auth" },
  auth_failure: NO_RIGHT,
  password_not_complex: { kind: "auth" },
  api_key_not_valid: {
    kind: "auth",
    hint: `create a new API key in the tracker's preferences, or take the one that bt serve printed, then: ${LOG_IN}`,
  },
  auth_invalid_token: { kind: "auth" },
  login_required: NO_LOGIN,
  user_access_by_id_denied: NO_LOGIN,
  group_cannot_view: NO_RIGHT,
  internal: { kind: "busy", hint: "the error is in the tracker; see its log" },
};

/** Errors that share a generic code, or have one of their own, told apart by their words. */
const WORDS: readonly (readonly [RegExp, Meaning & { readonly sentence?: string }])[] = [
  [/cookies or token/i, NO_LOGIN],
  [/locked out of this account/i, { kind: "auth", hint: "an API key still works: bt auth login" }],
  [/without being logged in/i, { ...NO_LOGIN, sentence: "not logged in" }],
  [/exceeded the rate limit/i, { kind: "busy", hint: `wait, or ${LOG_IN}` }],
  [/\b(?:authori[sz]ation|authentication) header\b|\bbearer\b/i, { kind: "auth", hint: "BT_AUTH_STYLE=bearer" }],
];

/**
 * True for an error that another key would not have, whatever the request: the login is missing,
 * wrong or disabled.
 */
export function isRefusedLogin(kind: ErrorKind, code: number | undefined): boolean {
  return code === undefined ? kind === "auth" : LOGIN_CODES.has(code);
}

const LOGIN_CODES = errorCodes("invalid_login_or_password", "account_disabled", "api_key_not_valid", "login_required");

/** True for an error that a tracker responds with under this name. */
export function hasCode(error: unknown, name: ErrorName): error is BtError {
  return error instanceof BtError && error.facts.bugzillaCode === ERROR_CODES[name];
}

/** What the words of a tracker name: a bug, a login that nobody has, a value that does not exist. */
function factsIn(words: string, code: number): Pick<ErrorFacts, "bug" | "reason" | "login" | "value"> {
  const name = ERROR_NAMES.get(code);
  return {
    bug: /^'(.*)' is not|\bbug #?(\S+?)[.:]?(?:\s|$)/i.exec(words)?.slice(1).find(Boolean),
    reason: name && BUG_REASONS[name],
    login: (name && UNKNOWN_LOGINS[name])?.exec(words)?.[1],
    value: /named '(.*?)'/.exec(words)?.[1],
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

type StatusMeaning = Meaning & { readonly message: string };

/**
 * Meaning of an HTTP status without an error body; a web page in its place is another server's, or
 * of another path.
 */
function statusMeaning(status: number, request: Request, isPage: boolean): StatusMeaning {
  if (status === 414 || (pathAndQuery(request).length > LONG_URL && [400, 404, 431].includes(status))) return TOO_LONG;
  const [, object] = /^\/rest\/(?:bug\/)?(group|(?:comment|bug|field)(?=\/))/.exec(request.path) ?? [];
  if (status === 404 && !isPage && object && request.operation)
    return { kind: "missing", message: `the tracker has no such ${object}`, hint: "check the name, and the address" };
  return STATUSES.find(({ of }) => of.includes(status)) ?? (status >= 500 ? BROKEN : ODD);
}

const LONG_URL = 4000; // characters, from which servers refuse an address for its length

const TOO_LONG: StatusMeaning = {
  kind: "refused",
  message: "the request URL is too long for the tracker",
  hint: "use fewer values at once",
};
const LATER = "retry later; --verbose logs the requests";
const BROKEN: StatusMeaning = { kind: "busy", message: "the tracker is overloaded or broken", hint: LATER };
const ODD: StatusMeaning = {
  kind: "refused",
  message: "the tracker rejected the request",
  hint: "-vv shows the response",
};

const STATUSES: readonly (StatusMeaning & { readonly of: readonly number[] })[] = [
  {
    of: [301, 302, 303, 307, 308],
    kind: "guard",
    message: "the tracker redirected the request; the redirect was not followed",
  },
  { of: [401, 403], ...NO_LOGIN, message: "the tracker denied access" },
  {
    of: [404],
    kind: "reply",
    message: "no REST interface of Bugzilla 5.0 or newer at this address",
    hint: `${CHECK_ADDRESS}; in a browser it precedes /show_bug.cgi; without a rewrite rule for /rest it ends in /rest.cgi`,
  },
  {
    of: [407],
    kind: "network",
    message: "the proxy requires a login",
    hint: "name it in the setting proxy or in BT_PROXY: http://USER:PASSWORD@HOST:PORT",
  },
  { of: [408, 425], ...BROKEN },
  { of: [413], kind: "refused", message: "the request is too large for the tracker" },
  { of: [429], kind: "busy", message: "the tracker's rate limit is exceeded", hint: LATER },
];

function isWebPage({ headers, body }: Response): boolean {
  return (
    /\bhtml\b/i.test(headers["content-type"] ?? "") ||
    /^\s*<(?:!doctype|html|head|title|\?xml)\b/i.test(body.slice(0, 200))
  );
}

/** Title or first heading of an HTML page. */
function pageTitle(body: string): string | undefined {
  const [, , title = ""] = /<(title|h1)\b[^>]*>(.{0,400}?)<\/\1/is.exec(body.slice(0, 20_000)) ?? [];
  return firstLine(title.replace(/<[^>]*>/g, ""), 80) || undefined;
}

/** The first characters of a text as one line, without control characters. */
function firstLine(text: string, most: number): string {
  const line = text
    .slice(0, most * 4)
    .replace(/\p{Cc}\[[\d;]*[a-z]/giu, "") // ANSI sequences
    .replace(/(?!\s)[\p{C}\p{Default_Ignorable_Code_Point}]|\ufeff/gu, "")
    .replace(/\s+/g, " ")
    .trim();
  return line.length > most ? `${line.slice(0, most)}...` : line;
}
