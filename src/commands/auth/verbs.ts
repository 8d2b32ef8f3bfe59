import { findKeyStyle, type ProvenKeyStyle, whoAmI } from "../../api/identity.ts";
import { clearCaches } from "../../config/cache.ts";
import { forgetLogin, loginFor, readLogins, storedKey } from "../../config/credentials.ts";
import { folderToWrite } from "../../config/files.ts";
import { foreignLogin } from "../../config/foreign-login.ts";
import { type FoundKey, keyFromFile } from "../../config/key.ts";
import { mirrorNames } from "../../config/mirror-files.ts";
import { BtError, CHECK_ADDRESS, usage, withFacts } from "../../errors.ts";
import { asSecret } from "../../secret.ts";
import type { KnownKey, LoginAccess } from "../../session/connection.ts";
import { flagValue } from "../../session/flags.ts";
import { READ_MARKS } from "../../session/memory/read-marks.ts";
import { SEEN } from "../../session/memory/seen.ts";
import { plain } from "../../view/text.ts";
import type { AuthStyle } from "../../wire/auth-style.ts";
import { openInBrowser } from "../browser.ts";
import { chosenColumns, showList, wireColumns } from "../output.ts";
import { mayPrompt } from "../prompts.ts";
import type { Context, Input } from "../verb.ts";
import { keepAddress } from "./address.ts";
import {
  type AuthContext,
  endToken,
  keyPage,
  type LoginOptions,
  loginWithKey,
  loginWithPassword,
  OWN_KEYS,
  proveTracker,
} from "./login.ts";
import { sharingProfiles } from "./replaced-login.ts";

/** `bt auth login`. */
export async function runLogin(input: Input, context: Context): Promise<void> {
  await logIn(input, context).catch((error) => {
    throw error instanceof BtError ? withFacts(error, { hint: loginHint(error.facts.hint, input) }) : error;
  });
}

/** A hint for the next `bt auth login`, with the address that was typed. */
function loginHint(hint: string | undefined, { args }: Input): string | undefined {
  if (hint === CHECK_ADDRESS) return "check the address: bt auth login ADDRESS";
  return args[0] === undefined ? hint : hint?.replace(/\bbt auth login$/, `bt auth login ${args[0]}`);
}

async function logIn(input: Input, context: Context): Promise<void> {
  const { flags } = input;
  const { auth: own } = authContextOf(context);
  const auth = { ...own, sharedBy: sharingProfiles(own.baseUrl, flagValue(flags["profile"]), context.io) };
  folderToWrite("config", context.io, "; without a login, set BT_API_KEY"); // before a token is made that is lost
  await proveTracker(auth);
  if (flags["web"]) await openKeyPage(auth, context);
  const wish = await wishOf(input, context);
  await (flags["password"] ? loginWithPassword(auth, wish) : loginWithKey(auth, wish));
  await keepAddress(auth.baseUrl, flagValue(flags["profile"]), { io: context.io, say: auth.say });
}

async function openKeyPage({ baseUrl, hasWebPages }: AuthContext, context: Context): Promise<void> {
  if (!hasWebPages()) throw usage(`${baseUrl} has no web interface`, OWN_KEYS);
  await openInBrowser(keyPage(baseUrl), context);
}

/** `bt auth status`. */
export async function showAuthStatus(_: Input, context: Context): Promise<void> {
  const { access, address, login } = context.session;
  if (access === undefined) {
    return tell({ base_url: address, state: "logged in", user: await login() }, context); // no login needed
  }
  const { auth } = authContextOf(context);
  const key = await access.key();
  const status = await authStatus(auth, key);
  await tell(status, context);
  if (status.state === "logged in") return unsettledStyle(auth, key, status);
  throw new BtError("auth", "not logged in", { hint: "bt auth login", changed: "nothing" });
}

async function tell(status: AuthStatus, context: Context): Promise<void> {
  if (context.output.format === undefined) await context.io.out(`${plain(statusSentence(status))}\n`);
  else await showStatus(status, context);
}

/** A key from outside has no known style; if it is not the default one, it must be set once. */
async function unsettledStyle(auth: AuthContext, key: KnownKey | undefined, { style }: AuthStatus): Promise<void> {
  if (key?.style !== undefined || style === "query") return;
  const ways = `bt config set auth_style ${style}, or BT_AUTH_STYLE=${style}`;
  await auth.say(`note: this tracker accepts the key as ${style}; to use that: ${ways}`);
}

/** `bt auth logout`. */
export async function runLogout(_: Input, context: Context): Promise<void> {
  const { auth } = authContextOf(context);
  for (const name of [SEEN, READ_MARKS]) clearCaches(name, context.io, auth.baseUrl);
  await endLogin(auth);
  if (mirrorNames(context.io).length > 0)
    await (await import("./mirrors.ts")).offerToDropMirrors(auth.baseUrl, context);
}

function authContextOf({ io, session }: Context): { readonly auth: AuthContext; readonly access: LoginAccess } {
  const { access, address } = session;
  if (access === undefined) {
    const hint = "use --base-url with a tracker on the network";
    throw usage(`${address} runs in this process and needs no login`, hint);
  }
  const auth: AuthContext = {
    baseUrl: address,
    host: io,
    askAs: access.askAs,
    hide: access.hide,
    hasWebPages: access.hasWebPages,
    prompt: mayPrompt(io, session.settings) ? io.prompt : undefined,
    say: (sentence) => io.err(`${plain(sentence)}\n`),
  };
  return { auth, access };
}

async function wishOf({ flags }: Input, context: Context): Promise<LoginOptions> {
  const login = flagValue(flags["login"]);
  const style = flagValue(flags["style"]) as AuthStyle | undefined;
  const file = flagValue(flags["api-key-file"]);
  if (file !== undefined) return { login, style, key: (await keyFromFile(file, context.io.input)).key };
  if (!flags["import"]) return { login, style };
  const found = foreignLogin(context.session.address, context.io);
  if (found === undefined) {
    throw new BtError("missing", `no other client has an API key for exactly ${context.session.address}`, {
      hint: "bt auth login",
      changed: "nothing",
    });
  }
  await context.io.err(`${plain(`imported the API key from ${found.file}`)}\n`);
  return { login: login ?? found.user, style, key: found.key };
}

async function showStatus(status: AuthStatus, context: Context): Promise<void> {
  const columns = wireColumns<AuthStatus>(["base_url", "state", "user", "source", "style"]);
  await showList(context, { columns: chosenColumns(columns, context), pages: [[status]] });
}

/** Authenticated user and origin of the key; never the key. */
export type AuthStatus = {
  readonly base_url: string;
  readonly state: "logged in" | "anonymous" | "refused";
  readonly user?: string | undefined;
  readonly source?: string | undefined;
  readonly style?: AuthStyle | undefined;
  readonly reason?: string | undefined; // the tracker's message when it rejected the key
};

/**
 * Determines the authenticated user. An ignored key counts as anonymous, even if public reads work. The style of a key
 * is determined, too, if unknown.
 */
export async function authStatus(auth: AuthContext, found: FoundKey | undefined): Promise<AuthStatus> {
  const { baseUrl } = auth;
  if (found === undefined) return { base_url: baseUrl, state: "anonymous" };
  const known = { base_url: baseUrl, source: found.source, style: found.style };
  try {
    const proven = await proof(auth, found);
    if (proven === undefined) return { ...known, state: "anonymous" };
    return { ...known, state: "logged in", user: proven.identity.user ?? found.user, style: proven.style };
  } catch (error) {
    if (!(error instanceof BtError) || error.kind !== "auth") throw error;
    return { ...known, state: "refused", reason: error.message };
  }
}

async function proof(auth: AuthContext, { key, style, user }: FoundKey): Promise<ProvenKeyStyle | undefined> {
  const askIn = (candidate: AuthStyle) => auth.askAs({ style: candidate, key });
  if (style === undefined) return findKeyStyle(askIn, user);
  const identity = await whoAmI(askIn(style), user);
  return identity.proven ? { style, identity } : undefined;
}

/**
 * The status as a sentence.
 * @throws BtError of kind auth unless logged in
 */
export function statusSentence({ base_url, state, user, source, reason }: AuthStatus): string {
  const from = source ? ` (key from ${source})` : "";
  if (state === "logged in") return `logged in to ${base_url}${user ? ` as ${user}` : ""}${from}`;
  if (state === "refused") return `${base_url} rejected the API key from ${source}: ${reason}`;
  return source
    ? `${base_url} ignored the API key from ${source}: you are anonymous`
    : `not logged in to ${base_url}: you are anonymous`;
}

/** Removes the login for a tracker, after revoking a token on the server. An expired token is no error. */
export async function endLogin(auth: AuthContext): Promise<void> {
  const { baseUrl, host } = auth;
  const entry = loginFor(readLogins(host), baseUrl);
  if (entry === undefined)
    throw new BtError("missing", `no stored login for ${baseUrl}`, {
      hint: "bt auth status",
      changed: "nothing",
    });
  const token = entry.style === "token" ? await storedKey(entry, host) : undefined;
  const ended = token === undefined ? undefined : await endToken(auth, asSecret(token));
  await forgetLogin(baseUrl, host);
  await auth.say(`logged out of ${entry.origin}`);
  if (ended === false)
    await auth.say("note: the tracker could not be reached, so the token stays valid until it expires");
  if (entry.style !== "token") await auth.say("note: the API key stays valid; revoke it in the tracker's preferences");
}
