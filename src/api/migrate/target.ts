import { isDenied } from "../../errors.ts";
import { bugFieldRow } from "../../wire/bug-fields.ts";
import { DEFAULT_PEOPLE, type DefaultPerson } from "../../wire/default-people.ts";
import type { Group } from "../../wire/resources.ts";
import { type BatchPlan, requestEach } from "../batch.ts";
import { bugPlan } from "../bug-numbers.ts";
import { type Catalog, findField } from "../catalog.ts";
import type { WithProduct } from "../enterable-products.ts";
import { isInsider } from "../insider.ts";
import { legalValues } from "../legal-values.ts";
import { GET_GROUP } from "../operations/groups.ts";
import { requestFor, type SendRequest } from "../operations/operation.ts";
import { GET_USERS, PARAMETERS } from "../operations/tracker.ts";
import { isObject, readGroups, readUserAccounts } from "../response/response-objects.ts";
import { type AvailableFlagType, flagTypes } from "../write/flags.ts";
import type { Census, Need } from "./census.ts";

/** Names of a census that exist in the target, and settings of the target. */
export type Target = {
  readonly catalog: Catalog;
  readonly me: string | undefined;
  readonly users: ReadonlySet<string>; // lower case
  readonly groups: ReadonlySet<string>; // lower case
  readonly rights: ReadonlySet<string> | undefined; // groups of the login; undefined if not reported
  readonly isInsider: boolean; // the login may write private comments; true where none are needed
  readonly off: ReadonlySet<string>; // server parameters that turn fields of bugs off
  readonly aliases: ReadonlySet<string>; // taken ones, lower case
  readonly zones: readonly string[]; // in which the tracker may read times
  readonly flagTypes: ReadonlyMap<string, readonly AvailableFlagType[] | undefined>; // by kind and place
};

/** Ways to read a target. */
export type TargetReading = {
  readonly ask: SendRequest;
  readonly catalog: Catalog;
  readonly withProduct: WithProduct;
  readonly me: string | undefined;
  readonly zones: readonly string[];
};

/** Reads what a target has of the names in a census. */
export async function readTarget(census: Census, reading: TargetReading): Promise<Target> {
  const { ask, me, withProduct, zones } = reading;
  const needs = [...census.needs.values()];
  const named = (kind: Need["kind"]) => needs.filter((need) => need.kind === kind).map(({ name }) => name);
  let { catalog } = reading;
  for (const product of named("product")) catalog = await withProduct(catalog, product);
  const own = me === undefined ? undefined : await ownGroups(me, ask);
  const listed = named("group").length === 0 ? [] : await visibleGroups(ask);
  return {
    catalog,
    me,
    zones,
    off: await parametersOff(ask),
    aliases: await takenAliases(named("alias"), ask),
    users: await existingUsers([...named("user"), ...(me === undefined ? [] : [me])], ask),
    groups: new Set([...listed, ...(own ?? [])].map((name) => name.toLowerCase())),
    rights: own && new Set(own),
    isInsider: named("permission").length === 0 || (await isInsider(ask)),
    flagTypes: await readFlagTypes(needs, { catalog, ask }),
  };
}

async function existingUsers(logins: readonly string[], ask: SendRequest): Promise<ReadonlySet<string>> {
  const distinct = [...new Map(logins.map((login) => [login.toLowerCase(), login])).values()];
  const found = new Set<string>();
  for await (const batch of requestEach(distinct, USERS, ask)) {
    for (const outcome of batch) {
      if ("thing" in outcome) found.add(outcome.ref.toLowerCase());
      else if (!isDenied(outcome.error)) throw outcome.error;
    }
  }
  return found;
}

async function takenAliases(aliases: readonly string[], ask: SendRequest): Promise<ReadonlySet<string>> {
  const taken = new Set<string>();
  for await (const batch of requestEach(aliases, bugPlan([]), ask)) {
    for (const outcome of batch) {
      if ("thing" in outcome || outcome.error.kind === "auth") taken.add(outcome.ref.toLowerCase());
      else if (outcome.error.kind !== "missing") throw outcome.error;
    }
  }
  return taken;
}

/** Users by login. */
const USERS: BatchPlan<string> = {
  name: "user",
  codes: new Set([51, 304]), // no such user, not visible
  request: (refs) =>
    requestFor(GET_USERS, [...refs.map((ref) => ["names", ref] as const), ["include_fields", "id,name,email"]]),
  read: (answer) =>
    readUserAccounts(answer).map(({ name, email }) => ({ thing: name, names: [name, ...(email ? [email] : [])] })),
};

/** Names of the groups that the login is in; undefined if not reported. */
async function ownGroups(me: string, ask: SendRequest): Promise<readonly string[] | undefined> {
  const answer = await orNothing(ask(requestFor(GET_USERS, { names: me, include_fields: "id,name,groups" })));
  return answer === undefined ? undefined : readUserAccounts(answer)[0]?.groups?.map(({ name }) => name);
}

/** The parameters of people that are off, as far as reported. */
async function parametersOff(ask: SendRequest): Promise<ReadonlySet<string>> {
  const answer = await orNothing(ask(requestFor(PARAMETERS)));
  const parameters = isObject(answer) && isObject(answer["parameters"]) ? answer["parameters"] : {};
  const names = DEFAULT_PEOPLE.flatMap(({ parameter }) => parameter ?? []);
  return new Set(names.filter((name) => ["0", 0, false].includes(parameters[name] as never)));
}

/** True if a target has the field of a person. */
export function hasPerson({ off }: Target, { parameter }: DefaultPerson): boolean {
  return parameter === undefined || !off.has(parameter);
}

async function visibleGroups(ask: SendRequest): Promise<readonly string[]> {
  const answer = await orNothing(ask(requestFor(GET_GROUP)));
  return answer === undefined ? [] : readGroups(answer).map(({ name }: Group) => name);
}

/** A response; undefined if the login may not read it. */
async function orNothing<Answer>(answer: Promise<Answer>): Promise<Answer | undefined> {
  try {
    return await answer;
  } catch (error) {
    if (isDenied(error)) return undefined;
    throw error;
  }
}

async function readFlagTypes(needs: readonly Need[], { catalog, ask }: Pick<TargetReading, "catalog" | "ask">) {
  const found = new Map<string, readonly AvailableFlagType[] | undefined>();
  for (const [kind, target] of FLAG_KINDS) {
    for (const of of new Set(needs.filter((need) => need.kind === kind).map((need) => need.of))) {
      const place = placeOf(of, needs);
      const isKnown = place && hasValue(catalog, "component", { of: place.product, name: place.component });
      found.set(`${kind} ${of}`, isKnown ? await flagTypes({ ...place, target }, ask) : []);
    }
  }
  return found;
}

const FLAG_KINDS = [
  ["flag", "bug"],
  ["attachment flag", "attachment"],
] as const;

/** Product and component of a place; both may contain slashes. */
function placeOf(of: string, needs: readonly Need[]) {
  const part = needs.find((need) => need.kind === "component" && `${need.of}/${need.name}` === of);
  return part && { product: part.of, component: part.name };
}

/** True if a field has a value of this name, of this product for values of products, or reports none. */
function hasValue(catalog: Catalog, field: string, { of, name }: Pick<Need, "of" | "name">): boolean {
  return valueState(catalog, field, { of, name }) !== "missing";
}

/** State of a value in the target; the field's values may be unknown. */
export function valueState(
  catalog: Catalog,
  field: string,
  { of, name }: Pick<Need, "of" | "name">,
): "there" | "inactive" | "missing" {
  const known = findField(catalog, field);
  if (known === undefined) return "missing";
  const perProduct = bugFieldRow(field)?.isPerProduct === true;
  const values = legalValues(known, perProduct ? of : undefined);
  if (known.values.length === 0 && !(known.isListed || perProduct || field === "product")) return "there";
  const found = values.find((value) => value.name.toLowerCase() === name.toLowerCase());
  if (found === undefined) return "missing";
  return found.is_active === false ? "inactive" : "there";
}
