import { deriveGroupsOfUser } from "../groups/derive.ts";
import { setPassword } from "../people/password.ts";
import { RIGHTS } from "../setup/basis.ts";
import { issueKey } from "../setup/keys.ts";
import { idOf } from "../setup/lookup.ts";
import { type Kind, operationsOf } from "./kinds.ts";
import { type AdminOperation, listOf, optional, pickGiven, required, secret, textOf } from "./operation.ts";

const user: Kind = {
  noun: "user",
  about: "the users of the tracker",
  keys: [required("login", "the login name, usually an email address")],
  parts: [
    optional("real_name", "text", "the name of the person"),
    optional("groups", "list", "groups to be in"),
    optional("blesses", "list", "groups whose members the user may change"),
    optional("leaves", "list", "groups to be in no longer"),
    optional("email_enabled", "yes-no", "whether mail is sent to the user"),
    optional("disabled_text", "text", "why the user may not log in; empty lets him in again"),
  ],
  list: `SELECT login, real_name, is_enabled = 1 AS can_login, email_enabled, disabled_text,
    coalesce((SELECT group_concat(name, ', ') FROM (SELECT name FROM group_members JOIN groups ON groups.id = group_id
      WHERE user_id = users.id AND kind = 'member' ORDER BY groups.id)), '') AS groups
    FROM users ORDER BY login`,
  find: "SELECT id FROM users WHERE login = @login",
  rename: ["UPDATE users SET login = @new_name WHERE login = @login"],
  remove: {
    uses: {
      "the tracker, as its owner":
        "SELECT count(*) FROM users WHERE login = @login AND id = (SELECT min(id) FROM users)",
    },
    statements: ["DELETE FROM users WHERE login = @login"],
  },
  setup: (given) => ({ users: [{ ...pickGiven(given, ...USER), login: textOf(given, "login") }] }),
  also: (store, given) => {
    for (const group of listOf(given, "leaves") ?? []) {
      store.run(LEAVE, [idOf(store, "group", group), textOf(given, "login")]);
    }
    deriveGroupsOfUser(store, idOf(store, "user", textOf(given, "login")));
  },
};

const USER = ["real_name", "groups", "blesses", "email_enabled", "disabled_text"];

const LEAVE = `DELETE FROM group_members
  WHERE group_id = ? AND user_id = (SELECT id FROM users WHERE login = ?) AND given_by = 'direct'`;

const group: Kind = {
  noun: "group",
  about: "the groups of the tracker",
  keys: [required("name", "the short name of the group")],
  parts: [
    optional("description", "text", "what the group is for"),
    optional("user_regexp", "text", "a pattern; users whose logins it fits are in the group"),
    optional("is_active", "yes-no", "whether bugs can be restricted to it"),
    optional("is_bug_group", "yes-no", "whether it is for bugs at all"),
    optional("icon_url", "text", "a small picture for its members"),
    optional("members", "list", "groups whose members are in this one too"),
    optional("blessed_by", "list", "groups whose members may change who is in this one"),
    optional("visible_to", "list", "groups whose members see the members of this one (with usevisibilitygroups)"),
    optional("without", "list", "groups that lose what members, blessed_by and visible_to gave them"),
  ],
  list: `SELECT name, description, is_bug_group, is_active, user_regexp,
    (SELECT count(*) FROM (SELECT DISTINCT user_id FROM group_members WHERE group_id = groups.id AND kind = 'member'))
      AS direct_members
    FROM groups ORDER BY is_bug_group, name`,
  find: "SELECT id FROM groups WHERE name = @name",
  remove: {
    uses: {
      "the tracker itself": `SELECT count(*) FROM (VALUES ${RIGHTS.map(([name]) => `('${name}')`).join(", ")})
        WHERE column1 = @name COLLATE NOCASE`,
      "bugs that it hides": "SELECT count(*) FROM bug_groups JOIN groups ON groups.id = group_id WHERE name = @name",
      products: "SELECT count(*) FROM group_controls JOIN groups ON groups.id = group_id WHERE name = @name",
      "flag types": `SELECT count(*) FROM flag_types
        WHERE (SELECT id FROM groups WHERE name = @name) IN (grant_group_id, request_group_id)`,
      parameters: "SELECT count(*) FROM parameters WHERE name LIKE '%group' AND value = @name COLLATE NOCASE",
    },
    statements: ["DELETE FROM groups WHERE name = @name"],
  },
  setup: (given) => ({ groups: [{ ...pickGiven(given, ...GROUP), name: textOf(given, "name") }] }),
  also: (store, given) => {
    for (const other of listOf(given, "without") ?? []) {
      store.run(EXCLUDE, [idOf(store, "group", textOf(given, "name")), idOf(store, "group", other)]);
    }
  },
};

const EXCLUDE = "DELETE FROM group_inclusions WHERE grantor_id = ? AND member_id = ?";

const GROUP = [
  ...["description", "user_regexp", "is_active", "is_bug_group", "icon_url"],
  ...["members", "blessed_by", "visible_to"],
];

const KEYS = `SELECT api_keys.id, login, description, creation_time, is_revoked
  FROM api_keys JOIN users ON users.id = user_id ORDER BY api_keys.id`;

const keyOperations: readonly AdminOperation[] = [
  {
    noun: "key",
    verb: "list",
    about: "Lists the API keys, whose they are and what for; the keys themselves are not kept.",
    parameters: [],
    changes: false,
    run: ({ store }) => store.all(KEYS),
  },
  {
    noun: "key",
    verb: "add",
    about: "Makes an API key for a user and shows it, this once.",
    parameters: [required("login", "whose key"), optional("description", "text", "what it is for")],
    changes: true,
    run: ({ store, surroundings }, given) => {
      const login = textOf(given, "login");
      const order = {
        userId: idOf(store, "user", login),
        description: textOf(given, "description"),
        random: surroundings.random,
        now: `${surroundings.now().toISOString().slice(0, 19)}Z`,
      };
      return { login, key: issueKey(store, order) };
    },
  },
  {
    noun: "key",
    verb: "revoke",
    about: "Makes an API key worthless.",
    parameters: [{ name: "id", kind: "number", about: "the number of the key, from the list", isRequired: true }],
    changes: true,
    run: ({ store }, given) => {
      const { changes } = store.run("UPDATE api_keys SET is_revoked = 1 WHERE id = ?", [Number(given["id"])]);
      return { revoked: changes };
    },
  },
];

const passwordOperation: AdminOperation = {
  noun: "user",
  verb: "password",
  about: "Sets a user's password, which is asked for, or read from standard input.",
  parameters: [required("login", "whose password"), secret("password", "the new password")],
  changes: true,
  run: ({ store, surroundings }, given) => {
    const login = textOf(given, "login");
    const userId = idOf(store, "user", login);
    setPassword(store, { userId, password: textOf(given, "password"), salt: surroundings.random(16) });
    store.run("DELETE FROM failed_logins WHERE user_id = ?", [userId]);
    return { login };
  },
};

/** What is done about people: users, their keys, and groups. */
export const peopleOperations: readonly AdminOperation[] = [
  ...operationsOf(user),
  passwordOperation,
  ...keyOperations,
  ...operationsOf(group),
];
