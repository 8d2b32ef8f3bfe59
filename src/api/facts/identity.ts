import { BtError, type ErrorKind, withDetails, withFacts } from "../../errors.ts";
import type { AuthStyle } from "../../wire/auth-style.ts";
import { errorCodes } from "../../wire/error-codes.ts";
import type { JsonObject, Request } from "../../wire/exchange.ts";
import { itemsIn } from "../../wire/json.ts";
import { SEARCH_BUGS } from "../operations/bugs.ts";
import { requestFor, type SendRequest } from "../operations/operation.ts";
import { VALID_LOGIN, WHO_AM_I } from "../operations/tracker.ts";
import { isSameLogin } from "../people.ts";
import { needsBearer } from "../response/response-errors.ts";

/** Whom a tracker takes a key for, and the style in which it reads the key. */
export type Identity = {
  readonly state: "logged in" | "ignored" | "unknown"; // ignored: answered as to nobody, in every style
  readonly style: AuthStyle;
  readonly login?: string | undefined; // as the tracker reports it
};

/** Style of a key on a tracker that does not tell whether it read the key. */
const UNKNOWN_STYLE: AuthStyle = "query";

/**
 * Proves whose key it is, by the first proof that the tracker offers and the first style that it reads. A server that ignores
 * a key still answers public reads, so a successful response alone proves nothing. `claim` is a login that the key may be of.
 * @throws BtError of kind auth if the tracker rejects the key, or knows that the login is not the one of the claim
 */
export async function proveKey(
  sendIn: (style: AuthStyle) => SendRequest,
  styles: readonly AuthStyle[],
  claim?: string,
): Promise<Identity> {
  const [first = UNKNOWN_STYLE] = styles;
  let isDenied = false; // the claim, in every style
  for (const proof of PROOFS) {
    const found = await findStyle(proof, sendIn, styles, claim);
    if (found && found !== "ignored") {
      const login = found.login ?? (await readOwnLogin(sendIn(found.style)));
      if (login !== undefined || isDenied) checkClaim(login, claim);
      return { state: "logged in", style: found.style, login };
    }
    if (found === "ignored" && proof !== CLAIMED_LOGIN) return { state: "ignored", style: first };
    isDenied ||= found === "ignored";
  }
  if (isDenied) return { state: "ignored", style: first };
  return { state: "unknown", style: styles.length === 1 ? first : UNKNOWN_STYLE };
}

/** The first style in which the tracker knows the key; undefined if it does not offer the proof. */
async function findStyle(
  proof: Proof,
  sendIn: (style: AuthStyle) => SendRequest,
  styles: readonly AuthStyle[],
  claim: string | undefined,
): Promise<{ style: AuthStyle; login?: string | undefined } | "ignored" | undefined> {
  for (const style of styles) {
    const user = await readUser(proof, sendIn(style), claim).catch((error) => {
      if (styles.length > 1 && needsBearer(error)) return "nobody" as const;
      throw error;
    });
    if (user === undefined) return undefined;
    if (user !== "nobody") return { style, login: user.login };
  }
  return "ignored";
}

/** A request that tells who sent it. */
type Proof = {
  readonly request: (claim: string | undefined) => Request | undefined; // undefined: there is nothing to prove by
  readonly read: (response: JsonObject, claim: string | undefined) => User | undefined; // undefined: it does not tell
};

type User = { readonly login?: string | undefined } | "nobody";

const USER_RESOURCE: Proof = {
  request: () => requestFor(WHO_AM_I),
  read: ({ id, name }) => (id && typeof name === "string" ? { login: name } : undefined),
};

const IS_OWN = { o1: "equals", v1: "%user%", f1: "reporter" };

/** Nobody has bug 0: Bugzilla refuses the pronoun to anonymous users, and a server that ignores rows finds other bugs. */
const OWN_BUG_0: Proof = {
  request: () =>
    requestFor(SEARCH_BUGS, { ...IS_OWN, f2: "bug_id", o2: "equals", v2: "0", limit: 1, include_fields: "id" }),
  read: ({ bugs }) => (Array.isArray(bugs) && bugs.length === 0 ? {} : undefined),
};

/** Another user's login proves nothing but that the key is not of the claim. */
const CLAIMED_LOGIN: Proof = {
  request: (login) => (login === undefined ? undefined : requestFor(VALID_LOGIN, { login })),
  read: ({ result }, login) => {
    if (typeof result !== "boolean") return undefined;
    return result ? { login } : "nobody";
  },
};

const PROOFS: readonly Proof[] = [USER_RESOURCE, CLAIMED_LOGIN, OWN_BUG_0];

/** A bug that the user reported names the user, on a tracker that obeys rows. */
const OWN_BUG: Proof = {
  request: () => requestFor(SEARCH_BUGS, { ...IS_OWN, limit: 1, include_fields: "creator" }),
  read: ({ bugs }) => {
    const { creator } = Object(itemsIn(bugs)[0]);
    return typeof creator === "string" ? { login: creator } : undefined;
  },
};

async function readOwnLogin(send: SendRequest): Promise<string | undefined> {
  const user = await readUser(OWN_BUG, send);
  return user === "nobody" ? undefined : user?.login;
}

/** @throws BtError of kind auth if a key is not of the claimed login */
export function checkClaim(login: string | undefined, claim: string | undefined): void {
  if (claim === undefined || isSameLogin(login, claim)) return;
  throw new BtError("auth", `the API key is ${login === undefined ? "" : `that of ${login}, `}not of ${claim}`, {
    hint: `use a key of ${claim}, or correct the login: bt config set login LOGIN`,
    changed: "nothing",
  });
}

/** An error about the key with the source of the key. A login does not mend a key of the variable, which goes first. */
export function withKeySource(error: unknown, source: string | undefined): unknown {
  if (!(error instanceof BtError) || source === undefined || !isAboutKey(error)) return error;
  const hint = source === "BT_API_KEY" ? "correct or unset BT_API_KEY, which goes before a login" : error.facts.hint;
  return withFacts(withDetails(error, [`the API key is from ${source}`]), { hint });
}

/** True if the key or the account is known to be bad: no other style helps. */
export function isAboutKey(error: BtError): boolean {
  return KEY_REFUSED.has(error.facts.bugzillaCode ?? 0);
}

/** The user as whom a request is answered; undefined if the server does not tell. */
async function readUser({ request, read }: Proof, send: SendRequest, claim?: string): Promise<User | undefined> {
  const proof = request(claim);
  if (proof === undefined) return undefined;
  try {
    return read(Object(await send(proof)), claim);
  } catch (error) {
    if (!(error instanceof BtError)) throw error;
    if (isAboutKey(error) || needsBearer(error) || OUTAGES.includes(error.kind)) throw error;
    return error.kind === "auth" ? "nobody" : undefined;
  }
}

const KEY_REFUSED = errorCodes("invalid_login_or_password", "account_disabled", "api_key_not_valid");
const OUTAGES: readonly ErrorKind[] = ["network", "busy", "guard", "local"];
