import { join } from "node:path";
import { findKeyStyle, isOwnLogin, type ProvenKeyStyle, whoAmI } from "../../api/identity.ts";
import { SEARCH_BUGS } from "../../api/operations/bugs.ts";
import { requestFor, type SendRequest } from "../../api/operations/operation.ts";
import { LOGIN, LOGOUT, VERSION } from "../../api/operations/tracker.ts";
import { invalidResponse } from "../../api/response/failed-response.ts";
import { readBugs } from "../../api/response/response-objects.ts";
import { EVERY_BUG } from "../../api/search/parameters.ts";
import { saveLogin } from "../../config/credentials.ts";
import { readSmallFile, type Surroundings } from "../../config/files.ts";
import { checkedKey } from "../../config/key.ts";
import { BtError, usage } from "../../errors.ts";
import { asSecret, type Secret } from "../../secret.ts";
import type { AuthStyle } from "../../wire/auth-style.ts";
import { isObject } from "../../wire/json.ts";
import type { AuthContext } from "./auth-context.ts";
import { checkReplaced } from "./replaced-login.ts";

/** Options of a login; anything absent is prompted for or determined. */
export type LoginOptions = {
  key?: Secret | undefined;
  login?: string | undefined;
  style?: AuthStyle | undefined;
};

/** Result of a login. */
export type LoggedIn = {
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
export async function loginWithKey(auth: AuthContext, wish: LoginOptions): Promise<LoggedIn> {
  const key = wish.key ?? (await askForKey(auth));
  const { style, identity } = await prove(auth, key, wish);
  return keep(auth, { style, key, user: identity.user ?? wish.login });
}

/**
 * Logs in with login and password, in one attempt: failed ones are counted and lock the account. Stores a token, or revokes it.
 * @see https://bugzilla.readthedocs.io/en/5.2/api/core/v1/user.html#login
 */
export async function loginWithPassword(auth: AuthContext, wish: LoginOptions): Promise<LoggedIn> {
  const login =
    wish.login ?? (await promptOrFail(auth, "Login", { instead: "bt auth login --password --login LOGIN" }));
  const password = await promptOrFail(auth, "Password", { hidden: true, instead: WITH_FILE });
  auth.hide(asSecret(password));
  const request = requestFor(LOGIN, { login, password });
  const answer = await auth.sendAs()(request);
  if (!isObject(answer) || typeof answer["token"] !== "string") throw invalidResponse(request, "contains no token");
  const key = asSecret(answer["token"]);
  try {
    return await keep(auth, { style: "token", key, user: login });
  } catch (error) {
    await endToken(auth, key);
    throw error;
  }
}

/** Revokes a token on the tracker; false if that cannot be reached. An expired token is no error. */
export async function endToken(auth: AuthContext, key: Secret): Promise<boolean> {
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
export const OWN_KEYS = "bt serve stores the owner's API key when it first starts; bt admin key LOGIN creates others";

/** Page on which a user of the tracker creates API keys. */
export function keyPage(baseUrl: string): string {
  return `${baseUrl.replace(/\/rest\.cgi$/, "")}/userprefs.cgi?tab=apikey`;
}

/**
 * Checks that a tracker answers at the address, before it prompts for secrets.
 * @throws BtError of kind reply or missing if something else does
 */
export async function proveTracker(auth: AuthContext): Promise<void> {
  const request = requestFor(VERSION);
  try {
    const answer = await auth.sendAs()(request);
    if (isObject(answer) && typeof answer["version"] === "string") return;
    throw invalidResponse(request, "contains no version");
  } catch (error) {
    if (!(error instanceof BtError) || !["reply", "missing", "refused"].includes(error.kind)) throw error;
    if (error.kind === "refused" && error.facts.httpStatus === undefined) throw error; // it says what is missing
    if (await findsBugs(auth)) return; // its version is no part of the interface
    throw new BtError(error.kind, `no tracker answers at ${auth.baseUrl}`, {
      ...error.facts,
      details: [error.message],
      hint: "copy the address of its start page from the browser; it may have a path, such as /bugzilla",
      changed: "nothing",
    });
  }
}

async function findsBugs(auth: AuthContext): Promise<boolean> {
  try {
    readBugs(await auth.sendAs()(requestFor(SEARCH_BUGS, [...EVERY_BUG, ["limit", "1"]])));
    return true;
  } catch (error) {
    if (error instanceof BtError) return error.kind === "auth"; // it wants to know who asks
    throw error;
  }
}

async function askForKey(auth: AuthContext): Promise<Secret> {
  if (auth.prompt) await auth.say(auth.hasWebPages() ? `create an API key at ${keyPage(auth.baseUrl)}` : OWN_KEYS);
  const question = `API key for ${auth.baseUrl} (input hidden)`;
  return checkedKey(await promptOrFail(auth, question, { hidden: true, instead: WITH_FILE }), "the prompt");
}

async function prove(auth: AuthContext, key: Secret, { style, login }: LoginOptions): Promise<ProvenKeyStyle> {
  const askIn = (candidate: AuthStyle) => auth.sendAs({ style: candidate, key });
  const asked = style && (await proveOne(style, askIn(style), auth, login));
  const proven =
    asked ??
    (await findKeyStyle(askIn, auth.rowsFor, login)) ??
    (login === undefined ? await proveByLogin(auth, key, style) : undefined);
  if (proven && (style === undefined || proven.style === style)) return proven;
  if (proven)
    throw new BtError("auth", `${auth.baseUrl} does not take an API key as ${style}`, {
      hint: `bt auth login --style ${proven.style}`,
      changed: "nothing",
    });
  throw new BtError("auth", `${auth.baseUrl} ignored the API key`, {
    hint: "check the key, the login (--login) and how the key is sent (--style)",
    changed: "nothing",
  });
}

async function proveOne(
  style: AuthStyle,
  send: SendRequest,
  { rowsFor }: AuthContext,
  login: string | undefined,
): Promise<ProvenKeyStyle | undefined> {
  const identity = await whoAmI(send, rowsFor(send), login);
  return identity.proven ? { style, identity } : undefined;
}

/** Last resort for a tracker that cannot identify the user: it can still confirm a given login. */
async function proveByLogin(
  auth: AuthContext,
  key: Secret,
  style: AuthStyle | undefined,
): Promise<ProvenKeyStyle | undefined> {
  const login = await promptOrFail(auth, "Login for this API key", {
    why: `${auth.baseUrl} does not report the user of an API key`,
    instead: "use --login LOGIN",
  });
  for (const candidate of [style ?? "header", "header", "bearer", "query"] as const) {
    if (await isOwnLogin(auth.sendAs({ style: candidate, key }), login))
      return { style: candidate, identity: { proven: true, user: login } };
  }
  return undefined;
}

async function keep(
  auth: AuthContext,
  { style, key, user }: { style: AuthStyle; key: Secret; user: string | undefined },
): Promise<LoggedIn> {
  await checkReplaced(auth, user);
  const stored = await saveLogin({ origin: auth.baseUrl, user, style, key }, auth.host);
  await auth.say(`logged in to ${auth.baseUrl}${user ? ` as ${user}` : ""}`);
  await auth.say(`stored in ${stored}`);
  if (style === "query" || style === "token") await auth.say(IN_LOGS);
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
  throw usage(why ? `${why}, and ${noTerminal}` : noTerminal, instead);
}

/** Key of another client for the same tracker. */
export type ForeignLogin = { readonly key: Secret; readonly user: string | undefined; readonly file: string };

/**
 * Key stored by python-bugzilla (`.bugzillarc`) or pybugz (`.bugzrc`) for exactly this host. Other clients accept any
 * section whose name is part of the address.
 */
export function foreignLogin(baseUrl: string, { env, platform }: Surroundings): ForeignLogin | undefined {
  const home = env[platform.home];
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
    const values = new Map(lines.flatMap(pairOf));
    return {
      places: [head.replace(/\].*$/, "").trim(), values.get("base"), values.get("url")],
      key: values.get("api_key") ?? values.get("key"),
      user: values.get("user"),
    };
  });
}

function pairOf(line: string): [string, string][] {
  const [, name, value] = /^\s*([\w.]+)\s*[=:]\s*(.*?)\s*$/.exec(line) ?? [];
  return name === undefined || value === undefined ? [] : [[name.toLowerCase(), value]];
}

/** Host of a section named by URL or by host. */
function hostOf(text: string | undefined): string | undefined {
  if (text === undefined || text === "") return undefined;
  const address = text.includes("://") ? text : `https://${text}`;
  return URL.canParse(address) ? new URL(address).host : undefined;
}
