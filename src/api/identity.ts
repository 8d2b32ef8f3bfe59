import { BtError, type ErrorKind, withDetails, withFacts } from "../errors.ts";
import { errorCodes } from "../wire/error-codes.ts";
import type { AuthStyle } from "../wire/exchange.ts";
import { itemsIn } from "../wire/json.ts";
import { SEARCH_BUGS } from "./operations/bugs.ts";
import { requestFor, type SendRequest } from "./operations/operation.ts";
import { VALID_LOGIN, WHO_AM_I } from "./operations/tracker.ts";
import { isSameLogin } from "./people.ts";
import { probeDialect } from "./search/dialect.ts";

/** Whom a tracker takes a key for, and the style in which it reads the key. */
export type Identity = {
  readonly state: "logged in" | "ignored" | "unknown"; // ignored: requests with the key are anonymous, in every style
  readonly style: AuthStyle;
  readonly login?: string | undefined; // as the tracker reports it
};

/** Style of a key on a tracker that does not tell whether it read the key. */
const UNKNOWN_STYLE: AuthStyle = "query";

/** The user of a request: "nobody" if it was anonymous, undefined if its response does not tell. */
type User = { readonly login?: string | undefined } | "nobody" | undefined;

/** A request whose response names its user. A success alone proves nothing: keys may be ignored. */
type Proof = (send: SendRequest, claim: string | undefined) => Promise<User>;

const whoAmI: Proof = async (send) => {
  const { id, name } = Object(await send(requestFor(WHO_AM_I)));
  return id && typeof name === "string" ? { login: name } : undefined;
};

/** Tells whether the key is that of the claimed login; if not, it may be another user's, or ignored. */
const confirmClaim: Proof = async (send, login) => {
  if (login === undefined) return undefined;
  const { result } = Object(await send(requestFor(VALID_LOGIN, { login })));
  if (typeof result !== "boolean") return undefined;
  return result ? { login } : "nobody";
};

/**
 * Searches for a bug 0 of the user, which finds nothing: Bugzilla refuses `%user%` to anonymous users. A server that ignores
 * rows returns other bugs, or none as well, so that its dialect decides.
 */
const searchOwnBugs: Proof = async (send) => {
  const { bugs } = Object(await send(requestFor(SEARCH_BUGS, { ...IS_OWN, ...IS_BUG_0 })));
  if (!Array.isArray(bugs) || bugs.length > 0 || (await probeDialect(send)) === "plain") return undefined;
  const own = Object(await send(requestFor(SEARCH_BUGS, { ...IS_OWN, include_fields: "creator" })));
  const { creator } = Object(itemsIn(own.bugs)[0]);
  return { login: typeof creator === "string" ? creator : undefined };
};

const IS_OWN = { o1: "equals", v1: "%user%", f1: "reporter", limit: 1 };
const IS_BUG_0 = { f2: "bug_id", o2: "equals", v2: "0", include_fields: "id" };

/**
 * Proves whose key it is, by the first proof that the tracker offers and the first style that it reads. `claim` is a login
 * that the key may be of.
 * @throws BtError of kind auth if the tracker rejects the key, or knows that the login is not the one of the claim
 */
export async function proveKey(
  sendIn: (style: AuthStyle) => SendRequest,
  styles: readonly AuthStyle[],
  claim?: string,
): Promise<Identity> {
  const [first = UNKNOWN_STYLE] = styles;
  const ignored = { state: "ignored", style: first } as const;
  const find = (proof: Proof) => findStyle(proof, sendIn, styles, claim);
  const reported = await find(whoAmI);
  if (reported === "nobody") return ignored;
  if (reported) {
    checkClaim(reported.login, claim);
    return { state: "logged in", ...reported };
  }
  const confirmed = await find(confirmClaim);
  if (typeof confirmed === "object") return { state: "logged in", ...confirmed };
  const found = await find(searchOwnBugs);
  if (typeof found === "object") {
    if (found.login !== undefined || confirmed === "nobody") checkClaim(found.login, claim);
    return { state: "logged in", ...found };
  }
  if (found === "nobody" || confirmed === "nobody") return ignored;
  return { state: "unknown", style: styles.length === 1 ? first : UNKNOWN_STYLE };
}

/** The first style in which the tracker knows the key, and its user; "nobody" if it is ignored, undefined if unproven. */
async function findStyle(
  prove: Proof,
  sendIn: (style: AuthStyle) => SendRequest,
  styles: readonly AuthStyle[],
  claim: string | undefined,
): Promise<Pick<Identity, "style" | "login"> | "nobody" | undefined> {
  for (const style of styles) {
    const user = await prove(sendIn(style), claim).catch(userOfError);
    if (user === undefined) return undefined;
    if (user !== "nobody") return { style, ...user };
  }
  return "nobody";
}

/**
 * "nobody" if an error demands a login, else undefined.
 * @throws BtError as given if the key is bad, or the tracker cannot be reached
 */
function userOfError(error: unknown): "nobody" | undefined {
  if (!(error instanceof BtError) || isAboutKey(error) || OUTAGES.includes(error.kind)) throw error;
  return error.kind === "auth" ? "nobody" : undefined;
}

/** @throws BtError of kind auth if a key is not of the claimed login */
export function checkClaim(login: string | undefined, claim: string | undefined): void {
  if (claim === undefined || isSameLogin(login, claim)) return;
  throw new BtError("auth", `the API key is ${login === undefined ? "" : `that of ${login}, `}not of ${claim}`, {
    hint: `use a key of ${claim}, or correct the login: bt config set login LOGIN`,
  });
}

/** An error about the key with its source. A login does not mend the variable, which goes first. */
export function withKeySource(error: unknown, source: string | undefined): unknown {
  if (!(error instanceof BtError) || source === undefined || !isAboutKey(error)) return error;
  const hint = source === "BT_API_KEY" ? "correct or unset BT_API_KEY, which goes before a login" : error.facts.hint;
  return withFacts(withDetails(error, [`the API key is from ${source}`]), { hint });
}

/** True if the key or the account is known to be bad: no other way to send the key helps. */
export function isAboutKey(error: BtError): boolean {
  return KEY_REFUSED.has(error.facts.bugzillaCode ?? 0);
}

const KEY_REFUSED = errorCodes("invalid_login_or_password", "account_disabled", "api_key_not_valid");
const OUTAGES: readonly ErrorKind[] = ["network", "busy", "guard", "local"];
