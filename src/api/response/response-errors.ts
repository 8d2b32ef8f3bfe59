import type { ErrorKind } from "../../errors.ts";
import type { Request } from "../../wire/exchange.ts";
import { isObject } from "../../wire/json.ts";

/** Meaning of a tracker's error: the kind determines the exit code, the hint suggests a next step. */
export type ErrorMeaning = { readonly kind: ErrorKind; readonly hint?: string | undefined };

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
  if (code === UNSPECIFIC) {
    const special = SPECIAL_MESSAGES.find(([pattern]) => pattern.test(message))?.[1];
    return special ?? { kind: status >= 500 ? "busy" : "refused" };
  }
  if (isUnknownLogin(code, message) && request.method !== "GET") return { kind: "usage", hint: WHOLE_LOGIN };
  const flag = NO_BUG_CODES.has(code) ? flagNamingBug(message, request) : undefined;
  if (flag !== undefined) return { kind: code === BUG_HIDDEN ? "auth" : "usage", hint: `check the value of ${flag}` };
  if (code === NO_SUCH_OBJECT)
    return { kind: namesOneThing(request) ? "missing" : "refused", hint: legalValuesHint(message) };
  return meaningByCode(code, status);
}

function meaningByCode(code: number, status: number): ErrorMeaning {
  const kind = KIND_BY_CODE.get(code) ?? KIND_BY_STATUS.get(status) ?? (status >= 500 ? "busy" : "refused");
  return { kind, hint: HINT_BY_CODE.get(code) };
}

/** Error code of any exception within the server; sent with status 200. */
export const INTERNAL_ERROR_CODE = 100_500;

const BUG_HIDDEN = 102;
const NO_BUG_CODES: ReadonlySet<number> = new Set([100, 101, BUG_HIDDEN]);

/** The flag whose value is the bug that a refusal of a write is about; undefined for a bug that is written to. */
function flagNamingBug(message: string, { body }: Request): string | undefined {
  const [, id = ""] = /#(\d+)/.exec(message) ?? [];
  for (const name of ["blocks", "depends_on", "dupe_of"]) {
    const value = isObject(body) ? body[name] : undefined;
    const edits = isObject(value) ? Object.entries(value) : [["", value ?? []] as const];
    for (const [edit, ids] of edits)
      if ([ids].flat().map(String).includes(id)) return `--${[edit, name].filter(Boolean).join("-").replace("_", "-")}`;
  }
  return undefined;
}

const CONFLICT = 409; // response to a failed precondition
const NO_SUCH_OBJECT = 51;
const BAD_LOGIN = 504;
const UNSPECIFIC = 32_000;

const LOG_IN = "bt auth login, or set BT_API_KEY";
const WHO_AM_I = "bt auth status shows which user you are authenticated as";

const KINDS: readonly (readonly [ErrorKind, readonly number[]])[] = [
  ["missing", [100, 101, 111, 32_614]],
  ["auth", [102, 106, 109, 110, 113, 115, 300, 301, 302, 303, 304, 305, 306, 307, 410, 505, 805]],
  ["busy", [INTERNAL_ERROR_CODE]],
  // a wrong or missing value, or a rule of the tracker: another account would be refused too
  ["refused", [50, 52, 53, 54, 55, 56, 57, 58, 103, 104, 105, 107, 108, 112, 114, 116, 117, 118, 119, 120]],
  ["refused", [121, 122, 123, 125, 126, 127, 128, 129, 130, 131, 132, 133, 134, 500, 501, 502, 504]],
  ["refused", [600, 601, 603, 604, 606, 700, 701, 702, 703, 704, 705, 800, 801, 802, 803, 804, 900, 1000, 32_611]],
];

const KIND_BY_CODE: ReadonlyMap<number, ErrorKind> = new Map(
  KINDS.flatMap(([kind, codes]) => codes.map((code) => [code, kind] as const)),
);

const KIND_BY_STATUS: ReadonlyMap<number, ErrorKind> = new Map([
  [401, "auth"],
  [403, "auth"],
  [404, "missing"],
  [429, "busy"],
]);

const HINT_BY_CODE: ReadonlyMap<number, string> = new Map([
  [102, WHO_AM_I],
  [106, "bt field values product lists the products visible to you"],
  [109, WHO_AM_I],
  [110, WHO_AM_I],
  [113, WHO_AM_I],
  [115, WHO_AM_I],
  [120, "bt group list shows the groups of the tracker"],
  [300, LOG_IN],
  [304, WHO_AM_I],
  [306, "create a new API key in the tracker's preferences, then: bt auth login"],
  [410, LOG_IN],
  [505, LOG_IN],
  [805, WHO_AM_I],
  [32_614, "bt api GET /rest/version shows the tracker's version"],
  [INTERNAL_ERROR_CODE, "the error is in the tracker; see its log"],
]);

/** Errors that share a generic code, told apart by their message. */
const SPECIAL_MESSAGES: readonly (readonly [RegExp, ErrorMeaning])[] = [
  [/cookies or token/i, { kind: "auth", hint: LOG_IN }],
  [/locked out of this account/i, { kind: "auth", hint: "an API key still works: bt auth login" }],
  [/without being logged in/i, { kind: "auth", hint: LOG_IN }],
];

const WHOLE_LOGIN = "use the complete login";

/**
 * True if a value names an unknown user. Code 504 also means that a known user may not be assigned to a bug of this
 * product.
 * @see Bugzilla/WebService/Constants.pm, invalid_username, invalid_user_group and object_does_not_exist
 */
function isUnknownLogin(code: number, message: string): boolean {
  if (code === BAD_LOGIN) return /not a valid username/i.test(message);
  return code === NO_SUCH_OBJECT && /^There is no user named/i.test(message);
}

/** True if a read names one object in its path or by `names`, so that this object is what is missing. */
function namesOneThing({ method, operation }: Request): boolean {
  return method === "GET" && operation !== "Search Bugs";
}

/** Hint for "There is no Priority named 'P9'": the command that lists the legal values. */
function legalValuesHint(message: string): string | undefined {
  const [, what = ""] = /^There is no (\w+) named/.exec(message) ?? [];
  const field = VALUE_FIELDS.find((name) => name === what.toLowerCase());
  return field && `bt field values ${field} lists valid values`;
}

const VALUE_FIELDS = ["priority", "severity", "status", "resolution", "component", "version", "product", "platform"];

/** Meaning of an HTTP status without an error body of the REST interface: kind, sentence and hint. */
export function statusMeaning(status: number, request: Request): ErrorMeaning & { reason: string } {
  const object = status === NOT_FOUND ? OBJECTS.get(request.operation ?? "") : undefined;
  if (object) return { kind: "missing", reason: `the tracker has no such ${object}`, hint: WRONG_ADDRESS };
  return STATUSES.get(status) ?? (status >= 500 ? BROKEN : ODD);
}

const NOT_FOUND = 404;
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
  hint: "--debug shows the response",
};
const FORBIDDEN: StatusMeaning = { kind: "auth", reason: "the tracker denied access", hint: LOG_IN };
const ELSEWHERE: StatusMeaning = {
  kind: "guard",
  reason: "the tracker redirected the request; the redirect was not followed",
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
      reason: "no Bugzilla REST API at this address",
      hint: "check the address; without a rewrite rule for /rest it ends in /rest.cgi",
    },
  ],
  [408, BROKEN],
  [413, { kind: "refused", reason: "the request is too large for the tracker" }],
  [414, { kind: "refused", reason: "the request URL is too long for the tracker" }],
  [425, BROKEN],
  [429, { kind: "busy", reason: "the tracker's rate limit is exceeded", hint: LATER }],
]);
