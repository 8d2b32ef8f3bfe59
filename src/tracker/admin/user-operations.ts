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
  keys: [requiredParameter("login", "login, usually an email address")],
  parts: [
    optionalParameter("real_name", "text", "display name"),
    optionalParameter("groups", "list", "groups to add"),
    optionalParameter("blesses", "list", "groups whose members the user may edit"),
    optionalParameter("leaves", "list", "groups to remove"),
    optionalParameter("email_enabled", "yes-no", "send mail to the user"),
    optionalParameter("disabled_text", "text", "reason for blocking the login; empty unblocks it"),
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
  keys: [requiredParameter("name", "name of the group")],
  parts: [
    optionalParameter("description", "text", "description"),
    optionalParameter("user_regexp", "text", "regular expression; users with a matching login are members"),
    optionalParameter("is_active", "yes-no", "allow restricting bugs to it"),
    optionalParameter("is_bug_group", "yes-no", "make it a bug group"),
    optionalParameter("icon_url", "text", "URL of an icon for its members"),
    optionalParameter("members", "list", "groups whose members are also members of this one"),
    optionalParameter("blessed_by", "list", "groups whose members may edit the membership of this one"),
    optionalParameter("visible_to", "list", "groups that can see the members of this one (with usevisibilitygroups)"),
    optionalParameter("without", "list", "groups to remove from members, blessed_by and visible_to"),
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
      "bugs restricted to it": "SELECT count(*) FROM bug_groups JOIN groups ON groups.id = group_id WHERE name = @name",
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
    about: "List the API keys with user and description; the keys themselves are not stored.",
    parameters: [],
    isWrite: false,
    run: ({ store }) => store.all(KEYS),
  },
  {
    noun: "key",
    verb: "add",
    about: "Create an API key for a user, and print it once.",
    parameters: [
      requiredParameter("login", "login of the user"),
      optionalParameter("description", "text", "description"),
    ],
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
    about: "Revoke an API key.",
    parameters: [{ name: "id", kind: "number", about: "id of the key, from the list", isRequired: true }],
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
  about: "Set a user's password, read from a prompt or stdin.",
  parameters: [requiredParameter("login", "login of the user"), secretParameter("password", "new password")],
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
    about: "List mail sent about bug changes, newest first; mail without sent_time is pending.",
    parameters: [
      optionalParameter("to", "text", "only mail to this login"),
      optionalParameter("bug", "number", "only mail about this bug"),
    ],
    isWrite: false,
    run: ({ store }, { to, bug }) =>
      store.all(MAIL_LIST, { to: to === undefined ? null : String(to), bug: Number(bug ?? 0) }),
  },
  {
    noun: "mail",
    verb: "show",
    about: "Show one mail.",
    parameters: [{ name: "id", kind: "number", about: "id of the mail, from the list", isRequired: true }],
    isWrite: false,
    run: ({ store }, { id }) => {
      const mail = mailById(store, Number(id));
      if (!mail) throw new Fault(404, 51, `No such mail: ${id}.`);
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
