import { BtError, usageError } from "../errors.ts";
import type { Json, JsonObject } from "../wire/exchange.ts";
import { isObject, itemsIn, objectsIn } from "../wire/json.ts";
import { type Catalog, isPersonField } from "./catalog/catalog.ts";
import { unlessNotOffered } from "./facts.ts";
import { hasIgnoringCase, inChunks, partition } from "./lists.ts";
import { suggestNames } from "./nearest.ts";
import { type Operation, requestFor, type SendRequest } from "./operations/operation.ts";
import { GET_GROUP, GET_PRODUCTS, GET_USERS } from "./operations/tracker.ts";
import { unknownLoginError } from "./people.ts";
import { conjunctsOf, type Leaf, leavesOf, type Query } from "./query/tree.ts";
import { hasCode } from "./response/response.ts";

/**
 * Conditions of a query by what an unknown login, group or flag in them does: `alone` finds no bugs,
 * `mixed` (negated, or beside alternatives) finds more or fewer bugs than meant.
 */
export function leavesByNames(query: Query): { readonly alone: readonly Leaf[]; readonly mixed: readonly Leaf[] } {
  const required = new Set<unknown>(conjunctsOf(query));
  const isAlone = (leaf: Leaf) =>
    required.has(leaf) && (leaf.kind !== "test" || new Set(leaf.values.map(bareFlag)).size <= 1);
  const [alone, mixed] = partition(leavesOf(query), isAlone);
  return { alone, mixed };
}

/**
 * Checks the logins, groups and flags of conditions, since trackers ignore unknown ones.
 * @throws BtError of kind usage for a name that does not exist
 */
export async function checkNames(leaves: readonly Leaf[], send: SendRequest): Promise<void> {
  const names = leaves.map(namesIn);
  for (const error of await nameErrors(names, send)) if (error) throw error;
  const flags = names.flatMap((some) => some.flags ?? []).map(bareFlag);
  const types = flags.length > 0 ? await readFlagTypeNames(send) : [];
  const flag = types.length > 0 ? flags.find((name) => !hasIgnoringCase(types, name)) : undefined;
  if (flag !== undefined) throw usageError(`unknown flag "${flag}"`, suggestNames(flag, types));
}

type Names = { readonly [Kind in "logins" | "groups" | "flags"]?: readonly string[] };

/** The names in a condition, flags with their statuses. */
function namesIn(leaf: Leaf): Names {
  if (leaf.kind === "flag") return { flags: [leaf.name], logins: givenLogins(leaf.requestee, leaf.setter) };
  const isPersonal = isPersonField(leaf.field);
  if (leaf.kind === "change")
    return { logins: isPersonal ? givenLogins(leaf.by, leaf.from, leaf.to) : givenLogins(leaf.by) };
  if (leaf.op !== "=") return {};
  if (isPersonal) return { logins: leaf.values };
  const kinds: Readonly<Record<string, keyof Names>> = { bug_group: "groups", "flagtypes.name": "flags" };
  const kind = kinds[leaf.field.chart];
  return kind ? { [kind]: leaf.values } : {};
}

function givenLogins(...logins: (string | undefined)[]): string[] {
  return logins.filter((login) => login !== undefined);
}

/** A flag without its status. */
export function bareFlag(name: string): string {
  return name.replace(/[?+-]$/, "");
}

/** @throws BtError of kind usage for a login that does not exist */
export async function checkLogins(logins: readonly string[], send: SendRequest): Promise<void> {
  const [error] = await nameErrors([{ logins }], send);
  if (error) throw error;
}

/**
 * Checks the people in the body of a write who are not given by an address, before it is sent.
 * @throws BtError of kind usage for a login that does not exist
 */
export function checkPeople(body: JsonObject, catalog: Catalog, send: SendRequest): Promise<void> {
  const words = peopleIn(body, catalog).filter((login) => !login.includes("@"));
  return checkLogins(words, send);
}

/** The error of each body that names an unknown login or group; each name is looked up once. */
export function findUnknownNames(bodies: readonly JsonObject[], catalog: Catalog, send: SendRequest) {
  const names = bodies.map((body) => ({
    logins: peopleIn(body, catalog),
    groups: textsIn(isObject(body["groups"]) ? body["groups"]["add"] : body["groups"]),
  }));
  return nameErrors(names, send);
}

/** The error of each item with a login or group that does not exist. */
async function nameErrors(items: readonly Names[], send: SendRequest): Promise<(BtError | undefined)[]> {
  const logins = items.flatMap((item) => item.logins ?? []);
  const groups = items.flatMap((item) => item.groups ?? []);
  const unknownLogins = await findUnknown(GET_USERS, logins, send);
  const unknownGroups = await findUnknown(GET_GROUP, groups, send);
  const loginErrors = new Map<string, BtError>();
  for (const login of unknownLogins) loginErrors.set(login, await unknownLoginError(login, send));
  return items.map((item) => {
    const login = item.logins?.find((name) => loginErrors.has(name));
    if (login !== undefined) return loginErrors.get(login);
    const group = item.groups?.find((name) => unknownGroups.includes(name));
    return group === undefined ? undefined : usageError(`unknown group "${group}"`);
  });
}

/** Users or groups that do not exist; pronouns such as %user% are no names. */
async function findUnknown(operation: Operation, names: readonly string[], send: SendRequest): Promise<string[]> {
  const given = [...new Set(names)].filter((name) => !/^%|^$/.test(name));
  const unknown: string[] = [];
  for (const some of inChunks(given, MAX_AT_ONCE)) {
    if (await mayExist(operation, some, send)) continue;
    for (const name of some) if (some.length === 1 || !(await mayExist(operation, [name], send))) unknown.push(name);
  }
  return unknown;
}

const MAX_AT_ONCE = 50; // names, which fit the length of an address

/** False if one of the names does not exist, for which Bugzilla refuses all. */
async function mayExist(operation: Operation, names: readonly string[], send: SendRequest): Promise<boolean> {
  try {
    await send(requestFor(operation, { names, include_fields: "id,name" }));
    return true;
  } catch (error) {
    if (!(error instanceof BtError)) throw error;
    return !hasCode(error, "object_does_not_exist"); // others: the tracker does not tell
  }
}

/** Logins in the person fields and the flags of a body. */
function peopleIn(body: JsonObject, catalog: Catalog): string[] {
  const people = catalog.fields.filter(isPersonField).map(({ api }) => body[api]);
  const requestees = itemsIn(body["flags"]).map((flag) => (isObject(flag) ? flag["requestee"] : undefined));
  return [...people, ...requestees].flatMap(textsIn);
}

/** All texts in a value, its lists and its members. */
function textsIn(value: Json | undefined): string[] {
  if (typeof value === "string") return [value];
  return value !== null && typeof value === "object" ? Object.values(value).flatMap(textsIn) : [];
}

/** Names of all flag types in visible products that the tracker lists. */
async function readFlagTypeNames(send: SendRequest): Promise<string[]> {
  const request = requestFor(GET_PRODUCTS, { type: "accessible", include_fields: "components.flag_types" });
  const { products } = Object(await unlessNotOffered(send(request)));
  const components = objectsIn(products).flatMap((product) => objectsIn(product["components"]));
  const types = components.flatMap(({ flag_types: lists }) =>
    Object.values(Object(lists) as JsonObject).flatMap(objectsIn),
  );
  return types.flatMap(({ name }) => (typeof name === "string" ? name : []));
}
