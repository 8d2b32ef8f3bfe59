import { proveKey } from "../../api/identity.ts";
import type { SendRequest } from "../../api/operations/operation.ts";
import { readResponse } from "../../api/response/response.ts";
import { probeDialect } from "../../api/search/dialect.ts";
import { chooseTracker, findTracker, parseAddress, unusableAddressError } from "../../config/choose-tracker.ts";
import { folderToWrite, type Host } from "../../config/files.ts";
import { checkedKey, forgetLogin, keyFromFile, saveLogin } from "../../config/keys.ts";
import { changeSettings, readSettings } from "../../config/settings.ts";
import { BtError, isKind, usageError } from "../../errors.ts";
import type { Io } from "../../io.ts";
import type { Question } from "../../prompt/question.ts";
import type { Secret } from "../../secret.ts";
import type { SessionFlags } from "../../session/flags.ts";
import { forgetBugs } from "../../session/memory.ts";
import { plain } from "../../view/text.ts";
import { type AuthStyle, keyStyles, pagesAddress, parsedUrl } from "../../wire/exchange.ts";
import type { SharedInput } from "../input.ts";
import { mayPrompt } from "../shared/prompts.ts";
import type { Context } from "../verb.ts";

type LoginInput = SharedInput & { readonly login?: string | undefined };

/** The tracker under any credential, the user's terminal, and the machine. */
export type AuthContext = {
  baseUrl: string;
  /** Sends requests with a credential, which is redacted from all output, or anonymously. */
  sendAs: (credential?: { style: AuthStyle; key: Secret }) => SendRequest;
  /** False if the tracker said that it has no pages for people. */
  hasWebPages: () => boolean;
  /** Prompts the user. Undefined without a terminal. */
  prompt: Io["prompt"] | undefined;
  report: (sentence: string) => Promise<void>;
  host: Host;
};

export async function runLogin(input: LoginInput, context: Context): Promise<void> {
  const auth = createAuthContext(context);
  folderToWrite("config", context.io); // without a folder for the key, fails before the prompt
  await checkIsTracker(auth.baseUrl, auth.sendAs());
  await loginWithKey(auth, await readLoginOptions(input, context));
  await storeTracker(auth, input.profile, context.io);
}

export async function runLogout(_: SharedInput, context: Context): Promise<void> {
  const { baseUrl, host, report } = createAuthContext(context);
  forgetBugs(baseUrl, context.io);
  const entry = await forgetLogin(baseUrl, host);
  if (!entry) throw new BtError("missing", `no stored login for ${baseUrl}`, { hint: "bt auth status" });
  await report(`logged out of ${entry.origin}`);
  await report("note: the API key stays valid; revoke it in the tracker's preferences");
}

function createAuthContext({ io, session }: Context): AuthContext {
  const { address } = session;
  if (!/^https?:/.test(address)) {
    const hint = "use --base-url with a tracker on the network";
    throw usageError(`${address} runs in this process and needs no login`, hint);
  }
  return {
    baseUrl: address,
    host: io,
    sendAs: (credential) => async (request) =>
      readResponse(await session.exchange(request, credential ?? "nobody"), request),
    hasWebPages: () => session.webAddress() !== undefined,
    prompt: mayPrompt(io, session.settings) ? io.prompt : undefined,
    report: (sentence) => io.err(`${plain(sentence)}\n`),
  };
}

async function readLoginOptions(input: LoginInput, context: Context): Promise<LoginOptions> {
  const { login, apiKeyFile: file } = input;
  if (file === undefined) return { login };
  const { key } = await keyFromFile(file, context.io, input.insecureFiles);
  return { login, key };
}

/** The key, which is prompted for if it is absent, and the login that the user claims. */
export type LoginOptions = { key?: Secret | undefined; login?: string | undefined };

/**
 * Logs in with an API key: determines how this tracker accepts keys, and stores that with the key for exactly this
 * tracker. Nothing unproven is stored.
 * @throws BtError of kind auth
 */
export async function loginWithKey(auth: AuthContext, options: LoginOptions) {
  const { baseUrl, host, report } = auth;
  const { key, style, login } = await proveLogin(auth, options.key ?? (await promptForKey(auth)), options.login);
  const user = login ?? options.login;
  const stored = await saveLogin({ origin: baseUrl, user, style }, key, host);
  await report(`logged in to ${baseUrl}${user ? ` as ${user}` : ""}`);
  await report(`stored in ${stored}`);
  if (style === "query") await report(IN_LOGS);
  return { base_url: baseUrl, user, style, stored };
}

const IN_LOGS = "note: reads send the API key in the URL, so it appears in the web server's logs";

async function promptForKey(auth: AuthContext): Promise<Secret> {
  const page = `create an API key at ${pagesAddress(auth.baseUrl)}/userprefs.cgi?tab=apikey`;
  if (auth.prompt) await auth.report(auth.hasWebPages() ? page : OWN_KEYS);
  const message = `API key for ${auth.baseUrl} (input hidden)`;
  const key = await promptOrFail(auth, { kind: "hidden", message }, NO_TERMINAL, WITH_FILE);
  return checkedKey(key.trim(), "the prompt");
}

const NO_TERMINAL = "there is no terminal for a prompt";
const WITH_FILE = "use --api-key-file FILE, or --api-key-file - to read from a pipe";

/** Source of API keys for a tracker without pages. */
const OWN_KEYS = "bt serve prints the owner's API key when it first starts; bt admin key LOGIN creates others";

type ProvenKey = { key: Secret; style: AuthStyle; login?: string | undefined };

/**
 * Sends a key in each style until the tracker takes it. If the tracker does not name the user of
 * the key, the user is prompted for the login, which the tracker may be able to confirm; without a
 * terminal, a key that was taken is enough.
 */
async function proveLogin(auth: AuthContext, key: Secret, claimedLogin: string | undefined): Promise<ProvenKey> {
  const prove = (login: string | undefined) =>
    proveKey((style) => auth.sendAs({ style, key }), keyStyles(auth.baseUrl), login);
  let account = await prove(claimedLogin);
  const isUnnamed = claimedLogin === undefined && account.login === undefined;
  const isLoginWanted = account.state === "unknown" || (account.state === "logged in" && auth.prompt !== undefined);
  if (isUnnamed && isLoginWanted) {
    const why = `${auth.baseUrl} does not report the user of an API key, and ${NO_TERMINAL}`;
    const question = { kind: "line", message: "Login for this API key" } as const;
    account = await prove(await promptOrFail(auth, question, why, "use --login LOGIN"));
  }
  const { state, ...identity } = account;
  if (state === "logged in") return { ...identity, key };
  throw new BtError("auth", `${auth.baseUrl} ignored the API key`, {
    hint: "check the key, and the login (--login)",
  });
}

/** Prompts the user. @throws BtError of kind usage without a terminal */
async function promptOrFail({ prompt }: AuthContext, question: Question, why: string, hint: string): Promise<string> {
  if (prompt) return prompt(question);
  throw usageError(why, hint);
}

/**
 * Checks that a tracker responds at the address, before a login prompts for secrets.
 * @throws BtError of kind reply, missing or refused if something else responds
 */
export async function checkIsTracker(address: string, sendAsNobody: SendRequest): Promise<void> {
  try {
    await probeDialect(sendAsNobody);
  } catch (error) {
    if (isKind(error, "auth")) return; // it wants a login
    if (!isKind(error, "missing", "refused", "reply")) throw error;
    throw new BtError(error.kind, `no tracker answers at ${address}`, {
      ...error.facts,
      details: [error.message],
      hint: "copy the address of its start page from the browser; it may have a path, such as /bugzilla",
    });
  }
}

/**
 * Stores the tracker as that of the profile, or as the default tracker if there is none yet, and reports it.
 * @throws BtError of kind local if the settings cannot be written
 */
async function storeTracker({ baseUrl, report }: AuthContext, profile: string | undefined, io: Io): Promise<void> {
  const before = readSettings(io);
  const hasDefault = Boolean(before.base_url || before.profile);
  if (profile !== undefined) {
    await changeSettings(io, ({ profiles = {}, ...settings }) => ({
      ...(hasDefault ? settings : { ...settings, profile }),
      profiles: { ...profiles, [profile]: { ...profiles[profile], base_url: baseUrl } },
    }));
    if (before.profiles?.[profile]?.base_url === baseUrl) return;
    return report(`${baseUrl} is the tracker of the profile ${profile}${hasDefault ? "" : ", the default one"}`);
  }
  if (!hasDefault && !io.env["BT_BASE_URL"]) {
    await changeSettings(io, (settings) => ({ ...settings, base_url: baseUrl }));
    return report(`${baseUrl} is now the default tracker`);
  }
  const { place } = chooseTracker({}, io.env, before);
  if (place.kind !== "network" || place.baseUrl !== baseUrl)
    await report(`to make it the default tracker: bt config set base_url ${baseUrl}`);
}

/**
 * Tracker flags of `bt auth login [ADDRESS]`: the given address, else the configured one, else one that is prompted for. A
 * profile that does not exist yet is created after the login, so it chooses no tracker.
 * @throws BtError of kind usage without an address
 */
export async function flagsForLogin(input: LoginInput, { io }: { io: Io }): Promise<SessionFlags> {
  const [argument] = input.args;
  if (argument !== undefined && input.baseUrl !== undefined) {
    throw usageError("the address is given twice, as an argument and with --base-url");
  }
  const settings = readSettings(io);
  const isNewProfile = input.profile !== undefined && !Object.hasOwn(settings.profiles ?? {}, input.profile);
  const profile = isNewProfile ? undefined : input.profile;
  const address = argument ?? input.baseUrl;
  if (address === undefined && !isNewProfile && findTracker({ profile }, io.env, settings)) return input;
  return { ...input, profile, baseUrl: fullAddress(address ?? (await promptForAddress(io))) };
}

async function promptForAddress(io: Io): Promise<string> {
  if (!mayPrompt(io, readSettings(io))) throw usageError("no tracker address", "use bt auth login ADDRESS");
  return io.prompt({ kind: "line", message: "Address of the tracker, such as bugs.example.org" });
}

/**
 * Address of a tracker as people type or copy it: a host, or the address of any of its pages. Without a scheme it is https,
 * on this machine http.
 * @throws BtError of kind usage if it cannot be an address
 */
export function fullAddress(text: string): string {
  const typed = text.trim();
  if (/^(?:demo:$|local:|mirror:)/.test(typed)) return typed;
  const scheme = /^(?:localhost|127\.[\d.]+|\[::1\])(?:[:/]|$)/i.test(typed) ? "http" : "https";
  const address = /^[a-z][a-z0-9+.-]*:\/\//i.test(typed) ? typed : `${scheme}://${typed}`;
  const url = /\s/.test(typed) ? undefined : parsedUrl(address);
  if (!url) throw unusableAddressError(typed, "the argument");
  url.search = "";
  url.hash = "";
  url.pathname = url.pathname.replace(PAGE, "");
  const place = parseAddress(url.href, "the argument");
  return place.kind === "network" ? place.baseUrl : typed;
}

/** End of a page's URL after the address of the tracker: a script, a resource, or the number of a bug. */
const PAGE = /\/(?:(?!rest\.cgi)[\w-]+\.(?:cgi|html)(?:\/.*)?|rest\/.*|\d+)$/;
