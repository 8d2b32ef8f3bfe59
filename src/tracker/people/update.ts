import type { Json, JsonObject } from "../../wire/exchange.ts";
import type { Call, Route } from "../call.ts";
import { faults } from "../fault.ts";
import { deriveGroupsOfUser } from "../groups/derive.ts";
import { firstText, idsAndNames, isGiven, texts } from "../input.ts";
import { idOf } from "../setup/lookup.ts";
import { userById } from "./requester.ts";
import { needGroup } from "./rights.ts";

/** Changing accounts and who is in which group, for those who edit users. */
export const userUpdateRoutes: readonly Route[] = [
  { method: "PUT", path: "/user/{id_or_name}", handle: (call) => updateUsers(call) },
];

function updateUsers(call: Call): Json {
  needGroup(call, "editusers", "add, modify or delete users");
  const { ids, names } = idsAndNames(call);
  const all = [...ids.map(Number), ...names.map((name) => idOf(call.store, "user", name))];
  return { users: [...new Set(all)].map((id) => ({ id, changes: updateUser(call, id) })) };
}

type Changes = Readonly<Record<string, { readonly removed: string; readonly added: string }>>;

function updateUser(call: Call, id: number): Changes {
  if (!userById(call.store, id)) throw faults.noSuchId("user", String(id));
  const changed = changeColumns(call, id);
  deriveGroupsOfUser(call.store, id);
  return {
    ...changed,
    ...changeGroups(call, { userId: id, parameter: "groups", kind: "member" }),
    ...changeGroups(call, { userId: id, parameter: "bless_groups", kind: "bless" }),
  };
}

type Column = { readonly parameter: string; readonly read: string; readonly write: string };

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
  },
  {
    parameter: "login_denied_text",
    read: "SELECT disabled_text AS value FROM users WHERE id = ?",
    write: "UPDATE users SET disabled_text = ? WHERE id = ?",
  },
];

function changeColumns({ store, input }: Call, id: number): Changes {
  const changes: [string, { readonly removed: string; readonly added: string }][] = [];
  for (const { parameter, read, write } of COLUMNS) {
    const added = firstText(input, parameter);
    const removed = String(store.get(read, [id])?.["value"] ?? "");
    if (added !== undefined && added !== removed) {
      store.run(write, [added, id]);
      changes.push([parameter, { removed, added }]);
    }
  }
  return Object.fromEntries([...changes, ...switchChanges(changes), ...mailChange({ store, input }, id)]);
}

type Changed = readonly (readonly [string, { readonly removed: string; readonly added: string }])[];

// A reason to be barred bars, no reason admits again.
function switchChanges(changes: Changed): Changed {
  return changes
    .filter(([name, { removed, added }]) => name === "login_denied_text" && (removed === "") !== (added === ""))
    .map(([, { removed, added }]) => ["is_enabled", { removed: enabled(removed), added: enabled(added) }]);
}

function enabled(reason: string): string {
  return reason === "" ? "1" : "0";
}

function mailChange({ store, input }: Pick<Call, "store" | "input">, id: number): Changed {
  store.run("UPDATE users SET is_enabled = (disabled_text = '') WHERE id = ?", [id]);
  const removed = String(store.get("SELECT email_enabled AS value FROM users WHERE id = ?", [id])?.["value"]);
  const added = isGiven(input, "email_enabled") ? "1" : "0";
  if (input["email_enabled"] === undefined || added === removed) return [];
  store.run("UPDATE users SET email_enabled = ? WHERE id = ?", [Number(added), id]);
  return [["email_enabled", { removed, added }]];
}

type Membership = { readonly userId: number; readonly parameter: string; readonly kind: "member" | "bless" };

function changeGroups({ store, input }: Call, { userId, parameter, kind }: Membership): Changes {
  const wanted = input[parameter];
  if (wanted === undefined || wanted === null || typeof wanted !== "object" || Array.isArray(wanted)) return {};
  const change = (list: "add" | "remove", sql: string) =>
    texts(wanted as JsonObject, list).filter(
      (group) => store.run(sql, [idOf(store, "group", group), userId, kind]).changes > 0,
    );
  const removed = change("remove", "DELETE FROM group_members WHERE group_id = ? AND user_id = ? AND kind = ?");
  const added = change("add", "INSERT OR IGNORE INTO group_members (group_id, user_id, kind) VALUES (?, ?, ?)");
  return added.length + removed.length === 0
    ? {}
    : { [parameter]: { removed: removed.join(", "), added: added.join(", ") } };
}
