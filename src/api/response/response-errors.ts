import { BtError, CHECK_ADDRESS, type ErrorFacts, type ErrorKind, LOG_IN } from "../../errors.ts";
import { ERROR_CODES, type ErrorName, errorCodes } from "../../wire/error-codes.ts";
import { pathAndQuery, type Request } from "../../wire/exchange.ts";
import { isObject } from "../../wire/json.ts";

/** Meaning of a tracker's error: the kind determines the exit code, the hint suggests a next step. */
export type ErrorMeaning = {
  readonly kind: ErrorKind;
  readonly hint?: string | undefined;
  readonly sentence?: string; // in place of the words of the tracker
};

/**
 * Meaning of a Bugzilla error code. The code decides before the status: servers send 401 as often for "not allowed" as
 * for "log in", and 404 mostly for an unknown value. Unknown codes are classified by status.
 * @see Bugzilla/WebService/Constants.pm of Bugzilla
 */
export function errorMeaning(
  code: number,
  message: string,
  context: { request: Request; status: number },
): ErrorMeaning {
  const { request, status } = context;
  if (status === CONFLICT) return { kind: "collision" };
  if (isAboutLogin(code) && AUTHORIZATION_HEADER.test(message)) return { kind: "auth", hint: NEEDS_BEARER };
  if (code === ERROR_CODES.other) {
    const special = SPECIAL_MESSAGES.find(([pattern]) => pattern.test(message))?.[1];
    return special ?? { kind: status >= 500 ? "busy" : "refused" };
  }
  if (unknownLogin(code, message) !== undefined && request.method !== "GET") return { kind: "usage" };
  const bug = NO_BUG_CODES.has(code) ? namedBug(message) : undefined;
  const flag = flagNamingBug(bug ?? "", request.body);
  if (flag !== undefined) return { ...meaningByCode(code, status, message), hint: `check the value of ${flag}` };
  if (code === ERROR_CODES.object_does_not_exist) return { kind: namesOneThing(request) ? "missing" : "refused" };
  return meaningByCode(code, status, message);
}

/** True for a code of a login that is missing or wrong, and for one that Bugzilla does not have. */
function isAboutLogin(code: number): boolean {
  const name = ERROR_NAMES.get(code);
  return name === undefined || name === "other" || HINTS[name]?.includes(LOG_IN) === true;
}

const AUTHORIZATION_HEADER = /\b(?:authori[sz]ation|authentication)\W+(?:\w+\W+){0,2}header\b|\bbearer\b/i;
const NEEDS_BEARER =
  "if the tracker takes keys in that header only: BT_AUTH_STYLE=bearer, or bt config set auth_style bearer";

/** True for a refusal of a server that takes keys as a Bearer token only. */
export function needsBearer(error: unknown): boolean {
  return error instanceof BtError && error.facts.hint === NEEDS_BEARER;
}
/** True for an error that another key would not have, whatever the request: the login is missing, wrong or disabled. */
export function isRefusedLogin(kind: ErrorKind, code: number | undefined): boolean {
  return code === undefined ? kind === "auth" : LOGIN_CODES.has(code);
}

const LOGIN_CODES = errorCodes("invalid_login_or_password", "account_disabled", "api_key_not_valid", "login_required");

/** True for an error that a tracker responds with under this name. */
export function hasCode(error: unknown, name: ErrorName): error is BtError {
  return error instanceof BtError && error.facts.bugzillaCode === ERROR_CODES[name];
}

function meaningByCode(code: number, status: number, message: string): ErrorMeaning {
  if (code === ERROR_CODES.internal) return { kind: "busy", hint: "the error is in the tracker; see its log" };
  const name = ERROR_NAMES.get(code);
  const range = NO_BUG_CODES.has(code) && RANGE.test(message) ? NO_RANGES : undefined;
  if (name !== undefined) return { kind: KIND_BY_ERROR[name] ?? "refused", hint: HINTS[name] ?? range };
  return { kind: KIND_BY_STATUS.get(status) ?? (status >= 500 ? "busy" : "refused") };
}

const NO_BUG_CODES = errorCodes("improper_bug_id_field_value", "bug_id_does_not_exist", "bug_access_denied");

/** Matches a refusal of `44-46` or `44..46`, which may be an alias. */
const RANGE = /(?<![\w.-])\d+(?:-|\.\.+)\d+(?![\w-])/;
const NO_RANGES = "for several bugs: 44 45 46 or 44,45,46; for a range: bt bug search id:44..46";

/** The flag whose value is the bug (a number or an alias) that a refusal of a write is about; undefined for a bug that is written to. */
export function flagNamingBug(bug: string, body: Request["body"]): string | undefined {
  for (const name of ["blocks", "depends_on", "dupe_of"]) {
    const value = isObject(body) ? body[name] : undefined;
    const edits = isObject(value) ? Object.entries(value) : [["", value ?? []] as const];
    for (const [edit, ids] of edits)
      if ([ids].flat().map(String).includes(bug))
        return `--${[edit, name].filter(Boolean).join("-").replace("_", "-")}`;
  }
  return undefined;
}

const CONFLICT = 409; // response to a failed precondition

const WHO_AM_I = "bt auth status shows which user you are authenticated as";

const ERROR_NAMES: ReadonlyMap<number, ErrorName> = new Map(
  Object.entries(ERROR_CODES).map(([name, code]) => [code, name as ErrorName]),
);

/** Kinds of errors; all others are a wrong or missing value, or a rule of the tracker: another account would be refused too. */
const KIND_BY_ERROR: Readonly<Partial<Record<ErrorName, ErrorKind>>> = {
  improper_bug_id_field_value: "missing",
  bug_id_does_not_exist: "missing",
  comment_id_invalid: "missing",
  rest_invalid_resource: "missing",
  bug_access_denied: "auth",
  product_access_denied: "auth",
  product_edit_denied: "auth",
  comment_is_private: "auth",
  user_not_insider: "auth",
  illegal_change: "auth",
  invalid_login_or_password: "auth",
  account_disabled: "auth",
  auth_invalid_email: "auth",
  auth_failure: "auth",
  password_not_complex: "auth",
  api_key_not_valid: "auth",
  auth_invalid_token: "auth",
  login_required: "auth",
  user_access_by_id_denied: "auth",
  group_cannot_view: "auth",
};

const KIND_BY_STATUS: ReadonlyMap<number, ErrorKind> = new Map([
  [401, "auth"],
  [403, "auth"],
  [404, "missing"],
  [429, "busy"],
]);

const HINTS: Readonly<Partial<Record<ErrorName, string>>> = {
  bug_access_denied: WHO_AM_I,
  product_access_denied: "bt field values product lists the products visible to you",
  product_edit_denied: WHO_AM_I,
  comment_is_private: WHO_AM_I,
  user_not_insider: WHO_AM_I,
  illegal_change: WHO_AM_I,
  group_restriction_not_allowed: "bt group list shows the groups of the tracker",
  invalid_login_or_password: LOG_IN,
  auth_failure: WHO_AM_I,
  api_key_not_valid: `create a new API key in the tracker's preferences, or take the one that bt serve printed, then: ${LOG_IN}`,
  login_required: LOG_IN,
  user_access_by_id_denied: LOG_IN,
  group_cannot_view: WHO_AM_I,
  rest_invalid_resource: "bt api GET /rest/version shows the tracker's version",
};

/** Errors that share a generic code, told apart by their message. */
const SPECIAL_MESSAGES: readonly (readonly [RegExp, ErrorMeaning])[] = [
  [/cookies or token/i, { kind: "auth", hint: LOG_IN }],
  [/locked out of this account/i, { kind: "auth", hint: "an API key still works: bt auth login" }],
  [/without being logged in/i, { kind: "auth", hint: LOG_IN, sentence: "not logged in" }],
  [/exceeded the rate limit/i, { kind: "busy", hint: `wait, or ${LOG_IN}` }],
];

/** What the words of a tracker name: a bug, a login that nobody has, a value that does not exist. */
export function factsInMessage(
  code: number | undefined,
  message: string,
): Pick<ErrorFacts, "bug" | "reason" | "login" | "value"> {
  const [, value] = /named '(.*?)'/.exec(message) ?? [];
  const reason = BUG_REASONS.get(code ?? 0);
  return { bug: namedBug(message), reason, login: code === undefined ? undefined : unknownLogin(code, message), value };
}

const BUG_REASONS: ReadonlyMap<number, string> = new Map([
  [ERROR_CODES.improper_bug_id_field_value, "no bug number or alias"],
  [ERROR_CODES.bug_id_does_not_exist, "not found"],
  [ERROR_CODES.bug_access_denied, "not visible to you"],
]);

/** The bug of "'ALIAS' is not a valid bug number …", "Bug #12 does not exist." and "You are not authorized to access bug #12. …". */
function namedBug(message: string): string | undefined {
  return /^'(.*)' is not|\bbug #?(\S+?)[.:]?(?:\s|$)/i.exec(message)?.slice(1).find(Boolean);
}

/**
 * The unknown login that an error names. Code 504 also means that a known user may not be assigned to a bug of this
 * product.
 * @see Bugzilla/WebService/Constants.pm, invalid_username, invalid_user_group and object_does_not_exist
 */
function unknownLogin(code: number, message: string): string | undefined {
  const pattern = UNKNOWN_LOGINS.find(([name]) => ERROR_CODES[name] === code)?.[1];
  return pattern?.exec(message)?.[1];
}

const UNKNOWN_LOGINS: [ErrorName, RegExp][] = [
  ["invalid_username", /^The name (.+?) is not a valid username/i],
  ["object_does_not_exist", /^There is no user named '(.+?)'/i],
];

/** True if a read names one object in its path or by `names`, so that this object is what is missing. */
function namesOneThing({ method, operation }: Request): boolean {
  return method === "GET" && operation !== "Search Bugs";
}

/**
 * Meaning of an HTTP status without an error body of the REST interface: kind, sentence and hint. A web page in its place is
 * another server's, or of another path.
 */
export function statusMeaning(status: number, request: Request, isPage: boolean): ErrorMeaning & { reason: string } {
  if (LONG_STATUSES.has(status) && pathAndQuery(request).length > LONG_URL) return TOO_LONG;
  const object = status === NOT_FOUND && !isPage ? OBJECTS.get(request.operation ?? "") : undefined;
  if (object) return { kind: "missing", reason: `the tracker has no such ${object}`, hint: WRONG_ADDRESS };
  return STATUSES.get(status) ?? (status >= 500 ? BROKEN : ODD);
}

const NOT_FOUND = 404;
const LONG_URL = 4000; // characters, from which servers refuse an address for its length
const LONG_STATUSES: ReadonlySet<number> = new Set([400, 404, 414, 431]);
const WRONG_ADDRESS = "check the name, and the address: bt config get base_url";

/** What operations of the interface are about that name one object in their path. */
const OBJECTS: ReadonlyMap<string, string> = new Map([
  ["Get Bug", "bug"],
  ["Update Bug", "bug"],
  ["Bug History", "bug"],
  ["Get Comments", "bug"],
  ["Create Comments", "bug"],
  ["Get Comments by Id", "comment"],
  ["Update Comment Tags", "comment"],
  ["Get Group", "group"],
  ["Update Group", "group"],
  ["Get Field", "field"],
  ["Legal Values", "field"],
  ["Legal Values of Product", "field"],
]);

type StatusMeaning = ErrorMeaning & { reason: string };

const LATER = "retry later; --verbose logs the requests";
const BROKEN: StatusMeaning = { kind: "busy", reason: "the tracker is overloaded or broken", hint: LATER };
const ODD: StatusMeaning = {
  kind: "refused",
  reason: "the tracker rejected the request",
  hint: "-vv shows the response",
};
const FORBIDDEN: StatusMeaning = { kind: "auth", reason: "the tracker denied access", hint: LOG_IN };
const ELSEWHERE: StatusMeaning = {
  kind: "guard",
  reason: "the tracker redirected the request; the redirect was not followed",
};

const TOO_LONG: StatusMeaning = {
  kind: "refused",
  reason: "the request URL is too long for the tracker",
  hint: "use fewer values at once",
};

const STATUSES: ReadonlyMap<number, StatusMeaning> = new Map([
  [301, ELSEWHERE],
  [302, ELSEWHERE],
  [303, ELSEWHERE],
  [307, ELSEWHERE],
  [308, ELSEWHERE],
  [401, FORBIDDEN],
  [403, FORBIDDEN],
  [
    404,
    {
      kind: "reply",
      reason: "no REST interface of Bugzilla 5.0 or newer at this address",
      hint: `${CHECK_ADDRESS}; in a browser it precedes /show_bug.cgi; without a rewrite rule for /rest it ends in /rest.cgi`,
    },
  ],
  [
    407,
    {
      kind: "network",
      reason: "the proxy requires a login",
      hint: "name it in the setting proxy or in BT_PROXY: http://USER:PASSWORD@HOST:PORT",
    },
  ],
  [408, BROKEN],
  [413, { kind: "refused", reason: "the request is too large for the tracker" }],
  [414, TOO_LONG],
  [425, BROKEN],
  [429, { kind: "busy", reason: "the tracker's rate limit is exceeded", hint: LATER }],
]);
