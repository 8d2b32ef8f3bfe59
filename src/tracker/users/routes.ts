import type { Json, JsonObject } from "../../wire/exchange.ts";
import { changeMembership, deriveGroupsOfUser } from "../groups/membership.ts";
import { blessableGroups } from "../groups/routes.ts";
import type { Call, Route } from "../http/call.ts";
import { Fault, faults } from "../http/fault.ts";
import { pickFields, readFieldSelection } from "../http/field-selection.ts";
import { firstTextValue, isFlagSet, readIdsAndNames, textValues, trimmedReader, trimmedText } from "../http/input.ts";
import { groupsOfUser, isInGroup, requireGroup, userByLogin } from "../http/requester.ts";
import { compilePattern } from "../regexp.ts";
import { idByName } from "../setup/lookup.ts";
import { applyUsersAndGroups } from "../setup/users.ts";
import { uniqueBy } from "../unique-by.ts";
import { findTargets, type ObjectChanges, type ObjectClass, type Update, updateObjects } from "../update-objects.ts";
import { setPassword } from "./passwords.ts";
import { presentLogin } from "./present.ts";
import { userVisibility } from "./visibility.ts";

/**
 * Routes of users. Get: by id, login name, or match; anonymous requesters only by login name. Create, and Update with one
 * change of all users named, for members of `editusers`.
 * @see https://bugzilla.readthedocs.io/en/5.2/api/core/v1/user.html#get-user
 * @see https://bugzilla.readthedocs.io/en/5.2/api/core/v1/user.html#create-user
 * @see https://bugzilla.readthedocs.io/en/5.2/api/core/v1/user.html#update-user
 */
export const userRoutes: readonly Route[] = [
  { method: "GET", path: "/user", handle: (call) => getUsers(call) },
  { method: "GET", path: "/user/{id_or_name}", handle: (call) => getUsers(call) },
  { method: "POST", path: "/user", status: 201, isAudited: true, handle: (call) => createUser(call) },
  { method: "PUT", path: "/user/{id_or_name}", isAudited: true, handle: (call) => updateUsers(call) },
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

const BY_IDS = `SELECT id, login, real_name, is_enabled, disabled_text, email_enabled FROM users
  WHERE id IN (SELECT value FROM json_each(?)) ORDER BY id`;
const BY_LOGIN = `SELECT id, login, real_name, is_enabled, disabled_text, email_enabled FROM users
  WHERE login = ?`;
const MATCHING = `SELECT id, login, real_name, is_enabled, disabled_text, email_enabled FROM users
  WHERE (login LIKE @text ESCAPE '!' OR real_name LIKE @text ESCAPE '!') AND (is_enabled OR @all)
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

function createUser(call: Call): Json {
  requireGroup(call, "editusers", "add new users");
  const login = trimmedText(call.input, "email");
  if (login === "") throw faults.parameterMissing("email");
  checkLoginName(call, login);
  const real_name = trimmedText(call.input, "full_name");
  applyUsersAndGroups(call.store, { users: [{ login, real_name }] });
  const id = idByName(call.store, "user", login);
  const password = trimmedText(call.input, "password");
  if (password !== "") {
    setPassword(call.store, { userId: id, password, salt: call.runtime.random(16) });
  }
  return { id };
}

/**
 * Checks a login name for the user with `userId` (0: a new user).
 * @throws Fault other if it is empty, illegal_email_address if it is malformed or too long, account_exists if another
 * user has it in any letter case
 * @see Bugzilla/User.pm, check_login_name
 */
function checkLoginName({ store, parameters }: Call, login: string, userId = 0): void {
  if (login === "") throw new Fault("other", "You must enter a login name for the new user.");
  if (login.length > MAX_LOGIN_LENGTH || compilePattern(parameters.emailregexp).test?.(login) === false) {
    throw new Fault(
      "illegal_email_address",
      `The e-mail address you entered (${login}) didn't pass our syntax checking for a legal email address. ${parameters.emailregexpdesc} It also must not contain any illegal characters.`,
    );
  }
  const owner = userByLogin(store, login);
  if (owner && owner.id !== userId) {
    throw new Fault("account_exists", `There is already an account with the login name ${login}.`);
  }
}

const MAX_LOGIN_LENGTH = 127; // @see Bugzilla/Util.pm, validate_email_syntax

function updateUsers(call: Call): Json {
  requireGroup(call, "editusers", "add, modify or delete users");
  return { users: updateObjects(call, USERS).map(({ after, changes }) => ({ id: after.id, changes })) };
}

/** A user's columns by the parameters that set them. */
type StoredUser = { id: number; full_name: string; email: string; login_denied_text: string };

const USERS: ObjectClass<StoredUser, Exclude<keyof StoredUser, "id">> = {
  name: "User",
  find: (call) =>
    findTargets(call, {
      select: STORED_USER,
      nameColumn: "login",
      readName: (name) => name.trim(),
      noSuchName: faults.noSuchUser,
      noSuchId: (id) => faults.noSuchId("user", id),
    }),
  readers: {
    full_name: trimmedReader("full_name"),
    email: (call, { id }) => {
      const login = trimmedReader("email")(call);
      checkLoginName(call, login, id);
      return login;
    },
    login_denied_text: trimmedReader("login_denied_text"),
  },
  unique: "email",
  otherParameters: ["ids", "names", "password", "email_enabled", "groups", "bless_groups"],
  save: saveUser,
};

const STORED_USER = `SELECT id, real_name AS full_name, login AS email, disabled_text AS login_denied_text
  FROM users WHERE`;

function saveUser(call: Call, { before, after }: Update<StoredUser>): ObjectChanges {
  call.store.run(UPDATE_USER, { ...after });
  const changes = { ...enabledChange(before, after), ...changeMail(call, after.id), ...setOwnPassword(call, after.id) };
  deriveGroupsOfUser(call.store, after.id);
  return {
    ...changes,
    ...changeMembership(call, { userId: after.id, parameter: "groups", kind: "member" }),
    ...changeMembership(call, { userId: after.id, parameter: "bless_groups", kind: "bless" }),
  };
}

const UPDATE_USER = `UPDATE users SET real_name = @full_name, login = @email, disabled_text = @login_denied_text,
  is_enabled = (@login_denied_text = '') WHERE id = @id`;

// Setting `login_denied_text` disables the account, clearing it enables it. @see Bugzilla/User.pm, set_disabledtext
function enabledChange(before: StoredUser, after: StoredUser): ObjectChanges {
  const removed = enabledText(before);
  const added = enabledText(after);
  return removed === added ? {} : { is_enabled: { removed, added } };
}

function enabledText({ login_denied_text }: StoredUser): string {
  return login_denied_text === "" ? "1" : "0";
}

// The request has `email_enabled`, the reported change its inverse, `disable_mail`.
function changeMail({ store, input }: Call, id: number): ObjectChanges {
  const before = Number(store.get("SELECT email_enabled AS value FROM users WHERE id = ?", [id])?.["value"]);
  const after = isFlagSet(input, "email_enabled") ? 1 : 0;
  if (input["email_enabled"] === undefined || after === before) return {};
  store.run("UPDATE users SET email_enabled = ? WHERE id = ?", [after, id]);
  return { disable_mail: { removed: String(1 - before), added: String(1 - after) } };
}

function setOwnPassword({ store, input, runtime }: Call, userId: number): ObjectChanges {
  const password = firstTextValue(input, "password");
  if (password === undefined) return {};
  setPassword(store, { userId, password, salt: runtime.random(16) });
  return { cryptpassword: { removed: "", added: "hashed_with_scrypt" } };
}
