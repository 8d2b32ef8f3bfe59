import type { JsonObject } from "../../wire/exchange.ts";
import { PERSON_COLUMNS } from "../fields.ts";
import { userByLogin } from "../http/requester.ts";
import { DEFAULT_PERSON_COLUMNS } from "../setup/default-people.ts";
import type { Store } from "../store/store.ts";
import { receivedInteger, receivedText } from "./received.ts";

/** Ids of the named things that bugs refer to; inserts what is missing, inactive: the metadata does not list it. */
export type Registry = {
  registerPerson: (login: string, detail?: JsonObject) => number;
  registerProduct: (name: string, classification: string) => number;
  registerComponent: (productId: number, name: string, owner: number) => number;
  registerKeyword: (name: string) => number;
  registerGroup: (name: string) => number;
  registerFlagType: (flag: JsonObject, target: "bug" | "attachment") => number;
};

/**
 * A registry over the tables of a mirror; ids are remembered, so it is used within one transaction. An anonymous login
 * may see logins without what follows their @.
 */
export function openRegistry(store: Store, { isAnonymous }: { isAnonymous: boolean }): Registry {
  const known = new Map<string, number>();
  const idOf = (key: string, find: () => number): number => {
    const id = known.get(key) ?? find();
    known.set(key, id);
    return id;
  };
  const classification = (name: string) =>
    idOf(
      `classification ${name}`,
      () => findId(store, "classifications", name) ?? insertNamed(store, "classifications", name),
    );
  return {
    registerPerson: peopleRegistry(store, isAnonymous),
    registerProduct: (name, of) =>
      idOf(`product ${name}`, () => {
        const found = findId(store, "products", name);
        if (found !== undefined) return found;
        const { id } = store.run(INSERT_PRODUCT, [name, classification(of || "Unclassified")]);
        hideProducts(store, [id]);
        return id;
      }),
    registerComponent: (productId, name, owner) =>
      idOf(`component ${productId} ${name}`, () => {
        const found = store.get<{ id: number }>(COMPONENT, [productId, name])?.id;
        return found ?? store.run(INSERT_COMPONENT, [productId, name, owner]).id;
      }),
    registerKeyword: (name) =>
      idOf(`keyword ${name}`, () => findId(store, "keywords", name) ?? insertNamed(store, "keywords", name)),
    registerGroup: (name) =>
      idOf(`group ${name}`, () => findId(store, "groups", name) ?? store.run(INSERT_GROUP, [name]).id),
    registerFlagType: (flag, target) => registerFlagType(store, flag, target),
  };
}

type NamedTable = "classifications" | "products" | "keywords" | "groups";

function findId(store: Store, table: NamedTable, name: string): number | undefined {
  return store.get<{ id: number }>(`SELECT id FROM ${table} WHERE name = ?`, [name])?.id;
}

function insertNamed(store: Store, table: "classifications" | "keywords", name: string): number {
  return store.run(`INSERT INTO ${table} (name) VALUES (?)`, [name]).id;
}

const COMPONENT = "SELECT id FROM components WHERE product_id = ? AND name = ?";
const INSERT_PRODUCT = "INSERT INTO products (name, classification_id, is_active) VALUES (?, ?, 0)";
const INSERT_COMPONENT =
  "INSERT INTO components (product_id, name, default_assignee_id, is_active) VALUES (?, ?, ?, 0)";
const INSERT_GROUP = "INSERT INTO groups (name, description, is_active) VALUES (?, '', 0)";

/** Hides products from lists of products: the tracker does not list them. */
export function hideProducts(store: Store, ids: number[]): void {
  store.run(HIDE, [JSON.stringify(ids)]);
}

// Group 0 has no members.
const HIDE = `INSERT OR REPLACE INTO group_controls (product_id, group_id, entry, member_control)
  SELECT value, 0, 1, 3 FROM json_each(?)`;

function registerFlagType(store: Store, flag: JsonObject, target: "bug" | "attachment"): number {
  const id = receivedInteger(flag["type_id"]);
  const name = receivedText(flag["name"]);
  const found = store.get<{ name: string }>("SELECT name FROM flag_types WHERE id = ?", [id]);
  if (!found) store.run("INSERT INTO flag_types (id, name, target, is_active) VALUES (?, ?, ?, 0)", [id, name, target]);
  else if (found.name !== name) store.run("UPDATE flag_types SET name = ? WHERE id = ?", [name, id]);
  return id;
}

type Account = { userId: number; serverId: number | null };

/**
 * Ids of users by login: a login that is new gets an id of this file until the server's is received. A user who was renamed
 * on the server is renamed here, and the bugs that have the old name become stale.
 */
function peopleRegistry(store: Store, isAnonymous: boolean): Registry["registerPerson"] {
  const byLogin = new Map<string, number>();
  const seen = new Map<string, number>(); // ids by details that were stored already
  const byName = (login: string, isShortened: boolean) => {
    const id = byLogin.get(login) ?? registerLogin(store, login, isShortened);
    byLogin.set(login, id);
    return id;
  };
  return (login, detail) => {
    const isShortened = isAnonymous && !login.includes("@");
    if (isShortened || detail === undefined) return byName(login, isShortened);
    const key = JSON.stringify([login, detail["id"], detail["real_name"]]);
    const known = seen.get(key);
    if (known !== undefined) return known;
    const id = registerAccount(store, detail);
    if (byLogin.get(login) !== id) byLogin.clear(); // others may have been renamed
    seen.set(key, id);
    byLogin.set(login, id);
    return id;
  };
}

function registerLogin(store: Store, login: string, isShortened: boolean): number {
  const user = userByLogin(store, login);
  if (user) return user.id;
  const { id } = store.run("INSERT INTO users (login) VALUES (?)", [login]);
  store.run("INSERT INTO mirror_users (user_id, is_shortened) VALUES (?, ?)", [id, Number(isShortened)]);
  return id;
}

/** Id of the account of a detail; the server's id decides, since logins change. */
function registerAccount(store: Store, detail: JsonObject): number {
  const serverId = receivedInteger(detail["id"]) || null;
  const login = receivedText(detail["name"]);
  const account = store.get<Account>(BY_SERVER_ID, [serverId]);
  const named = store.get<Account>(BY_LOGIN, [login]);
  const id = account?.userId ?? adoptLogin(store, { serverId, login, named });
  if (named && named.userId !== id) clearLogin(store, named, id);
  const before = store.get<{ login: string; name: string }>(NAMES, [id]);
  const name = detail["real_name"] === undefined ? (before?.name ?? "") : receivedText(detail["real_name"]);
  if (before?.login === login && before.name === name) return id;
  if (account) markBugsStale(store, id, before?.login === login ? WITH_DETAILS : WITH_LOGIN);
  store.run("UPDATE users SET login = @login, real_name = @name WHERE id = @id", { id, login, name });
  return id;
}

const NAMES = "SELECT login, real_name AS name FROM users WHERE id = ?";

/** Tables and columns with the users whose details a bug shows. */
const WITH_DETAILS = [
  ...PERSON_COLUMNS.map((column) => ["bugs", column, "id"] as const),
  ["bug_cc", "user_id", "bug_id"],
] as const;

/** Tables and columns with the users whose logins a bug or a part of it shows. */
const WITH_LOGIN = [
  ...WITH_DETAILS,
  ["comments", "creator_id", "bug_id"],
  ["attachments", "creator_id", "bug_id"],
  ["flags", "setter_id", "bug_id"],
  ["flags", "requestee_id", "bug_id"],
  ["activity", "user_id", "bug_id"],
] as const;

/** Makes the bugs stale that show a user. */
function markBugsStale(store: Store, id: number, places: typeof WITH_LOGIN | typeof WITH_DETAILS): void {
  const bugs = places.map(([table, column, bug]) => `SELECT ${bug} FROM ${table} WHERE ${column} = @id`);
  store.run(`UPDATE mirror_bugs SET last_change_time = '' WHERE bug_id IN (${bugs.join(" UNION ")})`, { id });
}

const BY_SERVER_ID = `SELECT users.id AS userId, server_id AS serverId FROM mirror_users
  JOIN users ON users.id = mirror_users.user_id WHERE server_id = ?`;
const BY_LOGIN = `SELECT users.id AS userId, server_id AS serverId FROM users
  LEFT JOIN mirror_users ON mirror_users.user_id = users.id WHERE login = ?`;

type NewAccount = { serverId: number | null; login: string; named: Account | undefined };

/** The user of this login, who gets the server's id, or a new one. */
function adoptLogin(store: Store, { serverId, login, named }: NewAccount): number {
  if (named && named.serverId === null) {
    store.run("INSERT OR REPLACE INTO mirror_users (user_id, server_id) VALUES (?, ?)", [named.userId, serverId]);
    return named.userId;
  }
  if (named) replaceLogin(store, named);
  const { id } = store.run("INSERT INTO users (id, login) VALUES (?, ?)", [serverId, login]);
  store.run("INSERT OR REPLACE INTO mirror_users (user_id, server_id) VALUES (?, ?)", [id, serverId]);
  return id;
}

/** Takes a login from the user who has it: the same person under an id of this file, or one renamed meanwhile. */
function clearLogin(store: Store, named: Account, id: number): void {
  if (named.serverId !== null) {
    replaceLogin(store, named);
    return;
  }
  for (const [table, column] of REFERENCES) {
    store.run(`UPDATE OR REPLACE ${table} SET ${column} = ? WHERE ${column} = ?`, [id, named.userId]);
  }
  store.run("DELETE FROM mirror_users WHERE user_id = ?", [named.userId]);
  store.run("DELETE FROM users WHERE id = ?", [named.userId]);
}

/** Another account has the login now; what this one is called will be received with its bugs. */
function replaceLogin(store: Store, { userId, serverId }: Account): void {
  markBugsStale(store, userId, WITH_LOGIN);
  store.run("UPDATE users SET login = ? WHERE id = ?", [`(user ${serverId ?? userId})`, userId]);
}

const REFERENCES = [...WITH_LOGIN, ...DEFAULT_PERSON_COLUMNS.map(({ column }) => ["components", column] as const)];
