import type { Json } from "../../wire/exchange.ts";
import { changeMembership, deriveGroupsOfUser } from "../groups/membership.ts";
import type { Call, Route } from "../http/call.ts";
import { Fault, faults } from "../http/fault.ts";
import { firstTextValue, isFlagSet, readIdsAndNames } from "../http/input.ts";
import { checkLoginName } from "./create.ts";
import { setPassword } from "./passwords.ts";
import { findPerson, requireGroup, userById } from "./requester.ts";

/**
 * Route of Update User, for members of `editusers`: one change for all users named.
 * @see https://bugzilla.readthedocs.io/en/5.2/api/core/v1/user.html#update-user
 */
export const userUpdateRoutes: readonly Route[] = [
  { method: "PUT", path: "/user/{id_or_name}", handle: (call) => updateUsers(call) },
];

function updateUsers(call: Call): Json {
  requireGroup(call, "editusers", "add, modify or delete users");
  checkParameters(call);
  const { ids, names } = readIdsAndNames(call);
  const all = [
    ...new Set([...ids.map((id) => existingUserId(call, id)), ...names.map((name) => findPerson(call, name).id)]),
  ];
  if (all.length > 1 && call.input["email"] !== undefined) {
    throw new Fault(400, 32000, "You cannot set the email when modifying several users at once.");
  }
  return { users: all.map((id) => ({ id, changes: updateUser(call, id) })) };
}

const PARAMETERS = new Set([
  ...["ids", "names", "full_name", "email", "password", "email_enabled", "login_denied_text", "groups", "bless_groups"],
  ...["callback", "restrict_login"],
]);
const CREDENTIALS = /^(Bugzilla_)?(api_key|token|login)$|^Bugzilla_password$/;

function checkParameters({ input }: Call): void {
  const unknown = Object.keys(input).find((name) => !PARAMETERS.has(name) && !CREDENTIALS.test(name));
  if (unknown !== undefined) {
    throw new Fault(400, 67399, `The requested method 'Bugzilla::User::set_${unknown}' was not found.`);
  }
}

function existingUserId({ store }: Call, text: string): number {
  const id = /^\d+$/.test(text) ? Number(text) : 0;
  if (!Number.isSafeInteger(id) || !userById(store, id)) throw faults.noSuchId("user", text);
  return id;
}

type Changes = Readonly<Record<string, { removed: string; added: string }>>;

function updateUser(call: Call, id: number): Changes {
  const changes = { ...changeColumns(call, id), ...changePassword(call, id) };
  deriveGroupsOfUser(call.store, id);
  return {
    ...changes,
    ...changeMembership(call, { userId: id, parameter: "groups", kind: "member" }),
    ...changeMembership(call, { userId: id, parameter: "bless_groups", kind: "bless" }),
  };
}

type Column = {
  parameter: string;
  read: string;
  write: string;
  check?: (call: Call, value: string, userId: number) => void;
};

const COLUMNS: readonly Column[] = [
  {
    parameter: "full_name",
    read: "SELECT real_name AS value FROM users WHERE id = ?",
    write: "UPDATE users SET real_name = ? WHERE id = ?",
  },
  {
    parameter: "email",
    read: "SELECT login AS value FROM users WHERE id = ?",
    write: "UPDATE users SET login = ? WHERE id = ?",
    check: checkLoginName,
  },
  {
    parameter: "login_denied_text",
    read: "SELECT disabled_text AS value FROM users WHERE id = ?",
    write: "UPDATE users SET disabled_text = ? WHERE id = ?",
  },
];

function changeColumns(call: Call, id: number): Changes {
  const { store, input } = call;
  const changes: [string, { removed: string; added: string }][] = [];
  for (const { parameter, read, write, check } of COLUMNS) {
    const added = firstTextValue(input, parameter)?.trim();
    const removed = String(store.get(read, [id])?.["value"] ?? "");
    if (added !== undefined && added !== removed) {
      check?.(call, added, id);
      store.run(write, [added, id]);
      changes.push([parameter, { removed, added }]);
    }
  }
  return Object.fromEntries([...changes, ...enabledChange(changes), ...mailChange(store, input, id)]);
}

function changePassword({ store, input, runtime }: Call, userId: number): Changes {
  const password = firstTextValue(input, "password");
  if (password === undefined) return {};
  setPassword(store, { userId, password, salt: runtime.random(16) });
  return { cryptpassword: { removed: "", added: "hashed_with_scrypt" } };
}

type ChangeEntries = [string, { removed: string; added: string }][];

// Setting `login_denied_text` disables the account, clearing it enables it. @see Bugzilla/User.pm, set_disabledtext
function enabledChange(changes: ChangeEntries): ChangeEntries {
  return changes
    .filter(([name, { removed, added }]) => name === "login_denied_text" && (removed === "") !== (added === ""))
    .map(([, { removed, added }]) => ["is_enabled", { removed: isEnabled(removed), added: isEnabled(added) }]);
}

function isEnabled(reason: string): string {
  return reason === "" ? "1" : "0";
}

// The request has `email_enabled`, the reported change its inverse, `disable_mail`.
function mailChange(store: Call["store"], input: Call["input"], id: number): ChangeEntries {
  store.run("UPDATE users SET is_enabled = (disabled_text = '') WHERE id = ?", [id]);
  const before = Number(store.get("SELECT email_enabled AS value FROM users WHERE id = ?", [id])?.["value"]);
  const after = isFlagSet(input, "email_enabled") ? 1 : 0;
  if (input["email_enabled"] === undefined || after === before) return [];
  store.run("UPDATE users SET email_enabled = ? WHERE id = ?", [after, id]);
  return [["disable_mail", { removed: String(1 - before), added: String(1 - after) }]];
}
