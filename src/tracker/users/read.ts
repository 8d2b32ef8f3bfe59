import type { Json, JsonObject } from "../../wire/exchange.ts";
import { blessableGroups } from "../groups/read.ts";
import type { Call, Route } from "../http/call.ts";
import { Fault, faults } from "../http/fault.ts";
import { pickFields, readFieldSelection } from "../http/field-selection.ts";
import { firstTextValue, isFlagSet, readIdsAndNames, textValues } from "../http/input.ts";
import { presentLogin } from "./present.ts";
import { groupsOfUser, isInGroup } from "./requester.ts";
import { userVisibility } from "./visibility.ts";

/** Users by id, by login name, or by a part of either name; readers who are not logged in may only ask by full name. */
export const userRoutes: readonly Route[] = [
  { method: "GET", path: "/user", handle: (call) => getUsers(call) },
  { method: "GET", path: "/user/{id_or_name}", handle: (call) => getUsers(call) },
];

function getUsers(call: Call): Json {
  const { ids, names } = readIdsAndNames(call);
  const matches = textValues(call.input, "match");
  if (ids.length + names.length + matches.length === 0) {
    throw new Fault(
      400,
      50,
      "The function User.get requires that you set one of the following parameters: ids, names, match",
    );
  }
  refuseReaders(call, { ids, match: matches });
  const found = [
    ...names.map((name) => userNamed(call, name)),
    ...call.store.all<UserRow>(BY_IDS, [JSON.stringify(ids.map(Number))]).map(visibleUser(call)),
    ...matches.flatMap((text) => matching(call, text)),
  ];
  const users = [...new Map(found.map((user) => [user.id, user])).values()];
  const selection = readFieldSelection(call.input);
  return { users: inGroups(call, users).map((user) => pickFields(presentUser(call, user), selection)) };
}

function refuseReaders({ requester }: Call, given: Readonly<Record<string, readonly string[]>>): void {
  const [argument] = Object.entries(given).find(([, values]) => values.length > 0) ?? [];
  if (!requester.user && argument !== undefined) {
    throw new Fault(
      401,
      505,
      `Logged-out users cannot use the "${argument}" argument to this function to access any user information.`,
    );
  }
}

type UserRow = {
  readonly id: number;
  readonly login: string;
  readonly real_name: string;
  readonly is_enabled: number;
  readonly disabled_text: string;
  readonly email_enabled: number;
};

const BY_IDS = `SELECT id, login, real_name, is_enabled, disabled_text, email_enabled FROM users
  WHERE id IN (SELECT value FROM json_each(?)) ORDER BY id`;
const BY_LOGIN = `SELECT id, login, real_name, is_enabled, disabled_text, email_enabled FROM users
  WHERE login = ?`;
const MATCHING = `SELECT id, login, real_name, is_enabled, disabled_text, email_enabled FROM users
  WHERE (login LIKE @text ESCAPE '!' OR real_name LIKE @text ESCAPE '!') AND (is_enabled OR @all)
  ORDER BY login`;

const MAX_MATCHES = 1000;

/** Gives a user back whom the requester may see. */
function visibleUser(call: Call): (user: UserRow) => UserRow {
  const maySee = userVisibility(call);
  return (user) => {
    if (maySee(user.id)) return user;
    throw new Fault(
      401,
      304,
      `Sorry, there are visibility restrictions on certain user groups, and so you are not authorized to access the user with ID '${user.id}'.`,
    );
  };
}

function userNamed({ store }: Call, login: string): UserRow {
  const user = store.get<UserRow>(BY_LOGIN, [login]);
  if (!user) {
    throw new Fault(
      404,
      51,
      `There is no user named '${login}'. Either you mis-typed the name or that user has not yet registered for a Bugzilla account.`,
    );
  }
  return user;
}

/**
 * A text with * is a pattern of a whole login or name; any other is a login, or where none is that, a part of a login or
 * name of three letters or more.
 * @see Bugzilla::User::match
 */
function matching(call: Call, given: string): readonly UserRow[] {
  const text = given.trim();
  const literal = text.replace(/[%_!]/g, "!$&");
  const isPattern = text.includes("*");
  const found = isPattern ? like(call, literal.replaceAll("*", "%")) : call.store.all<UserRow>(BY_LOGIN, [text]);
  return found.length > 0 || [...text].length < MIN_PART ? found : like(call, `%${literal}%`);
}

const MIN_PART = 3;

function like(call: Call, text: string): readonly UserRow[] {
  const limit = firstTextValue(call.input, "limit") ?? "0";
  if (!/^\d+$/.test(limit)) throw faults.notANumber("limit passed to Bugzilla::WebService::User::match");
  const maySee = userVisibility(call);
  return call.store
    .all<UserRow>(MATCHING, { text, all: isFlagSet(call.input, "include_disabled") ? 1 : 0 })
    .filter(({ id }) => maySee(id))
    .slice(0, Math.min(Number(limit) || MAX_MATCHES, MAX_MATCHES));
}

// `groups` and `group_ids` keep only those who are in one of them; only groups that the requester is in may be named.
function inGroups(call: Call, users: readonly UserRow[]): readonly UserRow[] {
  const named = [
    ...ownGroups(call, "id", textValues(call.input, "group_ids")),
    ...ownGroups(call, "name", textValues(call.input, "groups")),
  ];
  if (named.length === 0) return users;
  return users.filter((user) => groupsOfUser(call.store, user.id).some(({ id }) => named.includes(id)));
}

/** The ids of groups named by the requester, who is in all of them. */
function ownGroups(call: Call, by: "id" | "name", wanted: readonly string[]): readonly number[] {
  const own = call.requester.user ? groupsOfUser(call.store, call.requester.user.id) : [];
  return wanted.map((text) => {
    const group = own.find((one) => String(one[by]).toLowerCase() === text.toLowerCase());
    if (!group) throw new Fault(400, 804, `The group you specified, ${text}, is not valid here.`);
    return group.id;
  });
}

function presentUser(call: Call, user: UserRow): JsonObject {
  const { id, real_name, login } = user;
  const reader = { id, real_name, name: presentLogin(call, login) };
  if (!call.requester.user) return reader;
  const isSelf = call.requester.user.id === id;
  return {
    ...reader,
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
