import { findStyle, type Identity, isOwnLogin, type ProvenStyle, whoAmI } from "../../../api/identity.ts";
import { get } from "../../../api/operation.ts";
import { isObject } from "../../../api/read.ts";
import { unexpected } from "../../../api/reply.ts";
import { checkedKey } from "../../../config/key.ts";
import { saveLogin } from "../../../config/logins.ts";
import { BtError } from "../../../errors.ts";
import { type Secret, secret } from "../../../secret.ts";
import type { AuthStyle } from "../../../wire/auth-style.ts";
import { type Desk, prompted } from "./desk.ts";

/** What was said on the command line: a key from a file or pipe, the login, the style; all may be left to be asked or found out. */
export type LoginWish = {
  readonly key?: Secret | undefined;
  readonly login?: string | undefined;
  readonly style?: AuthStyle | undefined;
};

/** What came of a login. */
export type LoggedIn = {
  readonly base_url: string;
  readonly user: string | undefined;
  readonly style: AuthStyle;
  readonly stored: string;
};

/**
 * Logs in with an API key: finds out, by proof, how this tracker takes keys, and keeps that with the key for exactly this
 * tracker. Nothing is kept that was not proven.
 */
export async function loginWithKey(desk: Desk, wish: LoginWish): Promise<LoggedIn> {
  const key = wish.key ?? (await askForKey(desk));
  const { style, identity } = await prove(desk, key, wish);
  return keep(desk, { style, key, user: identity.user ?? wish.login });
}

/** Logs in with login and password, once: wrong passwords are counted and lock the account. What is kept is a token. */
export async function loginWithPassword(desk: Desk, wish: LoginWish): Promise<LoggedIn> {
  const login = wish.login ?? (await prompted(desk, "Login: ", { instead: "bt auth login --password --login LOGIN" }));
  const password = await prompted(desk, "Password: ", { hidden: true, instead: WITH_FILE });
  desk.hide(secret(password));
  const request = get("/rest/login", [
    ["login", login],
    ["password", password],
  ]);
  const answer = await desk.askAs()(request);
  if (!isObject(answer) || typeof answer["token"] !== "string") throw unexpected(request, "holds no token");
  return keep(desk, { style: "token", key: secret(answer["token"]), user: login });
}

const WITH_FILE = "give the key with --api-key-file FILE, or --api-key-file - to read it from a pipe";

async function askForKey(desk: Desk): Promise<Secret> {
  const question = `API key for ${desk.baseUrl} (made under Preferences, API Keys; not shown): `;
  return checkedKey(await prompted(desk, question, { hidden: true, instead: WITH_FILE }), "the answer");
}

async function prove(desk: Desk, key: Secret, { style, login }: LoginWish): Promise<ProvenStyle> {
  const askIn = (candidate: AuthStyle) => desk.askAs({ style: candidate, key });
  const proven = style ? await proveOne(style, await whoAmI(askIn(style), login)) : await findStyle(askIn, login);
  const byLogin = proven ?? (login === undefined ? await proveByLogin(desk, key, style) : undefined);
  if (byLogin) return byLogin;
  throw new BtError("auth", `${desk.baseUrl} takes no notice of the key`, {
    hint: "is it a key of this tracker, and the login written as there? --login names it, --style the way to show the key",
    changed: "nothing",
  });
}

async function proveOne(style: AuthStyle, identity: Identity): Promise<ProvenStyle | undefined> {
  return identity.proven ? { style, identity } : undefined;
}

/** The last resort, for a tracker that cannot say who asks: it can still say whether a login is the asker's own. */
async function proveByLogin(desk: Desk, key: Secret, style: AuthStyle | undefined): Promise<ProvenStyle | undefined> {
  const login = await prompted(desk, "Login that the key belongs to: ", {
    why: `${desk.baseUrl} cannot say whose the key is as long as it shows no bug`,
    instead: "name the login with --login LOGIN",
  });
  for (const candidate of style ? [style] : (["header", "bearer", "query"] as const)) {
    if (await isOwnLogin(desk.askAs({ style: candidate, key }), login))
      return { style: candidate, identity: { proven: true, user: login } };
  }
  return undefined;
}

async function keep(
  desk: Desk,
  { style, key, user }: { style: AuthStyle; key: Secret; user: string | undefined },
): Promise<LoggedIn> {
  const stored = await saveLogin({ origin: desk.baseUrl, user, style, key }, desk.host);
  await desk.say(`logged in to ${desk.baseUrl}${user ? ` as ${user}` : ""}; kept in ${stored}`);
  if (style === "query" || style === "token") await desk.say(IN_LOGS);
  return { base_url: desk.baseUrl, user, style, stored };
}

const IN_LOGS = "note: this tracker takes it in the URL of reads, so it stands in the logs of its web server";
