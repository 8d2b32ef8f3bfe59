import { join, resolve } from "node:path";
import { type Identity, proveKey } from "../../api/facts/identity.ts";
import { requestFor } from "../../api/operations/operation.ts";
import { LOGIN, LOGOUT } from "../../api/operations/tracker.ts";
import { isSameLogin } from "../../api/people.ts";
import { invalidResponseError } from "../../api/response/failed-response.ts";
import { clearCaches } from "../../config/cache.ts";
import { chooseTracker } from "../../config/choose-tracker.ts";
import { forgetLogin, type LoginEntry, loginFor, readLogins, saveLogin, storedKey } from "../../config/credentials.ts";
import { folderToWrite, readSmallFile, type Surroundings } from "../../config/files.ts";
import { checkedKey, keyFromFile } from "../../config/key.ts";
import { type Configuration, readSettings } from "../../config/settings.ts";
import { BtError, isKind, usageError } from "../../errors.ts";
import type { Io } from "../../io.ts";
import { mirrorsOf } from "../../mirror/connect.ts";
import { dropMirror } from "../../mirror/files.ts";
import { asSecret, type Secret } from "../../secret.ts";
import { type ConnectionSettings, connectionFlags } from "../../session/connection-settings.ts";
import { READ_MARKS } from "../../session/memory/read-marks.ts";
import { SEEN } from "../../session/memory/seen.ts";
import { TRIAGED } from "../../session/memory/triaged.ts";
import { plain } from "../../view/text.ts";
import { type AuthStyle, keyStyles } from "../../wire/auth-style.ts";
import { isObject } from "../../wire/json.ts";
import { parsedUrl } from "../../wire/url.ts";
import type { SharedInput } from "../input.ts";
import { openInBrowser } from "../shared/output/browser.ts";
import { confirmationPrompt, mayPrompt } from "../shared/prompts.ts";
import type { Context } from "../verb.ts";
import { checkStorable, storeTracker } from "./address.ts";
import type { AuthContext } from "./auth-context.ts";
import type { LoginInput } from "./flags.ts";
import { proveTracker } from "./status.ts";

/** `bt auth login`. */
export async function runLogin(input: LoginInput, context: Context): Promise<void> {
  const { profile } = input;
  const own = createAuthContext(context);
  const auth = { ...own, sharedBy: sharingProfiles(own.baseUrl, profile, context.io) };
  const tracker = { baseUrl: auth.baseUrl, profile, connection: givenConnection(input, context.io) };
  checkStorable(tracker, context.io);
  folderToWrite("config", context.io, "; without a login, set BT_API_KEY"); // before a token is made that is lost
  await proveTracker(auth);
  if (input.web) await openKeyPage(auth, context);
  const options = await readLoginOptions(input, context);
  await (input.password ? loginWithPassword(auth, options) : loginWithKey(auth, options));
  await storeTracker(tracker, context.io, auth.report);
}

/** Settings of the connection, of which a relative path would not be found from another folder. */
function givenConnection(input: LoginInput, io: Io): ConnectionSettings {
  const given = connectionFlags(input);
  return given.ca_file === undefined ? given : { ...given, ca_file: resolve(io.cwd(), given.ca_file) };
}

async function openKeyPage({ baseUrl, hasWebPages }: AuthContext, context: Context): Promise<void> {
  if (!hasWebPages()) throw usageError(`${baseUrl} has no web interface`, OWN_KEYS);
  await openInBrowser(keyPage(baseUrl), context);
}

/** `bt auth logout`. */
export async function runLogout(_: SharedInput, context: Context): Promise<void> {
  const auth = createAuthContext(context);
  for (const name of [SEEN, READ_MARKS, TRIAGED]) clearCaches(name, context.io, auth.baseUrl);
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
    hide: access.hide,
    hasWebPages: access.hasWebPages,
    prompt: mayPrompt(io, session.settings) ? io.prompt : undefined,
    report: (sentence) => io.err(`${plain(sentence)}\n`),
  };
}

async function readLoginOptions(input: LoginInput, context: Context): Promise<LoginOptions> {
  const { login, style, apiKeyFile: file } = input;
  if (file !== undefined) {
    const { key } = await keyFromFile(file, context.io.input, context.io.uid, input);
    return { login, style, key };
  }
  if (!input.import) return { login, style };
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
  const ended = token === undefined ? undefined : await revokeToken(auth, asSecret(token));
  await forgetLogin(baseUrl, host);
  await auth.report(`logged out of ${entry.origin}`);
  if (ended === false)
    await auth.report("note: the tracker could not be reached, so the token stays valid until it expires");
  if (entry.style !== "token")
    await auth.report("note: the API key stays valid; revoke it in the tracker's preferences");
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
  style?: AuthStyle | undefined;
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

/**
 * Logs in with login and password, in one attempt: failed ones are counted and lock the account. Stores a token, or revokes it.
 * @see https://bugzilla.readthedocs.io/en/5.2/api/core/v1/user.html#login
 */
export async function loginWithPassword(auth: AuthContext, options: LoginOptions): Promise<LoggedIn> {
  const login =
    options.login ?? (await promptOrFail(auth, "Login", { instead: "bt auth login --password --login LOGIN" }));
  const password = await promptOrFail(auth, "Password", { hidden: true, instead: WITH_FILE });
  auth.hide(asSecret(password));
  const request = requestFor(LOGIN, { login, password });
  const response = await auth.sendAs()(request);
  if (!isObject(response) || typeof response["token"] !== "string")
    throw invalidResponseError(request, "contains no token");
  const key = asSecret(response["token"]);
  try {
    return await storeProvenKey(auth, { style: "token", key, user: login });
  } catch (error) {
    await revokeToken(auth, key);
    throw error;
  }
}

/** Revokes a token on the tracker; false if that cannot be reached. An expired token is no error. */
async function revokeToken(auth: AuthContext, key: Secret): Promise<boolean> {
  try {
    await auth.sendAs({ style: "token", key })(requestFor(LOGOUT));
    return true;
  } catch (error) {
    if (!(error instanceof BtError)) throw error;
    return error.kind === "auth";
  }
}

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

async function proveTyped(auth: AuthContext, key: Secret, { style, login }: LoginOptions): Promise<Identity> {
  const styles = style ? [style] : keyStyles(auth.baseUrl);
  const prove = (claim: string | undefined) =>
    proveKey((candidate) => auth.sendAs({ style: candidate, key }), styles, claim);
  const proven = await prove(login);
  const isNamed = login !== undefined || proven.login !== undefined;
  const isAsked = proven.state === "unknown" || (proven.state === "logged in" && auth.prompt !== undefined);
  const identity = isAsked && !isNamed ? await prove(await askForLogin(auth)) : proven;
  if (identity.state === "logged in") return identity;
  throw new BtError("auth", `${auth.baseUrl} ignored the API key${style ? ` sent as ${style}` : ""}`, {
    hint: "check the key, the login (--login) and how the key is sent (--style)",
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
  if (style === "query" || style === "token") await auth.report(IN_LOGS);
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

/** Key of another client for the same tracker. */
type ForeignLogin = { readonly key: Secret; readonly user: string | undefined; readonly file: string };

/**
 * Key stored by python-bugzilla (`.bugzillarc`) or pybugz (`.bugzrc`) for exactly this host. Other clients accept any
 * section whose name is part of the address.
 */
export function foreignLogin(baseUrl: string, { env }: Surroundings): ForeignLogin | undefined {
  const home = env["HOME"];
  if (!home) return undefined;
  const host = new URL(baseUrl).host;
  for (const name of FILES) {
    const file = join(home, name);
    const sections = readSections(readSmallFile(file)?.text ?? "").filter(({ key }) => key !== undefined);
    const own = sections.find(({ places }) => places.some((place) => hostOf(place) === host));
    if (own?.key) return { key: checkedKey(own.key, file), user: own.user, file };
  }
  return undefined;
}

const FILES = [".config/python-bugzilla/bugzillarc", ".bugzillarc", ".bugzrc"];

type Section = {
  places: (string | undefined)[]; // address or host of the section
  key: string | undefined;
  user: string | undefined;
};

function readSections(text: string): Section[] {
  const parts = text.split(/^\s*\[/m).slice(1);
  return parts.map((part) => {
    const [head = "", ...lines] = part.split(/\r?\n/);
    const values = new Map(lines.flatMap(parsePair));
    return {
      places: [head.replace(/\].*$/, "").trim(), values.get("base"), values.get("url")],
      key: values.get("api_key") ?? values.get("key"),
      user: values.get("user"),
    };
  });
}

function parsePair(line: string): [string, string][] {
  const [, name, value] = /^\s*([\w.]+)\s*[=:]\s*(.*?)\s*$/.exec(line) ?? [];
  return name === undefined || value === undefined ? [] : [[name.toLowerCase(), value]];
}

/** Host of a section named by URL or by host. */
function hostOf(text: string | undefined): string | undefined {
  if (text === undefined || text === "") return undefined;
  const address = text.includes("://") ? text : `https://${text}`;
  return parsedUrl(address)?.host;
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
