import { type Identity, proveKey } from "../../api/facts/identity.ts";
import { isSameLogin } from "../../api/people.ts";
import { clearCaches } from "../../config/cache.ts";
import { chooseTracker } from "../../config/choose-tracker.ts";
import { forgetLogin, type LoginEntry, readLogins, saveLogin } from "../../config/credentials.ts";
import { folderToWrite } from "../../config/files.ts";
import { checkedKey, keyFromFile } from "../../config/key.ts";
import { type Configuration, readSettings } from "../../config/settings.ts";
import { BtError, isKind, usageError } from "../../errors.ts";
import type { Io } from "../../io.ts";
import { mirrorsOf } from "../../mirror/connect.ts";
import { dropMirror } from "../../mirror/files.ts";
import type { Secret } from "../../secret.ts";
import { READ_MARKS } from "../../session/memory/read-marks.ts";
import { RECENT_BUGS } from "../../session/memory/recent-bugs.ts";
import { TRIAGED } from "../../session/memory/triaged.ts";
import { plain } from "../../view/text.ts";
import { type AuthStyle, keyStyles } from "../../wire/auth-style.ts";
import type { SharedInput } from "../input.ts";
import { openInBrowser } from "../shared/output/browser.ts";
import { confirmationPrompt, mayPrompt } from "../shared/prompts.ts";
import type { Context } from "../verb.ts";
import { storeTracker } from "./address.ts";
import type { AuthContext } from "./auth-context.ts";
import type { LoginInput } from "./flags.ts";
import { proveTracker } from "./status.ts";

/** `bt auth login`. */
export async function runLogin(input: LoginInput, context: Context): Promise<void> {
  const { profile } = input;
  const own = createAuthContext(context);
  const auth = { ...own, sharedBy: sharingProfiles(own.baseUrl, profile, context.io) };
  folderToWrite("config", context.io, "; without a login, set BT_API_KEY");
  await proveTracker(auth);
  if (input.web) await openKeyPage(auth, context);
  const options = await readLoginOptions(input, context);
  await loginWithKey(auth, options);
  await storeTracker({ baseUrl: auth.baseUrl, profile }, context.io, auth.report);
}

async function openKeyPage({ baseUrl, hasWebPages }: AuthContext, context: Context): Promise<void> {
  if (!hasWebPages()) throw usageError(`${baseUrl} has no web interface`, OWN_KEYS);
  await openInBrowser(keyPage(baseUrl), context);
}

/** `bt auth logout`. */
export async function runLogout(_: SharedInput, context: Context): Promise<void> {
  const auth = createAuthContext(context);
  for (const name of [RECENT_BUGS, READ_MARKS, TRIAGED]) clearCaches(name, context.io, auth.baseUrl);
  await endLogin(auth);
  await offerToDropMirrors(auth.baseUrl, context);
}

function createAuthContext({ io, session }: Context): AuthContext {
  const { access, address } = session;
  if (access === undefined) {
    const hint = "use --base-url with a tracker on the network";
    throw usageError(`${address} runs in this process and needs no login`, hint);
  }
  return {
    baseUrl: address,
    host: io,
    sendAs: access.sendAs,
    hasWebPages: access.hasWebPages,
    prompt: mayPrompt(io, session.settings) ? io.prompt : undefined,
    report: (sentence) => io.err(`${plain(sentence)}\n`),
  };
}

async function readLoginOptions(input: LoginInput, context: Context): Promise<LoginOptions> {
  const { login, apiKeyFile: file } = input;
  if (file === undefined) return { login };
  const { key } = await keyFromFile(file, context.io.input, context.io.uid, input);
  return { login, key };
}

/** Removes the login for a tracker. */
export async function endLogin({ baseUrl, host, report }: AuthContext): Promise<void> {
  const entry = await forgetLogin(baseUrl, host);
  if (entry === undefined)
    throw new BtError("missing", `no stored login for ${baseUrl}`, {
      hint: "bt auth status",
      changed: "nothing",
    });
  await report(`logged out of ${entry.origin}`);
  await report("note: the API key stays valid; revoke it in the tracker's preferences");
}

/** After a logout: offers to delete the mirrors with data of the login, or lists them where prompts are off. */
async function offerToDropMirrors(baseUrl: string, { io, session }: Context): Promise<void> {
  for (const { name, facts } of mirrorsOf(baseUrl, io)) {
    if (facts.login === null) continue;
    const what = `the mirror ${name} contains data visible to ${facts.login}`;
    const confirm = confirmationPrompt({ args: [] }, io, session.settings);
    if (confirm === undefined) await io.err(`${plain(`note: ${what}; to delete it: bt mirror drop ${name}`)}\n`);
    else if (await confirm(plain(`${what}; delete it?`))) await dropMirror(name, io);
  }
}

/** Options of a login; anything absent is prompted for or determined. */
export type LoginOptions = {
  key?: Secret | undefined;
  login?: string | undefined;
};

/** Result of a login. */
type LoggedIn = {
  readonly base_url: string;
  readonly user: string | undefined;
  readonly style: AuthStyle;
  readonly stored: string;
};

/**
 * Logs in with an API key: determines how this tracker accepts keys, and stores that with the key for exactly this
 * tracker. Nothing unproven is stored.
 * @throws BtError of kind auth
 */
export async function loginWithKey(auth: AuthContext, options: LoginOptions): Promise<LoggedIn> {
  const { key, style, login } = await readProvenKey(auth, options);
  return storeProvenKey(auth, { style, key, user: login ?? options.login });
}

/** The key that is given, or one that is typed until the tracker accepts it, and the style in which it was proven. */
async function readProvenKey(auth: AuthContext, options: LoginOptions): Promise<Identity & { key: Secret }> {
  const { key } = options;
  if (key !== undefined) return { key, ...(await proveTyped(auth, key, options)) };
  let refusal: BtError | undefined;
  for (let refusals = 0; ; refusals += 1) {
    const typed = await askForKey(auth).catch((error: unknown) => {
      const isLeft = isKind(error, "usage");
      throw isLeft && refusal !== undefined ? refusal : error;
    });
    try {
      return { key: typed, ...(await proveTyped(auth, typed, options)) };
    } catch (error) {
      if (!isKind(error, "auth")) throw error;
      if (auth.prompt === undefined || refusals === MAX_REFUSALS) throw error;
      await auth.report(error.message);
      refusal = error;
    }
  }
}

const MAX_REFUSALS = 2; // of typed keys, before the last

const WITH_FILE = "use --api-key-file FILE, or --api-key-file - to read from a pipe";

/** Source of API keys for a tracker without pages. */
const OWN_KEYS = "bt serve prints the owner's API key when it first starts; bt admin key LOGIN creates others";

/** Page on which a user of the tracker creates API keys. */
function keyPage(baseUrl: string): string {
  return `${baseUrl.replace(/\/rest\.cgi$/, "")}/userprefs.cgi?tab=apikey`;
}

async function askForKey(auth: AuthContext): Promise<Secret> {
  for (let misfits = 0; ; misfits += 1) {
    if (auth.prompt) await auth.report(auth.hasWebPages() ? `create an API key at ${keyPage(auth.baseUrl)}` : OWN_KEYS);
    const question = `API key for ${auth.baseUrl} (input hidden)`;
    const typed = await promptOrFail(auth, question, { hidden: true, instead: WITH_FILE });
    try {
      return checkedKey(typed.trim(), "the prompt");
    } catch (error) {
      if (!(error instanceof BtError) || typed === "" || misfits === MAX_REFUSALS) throw error;
      await auth.report(error.message);
    }
  }
}

async function proveTyped(auth: AuthContext, key: Secret, { login }: LoginOptions): Promise<Identity> {
  const prove = (claim: string | undefined) =>
    proveKey((style) => auth.sendAs({ style, key }), keyStyles(auth.baseUrl), claim);
  const proven = await prove(login);
  const isNamed = login !== undefined || proven.login !== undefined;
  const isAsked = proven.state === "unknown" || (proven.state === "logged in" && auth.prompt !== undefined);
  const identity = isAsked && !isNamed ? await prove(await askForLogin(auth)) : proven;
  if (identity.state === "logged in") return identity;
  throw new BtError("auth", `${auth.baseUrl} ignored the API key`, {
    hint: "check the key, and the login (--login)",
    changed: "nothing",
  });
}

/** A tracker that cannot name the user of a key can still confirm a login. */
function askForLogin(auth: AuthContext): Promise<string> {
  return promptOrFail(auth, "Login for this API key", {
    why: `${auth.baseUrl} does not report the user of an API key`,
    instead: "use --login LOGIN",
  });
}

async function storeProvenKey(
  auth: AuthContext,
  { style, key, user }: { style: AuthStyle; key: Secret; user: string | undefined },
): Promise<LoggedIn> {
  await checkReplaced(auth, user);
  const stored = await saveLogin({ origin: auth.baseUrl, user, style, key }, auth.host);
  await auth.report(`logged in to ${auth.baseUrl}${user ? ` as ${user}` : ""}`);
  await auth.report(`stored in ${stored}`);
  if (style === "query") await auth.report(IN_LOGS);
  return { base_url: auth.baseUrl, user, style, stored };
}

const IN_LOGS = "note: reads send the API key in the URL, so it appears in the web server's logs";
/** Options of a prompt: echo, the alternative to answering, and the reason for asking. */
type Asking = { hidden?: boolean; instead: string; why?: string };

/** Prompts the user, or fails with the alternative without a terminal. */
async function promptOrFail(auth: AuthContext, message: string, asking: Asking): Promise<string> {
  const { hidden = false, instead, why } = asking;
  if (auth.prompt) return auth.prompt({ kind: hidden ? "hidden" : "line", message });
  const noTerminal = "there is no terminal for a prompt";
  throw usageError(why ? `${why}, and ${noTerminal}` : noTerminal, instead);
}

/**
 * Reports that the stored login of another user for the tracker is replaced, since an address has one login. If other
 * profiles use it, the user is asked.
 * @throws BtError of kind no if it is to stay, of kind guard without a prompt
 */
async function checkReplaced(auth: AuthContext, user: string | undefined): Promise<void> {
  const stored = readLogins(auth.host).find(({ origin }) => origin === auth.baseUrl);
  if (stored === undefined || isUserOf(stored, user)) return;
  const { sharedBy = [] } = auth;
  const sharing =
    sharedBy.length === 0 ? "" : `, which ${sharedBy.join(" and ")} also ${sharedBy.length === 1 ? "uses" : "use"}`;
  const which = `the stored login${stored.user ? ` of ${stored.user}` : ""} for ${auth.baseUrl}${sharing}`;
  if (sharedBy.length > 0 && !auth.prompt)
    throw new BtError("guard", `this would replace ${which}`, {
      hint: `to replace it, log out first: bt auth logout --base-url ${auth.baseUrl}; to act as another user once: BT_API_KEY`,
      changed: "nothing",
    });
  if (sharedBy.length > 0 && auth.prompt) {
    const answer = await auth.prompt({ kind: "confirm", message: `replace ${which}?` });
    if (answer !== "yes") throw new BtError("no", "login not stored", { changed: "nothing" });
  }
  await auth.report(`replacing ${which}`);
}

function isUserOf(stored: LoginEntry, user: string | undefined): boolean {
  return stored.user !== undefined && isSameLogin(stored.user, user);
}

/** The other profiles with the same tracker, and the configuration without one, in words. */
function sharingProfiles(baseUrl: string, profile: string | undefined, io: Io): string[] {
  const settings = readSettings(io);
  const { profile: _, ...general } = settings;
  const names = Object.keys(settings.profiles ?? {}).filter((name) => name !== profile);
  const sharing = names.filter((name) => profileAddress(settings, name) === baseUrl);
  const isGeneral = profile !== undefined && profileAddress(general, undefined) === baseUrl;
  return [
    ...sharing.map((name) => `the profile ${name}`),
    ...(isGeneral ? ["the configuration without a profile"] : []),
  ];
}

function profileAddress(settings: Configuration, profile: string | undefined): string | undefined {
  try {
    const { place } = chooseTracker({ flags: { profile }, env: {}, settings });
    return place.kind === "network" ? place.baseUrl : undefined;
  } catch (error) {
    if (isKind(error, "usage")) return undefined;
    throw error;
  }
}
