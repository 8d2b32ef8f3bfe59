import { BtError } from "../errors.ts";
import type { AuthStyle } from "../wire/auth-style.ts";
import type { Json, JsonObject, Request } from "../wire/exchange.ts";
import { GET_BUG, SEARCH_BUGS } from "./operations/bugs.ts";
import { requestFor, type SendRequest } from "./operations/operation.ts";
import { VALID_LOGIN, WHO_AM_I } from "./operations/tracker.ts";
import { isObject } from "./response/response-objects.ts";

/** Whom the tracker takes the requester for. `proven: false`: an anonymous visitor, as far as can be told. */
export type Identity = { readonly proven: boolean; readonly user?: string | undefined };

const ANONYMOUS: Identity = { proven: false };

/**
 * Asks the tracker who is asking, by what the servers of this interface have in turn: a resource of its own, the requester
 * as a search knows him, a check of a login that is already known, the token that only logged-in readers get with a bug.
 * A server that ignores a key answers public reads all the same, so that a good answer alone proves nothing. A key that is
 * refused is thrown as the error that it is.
 */
export async function whoAmI(ask: SendRequest, login?: string): Promise<Identity> {
  for (const proof of PROOFS) {
    const identity = await proof(ask, login);
    if (identity !== undefined) return identity;
  }
  return ANONYMOUS;
}

/** Whether a login is the requester's own, by the one resource that all servers have for it; letter case counts there. */
export async function isOwnLogin(ask: SendRequest, login: string): Promise<boolean> {
  const answer = await answerTo(ask, requestFor(VALID_LOGIN, { login }));
  return isObject(answer) && answer["result"] === true;
}

/** A style of showing the key that this tracker takes, and whom it then takes the requester for. */
export type ProvenKeyStyle = { readonly style: AuthStyle; readonly identity: Identity };

/**
 * Finds the style in which a tracker takes a key, by proof, the ones that leave no trace in its logs first. Undefined when
 * none was proven: the key is of another tracker, or there is nothing yet to prove it with but the login.
 */
export async function findKeyStyle(
  askIn: (style: AuthStyle) => SendRequest,
  login?: string,
): Promise<ProvenKeyStyle | undefined> {
  for (const style of KEY_STYLES) {
    const identity = await whoAmI(askIn(style), login);
    if (identity.proven) return { style, identity };
  }
  return undefined;
}

const KEY_STYLES: readonly AuthStyle[] = ["header", "bearer", "query"];

/** A proof that settles the question, or undefined when this server or this requester cannot give it. */
type Proof = (ask: SendRequest, login: string | undefined) => Promise<Identity | undefined>;

const PROOFS: readonly Proof[] = [byResource, byPronoun, byLogin, byToken];

async function byResource(ask: SendRequest): Promise<Identity | undefined> {
  const answer = await answerTo(ask, requestFor(WHO_AM_I));
  if (answer === "not logged in") return ANONYMOUS;
  return isObject(answer) && typeof answer["name"] === "string" && answer["id"]
    ? { proven: true, user: answer["name"] }
    : undefined;
}

/** Needs one bug that the requester has filed. */
async function byPronoun(ask: SendRequest): Promise<Identity | undefined> {
  const conditions = { f1: "reporter", o1: "equals", v1: "%user%", limit: 1, include_fields: "creator" };
  const answer = await answerTo(ask, requestFor(SEARCH_BUGS, conditions));
  if (answer === "not logged in") return ANONYMOUS;
  const creator = firstBug(answer)?.["creator"];
  return typeof creator === "string" ? { proven: true, user: creator } : undefined;
}

async function byLogin(ask: SendRequest, login: string | undefined): Promise<Identity | undefined> {
  return login !== undefined && (await isOwnLogin(ask, login)) ? { proven: true, user: login } : undefined;
}

/** Needs any bug that the requester can see. */
async function byToken(ask: SendRequest, login: string | undefined): Promise<Identity | undefined> {
  const any = await answerTo(ask, requestFor(SEARCH_BUGS, { status: "__all__", limit: 1, include_fields: "id" }));
  const id = firstBug(any)?.["id"];
  if (!Number.isSafeInteger(id)) return undefined;
  const request = requestFor(GET_BUG, { id_or_alias: id, include_fields: "id,update_token" });
  const bug = firstBug(await answerTo(ask, request));
  return typeof bug?.["update_token"] === "string" ? { proven: true, user: login } : undefined;
}

/** What came of a question: data, that nobody is logged in, or that this server has no answer to it. */
async function answerTo(ask: SendRequest, request: Request): Promise<Json | "not logged in" | undefined> {
  try {
    return await ask(request);
  } catch (error) {
    if (!(error instanceof BtError)) throw error;
    if (KEY_REFUSED.includes(error.facts.bugzillaCode ?? 0) || OUTAGES.includes(error.kind)) throw error;
    return error.kind === "auth" ? "not logged in" : undefined;
  }
}

const KEY_REFUSED = [300, 301, 305, 306]; // the key or the account is known to be bad; trying it elsewhere is useless
const OUTAGES = ["network", "busy", "guard", "local"];

function firstBug(answer: Json | undefined): JsonObject | undefined {
  const bugs = isObject(answer) ? answer["bugs"] : undefined;
  const [bug] = Array.isArray(bugs) ? (bugs as readonly Json[]) : [];
  return isObject(bug) ? bug : undefined;
}
