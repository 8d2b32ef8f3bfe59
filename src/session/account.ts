import type { FactStore } from "../api/facts.ts";
import { checkClaim, type Identity, isAboutKey, proveKey } from "../api/identity.ts";
import { readResponse } from "../api/response/response.ts";
import type { FoundKey } from "../config/keys.ts";
import type { SettingValues } from "../config/settings.ts";
import { BtError } from "../errors.ts";
import type { Credential } from "../transport/authenticate.ts";
import { type AuthStyle, type JsonObject, keyStyles, type Request, type Response } from "../wire/exchange.ts";
import { DAY_MS } from "../wire/time.ts";

/** Sends a request to a tracker: with the key of the command, or as the owner of another one, or anonymously. */
export type TrackerExchange = (request: Request, as?: Credential | "nobody") => Promise<Response>;

/** Whom a tracker takes a command for. */
export type Account = {
  readonly state: "anonymous" | Identity["state"] | "refused" | "mirrored"; // anonymous: there is no key
  readonly login?: string | undefined; // as stored with the key, as the tracker reports it, or as set
  readonly isFromSettings?: boolean; // the login is that of the settings, unchecked
  readonly style?: AuthStyle | undefined;
  readonly source?: string | undefined; // of the key
  readonly error?: BtError | undefined; // of every request, where the key is ignored or refused
};

/** The tracker that a key is for, with the configured login and style. */
export type KeyedTracker = {
  readonly baseUrl: string;
  readonly settings: SettingValues;
  readonly send: (request: Request, as: Credential) => Promise<Response>;
  readonly memory: FactStore; // of the account
};

/**
 * The account of a key, as it was proven today unless `isAnew`; a login has proven the stored keys.
 * @throws BtError of kind auth if the key is not of the configured login
 */
export async function identify(key: FoundKey | undefined, tracker: KeyedTracker, isAnew: boolean): Promise<Account> {
  const { login: claimed } = tracker.settings;
  if (key === undefined) return { state: "anonymous", login: claimed, isFromSettings: claimed !== undefined };
  const { user, style, source } = key;
  if (user !== undefined) checkClaim(user, claimed);
  if (user !== undefined && style && !isAnew) return { state: "logged in", login: user, style, source };
  try {
    const identity = await proveIdentity(key, tracker, isAnew);
    const error = identity.state === "ignored" ? ignoredKeyError(identity.style, source, tracker) : undefined;
    const proven = identity.login ?? user;
    const isFromSettings = proven === undefined && claimed !== undefined;
    return { ...identity, source, error, login: proven ?? claimed, isFromSettings };
  } catch (error) {
    if (!(error instanceof BtError) || !isAboutKey(error)) throw error;
    return { state: "refused", source, error };
  }
}

/** Whose key it is, as remembered for a day unless `isAnew`, else as the tracker shows. */
async function proveIdentity(
  { key, user, style: storedStyle }: FoundKey,
  { baseUrl, settings, send, memory }: KeyedTracker,
  isAnew: boolean,
): Promise<Identity> {
  const configuredStyle = settings.auth_style === "auto" ? undefined : (settings.auth_style as AuthStyle | undefined);
  const onlyStyle = storedStyle ?? configuredStyle;
  const styles = onlyStyle ? [onlyStyle] : keyStyles(baseUrl);
  const claim = user ?? settings.login;
  const proof = JSON.stringify([styles, claim]);
  const kept = isAnew ? undefined : await memory.read(IDENTITY, DAY_MS);
  if (kept?.["proof"] === proof) return kept as unknown as Identity;
  const sendIn = (style: AuthStyle) => async (request: Request) =>
    readResponse(await send(request, { style, key }), request);
  const identity = await proveKey(sendIn, styles, claim);
  if (identity.state !== "ignored") await memory.write(IDENTITY, { ...(identity as JsonObject), proof });
  return identity;
}

/** Name of the fact whose key it is, how the tracker takes it, and how that was proven. */
const IDENTITY = "identity";

/** The login of a key as far as known without a request; null for an anonymous user. */
export async function knownLogin(key: FoundKey | undefined, memory: FactStore): Promise<string | null | undefined> {
  if (key === undefined) return null;
  return key.user ?? (await memory.read(IDENTITY))?.["login"]?.toString();
}

/** Error in place of a request that would be anonymous. */
function ignoredKeyError(style: AuthStyle, keySource: string, { baseUrl, settings }: KeyedTracker): BtError {
  const way = style === settings.auth_style ? ` sent as ${style}` : "";
  return new BtError("guard", `${baseUrl} ignores the API key from ${keySource}${way}`, {
    hint: way ? "BT_AUTH_STYLE=auto finds how the tracker takes it" : "is it a key of this tracker? bt auth status",
  });
}
