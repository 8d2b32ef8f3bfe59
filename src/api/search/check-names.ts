import { BtError, usageError } from "../../errors.ts";
import { ERROR_CODES } from "../../wire/error-codes.ts";
import type { Json, JsonObject } from "../../wire/exchange.ts";
import { isObject, itemsIn } from "../../wire/json.ts";
import type { Catalog } from "../catalog/catalog.ts";
import { hasIgnoringCase } from "../lists.ts";
import { nearestNames } from "../nearest.ts";
import { GET_GROUP } from "../operations/groups.ts";
import { requestFor, type SendRequest } from "../operations/operation.ts";
import { GET_PRODUCTS, GET_USERS } from "../operations/tracker.ts";
import { findLikelyUsers, isNick, loginsOfNicks, unknownUserError, withLogins } from "../people.ts";
import { PEOPLE_FAMILIES } from "../query/resolve-change.ts";
import { leavesOf, type Query, type ResolvedTerm } from "../query/tree.ts";
import { listUnder } from "../response/response-objects.ts";
import type { SearchTools } from "./bug-search.ts";

/**
 * Checks the logins, groups and flags of a search without results, since trackers return no bugs for unknown ones.
 * Names that cannot be checked are noted.
 * @throws BtError of kind usage for a name that does not exist
 */
export async function checkNames(query: Query, { send, note }: SearchTools): Promise<void> {
  const unchecked: string[] = [];
  for (const kind of NAME_KINDS) unchecked.push(...(await findUncheckedOfKind(kind, query, send)));
  if (unchecked.length > 0) await note(`no bugs; could not check ${unchecked.join(", ")}`);
}

/**
 * The body of a write with logins in place of nicks. Checks the people in it who are not given by an address, before it is sent.
 * @throws BtError of kind usage for a login that does not exist, or a nick of nobody or of several users
 */
export async function resolvePeople(body: JsonObject, catalog: Catalog, send: SendRequest): Promise<JsonObject> {
  const { fields, logins: all } = peopleNamedIn(body, catalog);
  const logins = all.filter((login) => !login.includes("@"));
  if (logins.length === 0) return body;
  const nicks = logins.filter(isNick);
  if (nicks.length > 0)
    return resolvePeople(withLogins(body, [...fields, "flags"], await loginsOfNicks(nicks, send)), catalog, send);
  await findUncheckedNames(LOGINS, logins, send);
  return body;
}

/** The fields of a catalog that have people, and everybody whom they and the flags of a body name. */
function peopleNamedIn(body: JsonObject, catalog: Catalog): { fields: string[]; logins: string[] } {
  const fields = catalog.fields.filter(({ family }) => PEOPLE_FAMILIES.has(family)).map(({ api }) => api);
  const people = fields.flatMap((name) => (isObject(body[name]) ? Object.values(body[name]) : [body[name]])).flat();
  for (const flag of itemsIn(body["flags"])) if (isObject(flag)) people.push(flag["requestee"]);
  return { fields, logins: people.filter((login): login is string => typeof login === "string" && login !== "") };
}

/**
 * Checks everybody whom writes name, and the groups that they add, each once, where the tracker's own refusal would
 * come too late: in previews, and where several bugs are changed.
 * @throws BtError of kind usage for a login or group that does not exist
 */
export async function checkWriteNames(bodies: JsonObject[], catalog: Catalog, send: SendRequest): Promise<void> {
  const logins: string[] = [];
  const groups: string[] = [];
  for (const body of bodies) {
    logins.push(...peopleNamedIn(body, catalog).logins);
    const added = isObject(body["groups"]) ? body["groups"]["add"] : body["groups"];
    groups.push(...itemsIn(added).filter((group) => typeof group === "string"));
  }
  await findUncheckedNames(LOGINS, logins, send, Number.POSITIVE_INFINITY);
  await findUncheckedNames(GROUP_NAMES, groups, send, Number.POSITIVE_INFINITY);
}

/** Names of a kind that the tracker cannot confirm. */
function findUncheckedOfKind(kind: Kind, query: Query, send: SendRequest): Promise<string[]> {
  return findUncheckedNames(kind, leavesOf(query).flatMap(kind.namesIn), send);
}

async function findUncheckedNames(
  kind: NameKind,
  given: string[],
  send: SendRequest,
  most = MAX_CHECKED,
): Promise<string[]> {
  const names = [...new Set(given)].filter((name) => !name.startsWith("%"));
  const unchecked = names.slice(most);
  for (const name of names.slice(0, most)) {
    const exists = await kind.isKnown(name, send);
    if (exists === false) throw await unknownNameError(name, kind, send);
    if (exists === undefined) unchecked.push(name);
  }
  return unchecked.map((name) => `${kind.word} ${JSON.stringify(name)}`);
}

async function unknownNameError(name: string, { word, similar }: NameKind, send: SendRequest): Promise<BtError> {
  if (!similar) return unknownLoginError(name, send);
  const [near] = nearestNames(name, await similar(send));
  return usageError(`unknown ${word} "${name}"`, near && `did you mean ${near}?`);
}

/** Of an address, the nearest one is suggested; a name may mean all users who have it. */
async function unknownLoginError(text: string, send: SendRequest): Promise<BtError> {
  const [name = ""] = text.split("@");
  const users = (await findLikelyUsers(name, send)) ?? [];
  if (name === text) return unknownUserError(text, users);
  const [near] = nearestNames(
    text,
    users.map((user) => user.name),
  );
  return unknownUserError(
    text,
    users.filter((user) => user.name === near),
  );
}

const MAX_CHECKED = 10; // names per kind, one request each

/** A kind of names and how to check them. */
type NameKind = {
  word: string;
  isKnown: (name: string, send: SendRequest) => Promise<boolean | undefined>; // undefined: not reported
  similar?: (send: SendRequest) => Promise<readonly string[]>; // absent: of users
};

/** A kind of names, and how to find them in a condition. */
type Kind = NameKind & { namesIn: (condition: ResolvedTerm) => readonly string[] };

const LOGINS: NameKind = {
  word: "login",
  isKnown: (name, send) => isExistingName("user", name, send),
};

const GROUP_NAMES: NameKind = {
  word: "group",
  isKnown: (name, send) => isExistingName("group", name, send),
  similar: async (send) => (await readNamesIfListed(requestFor(GET_GROUP, ONLY_NAMES), "groups", send)) ?? [],
};

const NAME_KINDS: readonly Kind[] = [
  { ...LOGINS, namesIn: loginsIn },
  { ...GROUP_NAMES, namesIn: (condition) => valuesEqualTo("bug_group", condition) },
  {
    word: "flag",
    namesIn: flagsIn,
    isKnown: async (name, send) => {
      const names = await readFlagTypeNames(send);
      return names && hasIgnoringCase(names, name);
    },
    similar: async (send) => (await readFlagTypeNames(send)) ?? [],
  },
];

function valuesEqualTo(chart: string, condition: ResolvedTerm): readonly string[] {
  return condition.kind === "test" && condition.field.chart === chart && condition.op === "=" ? condition.values : [];
}

function flagsIn(condition: ResolvedTerm): string[] {
  const names = condition.kind === "flag" ? [condition.name] : valuesEqualTo("flagtypes.name", condition);
  return names.map((name) => name.replace(/[?+-]$/, ""));
}

function loginsIn(condition: ResolvedTerm): readonly string[] {
  if (condition.kind === "flag") return [condition.requestee, condition.setter].filter((login) => login !== undefined);
  const isPersonal = PEOPLE_FAMILIES.has(condition.field.family);
  if (condition.kind === "test") return isPersonal && condition.op === "=" ? condition.values : [];
  const { from, to, by } = condition;
  return [by, ...(isPersonal ? [from, to] : [])].filter((login) => login !== undefined);
}

/** True if a user or group of this name exists; undefined if not reported. */
async function isExistingName(what: "user" | "group", name: string, send: SendRequest): Promise<boolean | undefined> {
  try {
    const found = listUnder(
      await send(requestFor(what === "user" ? GET_USERS : GET_GROUP, { names: name, ...ONLY_NAMES })),
      `${what}s`,
    );
    return found.length > 0 ? true : undefined;
  } catch (error) {
    if (!(error instanceof BtError)) throw error;
    return error.facts.bugzillaCode === ERROR_CODES.object_does_not_exist ? false : undefined;
  }
}

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
