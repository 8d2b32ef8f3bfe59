import { BtError, usageError } from "../errors.ts";
import type { Json, JsonObject } from "../wire/exchange.ts";
import { isObject, itemsIn, objectsIn } from "../wire/json.ts";
import { type Catalog, isPersonField } from "./catalog/catalog.ts";
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
    required.has(leaf) && (leaf.kind !== "test" || new Set(flagsIn(leaf) ?? leaf.values).size <= 1);
  const [alone, mixed] = partition(leavesOf(query), isAlone);
  return { alone, mixed };
}

/**
 * Checks the logins, groups and flags of conditions, since trackers ignore unknown ones.
 * @throws BtError of kind usage for a name that does not exist
 */
export async function checkNames(leaves: readonly Leaf[], send: SendRequest): Promise<void> {
  await checkLogins(leaves.flatMap(loginsIn), send);
  const [group] = await findUnknown(GET_GROUP, leaves.flatMap(groupsIn), send);
  if (group !== undefined) throw unknownGroupError(group);
  const flags = leaves.flatMap((leaf) => flagsIn(leaf) ?? []);
  const known = flags.length > 0 ? await readFlagTypeNames(send) : [];
  const flag = known.length > 0 ? flags.find((name) => !hasIgnoringCase(known, name)) : undefined;
  if (flag !== undefined) throw usageError(`unknown flag "${flag}"`, suggestNames(flag, known));
}

/** @throws BtError of kind usage for a login that does not exist */
export async function checkLogins(logins: readonly string[], send: SendRequest): Promise<void> {
  const [login] = await findUnknown(GET_USERS, logins, send);
  if (login !== undefined) throw await unknownLoginError(login, send);
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
export async function findUnknownNames(
  bodies: readonly JsonObject[],
  catalog: Catalog,
  send: SendRequest,
): Promise<(BtError | undefined)[]> {
  const people = bodies.map((body) => peopleIn(body, catalog));
  const groups = bodies.map(({ groups: given }) => textsIn(isObject(given) ? given["add"] : given));
  const unknownPeople = await findUnknown(GET_USERS, people.flat(), send);
  const unknownGroups = await findUnknown(GET_GROUP, groups.flat(), send);
  const errors = new Map<string, BtError>();
  for (const login of unknownPeople) errors.set(login, await unknownLoginError(login, send));
  return bodies.map((_, at) => {
    const login = people[at]?.find((name) => unknownPeople.includes(name));
    const group = groups[at]?.find((name) => unknownGroups.includes(name));
    if (login !== undefined) return errors.get(login);
    return group === undefined ? undefined : unknownGroupError(group);
  });
}

function unknownGroupError(name: string): BtError {
  return usageError(`unknown group "${name}"`);
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
    await send(requestFor(operation, { names, ...ONLY_NAMES }));
    return true;
  } catch (error) {
    if (!(error instanceof BtError)) throw error;
    return !hasCode(error, "object_does_not_exist"); // others: the tracker does not tell
  }
}

const ONLY_NAMES = { include_fields: "id,name" };

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

function groupsIn(leaf: Leaf): readonly string[] {
  return leaf.kind === "test" && leaf.field.chart === "bug_group" && leaf.op === "=" ? leaf.values : [];
}

/** Names of flags without their statuses; undefined for a condition that is not about flags. */
function flagsIn(leaf: Leaf): readonly string[] | undefined {
  if (leaf.kind !== "flag" && (leaf.kind === "change" || leaf.field.chart !== "flagtypes.name")) return undefined;
  const values = leaf.kind === "test" && leaf.op === "=" ? leaf.values : [];
  return (leaf.kind === "flag" ? [leaf.name] : values).map((name) => name.replace(/[?+-]$/, ""));
}

function loginsIn(leaf: Leaf): readonly string[] {
  if (leaf.kind === "flag") return [leaf.requestee, leaf.setter].filter((login) => login !== undefined);
  const isPersonal = isPersonField(leaf.field);
  if (leaf.kind === "test") return isPersonal && leaf.op === "=" ? leaf.values : [];
  const { from, to, by } = leaf;
  return [by, ...(isPersonal ? [from, to] : [])].filter((login) => login !== undefined);
}

/** Names of all flag types in visible products that the tracker lists. */
async function readFlagTypeNames(send: SendRequest): Promise<string[]> {
  const request = requestFor(GET_PRODUCTS, { type: "accessible", include_fields: "components.flag_types" });
  const ofComponent = ({ flag_types: types }: JsonObject) =>
    isObject(types) ? [...namesUnder(types, "bug"), ...namesUnder(types, "attachment")] : [];
  const response = await send(request).catch(ignoreRefusal);
  const products = objectsIn(Object(response)["products"]);
  return products.flatMap(({ components }) => objectsIn(components).flatMap(ofComponent));
}

function ignoreRefusal(error: unknown): Json {
  if (error instanceof BtError) return { products: [] };
  throw error;
}

function namesUnder(types: JsonObject, list: string): string[] {
  return objectsIn(types[list]).flatMap(({ name }) => (typeof name === "string" ? name : []));
}
