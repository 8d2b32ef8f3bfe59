import { BtError, usageError, withDetails, withFacts } from "../errors.ts";
import type { Json, JsonObject } from "../wire/exchange.ts";
import { isObject } from "../wire/json.ts";
import { nearestNames, nearestWords } from "./nearest.ts";
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

/** The same; if nobody matches, users whose login or real name has the first letter and differs by a typo or two. */
export async function findLikelyUsers(text: string, send: SendRequest): Promise<UserName[] | undefined> {
  const users = await findUsersMatching(text, send);
  if (users?.length !== 0 || text.length < MIN_MISSPELT) return users;
  const candidates = (await findUsersMatching(`${text[0]}*`, send, MAX_COMPARED)) ?? [];
  const near = new Set(nearestWords(text, candidates.flatMap(spellingsOf)));
  return candidates.filter((user) => spellingsOf(user).some((name) => near.has(name)));
}

const MIN_MISSPELT = 3;
const MAX_COMPARED = 500;

/** The names of a user to compare with a misspelt one: the login, its part before the host, the real name, each word of it. */
function spellingsOf({ name, real_name = "" }: UserName): string[] {
  return [name, name.replace(/@.*/, ""), real_name, ...real_name.split(" ")];
}

/** Error for a text that is not a login, with the users that it may mean; undefined if the tracker lists none. */
export function unknownUserError(text: string, users: UserName[] | undefined): BtError {
  const message = `unknown user ${JSON.stringify(text)}`;
  const isMe = /^(?:my|mine|myself|self)$/i.test(text) || nearestWords(text, ["@me"]).length > 0;
  const isName = users?.some(({ name }) => name.toLowerCase().startsWith(`${text.slice(1).toLowerCase()}@`));
  if (isMe && !isName) return usageError(message, "did you mean @me?");
  if (users?.length === 0) return usageError(message, "bt user search '*' lists users");
  const [user, ...others] = users ?? [];
  if (user && others.length === 0) return usageError(message, `did you mean ${user.name}?`);
  return withDetails(usageError(message, "use the complete login"), (users ?? []).map(personText));
}

/** Error for a login that nobody has, with the users that it may mean. */
export async function unknownLoginError(text: string, send: SendRequest): Promise<BtError> {
  return unknownUserError(text, await findUsersLike(text, send));
}

/** Users that an unknown login may mean: of an address the nearest one, if there is one; a name may mean all who have it. */
export async function findUsersLike(text: string, send: SendRequest): Promise<UserName[] | undefined> {
  const [name = ""] = text.replace(/^@/, "").split("@");
  const users = await findLikelyUsers(name, send);
  const [near] = nearestNames(
    text,
    (users ?? []).map((user) => user.name),
  );
  const isNear = name !== text && near !== undefined;
  return isNear ? users?.filter((user) => user.name === near) : users;
}

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
 * The logins of users by the nicks that they have in their real names: `Mei Chen [:mei]`.
 * @throws BtError of kind usage for a nick of nobody, or of several users
 */
export async function loginsOfNicks(nicks: string[], send: SendRequest): Promise<ReadonlyMap<string, string>> {
  const logins = new Map<string, string>();
  for (const nick of new Set(nicks)) logins.set(nick, await findLoginOfNick(nick, send));
  return logins;
}

async function findLoginOfNick(nick: string, send: SendRequest): Promise<string> {
  const users = readUserAccounts(await send(requestFor(GET_USERS, { match: nick })));
  const [user, ...others] = users.filter(({ real_name = "" }) => nicksIn(real_name).includes(nick.toLowerCase()));
  if (user && others.length === 0) return user.name;
  if (!user) throw unknownUserError(nick, await findUsersLike(nick.slice(1), send));
  throw new BtError("usage", `${others.length + 1} users have the nick ${nick}`, {
    details: [user, ...others].slice(0, MAX_CANDIDATES).map(personText),
    hint: "use the complete login",
    changed: "nothing",
  });
}

const MAX_CANDIDATES = 10;

/** The nicks in a real name, in lower case. @see Bugzilla/Util.pm of bugzilla.mozilla.org, `extract_nicks` */
function nicksIn(realName: string): string[] {
  return realName.toLowerCase().match(/(?<!\d):[\p{L}\p{N}|._-]*[\p{L}\p{N}_]/gu) ?? [];
}

/** A body of a write with other logins in these fields of people, and as requestees of flags. */
export function withLogins(body: JsonObject, fields: string[], logins: ReadonlyMap<string, string>): JsonObject {
  const login = (value: Json): Json => {
    if (typeof value === "string") return logins.get(value) ?? value;
    if (Array.isArray(value)) return value.map(login);
    return isObject(value) ? withLogins(value, Object.keys(value), logins) : value;
  };
  const personal = fields.filter((name) => body[name] !== undefined).map((name) => [name, login(body[name] ?? null)]);
  return { ...body, ...Object.fromEntries(personal) };
}
