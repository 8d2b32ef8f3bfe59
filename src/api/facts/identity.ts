import { BtError } from "../../errors.ts";
import type { AuthStyle } from "../../wire/auth-style.ts";
import { BUG_FIELDS, PERSON_FIELDS } from "../../wire/bug-fields.ts";
import { errorCodes } from "../../wire/error-codes.ts";
import type { Json, JsonObject, Request } from "../../wire/exchange.ts";
import { isObject, itemsIn } from "../../wire/json.ts";
import { EVERY_BUG, GET_BUG, SEARCH_BUGS } from "../operations/bugs.ts";
import { requestFor, type SendRequest } from "../operations/operation.ts";
import { VALID_LOGIN, WHO_AM_I } from "../operations/tracker.ts";
import type { RowSupport } from "./row-support.ts";

/** User that the tracker recognized. `proven: false`: anonymous, unless nothing shows that either. */
export type Identity = { readonly proven: boolean; readonly user?: string | undefined; isUnknown?: true };

const ANONYMOUS: Identity = { proven: false };

/**
 * Determines the authenticated user by the means that servers offer: the whoami resource, a search for the user's own
 * bugs, a check of logins, the token returned only to logged-in users. A server that ignores a key still answers
 * public reads, so a successful response alone proves nothing; nor does a bug that was searched for by rows which the server
 * may have ignored.
 * @throws BtError of kind auth if the tracker rejects the key
 */
export async function whoAmI(send: SendRequest, rows: RowSupport, login?: string): Promise<Identity> {
  for (const proof of PROOFS) {
    const identity = await proof(send, rows, login);
    if (identity !== undefined) return identity;
  }
  return { proven: false, isUnknown: true };
}

/**
 * True if the login is the authenticated user's, by the resource that all servers have for it; case-sensitive.
 * @see https://bugzilla.readthedocs.io/en/5.2/api/core/v1/user.html#valid-login
 */
export async function isOwnLogin(send: SendRequest, login: string): Promise<boolean> {
  const response = await requestIfSupported(send, requestFor(VALID_LOGIN, { login }));
  return isObject(response) && response["result"] === true;
}

/** An authentication style that the tracker accepts, and the user it authenticates. */
export type ProvenKeyStyle = { readonly style: AuthStyle; readonly identity: Identity };

/**
 * Finds the authentication style that a tracker accepts, trying those that leave no key in its logs first. Undefined if
 * none could be proven: the key belongs to another tracker, or nothing but the login is known yet.
 */
export async function findKeyStyle(
  sendIn: (style: AuthStyle) => SendRequest,
  rowsFor: (send: SendRequest) => RowSupport,
  login?: string,
): Promise<ProvenKeyStyle | undefined> {
  for (const style of KEY_STYLES) {
    const send = sendIn(style);
    const identity = await whoAmI(send, rowsFor(send), login);
    if (identity.proven) return { style, identity };
  }
  return undefined;
}

const KEY_STYLES: readonly AuthStyle[] = ["header", "bearer", "query"];

/** One test of the identity; undefined if this server or user does not allow it. */
type Proof = (send: SendRequest, rows: RowSupport, login: string | undefined) => Promise<Identity | undefined>;

const PROOFS: readonly Proof[] = [
  identifyByResource,
  identifyByPronoun,
  identifyByLogin,
  identifyByRole,
  identifyByToken,
];

async function identifyByResource(send: SendRequest): Promise<Identity | undefined> {
  const response = await requestIfSupported(send, requestFor(WHO_AM_I));
  if (response === "not logged in") return ANONYMOUS;
  return isObject(response) && typeof response["name"] === "string" && response["id"]
    ? { proven: true, user: response["name"] }
    : undefined;
}

/** Requires a bug reported by the user. */
async function identifyByPronoun(send: SendRequest, rows: RowSupport): Promise<Identity | undefined> {
  if ((await rows.known()) === false) return undefined;
  const conditions = { f1: "reporter", o1: "equals", v1: "%user%", limit: 1, include_fields: "creator" };
  const response = await requestIfSupported(send, requestFor(SEARCH_BUGS, conditions));
  if (response === "not logged in") return ANONYMOUS;
  const creator = firstBug(response)?.["creator"];
  if (typeof creator !== "string" || !((await rows.known()) ?? (await rows.settle()))) return undefined;
  return { proven: true, user: creator };
}

/** Requires the login; another user's proves nothing. */
async function identifyByLogin(
  send: SendRequest,
  _: RowSupport,
  login: string | undefined,
): Promise<Identity | undefined> {
  if (login === undefined) return undefined;
  const response = await requestIfSupported(send, requestFor(VALID_LOGIN, { login }));
  if (!isObject(response) || typeof response["result"] !== "boolean") return undefined;
  return response["result"] ? { proven: true, user: login } : ANONYMOUS;
}

/** Requires a bug that the user is assigned to, is asked about, or is on the CC list of; checks the logins there. */
async function identifyByRole(send: SendRequest, supported: RowSupport): Promise<Identity | undefined> {
  if ((await supported.known()) === false) return undefined;
  const rows = [...HELD, BUG_FIELDS.requestee.chart, "cc"].flatMap((field, at) => [
    [`f${at + 1}`, field],
    [`o${at + 1}`, "equals"],
    [`v${at + 1}`, "%user%"],
  ]);
  const result = { j_top: "OR", limit: 1, include_fields: [...HELD, "flags", "cc"].join(",") };
  const bug = firstBug(
    await requestIfSupported(send, requestFor(SEARCH_BUGS, { ...Object.fromEntries(rows), ...result })),
  );
  for (const login of bug ? bugLogins(bug).slice(0, MAX_CHECKED) : []) {
    if (await isOwnLogin(send, login)) return { proven: true, user: login };
  }
  return undefined;
}

/** Fields of one login in which the user may be; a bug that they have reported was looked for before. */
const HELD = PERSON_FIELDS.filter((name) => name !== "creator");

const MAX_CHECKED = 10; // one request each

/** Distinct logins of a bug, in the order of roles. */
function bugLogins(bug: JsonObject): string[] {
  const people = HELD.map((name) => bug[name]);
  for (const flag of [bug["flags"] ?? []].flat()) if (isObject(flag)) people.push(flag["requestee"]);
  people.push(...[bug["cc"] ?? []].flat());
  return [...new Set(people.filter((login): login is string => typeof login === "string" && login !== ""))];
}

/** Requires any bug visible to the user. */
async function identifyByToken(
  send: SendRequest,
  _: RowSupport,
  login: string | undefined,
): Promise<Identity | undefined> {
  const any = await requestIfSupported(
    send,
    requestFor(SEARCH_BUGS, [...EVERY_BUG, ["limit", 1], ["include_fields", "id"]]),
  );
  const id = firstBug(any)?.["id"];
  if (!Number.isSafeInteger(id)) return undefined;
  const request = requestFor(GET_BUG, { id_or_alias: id, include_fields: "id,update_token" });
  const bug = firstBug(await requestIfSupported(send, request));
  return typeof bug?.["update_token"] === "string" ? { proven: true, user: login } : ANONYMOUS;
}

/** Response, "not logged in", or undefined if the server does not support the request. */
async function requestIfSupported(send: SendRequest, request: Request): Promise<Json | "not logged in" | undefined> {
  try {
    return await send(request);
  } catch (error) {
    if (!(error instanceof BtError)) throw error;
    if (KEY_REFUSED.has(error.facts.bugzillaCode ?? 0) || OUTAGES.includes(error.kind)) throw error;
    return error.kind === "auth" ? "not logged in" : undefined;
  }
}

/** The key or the account is known to be bad; trying it elsewhere is useless. */
const KEY_REFUSED = errorCodes("invalid_login_or_password", "account_disabled", "api_key_not_valid");
const OUTAGES = ["network", "busy", "guard", "local"];

function firstBug(response: Json | undefined): JsonObject | undefined {
  const [bug] = itemsIn(isObject(response) ? response["bugs"] : undefined);
  return isObject(bug) ? bug : undefined;
}
