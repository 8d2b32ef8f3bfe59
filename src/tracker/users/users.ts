import type { Json, JsonObject } from "../../wire/exchange.ts";
import { blessableGroups } from "../groups/routes.ts";
import { type Call, groupsOfUser, isEnabled, isInGroup, USERS, type User, userByLogin } from "../http/call.ts";
import {
  firstTextValue,
  isTruthy,
  pickFields,
  readFieldSelection,
  readIdsAndNames,
  readWholeNumbers,
  textValues,
} from "../http/input.ts";
import { Fault, faults, raise, uniqueById } from "../values.ts";

/** Get Users: by id, login name, or match; anonymous requesters only by login name. */
export function getUsers(call: Call): Json {
  const selection = readFieldSelection(call.input);
  return { users: requestedUsers(call).map((user) => pickFields(presentUser(call, user), selection)) };
}

/** @throws Fault for a user who does not exist, or whom the requester may not see */
function requestedUsers(call: Call): User[] {
  const { ids, names } = readIdsAndNames(call);
  const matches = textValues(call.input, "match");
  if (ids.length + names.length + matches.length === 0)
    throw new Fault(
      "param_required",
      "The function User.get requires that you set one of the following parameters: ids, names, match",
    );
  const argument = ids.length > 0 ? "ids" : "match";
  if (!call.requester.user && ids.length + matches.length > 0)
    throw new Fault(
      "user_access_by_id_denied",
      `Logged-out users cannot use the "${argument}" argument to this function to access any user information.`,
    );
  const byIds = call.store.all<User>(BY_IDS, [ids.map(Number)]);
  const found = [
    ...names.map((name) => userByLogin(call.store, name) ?? raise(faults.noSuchUser(name))),
    ...byIds,
    ...matches.flatMap((match) => matchUsers(call, match)),
  ];
  return filterByGroups(call, uniqueById(found));
}

const BY_IDS = `${USERS} WHERE id IN (SELECT value FROM json_each(?)) ORDER BY id`;
const MATCHING = `${USERS}
  WHERE (login LIKE @text ESCAPE '!' OR real_name LIKE @text ESCAPE '!') AND (disabled_text = '' OR @all)
  ORDER BY login`;

const MAX_MATCHES = 1000;

/**
 * Users matching a text. With `*` it is a pattern for the whole login or real name; otherwise a login, or if there is none,
 * a substring of at least three characters.
 * @see Bugzilla/User.pm, match
 */
function matchUsers(call: Call, pattern: string): readonly User[] {
  const text = pattern.trim();
  const escaped = text.replace(/[%_!]/g, "!$&");
  const found = text.includes("*")
    ? usersLike(call, escaped.replaceAll("*", "%"))
    : call.store.all<User>(`${USERS} WHERE login = ?`, [text]);
  if (found.length > 0 || [...text].length < MIN_SUBSTRING_LENGTH) return found;
  return usersLike(call, `%${escaped}%`);
}

const MIN_SUBSTRING_LENGTH = 3;

function usersLike(call: Call, pattern: string): User[] {
  const sent = firstTextValue(call.input, "limit") ?? "0";
  const [limit] = readWholeNumbers([sent], "limit passed to Bugzilla::WebService::User::match");
  return call.store
    .all<User>(MATCHING, { text: pattern, all: isTruthy(call.input, "include_disabled") ? 1 : 0 })
    .slice(0, Math.min(limit || MAX_MATCHES, MAX_MATCHES));
}

/** The users in any of `groups` or `group_ids`, if sent. @throws Fault invalid_group_name */
function filterByGroups(call: Call, users: User[]): User[] {
  const { store, requester, input } = call;
  const requesterGroups = requester.user ? groupsOfUser(store, requester.user.id) : [];
  const findId = (by: "id" | "name", text: string) =>
    requesterGroups.find((group) => String(group[by]).toLowerCase() === text.toLowerCase())?.id ??
    raise(new Fault("invalid_group_name", `The group you specified, ${text}, is not valid here.`));
  const groupIds = [
    ...textValues(input, "group_ids").map((text) => findId("id", text)),
    ...textValues(input, "groups").map((text) => findId("name", text)),
  ];
  if (groupIds.length === 0) return users;
  return users.filter((user) => groupsOfUser(store, user.id).some(({ id }) => groupIds.includes(id)));
}

function presentUser(call: Call, user: User): JsonObject {
  const { id, real_name, login } = user;
  const publicFields = { id, real_name, name: presentLogin(call, login) };
  if (!call.requester.user) return publicFields;
  const isSelf = call.requester.user.id === id;
  return {
    ...publicFields,
    email: login,
    can_login: user.is_enabled === 1,
    groups: presentGroups(call, id, isSelf),
    ...(isSelf ? { saved_searches: [], saved_reports: [] } : {}),
    ...(isInGroup(call.requester, "editusers")
      ? { email_enabled: user.email_enabled === 1, login_denied_text: user.disabled_text }
      : {}),
  };
}

/** The groups of a user: all of the requester's own, else those whose members the requester may change. */
function presentGroups(call: Call, userId: number, isSelf: boolean): readonly JsonObject[] {
  const blessable = blessableGroups(call);
  const ids = groupsOfUser(call.store, userId).filter(({ id }) => isSelf || blessable.has(id));
  const details = `SELECT id, name, description FROM groups WHERE id IN (SELECT value FROM json_each(?))
    ORDER BY is_bug_group, name`;
  return call.store.all(details, [ids.map(({ id }) => id)]);
}

/** The `..._detail` objects of the users with these ids, as the requester sees them, by id. */
export function presentUsers(call: Call, ids: readonly number[]) {
  const rows = call.store.all<User>(BY_IDS, [ids]).map(({ id, login, real_name }) => {
    const name = presentLogin(call, login);
    return [id, { id, name, email: name, real_name }] as const;
  });
  return new Map(rows);
}

/**
 * A login name as the requester sees it: cut at the @ for anonymous requesters if `webservice_email_filter` is on.
 * @see Bugzilla/Util.pm, email_filter
 */
export function presentLogin({ requester, parameters }: Call, login: string): string {
  return requester.user || !isEnabled(parameters.webservice_email_filter) ? login : login.replace(/@.*$/, "");
}
