import { BtError, usageError, withDetails, withFacts } from "../errors.ts";
import { nearestWords } from "./nearest.ts";
import { requestFor, type SendRequest } from "./operations/operation.ts";
import { GET_USERS } from "./operations/tracker.ts";
import { readUserAccounts } from "./response/response-objects.ts";

/** True for two spellings of one login; letter case does not count. */
export function isSameLogin(a: string | null | undefined, b: string | null | undefined): boolean {
  return a?.toLowerCase() === b?.toLowerCase();
}

/** True if a user in a response is this one; trackers shorten logins for readers without one. */
export function isSameUser(shown: string, login: string): boolean {
  const [one, other] = [shown.toLowerCase(), login.toLowerCase()];
  return one === other || (!one.includes("@") && other.startsWith(`${one}@`));
}

/** Login of a user, and the real name if known. */
export type UserName = { name: string; real_name?: string };

/**
 * Users whose login or real name has a text in it, `limit` of them at most; undefined if the tracker does not list users, as
 * to logged-out ones.
 */
export async function findUsersMatching(
  text: string,
  send: SendRequest,
  limit = MAX_USERS,
): Promise<UserName[] | undefined> {
  const request = requestFor(GET_USERS, { match: text, limit, include_fields: "id,name,real_name" });
  try {
    return readUserAccounts(await send(request));
  } catch (error) {
    if (error instanceof BtError) return undefined;
    throw error;
  }
}

const MAX_USERS = 20;

/** Error for a text that is no login, with users that it may mean, if they are listed. */
export function unknownUserError(text: string, users: readonly UserName[] | undefined): BtError {
  const message = `unknown user ${JSON.stringify(text)}`;
  const [user, ...others] = users ?? [];
  if (user && others.length === 0) return usageError(message, `did you mean ${user.name}?`);
  if (user === undefined && MYSELF.test(text)) return usageError(message, "did you mean @me?");
  if (users?.length === 0) return usageError(message, "bt user search '*' lists users");
  return withDetails(usageError(message, "use the complete login"), (users ?? []).map(personText));
}

const MYSELF = /^@?(?:me|my|mine|myself|self)$/i;

/** Error for an unknown login, with users who have its first part, else similar logins. */
export async function unknownLoginError(text: string, send: SendRequest): Promise<BtError> {
  const word = text.replace(/^[@:]/, "").replace(/@.*/, "");
  const users = await findUsersMatching(word, send);
  if (users?.length !== 0) return unknownUserError(text, users);
  const others = (await findUsersMatching(`${word.slice(0, 1)}*`, send, MAX_COMPARED)) ?? [];
  const spellings = others.flatMap(({ name }) => [name, name.replace(/@.*/, "")]);
  const near = nearestWords(text, spellings);
  return unknownUserError(
    text,
    others.filter(({ name }) => near.includes(name) || near.includes(name.replace(/@.*/, ""))),
  );
}

const MAX_COMPARED = 500;

/** An error of a tracker; of one about a login that nobody has, with the users that it may mean. */
export async function withLikelyUsers(error: BtError, send: SendRequest): Promise<BtError> {
  const { login } = error.facts;
  if (login === undefined) return error;
  const { hint, details = [] } = (await unknownLoginError(login, send)).facts;
  return withFacts(withDetails(error, [...details]), { hint });
}

/** A user as in an address: `Mei Tanaka <mei@example.org>`. */
export function personText({ name, real_name }: UserName): string {
  return real_name ? `${real_name} <${name}>` : name;
}

/** True for a nick, such as `:mei`, in place of a login. */
export function isNick(login: string): boolean {
  return /^:[^:\s]/.test(login);
}

/**
 * The login of the user who has a nick in the real name: `Mei Chen [:mei]`.
 * @throws BtError of kind usage for a nick of nobody, or of several users
 */
export async function loginOfNick(nick: string, send: SendRequest): Promise<string> {
  const users = readUserAccounts(await send(requestFor(GET_USERS, { match: nick })));
  const having = users.filter(({ real_name = "" }) => nicksIn(real_name).includes(nick.toLowerCase()));
  const [user, ...others] = having;
  if (!user) throw await unknownLoginError(nick, send);
  if (others.length === 0) return user.name;
  throw withDetails(
    usageError(`${having.length} users have the nick ${nick}`, "use the complete login"),
    having.map(personText),
  );
}

/** The nicks in a real name, in lower case. @see Bugzilla/Util.pm of bugzilla.mozilla.org, `extract_nicks` */
function nicksIn(realName: string): string[] {
  return realName.toLowerCase().match(/(?<!\d):[\p{L}\p{N}|._-]*[\p{L}\p{N}_]/gu) ?? [];
}
