import { deriveGroupsOfUser } from "../groups/membership.ts";
import { Fault } from "../http/fault.ts";
import { type OutboxMail, readableMailText } from "../mail/mime.ts";
import { mailById } from "../mail/queue.ts";
import { setPassword } from "../users/passwords.ts";
import { issueApiKey } from "./api-keys.ts";
import { PERMISSION_GROUPS } from "./defaults.ts";
import { idByName } from "./lookup.ts";
import {
  type AdminOperation,
  listArgument,
  type ObjectKind,
  objectOperations,
  optionalParameter,
  pickArguments,
  requiredParameter,
  secretParameter,
  textArgument,
} from "./operation.ts";

const user: ObjectKind = {
  noun: "user",
  about: "the users of the tracker",
  keys: [requiredParameter("login", "the login name, usually an email address")],
  parts: [
    optionalParameter("real_name", "text", "the name of the person"),
    optionalParameter("groups", "list", "groups to be in"),
    optionalParameter("blesses", "list", "groups whose members the user may change"),
    optionalParameter("leaves", "list", "groups to be in no longer"),
    optionalParameter("email_enabled", "yes-no", "whether mail is sent to the user"),
    optionalParameter("disabled_text", "text", "why the user may not log in; empty lets him in again"),
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
  setup: (args) => ({ users: [{ ...pickArguments(args, ...USER), login: textArgument(args, "login") }] }),
  after: (store, args) => {
    for (const group of listArgument(args, "leaves") ?? []) {
      store.run(LEAVE, [idByName(store, "group", group), textArgument(args, "login")]);
    }
    deriveGroupsOfUser(store, idByName(store, "user", textArgument(args, "login")));
  },
};

const USER = ["real_name", "groups", "blesses", "email_enabled", "disabled_text"];

const LEAVE = `DELETE FROM group_members
  WHERE group_id = ? AND user_id = (SELECT id FROM users WHERE login = ?) AND given_by = 'direct'`;

const group: ObjectKind = {
  noun: "group",
  about: "the groups of the tracker",
  keys: [requiredParameter("name", "the short name of the group")],
  parts: [
    optionalParameter("description", "text", "what the group is for"),
    optionalParameter("user_regexp", "text", "a pattern; users whose logins it fits are in the group"),
    optionalParameter("is_active", "yes-no", "whether bugs can be restricted to it"),
    optionalParameter("is_bug_group", "yes-no", "whether it is for bugs at all"),
    optionalParameter("icon_url", "text", "a small picture for its members"),
    optionalParameter("members", "list", "groups whose members are in this one too"),
    optionalParameter("blessed_by", "list", "groups whose members may change who is in this one"),
    optionalParameter(
      "visible_to",
      "list",
      "groups whose members see the members of this one (with usevisibilitygroups)",
    ),
    optionalParameter("without", "list", "groups that lose what members, blessed_by and visible_to gave them"),
  ],
  list: `SELECT name, description, is_bug_group, is_active, user_regexp,
    (SELECT count(*) FROM (SELECT DISTINCT user_id FROM group_members WHERE group_id = groups.id AND kind = 'member'))
      AS direct_members
    FROM groups ORDER BY is_bug_group, name`,
  find: "SELECT id FROM groups WHERE name = @name",
  remove: {
    uses: {
      "the tracker itself": `SELECT count(*) FROM (VALUES ${PERMISSION_GROUPS.map(([name]) => `('${name}')`).join(", ")})
        WHERE column1 = @name COLLATE NOCASE`,
      "bugs that it hides": "SELECT count(*) FROM bug_groups JOIN groups ON groups.id = group_id WHERE name = @name",
      products: "SELECT count(*) FROM group_controls JOIN groups ON groups.id = group_id WHERE name = @name",
      "flag types": `SELECT count(*) FROM flag_types
        WHERE (SELECT id FROM groups WHERE name = @name) IN (grant_group_id, request_group_id)`,
      parameters: "SELECT count(*) FROM parameters WHERE name LIKE '%group' AND value = @name COLLATE NOCASE",
    },
    statements: ["DELETE FROM groups WHERE name = @name"],
  },
  setup: (args) => ({ groups: [{ ...pickArguments(args, ...GROUP), name: textArgument(args, "name") }] }),
  after: (store, args) => {
    for (const other of listArgument(args, "without") ?? []) {
      store.run(EXCLUDE, [idByName(store, "group", textArgument(args, "name")), idByName(store, "group", other)]);
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
    isWrite: false,
    run: ({ store }) => store.all(KEYS),
  },
  {
    noun: "key",
    verb: "add",
    about: "Makes an API key for a user and shows it, this once.",
    parameters: [requiredParameter("login", "whose key"), optionalParameter("description", "text", "what it is for")],
    isWrite: true,
    run: ({ store, runtime }, args) => {
      const login = textArgument(args, "login");
      const request = {
        userId: idByName(store, "user", login),
        description: textArgument(args, "description"),
        random: runtime.random,
        now: `${runtime.now().toISOString().slice(0, 19)}Z`,
      };
      return { login, key: issueApiKey(store, request) };
    },
  },
  {
    noun: "key",
    verb: "revoke",
    about: "Makes an API key worthless.",
    parameters: [{ name: "id", kind: "number", about: "the number of the key, from the list", isRequired: true }],
    isWrite: true,
    run: ({ store }, args) => {
      const { changes } = store.run("UPDATE api_keys SET is_revoked = 1 WHERE id = ?", [Number(args["id"])]);
      return { revoked: changes };
    },
  },
];

const passwordOperation: AdminOperation = {
  noun: "user",
  verb: "password",
  about: "Sets a user's password, which is asked for, or read from standard input.",
  parameters: [requiredParameter("login", "whose password"), secretParameter("password", "the new password")],
  isWrite: true,
  run: ({ store, runtime }, args) => {
    const login = textArgument(args, "login");
    const userId = idByName(store, "user", login);
    setPassword(store, { userId, password: textArgument(args, "password"), salt: runtime.random(16) });
    store.run("DELETE FROM failed_logins WHERE user_id = ?", [userId]);
    return { login };
  },
};

/** Admin operations on users, API keys and groups. */
export const userOperations: readonly AdminOperation[] = [
  ...objectOperations(user),
  passwordOperation,
  ...keyOperations,
  ...objectOperations(group),
];

/** Admin operations on queued and sent mails. */
export const mailOperations: readonly AdminOperation[] = [
  {
    noun: "mail",
    verb: "list",
    about: "Lists the mails that changes of bugs have caused, the newest first; those without sent_time still wait.",
    parameters: [
      optionalParameter("to", "text", "only those to this login"),
      optionalParameter("bug", "number", "only those about this bug"),
    ],
    isWrite: false,
    run: ({ store }, { to, bug }) =>
      store.all(MAIL_LIST, { to: to === undefined ? null : String(to), bug: Number(bug ?? 0) }),
  },
  {
    noun: "mail",
    verb: "show",
    about: "Shows one mail as it reads.",
    parameters: [{ name: "id", kind: "number", about: "the number of the mail, from the list", isRequired: true }],
    isWrite: false,
    run: ({ store }, { id }) => {
      const mail = mailById(store, Number(id));
      if (!mail) throw new Fault(404, 51, `There is no mail ${id}.`);
      const { host: _, ...fields } = mail;
      return fields;
    },
    toText: (mail) => readableMailText(mail as Omit<OutboxMail, "host">),
  },
];

const MAIL_LIST = `
  SELECT outbox.id, time, users.login AS "to", bug_id, reasons, subject, sent_time
  FROM outbox JOIN users ON users.id = outbox.user_id
  WHERE (@to IS NULL OR users.login = @to) AND @bug IN (0, bug_id) ORDER BY outbox.id DESC`;
