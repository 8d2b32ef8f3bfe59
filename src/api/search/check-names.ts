import { BtError, usageError } from "../../errors.ts";
import type { Json, JsonObject } from "../../wire/exchange.ts";
import { isObject, itemsIn } from "../../wire/json.ts";
import { type Catalog, isPersonField } from "../catalog/catalog.ts";
import { hasIgnoringCase, inChunks, partition } from "../lists.ts";
import { nearestNames } from "../nearest.ts";
import { GET_GROUP } from "../operations/groups.ts";
import { type Operation, requestFor, type SendRequest } from "../operations/operation.ts";
import { GET_PRODUCTS, GET_USERS } from "../operations/tracker.ts";
import { isNick, loginsOfNicks, unknownLoginError, unknownUserError, withLogins } from "../people.ts";
import { type Leaf, leavesOf, type Query } from "../query/tree.ts";
import { hasCode } from "../response/response-errors.ts";
import { listUnder } from "../response/response-objects.ts";

/**
 * Checks the logins, groups and flags of a search without results, since trackers return no bugs for unknown ones.
 * @throws BtError of kind usage for a name that does not exist
 */
export async function checkNames(query: Query, { send }: { readonly send: SendRequest }): Promise<void> {
  for (const kind of NAME_KINDS) await checkNamesOfKind(kind, query, send);
}

/**
 * The body of a write with logins in place of nicks. Checks the people in it who are not given by an address, before it is sent.
 * `hint` is for an assignee called nobody.
 * @throws BtError of kind usage for a login that does not exist, or a nick of nobody or of several users
 */
export async function resolvePeople(
  body: JsonObject,
  catalog: Catalog,
  send: SendRequest,
  hint = "--reset-assigned-to sets the default assignee of the component",
): Promise<JsonObject> {
  const { fields, logins: all } = peopleNamedIn(body, catalog);
  const logins = all.filter((login) => !login.includes("@"));
  if (logins.length === 0) return body;
  const nicks = logins.filter(isNick);
  if (nicks.length > 0)
    return resolvePeople(withLogins(body, [...fields, "flags"], await loginsOfNicks(nicks, send)), catalog, send, hint);
  const hints = hintsForNobody(hint, [body["assigned_to"]]);
  await checkExistence({ ...LOGINS, hints }, logins, send);
  return body;
}

/** The fields of a catalog that have people, and everybody whom they and the flags of a body name. */
function peopleNamedIn(body: JsonObject, catalog: Catalog): { fields: string[]; logins: string[] } {
  const fields = catalog.fields.filter(isPersonField).map(({ api }) => api);
  const people = fields.flatMap((name) => (isObject(body[name]) ? Object.values(body[name]) : [body[name]])).flat();
  for (const flag of itemsIn(body["flags"])) if (isObject(flag)) people.push(flag["requestee"]);
  return { fields, logins: people.filter((login): login is string => typeof login === "string" && login !== "") };
}

/** The error of each body of a write that names a login or adds a group that does not exist; each name is looked up once. */
export async function findUnknownNames(
  bodies: JsonObject[],
  catalog: Catalog,
  send: SendRequest,
): Promise<(BtError | undefined)[]> {
  const logins = bodies.map((body) => peopleNamedIn(body, catalog).logins);
  const groups = bodies.map(({ groups: given }) =>
    itemsIn(isObject(given) ? given["add"] : given).filter((group) => typeof group === "string"),
  );
  const unknownLogins = await unknownNameErrors(LOGINS, logins.flat(), send);
  const unknownGroups = await unknownNameErrors(GROUP_NAMES, groups.flat(), send);
  return bodies.map((_, at) => {
    const login = logins[at]?.find((name) => unknownLogins.has(name)) ?? "";
    const group = groups[at]?.find((name) => unknownGroups.has(name)) ?? "";
    return unknownLogins.get(login) ?? unknownGroups.get(group);
  });
}

async function unknownNameErrors(
  kind: NameKind,
  names: string[],
  send: SendRequest,
): Promise<ReadonlyMap<string, BtError>> {
  const errors = new Map<string, BtError>();
  for (const name of await lookUp(kind, names, send))
    errors.set(name, await unknownNameError(name, kind, errors.size < MAX_SUGGESTED ? send : undefined));
  return errors;
}

const MAX_SUGGESTED = 10; // unknown names, for each of which similar ones are requested

/** @throws BtError of kind usage for a name of a kind in a query that does not exist */
function checkNamesOfKind(kind: Kind, query: Query, send: SendRequest): Promise<void> {
  const leaves = leavesOf(query);
  const assignees = leaves.flatMap((leaf) => valuesEqualTo("assigned_to", leaf));
  const hints = hintsForNobody("bugs without an assignee: is:unassigned", assignees);
  return checkExistence({ ...kind, hints }, leaves.flatMap(kind.namesIn), send);
}

async function checkExistence(kind: NameKind, names: string[], send: SendRequest): Promise<void> {
  const [unknown] = await lookUp(kind, names, send);
  if (unknown !== undefined) throw await unknownNameError(unknown, kind, send);
}

async function lookUp(kind: NameKind, given: string[], send: SendRequest): Promise<string[]> {
  const names = [...new Set(given)].filter((name) => !name.startsWith("%"));
  return names.length === 0 ? [] : kind.lookUp(names, send);
}

/** Without a way to send requests, no similar name is suggested. */
async function unknownNameError(
  name: string,
  { word, similar, hints }: NameKind,
  send: SendRequest | undefined,
): Promise<BtError> {
  const hint = hints?.get(name.toLowerCase());
  if (hint) return usageError(`unknown user "${name}"`, hint);
  if (!similar) return send ? unknownLoginError(name, send) : unknownUserError(name, undefined);
  const near = send && nearestNames(name, await similar(send))[0];
  return usageError(`unknown ${word} "${name}"`, near && `did you mean ${near}?`);
}

/** A kind of names and how to check them. */
type NameKind = {
  word: string;
  lookUp: (names: string[], send: SendRequest) => Promise<string[]>; // those that do not exist
  similar?: (send: SendRequest) => Promise<readonly string[]>; // absent: of users
  hints?: Map<string, string>; // for words that are no names
};

/** A kind of names, and how to find them in a condition. */
type Kind = NameKind & { namesIn: (condition: Leaf) => readonly string[] };

const LOGINS: NameKind = {
  word: "login",
  lookUp: (names, send) => lookUpObjects(GET_USERS, names, send),
};

/** A hint for the words among assignees that mean that a bug has none. */
function hintsForNobody(hint: string, assignees: unknown[]): Map<string, string> {
  const words = assignees.map((name) => String(name).toLowerCase());
  return new Map(words.filter((word) => /^(?:nobody|none|unassigned|null)$/.test(word)).map((word) => [word, hint]));
}

const GROUP_NAMES: NameKind = {
  word: "group",
  lookUp: (names, send) => lookUpObjects(GET_GROUP, names, send),
  similar: readGroupNames,
};

/** Names of the groups that the tracker lists. */
export async function readGroupNames(send: SendRequest): Promise<string[]> {
  return (await readNamesIfListed(requestFor(GET_GROUP, ONLY_NAMES), "groups", send)) ?? [];
}

/** Names of the products that the tracker lists. */
export async function readProductNames(send: SendRequest): Promise<string[]> {
  const request = requestFor(GET_PRODUCTS, { ...ONLY_NAMES, type: "accessible" });
  return (await readNamesIfListed(request, "products", send)) ?? [];
}

const NAME_KINDS: readonly Kind[] = [
  { ...LOGINS, namesIn: loginsIn },
  { ...GROUP_NAMES, namesIn: (condition) => valuesEqualTo("bug_group", condition) },
  {
    word: "flag",
    namesIn: flagsIn,
    lookUp: async (names, send) => {
      const known = await readFlagTypeNames(send);
      return known ? names.filter((name) => !hasIgnoringCase(known, name)) : [];
    },
    similar: async (send) => (await readFlagTypeNames(send)) ?? [],
  },
];

function valuesEqualTo(chart: string, condition: Leaf): readonly string[] {
  return condition.kind === "test" && condition.field.chart === chart && condition.op === "=" ? condition.values : [];
}

function flagsIn(condition: Leaf): string[] {
  const names = condition.kind === "flag" ? [condition.name] : valuesEqualTo("flagtypes.name", condition);
  return names.map((name) => name.replace(/[?+-]$/, ""));
}

function loginsIn(condition: Leaf): readonly string[] {
  if (condition.kind === "flag") return [condition.requestee, condition.setter].filter((login) => login !== undefined);
  const isPersonal = isPersonField(condition.field);
  if (condition.kind === "test") return isPersonal && condition.op === "=" ? condition.values : [];
  const { from, to, by } = condition;
  return [by, ...(isPersonal ? [from, to] : [])].filter((login) => login !== undefined);
}

/** The users or groups that do not exist, in few requests. */
async function lookUpObjects(operation: Operation, names: string[], send: SendRequest): Promise<string[]> {
  const found: string[] = [];
  const queue = inChunks(names, MAX_AT_ONCE);
  for (let some = queue.shift(); some !== undefined; some = queue.shift()) {
    const query = [...some.map((name) => ["names", name] as const), ...Object.entries(ONLY_NAMES)];
    try {
      await send(requestFor(operation, query));
    } catch (error) {
      if (!(error instanceof BtError)) throw error;
      const { unknown, rest } = namesLeft(some, error);
      found.push(...unknown);
      if (rest) queue.unshift(...rest);
    }
  }
  return found;
}

/** A Bugzilla refuses a list for one unknown name, which it mostly names: the others are requested again. */
function namesLeft(names: string[], error: BtError): { unknown: string[]; rest?: string[][] } {
  if (!hasCode(error, "object_does_not_exist")) return { unknown: [] };
  const [unknown, others] = partition(names, (name) => names.length === 1 || name === error.facts.value);
  if (unknown.length === 1) return { unknown, rest: inChunks(others, MAX_AT_ONCE) };
  return { unknown: [], rest: inChunks(names, Math.ceil(names.length / 2)) };
}

const MAX_AT_ONCE = 50; // names, which fit the length of an address

const ONLY_NAMES = { include_fields: "id,name" };

/** Names in a list of a response; undefined if the tracker does not return it. */
async function readNamesIfListed(
  request: Parameters<SendRequest>[0],
  list: string,
  send: SendRequest,
): Promise<string[] | undefined> {
  try {
    return listUnder(await send(request), list).flatMap(namesOfObject);
  } catch (error) {
    if (error instanceof BtError) return undefined;
    throw error;
  }
}

function namesOfObject(one: Json): string[] {
  return isObject(one) && typeof one["name"] === "string" ? [one["name"]] : [];
}

/** Names of all flag types in visible products; undefined if the tracker does not list them. */
export async function readFlagTypeNames(send: SendRequest): Promise<string[] | undefined> {
  const request = requestFor(GET_PRODUCTS, { type: "accessible", include_fields: "components.flag_types" });
  try {
    const components = listUnder(await send(request), "products").flatMap((product) =>
      listUnder(product, "components"),
    );
    const names = components.flatMap((component) => {
      const types = isObject(component) ? component["flag_types"] : undefined;
      return [...listUnder(types ?? null, "bug"), ...listUnder(types ?? null, "attachment")].flatMap(namesOfObject);
    });
    return components.length > 0 ? [...new Set(names)] : undefined;
  } catch (error) {
    if (error instanceof BtError) return undefined;
    throw error;
  }
}
