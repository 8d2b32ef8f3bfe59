import { BtError, usageError } from "../errors.ts";
import type { Json, JsonObject } from "../wire/exchange.ts";
import { isObject, itemsIn } from "../wire/json.ts";
import { type Catalog, isPersonField } from "./catalog/catalog.ts";
import { inChunks } from "./lists.ts";
import { type Operation, requestFor, type SendRequest } from "./operations/operation.ts";
import { GET_GROUP, GET_USERS } from "./operations/tracker.ts";
import { unknownLoginError } from "./people.ts";
import { hasCode } from "./response/response.ts";

/** @throws BtError of kind usage for a login that does not exist */
export async function checkLogins(logins: readonly string[], send: SendRequest): Promise<void> {
  const [unknown] = await findUnknown(GET_USERS, logins, send);
  if (unknown !== undefined) throw await unknownLoginError(unknown, send);
}

/** @throws BtError of kind usage for a group that does not exist */
export async function checkGroups(groups: readonly string[], send: SendRequest): Promise<void> {
  const [unknown] = await findUnknown(GET_GROUP, groups, send);
  if (unknown !== undefined) throw unknownGroupError(unknown);
}

function unknownGroupError(group: string): BtError {
  return usageError(`unknown group "${group}"`);
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
  const logins = bodies.map((body) => peopleIn(body, catalog));
  const groups = bodies.map(({ groups: given }) => textsIn(isObject(given) ? given["add"] : given));
  const errors = new Map<string, BtError>();
  for (const login of await findUnknown(GET_USERS, logins.flat(), send))
    errors.set(login, await unknownLoginError(login, send));
  const unknownGroups = await findUnknown(GET_GROUP, groups.flat(), send);
  return bodies.map((_, at) => {
    const login = logins[at]?.find((name) => errors.has(name));
    if (login !== undefined) return errors.get(login);
    const group = groups[at]?.find((name) => unknownGroups.includes(name));
    return group === undefined ? undefined : unknownGroupError(group);
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
