import { resolve } from "node:path";
import { clearCaches } from "../../config/cache.ts";
import { forgetLogin, loginFor, readLogins, storedKey } from "../../config/credentials.ts";
import { folderToWrite } from "../../config/files.ts";
import { keyFromFile } from "../../config/key.ts";
import { BtError, CHECK_ADDRESS, usage, withFacts } from "../../errors.ts";
import type { Io } from "../../io.ts";
import { accountMirrors } from "../../mirror/connect.ts";
import { mirrorNames } from "../../mirror/files.ts";
import { asSecret } from "../../secret.ts";
import { type ConnectionSettings, connectionFlags } from "../../session/connection-settings.ts";
import { READ_MARKS } from "../../session/memory/read-marks.ts";
import { SEEN } from "../../session/memory/seen.ts";
import { plain } from "../../view/text.ts";
import type { SharedInput } from "../input.ts";
import { dropNamedMirror } from "../mirror/drop.ts";
import { openInBrowser } from "../shared/browser.ts";
import { confirmationPrompt, mayPrompt } from "../shared/prompts.ts";
import type { Context } from "../verb.ts";
import { checkKept, keepTracker } from "./address.ts";
import type { AuthContext } from "./auth-context.ts";
import type { LoginInput } from "./input.ts";
import {
  endToken,
  foreignLogin,
  keyPage,
  type LoginOptions,
  loginWithKey,
  loginWithPassword,
  OWN_KEYS,
  proveTracker,
} from "./login.ts";
import { sharingProfiles } from "./replaced-login.ts";

/** `bt auth login`. */
export async function runLogin(input: LoginInput, context: Context): Promise<void> {
  await logIn(input, context).catch((error) => {
    throw error instanceof BtError ? withFacts(error, { hint: loginHint(error.facts.hint, input) }) : error;
  });
}

/** A hint for the next `bt auth login`, with the address that was typed. */
function loginHint(hint: string | undefined, { args }: LoginInput): string | undefined {
  if (hint === CHECK_ADDRESS) return "check the address: bt auth login ADDRESS";
  return args[0] === undefined ? hint : hint?.replace(/\bbt auth login$/, `bt auth login ${args[0]}`);
}

async function logIn(input: LoginInput, context: Context): Promise<void> {
  const { profile } = input;
  const own = authContextOf(context);
  const auth = { ...own, sharedBy: sharingProfiles(own.baseUrl, profile, context.io) };
  const kept = { baseUrl: auth.baseUrl, profile, connection: givenConnection(input, context.io) };
  checkKept(kept, context.io);
  folderToWrite("config", context.io, "; without a login, set BT_API_KEY"); // before a token is made that is lost
  await proveTracker(auth);
  if (input.web) await openKeyPage(auth, context);
  const wish = await wishOf(input, context);
  await (input.password ? loginWithPassword(auth, wish) : loginWithKey(auth, wish));
  await keepTracker(kept, context.io, auth.say);
}

/** Settings of the connection, of which a relative path would not be found from another folder. */
function givenConnection(input: LoginInput, io: Io): ConnectionSettings {
  const given = connectionFlags(input);
  return given.ca_file === undefined ? given : { ...given, ca_file: resolve(io.cwd(), given.ca_file) };
}

async function openKeyPage({ baseUrl, hasWebPages }: AuthContext, context: Context): Promise<void> {
  if (!hasWebPages()) throw usage(`${baseUrl} has no web interface`, OWN_KEYS);
  await openInBrowser(keyPage(baseUrl), context);
}

/** `bt auth logout`. */
export async function runLogout(_: SharedInput, context: Context): Promise<void> {
  const auth = authContextOf(context);
  for (const name of [SEEN, READ_MARKS]) clearCaches(name, context.io, auth.baseUrl);
  await endLogin(auth);
  if (mirrorNames(context.io).length > 0) await offerToDropMirrors(auth.baseUrl, context);
}

function authContextOf({ io, session }: Context): AuthContext {
  const { access, address } = session;
  if (access === undefined) {
    const hint = "use --base-url with a tracker on the network";
    throw usage(`${address} runs in this process and needs no login`, hint);
  }
  return {
    baseUrl: address,
    host: io,
    sendAs: access.sendAs,
    hide: access.hide,
    rowsFor: access.rowsFor,
    hasWebPages: access.hasWebPages,
    prompt: mayPrompt(io, session.settings) ? io.prompt : undefined,
    say: (sentence) => io.err(`${plain(sentence)}\n`),
  };
}

async function wishOf(input: LoginInput, context: Context): Promise<LoginOptions> {
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
  const ended = token === undefined ? undefined : await endToken(auth, asSecret(token));
  await forgetLogin(baseUrl, host);
  await auth.say(`logged out of ${entry.origin}`);
  if (ended === false)
    await auth.say("note: the tracker could not be reached, so the token stays valid until it expires");
  if (entry.style !== "token") await auth.say("note: the API key stays valid; revoke it in the tracker's preferences");
}

/** After a logout: offers to delete the mirrors with data of the login, or lists them where prompts are off. */
export async function offerToDropMirrors(baseUrl: string, { io, session }: Context): Promise<void> {
  for (const { name, facts } of accountMirrors({ baseUrl, login: undefined }, io)) {
    const what = `the mirror ${name} contains data visible to ${facts.login}`;
    const confirm = confirmationPrompt({ args: [] }, io, session.settings);
    if (confirm === undefined) await io.err(`${plain(`note: ${what}; to delete it: bt mirror drop ${name}`)}\n`);
    else if (await confirm(plain(`${what}; delete it?`))) await dropNamedMirror(name, io);
  }
}
