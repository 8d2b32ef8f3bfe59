import { type Identity, proveKey } from "../../api/facts/identity.ts";
import type { SendRequest } from "../../api/operations/operation.ts";
import { isSameLogin } from "../../api/people.ts";
import { clearCaches } from "../../config/cache.ts";
import { forgetLogin, readLogins, saveLogin } from "../../config/credentials.ts";
import { folderToWrite, type Host } from "../../config/files.ts";
import { checkedKey, keyFromFile } from "../../config/key.ts";
import { BtError, isKind, usageError } from "../../errors.ts";
import type { Io } from "../../io.ts";
import { mirrorsOf } from "../../mirror/connect.ts";
import { dropMirror } from "../../mirror/files.ts";
import type { Secret } from "../../secret.ts";
import { READ_MARKS } from "../../session/memory/read-marks.ts";
import { RECENT_BUGS } from "../../session/memory/recent-bugs.ts";
import { TRIAGED } from "../../session/memory/triaged.ts";
import { note } from "../../session/note.ts";
import { plain } from "../../view/text.ts";
import { type AuthStyle, keyStyles } from "../../wire/auth-style.ts";
import type { SharedInput } from "../input.ts";
import { openInBrowser } from "../shared/output/browser.ts";
import { confirmationPrompt, mayPrompt } from "../shared/prompts.ts";
import type { Context } from "../verb.ts";
import { storeTracker } from "./address.ts";
import type { LoginInput } from "./flags.ts";
import { proveTracker } from "./prove-tracker.ts";

/** The tracker under any credential, the user's terminal, and the machine. */
export type AuthContext = {
  baseUrl: string;
  /** Sends requests with a credential, or anonymously; the credential is redacted from all output. */
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
  folderToWrite("config", context.io, "; without a login, set BT_API_KEY");
  await proveTracker(auth.baseUrl, auth.sendAs());
  if (input.web) await openKeyPage(auth, context);
  await loginWithKey(auth, await readLoginOptions(input, context));
  await storeTracker({ baseUrl: auth.baseUrl, profile: input.profile }, context.io, auth.report);
}

async function openKeyPage({ baseUrl, hasWebPages }: AuthContext, context: Context): Promise<void> {
  if (!hasWebPages()) throw usageError(`${baseUrl} has no web interface`, OWN_KEYS);
  await openInBrowser(keyPage(baseUrl), context);
}

export async function runLogout(_: SharedInput, context: Context): Promise<void> {
  const auth = createAuthContext(context);
  for (const name of [RECENT_BUGS, READ_MARKS, TRIAGED]) clearCaches(name, context.io, auth.baseUrl);
  await endLogin(auth);
  await offerToDropMirrors(auth.baseUrl, context);
}

function createAuthContext({ io, session }: Context): AuthContext {
  const { address } = session;
  const { access } = session.raw;
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
    if (confirm === undefined) await note(io, `${what}; to delete it: bt mirror drop ${name}`);
    else if (await confirm(plain(`${what}; delete it?`))) await dropMirror(name, io);
  }
}

export type LoginOptions = {
  key?: Secret | undefined;
  login?: string | undefined;
};

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
  const { key: given } = options;
  const { key, style, login } = given ? await provenKey(auth, given, options) : await readTypedKey(auth, options);
  return storeProvenKey(auth, { style, key, user: login ?? options.login });
}

/** A key that is typed until the tracker accepts it, and the style in which it was proven. */
async function readTypedKey(auth: AuthContext, options: LoginOptions): Promise<Identity & { key: Secret }> {
  let refusal: BtError | undefined;
  for (let tries = 1; ; tries += 1) {
    if (auth.prompt) await auth.report(auth.hasWebPages() ? `create an API key at ${keyPage(auth.baseUrl)}` : OWN_KEYS);
    const question = `API key for ${auth.baseUrl} (input hidden)`;
    const typed = await promptOrFail(auth, question, { hidden: true, instead: WITH_FILE }).catch((error) => {
      throw refusal ?? error; // the prompt was left
    });
    try {
      if (typed === "" && refusal) throw refusal;
      const checked = checkedKey(typed.trim(), "the prompt");
      return await provenKey(auth, checked, options);
    } catch (error) {
      if (!isKind(error, "auth", "usage") || auth.prompt === undefined || typed === "" || tries === MAX_TRIES)
        throw error;
      await auth.report(error.message);
      refusal = error;
    }
  }
}

const MAX_TRIES = 3;

const WITH_FILE = "use --api-key-file FILE, or --api-key-file - to read from a pipe";

/** Source of API keys for a tracker without pages. */
const OWN_KEYS = "bt serve prints the owner's API key when it first starts; bt admin key LOGIN creates others";

function keyPage(baseUrl: string): string {
  return `${baseUrl.replace(/\/rest\.cgi$/, "")}/userprefs.cgi?tab=apikey`;
}

async function provenKey(auth: AuthContext, key: Secret, { login }: LoginOptions): Promise<Identity & { key: Secret }> {
  const prove = (claim: string | undefined) =>
    proveKey((style) => auth.sendAs({ style, key }), keyStyles(auth.baseUrl), claim);
  const proven = await prove(login);
  const isNamed = login !== undefined || proven.login !== undefined;
  const isAsked = proven.state === "unknown" || (proven.state === "logged in" && auth.prompt !== undefined);
  const identity = isAsked && !isNamed ? await prove(await askForLogin(auth)) : proven;
  if (identity.state === "logged in") return { ...identity, key };
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
  await reportReplaced(auth, user);
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

/** Reports that the stored login of another user is replaced: an address has one login. */
async function reportReplaced(auth: AuthContext, user: string | undefined): Promise<void> {
  const stored = readLogins(auth.host).find(({ origin }) => origin === auth.baseUrl);
  if (stored === undefined || (stored.user !== undefined && isSameLogin(stored.user, user))) return;
  await auth.report(`replacing the stored login${stored.user ? ` of ${stored.user}` : ""} for ${auth.baseUrl}`);
}
