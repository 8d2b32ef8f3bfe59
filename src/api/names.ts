import { BtError, usageError } from "../errors.ts";
import type { Json, JsonObject, Request } from "../wire/exchange.ts";
import { isObject, itemsIn } from "../wire/json.ts";
import { type Catalog, isPersonField } from "./catalog/catalog.ts";
import { hasIgnoringCase, inChunks, partition } from "./lists.ts";
import { nearestNames } from "./nearest.ts";
import { GET_GROUP } from "./operations/groups.ts";
import { type Operation, requestFor, type SendRequest } from "./operations/operation.ts";
import { GET_PRODUCTS, GET_USERS } from "./operations/tracker.ts";
import { isNick, loginOfNick, unknownLoginError } from "./people.ts";
import { conjunctsOf, type Leaf, leavesOf, type Query } from "./query/tree.ts";
import { hasCode } from "./response/response-errors.ts";
import { listUnder } from "./response/response-objects.ts";

/**
 * Conditions of a query by what an unknown login, group or flag in them does: `alone` finds no bugs, `mixed` (negated, or beside
 * alternatives) finds more or fewer bugs than meant.
 */
export function leavesByNames(query: Query): { readonly alone: readonly Leaf[]; readonly mixed: readonly Leaf[] } {
  const required = new Set<unknown>(conjunctsOf(query));
  const isAlone = (leaf: Leaf) =>
    required.has(leaf) && (leaf.kind !== "test" || new Set(isFlagTest(leaf) ? flagsIn(leaf) : leaf.values).size <= 1);
  const [alone, mixed] = partition(leavesOf(query), isAlone);
  return { alone, mixed };
}

/**
 * Checks the logins, groups and flags of conditions, since trackers ignore unknown ones.
 * @throws BtError of kind usage for a name that does not exist
 */
export async function checkNames(leaves: readonly Leaf[], send: SendRequest): Promise<void> {
  await checkLogins(leaves.flatMap(loginsIn), send);
  await check(
    GROUPS,
    leaves.flatMap((leaf) => valuesEqualTo("bug_group", leaf)),
    send,
  );
  await check(FLAGS, leaves.flatMap(flagsIn), send);
}

/** @throws BtError of kind usage for a login that does not exist */
export function checkLogins(logins: readonly string[], send: SendRequest): Promise<void> {
  return check(LOGINS, logins, send);
}

/**
 * The body of a write with logins in place of nicks. Checks the people in it who are not given by an address, before it is sent.
 * @throws BtError of kind usage for a login that does not exist, or a nick of nobody or of several users
 */
export async function resolvePeople(body: JsonObject, catalog: Catalog, send: SendRequest): Promise<JsonObject> {
  const logins = new Map<string, string>();
  for (const nick of peopleIn(body, catalog).filter(isNick)) logins.set(nick, await loginOfNick(nick, send));
  const named = logins.size > 0 ? withPeople(body, catalog, (login) => logins.get(login) ?? login) : body;
  const words = peopleIn(named, catalog).filter((login) => !login.includes("@"));
  await checkLogins(words, send);
  return named;
}

/** The body of a write with other logins in its people, and as requestees of its flags. */
function withPeople(body: JsonObject, catalog: Catalog, replace: (login: string) => string): JsonObject {
  const replaced = (value: Json): Json => {
    if (typeof value === "string") return replace(value);
    if (Array.isArray(value)) return value.map(replaced);
    if (!isObject(value)) return value;
    return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, replaced(part)]));
  };
  const made: Record<string, Json> = { ...body };
  for (const { api } of catalog.fields.filter(isPersonField))
    if (body[api] !== undefined) made[api] = replaced(body[api]);
  const { flags } = body;
  if (Array.isArray(flags))
    made["flags"] = flags.map((flag) => {
      const { requestee } = Object(flag);
      return typeof requestee === "string" ? { ...Object(flag), requestee: replace(requestee) } : flag;
    });
  return made;
}

/** Everybody whom the people and the flags of a body name. */
function peopleIn(body: JsonObject, catalog: Catalog): readonly string[] {
  const people: string[] = [];
  withPeople(body, catalog, (login) => {
    people.push(login);
    return login;
  });
  return people.filter((login) => login !== "");
}

/** The error of each body that names an unknown login or group; each name is looked up once. */
export async function findUnknownNames(
  bodies: readonly JsonObject[],
  catalog: Catalog,
  send: SendRequest,
): Promise<(BtError | undefined)[]> {
  const logins = bodies.map((body) => peopleIn(body, catalog));
  const groups = bodies.map(({ groups: given }) =>
    itemsIn(isObject(given) ? given["add"] : given).filter((group) => typeof group === "string"),
  );
  const unknownLogins = await errorsOfUnknown(LOGINS, logins.flat(), send);
  const unknownGroups = await errorsOfUnknown(GROUPS, groups.flat(), send);
  const first = (names: readonly string[] = [], errors: ReadonlyMap<string, BtError>) =>
    names.map((name) => errors.get(name)).find((error) => error !== undefined);
  return bodies.map((_, at) => first(logins[at], unknownLogins) ?? first(groups[at], unknownGroups));
}

/** Finds the names that do not exist, each with its error. */
type FindUnknown = (names: readonly string[], send: SendRequest) => Promise<ReadonlyMap<string, BtError>>;

const LOGINS: FindUnknown = async (names, send) => {
  const errors = new Map<string, BtError>();
  for (const name of await findUnknown(GET_USERS, names, send)) errors.set(name, await unknownLoginError(name, send));
  return errors;
};

const GROUPS: FindUnknown = async (names, send) => {
  const unknown = await findUnknown(GET_GROUP, names, send);
  return errorsOf("group", unknown, unknown.length > 0 ? await readGroupNames(send) : []);
};

const FLAGS: FindUnknown = async (names, send) => {
  const known = await readFlagTypeNames(send);
  return errorsOf("flag", known.length > 0 ? names.filter((name) => !hasIgnoringCase(known, name)) : [], known);
};

function errorsOf(word: string, unknown: readonly string[], known: readonly string[]): ReadonlyMap<string, BtError> {
  const hintFor = (name: string) => nearestNames(name, known).map((near) => `did you mean ${near}?`)[0];
  return new Map(unknown.map((name) => [name, usageError(`unknown ${word} "${name}"`, hintFor(name))]));
}

async function check(find: FindUnknown, names: readonly string[], send: SendRequest): Promise<void> {
  for (const error of (await errorsOfUnknown(find, names, send)).values()) throw error;
}

/** Errors by the names that do not exist; pronouns such as %user% are no names. */
async function errorsOfUnknown(
  find: FindUnknown,
  names: readonly string[],
  send: SendRequest,
): Promise<ReadonlyMap<string, BtError>> {
  const given = [...new Set(names)].filter((name) => !name.startsWith("%"));
  return given.length > 0 ? find(given, send) : new Map();
}

/** Users or groups that do not exist. Bugzilla refuses a list for one, which it mostly names. */
async function findUnknown(operation: Operation, names: readonly string[], send: SendRequest): Promise<string[]> {
  const unknown: string[] = [];
  const queue = inChunks(names, MAX_AT_ONCE);
  for (let some = queue.shift(); some !== undefined; some = queue.shift()) {
    const request = requestFor(operation, { names: some, ...ONLY_NAMES });
    const error = await send(request).then(
      () => undefined,
      (reason: unknown) => reason,
    );
    if (error !== undefined && !(error instanceof BtError)) throw error;
    if (!hasCode(error, "object_does_not_exist")) continue; // all exist, or the tracker does not tell
    const name = some.length === 1 ? some[0] : some.find((one) => one === error.facts.value);
    if (name !== undefined) unknown.push(name);
    const rest = some.filter((one) => one !== name);
    queue.unshift(...inChunks(rest, name === undefined ? 1 : MAX_AT_ONCE));
  }
  return unknown;
}

const MAX_AT_ONCE = 50; // names, which fit the length of an address

const ONLY_NAMES = { include_fields: "id,name" };

function valuesEqualTo(chart: string, leaf: Leaf): readonly string[] {
  return leaf.kind === "test" && leaf.field.chart === chart && leaf.op === "=" ? leaf.values : [];
}

function isFlagTest(leaf: Leaf): boolean {
  return leaf.kind === "test" && leaf.field.chart === "flagtypes.name";
}

function flagsIn(leaf: Leaf): string[] {
  const names = leaf.kind === "flag" ? [leaf.name] : valuesEqualTo("flagtypes.name", leaf);
  return names.map((name) => name.replace(/[?+-]$/, ""));
}

function loginsIn(leaf: Leaf): readonly string[] {
  if (leaf.kind === "flag") return [leaf.requestee, leaf.setter].filter((login) => login !== undefined);
  const isPersonal = isPersonField(leaf.field);
  if (leaf.kind === "test") return isPersonal && leaf.op === "=" ? leaf.values : [];
  const { from, to, by } = leaf;
  return [by, ...(isPersonal ? [from, to] : [])].filter((login) => login !== undefined);
}

/** Names of the groups that the tracker lists. */
function readGroupNames(send: SendRequest): Promise<string[]> {
  return readIfListed(requestFor(GET_GROUP, ONLY_NAMES), (response) => namesUnder(response, "groups"), send);
}

/** Names of the products that the tracker lists. */
export function readProductNames(send: SendRequest): Promise<string[]> {
  const request = requestFor(GET_PRODUCTS, { ...ONLY_NAMES, type: "accessible" });
  return readIfListed(request, (response) => namesUnder(response, "products"), send);
}

/** Names of all flag types in visible products that the tracker lists. */
async function readFlagTypeNames(send: SendRequest): Promise<string[]> {
  const request = requestFor(GET_PRODUCTS, { type: "accessible", include_fields: "components.flag_types" });
  const ofComponent = (component: Json) => {
    const types = (isObject(component) && component["flag_types"]) || {};
    return [...namesUnder(types, "bug"), ...namesUnder(types, "attachment")];
  };
  const ofProduct = (product: Json) => listUnder(product, "components").flatMap(ofComponent);
  return [
    ...new Set(await readIfListed(request, (response) => listUnder(response, "products").flatMap(ofProduct), send)),
  ];
}

/** Names in a response; [] if the tracker refuses, or its response has another shape. */
async function readIfListed(
  request: Request,
  read: (response: Json) => string[],
  send: SendRequest,
): Promise<string[]> {
  try {
    return read(await send(request));
  } catch (error) {
    if (error instanceof BtError) return [];
    throw error;
  }
}

function namesUnder(response: Json, list: string): string[] {
  return listUnder(response, list).flatMap((one) =>
    isObject(one) && typeof one["name"] === "string" ? one["name"] : [],
  );
}
