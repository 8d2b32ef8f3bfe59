import type { Json, JsonObject } from "../../wire/exchange.ts";
import { blessableGroups } from "../groups/routes.ts";
import type { Call, Route } from "../http/call.ts";
import { Fault, faults } from "../http/fault.ts";
import { pickFields, readFieldSelection } from "../http/field-selection.ts";
import { firstTextValue, isFlagSet, readIdsAndNames, textValues } from "../http/input.ts";
import { groupsOfUser, isInGroup } from "../http/requester.ts";
import { uniqueBy } from "../unique-by.ts";
import { presentLogin } from "./present.ts";
import { userVisibility } from "./visibility.ts";

/**
 * Routes of Get Users: by id, login name, or match; anonymous requesters only by login name.
 * @see https://bugzilla.readthedocs.io/en/5.2/api/core/v1/user.html#get-user
 */
export const userRoutes: readonly Route[] = [
  { method: "GET", path: "/user", handle: (call) => getUsers(call) },
  { method: "GET", path: "/user/{id_or_name}", handle: (call) => getUsers(call) },
];

function getUsers(call: Call): Json {
  const selection = readFieldSelection(call.input);
  return { users: requestedUsers(call).map((user) => pickFields(presentUser(call, user), selection)) };
}

/** Users that a request is about. @throws Fault for one that does not exist, or that the requester may not see */
function requestedUsers(call: Call): UserRow[] {
  const { ids, names } = readIdsAndNames(call);
  const matches = textValues(call.input, "match");
  if (ids.length + names.length + matches.length === 0) {
    throw new Fault(
      "param_required",
      "The function User.get requires that you set one of the following parameters: ids, names, match",
    );
  }
  checkAnonymousArguments(call, { ids, match: matches });
  const found = [
    ...names.map((name) => findUser(call, name)),
    ...call.store.all<UserRow>(BY_IDS, [JSON.stringify(ids.map(Number))]).map(visibilityCheck(call)),
    ...matches.flatMap((match) => matchUsers(call, match)),
  ];
  return filterByGroups(
    call,
    uniqueBy(found, (user) => user.id),
  );
}

function checkAnonymousArguments({ requester }: Call, given: Readonly<Record<string, readonly string[]>>): void {
  const [argument] = Object.entries(given).find(([, values]) => values.length > 0) ?? [];
  if (!requester.user && argument !== undefined) {
    throw new Fault(
      "user_access_by_id_denied",
      `Logged-out users cannot use the "${argument}" argument to this function to access any user information.`,
    );
  }
}

type UserRow = {
  id: number;
  login: string;
  real_name: string;
  is_enabled: number;
  disabled_text: string;
  email_enabled: number;
};

const BY_IDS = `SELECT id, login, real_name, disabled_text = '' AS is_enabled, disabled_text, email_enabled FROM users
  WHERE id IN (SELECT value FROM json_each(?)) ORDER BY id`;
const BY_LOGIN = `SELECT id, login, real_name, disabled_text = '' AS is_enabled, disabled_text, email_enabled FROM users
  WHERE login = ?`;
const MATCHING = `SELECT id, login, real_name, disabled_text = '' AS is_enabled, disabled_text, email_enabled FROM users
  WHERE (login LIKE @text ESCAPE '!' OR real_name LIKE @text ESCAPE '!') AND (disabled_text = '' OR @all)
  ORDER BY login`;

const MAX_MATCHES = 1000;

/** Identity on users the requester may see. @throws Fault auth_failure for others */
function visibilityCheck(call: Call): (user: UserRow) => UserRow {
  const isVisible = userVisibility(call);
  return (user) => {
    if (isVisible(user.id)) return user;
    throw new Fault(
      "auth_failure",
      `Sorry, there are visibility restrictions on certain user groups, and so you are not authorized to access the user with ID '${user.id}'.`,
    );
  };
}

function findUser({ store }: Call, login: string): UserRow {
  const user = store.get<UserRow>(BY_LOGIN, [login]);
  if (!user) throw faults.noSuchUser(login);
  return user;
}

/**
 * Users matching a text. With `*` it is a pattern for the whole login or real name; otherwise a login, or if there is none,
 * a substring of at least three characters.
 * @see Bugzilla/User.pm, match
 */
function matchUsers(call: Call, pattern: string): readonly UserRow[] {
  const trimmed = pattern.trim();
  const literal = trimmed.replace(/[%_!]/g, "!$&");
  const isPattern = trimmed.includes("*");
  const found = isPattern
    ? usersLike(call, literal.replaceAll("*", "%"))
    : call.store.all<UserRow>(BY_LOGIN, [trimmed]);
  return found.length > 0 || [...trimmed].length < MIN_SUBSTRING_LENGTH ? found : usersLike(call, `%${literal}%`);
}

const MIN_SUBSTRING_LENGTH = 3;

function usersLike(call: Call, pattern: string): UserRow[] {
  const limit = firstTextValue(call.input, "limit") ?? "0";
  if (!/^\d+$/.test(limit)) throw faults.notANumber("limit passed to Bugzilla::WebService::User::match");
  const isVisible = userVisibility(call);
  return call.store
    .all<UserRow>(MATCHING, { text: pattern, all: isFlagSet(call.input, "include_disabled") ? 1 : 0 })
    .filter(({ id }) => isVisible(id))
    .slice(0, Math.min(Number(limit) || MAX_MATCHES, MAX_MATCHES));
}

// Members of any group in `groups` or `group_ids`, which must be groups of the requester.
function filterByGroups(call: Call, users: UserRow[]): UserRow[] {
  const groupIds = [
    ...ownGroupIds(call, "id", textValues(call.input, "group_ids")),
    ...ownGroupIds(call, "name", textValues(call.input, "groups")),
  ];
  if (groupIds.length === 0) return users;
  return users.filter((user) => groupsOfUser(call.store, user.id).some(({ id }) => groupIds.includes(id)));
}

/** Ids of the requester's groups with these ids or names. @throws Fault invalid_group_name for any other group */
function ownGroupIds(call: Call, by: "id" | "name", names: string[]): number[] {
  const own = call.requester.user ? groupsOfUser(call.store, call.requester.user.id) : [];
  return names.map((name) => {
    const group = own.find((one) => String(one[by]).toLowerCase() === name.toLowerCase());
    if (!group) throw new Fault("invalid_group_name", `The group you specified, ${name}, is not valid here.`);
    return group.id;
  });
}

function presentUser(call: Call, user: UserRow): JsonObject {
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

const GROUP_DETAILS = `SELECT id, name, description FROM groups WHERE id IN (SELECT value FROM json_each(?))
  ORDER BY is_bug_group, name`;

function presentGroups(call: Call, userId: number, isSelf: boolean): readonly JsonObject[] {
  const blessable = isSelf ? undefined : blessableGroups(call);
  const ids = groupsOfUser(call.store, userId).filter(({ id }) => blessable?.has(id) ?? true);
  return call.store.all(GROUP_DETAILS, [JSON.stringify(ids.map(({ id }) => id))]);
}
