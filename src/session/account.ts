import type { FactStore } from "../api/facts.ts";
import { checkClaim, type Identity, proveKey } from "../api/identity.ts";
import type { SendRequest } from "../api/operations/operation.ts";
import type { FoundKey } from "../config/key.ts";
import { BtError } from "../errors.ts";
import { type AuthStyle, keyStyles } from "../wire/exchange.ts";
import { DAY_MS } from "../wire/time.ts";

/** Whom the tracker takes a command for. */
export type Account = {
  readonly state: "anonymous" | Identity["state"]; // anonymous: there is no key
  readonly login?: string | undefined; // as stored with the key, or as the tracker reports it
  readonly style?: AuthStyle | undefined;
  readonly source?: string | undefined; // of the key
};

/** A key whose user is in question. */
type KeyQuestion = {
  readonly found: FoundKey;
  readonly fixedStyle: AuthStyle | undefined; // as proven by a login, or configured
  readonly how: "once a day" | "anew";
  readonly baseUrl: string;
  readonly login: string | undefined; // as configured
};

/**
 * The account of a key. A key that no login has proven is proven once a day.
 * @throws BtError of kind auth if the tracker rejects the key, or if it is not of the configured login
 */
export async function identifyKey(
  { found, fixedStyle, how, baseUrl, login }: KeyQuestion,
  sendIn: (style: AuthStyle) => SendRequest,
  memory: FactStore,
): Promise<Account> {
  const { user, style, source } = found;
  if (user !== undefined) checkClaim(user, login);
  if (user !== undefined && style && how === "once a day") return { state: "logged in", login: user, style, source };
  const styles = fixedStyle ? [fixedStyle] : keyStyles(baseUrl);
  const claim = user ?? login;
  const known = how === "anew" ? undefined : await readIdentity(memory, styles, claim);
  const identity = known ?? (await proveKey(sendIn, styles, claim));
  if (!known && identity.state !== "ignored")
    await memory.write(IDENTITY, { ...identity, login: identity.login ?? null, claim: claim ?? null });
  return { ...identity, login: identity.login ?? user, source };
}

/** Name of the fact whose key it is, and how the tracker takes it. */
export const IDENTITY = "identity";

/** The identity that was proven by these styles and this claim within the last day. */
async function readIdentity(
  memory: FactStore,
  styles: readonly AuthStyle[],
  claim: string | undefined,
): Promise<Identity | undefined> {
  const { state, style, login, claim: checked } = (await memory.read(IDENTITY, DAY_MS)) ?? {};
  const known = styles.find((one) => one === style);
  if (known === undefined || checked !== (claim ?? null)) return undefined;
  return { state: state === "logged in" ? "logged in" : "unknown", style: known, login: login?.toString() };
}

/** Error in place of a request that would be anonymous. */
export function ignoredKeyError(
  { style, source }: Account,
  baseUrl: string,
  configured: AuthStyle | undefined,
): BtError {
  const way = style === configured ? ` sent as ${style}` : "";
  return new BtError("guard", `${baseUrl} ignores the API key from ${source}${way}`, {
    hint: way ? "BT_AUTH_STYLE=auto finds how the tracker takes it" : "is it a key of this tracker? bt auth status",
  });
}

/** Id of an account for what is kept between runs: its stored login, else a fingerprint of the key. */
export async function accountId(found: FoundKey | undefined): Promise<string> {
  if (found === undefined) return "anonymous";
  if (found.user !== undefined) return `login:${found.user}`;
  const { createHash } = await import("node:crypto");
  return `key:${createHash("sha256").update(`bt account\0${found.key.reveal()}`).digest("hex").slice(0, 16)}`;
}
