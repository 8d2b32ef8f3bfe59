import type { Json, JsonObject } from "../../wire/exchange.ts";
import type { Person } from "../fields.ts";
import type { Store } from "../store/store.ts";
import { Fault, faults } from "../values.ts";

export type User = {
  readonly id: number;
  readonly login: string;
  readonly real_name: string;
  readonly is_enabled: number;
  readonly disabled_text: string;
  readonly email_enabled: number;
};

/** Author of a request: a user or nobody, and the names of all their groups, inherited ones included. */
export type Requester = {
  readonly user: User | undefined;
  readonly groups: ReadonlySet<string>;
};

/** Clock, randomness and settings that a tracker gets from its process. */
export type Runtime = {
  readonly now: () => Date;
  readonly random: (bytes: number) => Uint8Array;
  readonly report?: (failure: unknown) => void; // receives unexpected exceptions; the requester sees none of their details
  readonly isStrict?: boolean; // rejects unknown search parameters and values, which Bugzilla ignores
};

export type SentCredentials = {
  login: Json | undefined;
  password: Json | undefined;
  token: Json | undefined;
  api_key: Json | undefined;
};

/** One request as its handler gets it. */
export type Call = {
  readonly store: Store; // inside the request's transaction
  readonly requester: Requester;
  readonly parameters: ServerParameters;
  readonly path: Readonly<Record<string, string>>; // values of the path's placeholders, decoded
  readonly input: JsonObject; // query and body merged, no credentials; a repeated query parameter of a GET is a list of strings
  readonly credentials: SentCredentials;
  readonly now: string; // time of the request, like 2026-11-20T05:57:24Z
  readonly runtime: Runtime;
};

/** Returns the JSON of the response; a scalar is wrapped as `{result}`. @throws Fault for a request that is refused */
export type Handler = (call: Call) => Json;

export type RouteOptions = {
  readonly status?: 201; // default: 200
  readonly credentials?: "ignored" | "optional"; // default: required if the parameter `requirelogin` is on
  readonly writes?: boolean; // a GET that writes
  readonly isAudited?: boolean; // changes the setup: its time is that of the last audit
};

/** Server parameters that everybody may read, with their defaults; booleans are "1" and "0". */
const FOR_EVERYBODY = {
  maintainer: "admin@example.org",
  requirelogin: "0",
} as const;

/** Parameters that users may read, too. @see Bugzilla/WebService/Bugzilla.pm, PARAMETERS_LOGGED_IN */
const FOR_USERS = {
  allowemailchange: "0",
  attachment_base: "",
  commentonchange_resolution: "0",
  commentonduplicate: "0",
  cookiepath: "/",
  defaultopsys: "",
  defaultplatform: "",
  defaultpriority: "---",
  defaultseverity: "enhancement",
  duplicate_or_move_bug_status: "RESOLVED",
  emailregexpdesc: "A legal address must contain exactly one '@', and at least one '.' after the @.",
  emailsuffix: "",
  letsubmitterchoosemilestone: "1",
  letsubmitterchoosepriority: "1",
  mailfrom: "bugzilla-daemon@localhost",
  maxattachmentsize: "1000",
  maxlocalattachment: "0",
  musthavemilestoneonaccept: "0",
  noresolveonopenblockers: "0",
  password_complexity: "no_constraints",
  rememberlogin: "on",
  search_allow_no_criteria: "1",
  urlbase: "",
  use_see_also: "1",
  useclassification: "0",
  usemenuforusers: "0",
  useqacontact: "1",
  usestatuswhiteboard: "1",
  usetargetmilestone: "1",
} as const;

/** Server parameters that only administrators may read, too. */
const FOR_ADMINISTRATORS = {
  comment_taggers_group: "editbugs",
  default_search_limit: "500",
  header_api_keys: "0", // not Bugzilla's: accept API keys in headers and serve /whoami, as newer servers do
  insidergroup: "admin",
  max_search_results: "10000",
  timetrackinggroup: "editbugs",
  utf8: "utf8mb4",
  webservice_email_filter: "0",
} as const;

export const PARAMETER_DEFAULTS = { ...FOR_EVERYBODY, ...FOR_USERS, ...FOR_ADMINISTRATORS };

export type ServerParameters = Readonly<Record<keyof typeof PARAMETER_DEFAULTS, string>>;

/** The names of the server parameters that anonymous requesters and logged-in users may read. */
export const READABLE_PARAMETERS = {
  anonymous: Object.keys(FOR_EVERYBODY),
  user: Object.keys({ ...FOR_EVERYBODY, ...FOR_USERS }),
} as const;

export function loadServerParameters(store: Store): ServerParameters {
  const rows = store.all<{ name: string; value: string }>("SELECT name, value FROM parameters");
  return { ...PARAMETER_DEFAULTS, ...Object.fromEntries(rows.map(({ name, value }) => [name, value])) };
}

/** True if a boolean parameter is on: anything but "" and "0". */
export function isEnabled(value: string): boolean {
  return value !== "" && value !== "0";
}

export const ANONYMOUS: Requester = { user: undefined, groups: new Set() };

export function asRequester(store: Store, user: User): Requester {
  return { user, groups: new Set(groupsOfUser(store, user.id).map(({ name }) => name)) };
}

/** True if the requester is in the named group; false if there is no such group. */
export function isInGroup(requester: Requester, group: string): boolean {
  return requester.groups.has(group);
}

export function userById(store: Store, id: number): User | undefined {
  return store.get<User>(`${USERS} WHERE id = ?`, [id]);
}

/** The user with this login name in any letter case; undefined if there is none. */
export function userByLogin(store: Store, login: string): User | undefined {
  return store.get<User>(`${USERS} WHERE login = ?`, [login]);
}

export const USERS = `SELECT id, login, real_name, disabled_text = '' AS is_enabled, disabled_text, email_enabled
  FROM users`;

/** The groups of a user, by id: direct, by regular expression, and inherited. @see Bugzilla/User.pm, groups */
export function groupsOfUser(store: Store, userId: number) {
  return store.all<{ id: number; name: string }>(
    `WITH RECURSIVE member_of (id) AS (
       SELECT group_id FROM group_members WHERE user_id = ? AND kind = 'member'
       UNION
       SELECT grantor_id FROM group_inclusions JOIN member_of ON member_id = member_of.id WHERE kind = 'member')
     SELECT groups.id, groups.name FROM member_of JOIN groups ON groups.id = member_of.id ORDER BY groups.id`,
    [userId],
  );
}

/** Ids of the members of a group, inherited ones included. */
export function memberIds(store: Store, groupId: number): readonly number[] {
  return store.values(MEMBERS, [groupId]);
}

const MEMBERS = `
  WITH RECURSIVE included (id) AS (
    VALUES (?)
    UNION
    SELECT member_id FROM group_inclusions JOIN included ON grantor_id = included.id WHERE kind = 'member')
  SELECT DISTINCT user_id AS id FROM group_members JOIN included ON group_id = included.id WHERE kind = 'member'`;

/** Restricts the `visible_...` views to what the requester may see; called before any read. */
export function becomeViewer(store: Store, requester: Requester, parameters: ServerParameters): void {
  const isMember = (group: string) => Number(group !== "" && isInGroup(requester, group));
  store.run("DELETE FROM viewer");
  store.run("INSERT INTO viewer VALUES (@user, @insider, @tracker, @contacts)", {
    user: requester.user?.id ?? 0, // nobody
    insider: isMember(parameters.insidergroup),
    tracker: isMember(parameters.timetrackinggroup),
    contacts: Number(isEnabled(parameters.useqacontact)),
  });
  store.run("DELETE FROM viewer_groups");
  store.run("INSERT INTO viewer_groups SELECT id FROM groups WHERE name IN (SELECT value FROM json_each(?))", [
    [...requester.groups],
  ]);
}

/** Runs `work` while the `visible_...` views show what another user may see; returns its result. */
export function asViewer<T>({ store, requester, parameters }: Call, userId: number, work: (viewer: Requester) => T): T {
  if (userId === requester.user?.id) return work(requester);
  const user = userById(store, userId);
  const viewer = user ? asRequester(store, user) : ANONYMOUS;
  becomeViewer(store, viewer, parameters);
  try {
    return work(viewer);
  } finally {
    becomeViewer(store, requester, parameters);
  }
}

/** Id and login of the user with this login in any case. @throws Fault object_does_not_exist */
export function findPerson({ store }: Call, login: string): Person {
  const user = userByLogin(store, login.trim());
  if (!user) throw faults.noSuchUser(login);
  return { id: user.id, login: user.login };
}

/** The requesting user. @throws Fault login_required if nobody is logged in */
export function requireLogin({ requester }: Call): User {
  if (!requester.user) throw faults.loginRequired();
  return requester.user;
}

/** @throws Fault login_required, or auth_failure outside the group, whose message `action` completes */
export function requireGroup({ requester }: Call, group: string, action: string): void {
  if (!requester.user) throw faults.loginRequired();
  if (!isInGroup(requester, group)) throw faults.notInGroup(group, action);
}

/** Lets only the insider group make a comment or an attachment private, or public. @throws Fault user_not_insider */
export function requireInsider({ requester, parameters }: Call): void {
  if (!isInGroup(requester, parameters.insidergroup)) {
    throw new Fault(
      "user_not_insider",
      "Sorry, but you are not allowed to (un)mark comments or attachments as private.",
    );
  }
}
