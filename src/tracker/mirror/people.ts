import type { JsonObject } from "../../wire/exchange.ts";
import { PERSON_COLUMNS } from "../fields.ts";
import { DEFAULT_PERSON_COLUMNS } from "../products/default-people.ts";
import type { Store } from "../store/store.ts";
import { userByLogin } from "../users/requester.ts";
import { textOf, wholeOf } from "./received.ts";

type Account = { readonly userId: number; readonly serverId: number | null };

/**
 * Ids of users by login, as a mirror keeps them: a login that is new gets an id of this file until the server's is
 * received. A user who was renamed on the server is renamed here.
 */
export function mirrorPeople(store: Store, isAnonymous: boolean): (login: string, detail?: JsonObject) => number {
  const byLogin = new Map<string, number>();
  const told = new Map<string, number>(); // ids by details that were stored already
  const byName = (login: string, isShortened: boolean) => {
    const id = byLogin.get(login) ?? idOfLogin(store, login, isShortened);
    byLogin.set(login, id);
    return id;
  };
  return (login, detail) => {
    const isShortened = isAnonymous && !login.includes("@");
    if (isShortened || detail === undefined) return byName(login, isShortened);
    const key = JSON.stringify([login, detail["id"], detail["real_name"]]);
    const known = told.get(key);
    if (known !== undefined) return known;
    const id = idOfAccount(store, detail);
    if (byLogin.get(login) !== id) byLogin.clear(); // others may have been renamed
    told.set(key, id);
    byLogin.set(login, id);
    return id;
  };
}

function idOfLogin(store: Store, login: string, isShortened: boolean): number {
  const user = userByLogin(store, login);
  if (user) return user.id;
  const { id } = store.run("INSERT INTO users (login) VALUES (?)", [login]);
  store.run("INSERT INTO mirror_users (user_id, is_shortened) VALUES (?, ?)", [id, Number(isShortened)]);
  return id;
}

/** Id of the account of a detail; the server's id decides, since logins change. */
function idOfAccount(store: Store, detail: JsonObject): number {
  const serverId = wholeOf(detail["id"]) || null;
  const login = textOf(detail["name"]);
  const account = store.get<Account>(BY_SERVER_ID, [serverId]);
  const named = store.get<Account>(BY_LOGIN, [login]);
  const id = account?.userId ?? adopted(store, { serverId, login, named });
  if (named && named.userId !== id) clearLogin(store, named, id);
  const before = store.get<{ readonly login: string; readonly name: string }>(NAMES, [id]);
  const after = { login, name: textOf(detail["real_name"]) };
  for (const key of ["login", "name"] as const) {
    if (before && before[key] !== after[key] && before[key] !== "") markStaleRests(store, before[key]);
  }
  if (before?.login !== after.login || before.name !== after.name) {
    store.run("UPDATE users SET login = @login, real_name = @name WHERE id = @id", { id, ...after });
  }
  return id;
}

const NAMES = "SELECT login, real_name AS name FROM users WHERE id = ?";

/** Makes bugs stale that have a name in a text as it was received, where it cannot be renamed. */
function markStaleRests(store: Store, name: string): void {
  store.run(STALE_RESTS, { name: JSON.stringify(name) });
}

const STALE_RESTS = `UPDATE mirror_bugs SET last_change_time = '' WHERE bug_id IN (
  SELECT id FROM mirror_rest WHERE kind IN ('bug', 'history') AND instr(rest, @name)
  UNION SELECT bug_id FROM comments JOIN mirror_rest ON mirror_rest.id = comments.id
    WHERE mirror_rest.kind = 'comment' AND instr(rest, @name)
  UNION SELECT bug_id FROM attachments JOIN mirror_rest ON mirror_rest.id = attachments.id
    WHERE mirror_rest.kind = 'attachment' AND instr(rest, @name))`;

const BY_SERVER_ID = `SELECT users.id AS userId, server_id AS serverId FROM mirror_users
  JOIN users ON users.id = mirror_users.user_id WHERE server_id = ?`;
const BY_LOGIN = `SELECT users.id AS userId, server_id AS serverId FROM users
  LEFT JOIN mirror_users ON mirror_users.user_id = users.id WHERE login = ?`;

type NewAccount = Pick<Account, "serverId"> & { readonly login: string; readonly named: Account | undefined };

/** The user of this login, who gets the server's id, or a new one. */
function adopted(store: Store, { serverId, login, named }: NewAccount): number {
  if (named && named.serverId === null) {
    store.run("INSERT OR REPLACE INTO mirror_users (user_id, server_id) VALUES (?, ?)", [named.userId, serverId]);
    return named.userId;
  }
  if (named) setAside(store, named);
  const { id } = store.run("INSERT INTO users (id, login) VALUES (?, ?)", [serverId, login]);
  store.run("INSERT OR REPLACE INTO mirror_users (user_id, server_id) VALUES (?, ?)", [id, serverId]);
  return id;
}

/** Takes a login from the user who has it: the same person under an id of this file, or one renamed meanwhile. */
function clearLogin(store: Store, named: Account, id: number): void {
  if (named.serverId !== null) {
    setAside(store, named);
    return;
  }
  for (const [table, column] of REFERENCES) {
    store.run(`UPDATE OR REPLACE ${table} SET ${column} = ? WHERE ${column} = ?`, [id, named.userId]);
  }
  store.run("DELETE FROM mirror_users WHERE user_id = ?", [named.userId]);
  store.run("DELETE FROM users WHERE id = ?", [named.userId]);
}

/** Another account has the login now; what this one is called will be received with its bugs. */
function setAside(store: Store, { userId, serverId }: Account): void {
  store.run("UPDATE users SET login = ? WHERE id = ?", [`(user ${serverId ?? userId})`, userId]);
}

const REFERENCES = [
  ...PERSON_COLUMNS.map((column) => ["bugs", column] as const),
  ["bug_cc", "user_id"],
  ["comments", "creator_id"],
  ["attachments", "creator_id"],
  ["flags", "setter_id"],
  ["flags", "requestee_id"],
  ["activity", "user_id"],
  ...DEFAULT_PERSON_COLUMNS.map(({ column }) => ["components", column] as const),
] as const;
