import type { Need } from "../../api/migrate/census.ts";
import { defaultPeople } from "../../api/migrate/exact-setup.ts";
import { mappedName } from "../../api/migrate/name-map.ts";
import { type GroupMembers, mainValue } from "../../api/migrate/plan.ts";
import type { PlanRow } from "../../api/migrate/plan-row.ts";
import { CREATE_GROUP, GET_GROUP } from "../../api/operations/groups.ts";
import { type Operation, requestFor } from "../../api/operations/operation.ts";
import { CREATE_COMPONENT, CREATE_PRODUCT, GET_PRODUCTS } from "../../api/operations/tracker.ts";
import { readGroups, readProducts } from "../../api/response/response-objects.ts";
import { BtError, isDenied, usage, withDetails } from "../../errors.ts";
import type { Json, JsonObject } from "../../wire/exchange.ts";
import type { Group, TrackerProduct } from "../../wire/resources.ts";
import type { Context } from "../verb.ts";
import type { Survey } from "./survey.ts";
import type { Moving } from "./trackers.ts";

/** Creates the products, components and groups of a plan, with the source's descriptions if known. */
export async function createSetup(rows: readonly PlanRow[], survey: Survey, moving: Moving): Promise<void> {
  const needs = [...survey.census.needs.values()];
  const products = await sourceProducts(needs, moving.source);
  const due = (what: string) => rows.filter((row) => row.action === "create" && row.what === what);
  const names = (what: string) => new Set(due(what).map(({ name }) => name));
  for (const { name } of due("product")) {
    await create(CREATE_PRODUCT, productBody(name, needs, products), { what: `product ${name}`, moving });
  }
  const components = names("component");
  for (const need of needs.filter(({ kind, of, name }) => kind === "component" && components.has(`${of}/${name}`))) {
    const body = componentBody(need, products, survey);
    await create(CREATE_COMPONENT, body, { what: `component ${need.of}/${need.name}`, moving });
  }
  const groups = due("group").length === 0 ? [] : await sourceGroups(moving.source);
  for (const name of names("group")) {
    const description = groups.find((one) => one.name === name)?.description || name;
    await create(CREATE_GROUP, { name, description, is_active: true }, { what: `group ${name}`, moving });
  }
}

async function create(
  operation: Operation,
  body: JsonObject,
  { what, moving }: { readonly what: string; readonly moving: Moving },
): Promise<void> {
  const writer = await moving.target.session.writer();
  try {
    await writer.deliver({ request: requestFor(operation, body) });
  } catch (error) {
    throw error instanceof BtError ? withDetails(error, [`${what} was not created`]) : error;
  }
  await moving.target.io.err(`created ${what}\n`);
}

function productBody(name: string, needs: readonly Need[], products: readonly TrackerProduct[]): JsonObject {
  const source = products.find((one) => one.name === name);
  const milestone = mainValue("target_milestone", name, needs);
  return {
    ...{ name, description: source?.description || name, version: mainValue("version", name, needs) ?? "unspecified" },
    ...(milestone === undefined ? {} : { default_milestone: milestone }),
    ...(source?.has_unconfirmed === undefined ? {} : { has_unconfirmed: Boolean(source.has_unconfirmed) }),
    is_open: true,
    create_series: false,
  };
}

function componentBody(
  { of, name }: Need,
  products: readonly TrackerProduct[],
  { target }: Survey,
): Readonly<Record<string, Json>> {
  const source = products.find((one) => one.name === of)?.components?.find((one) => one.name === name);
  const known = (login: string) => (target.users.has(login.toLowerCase()) ? login : undefined);
  const people = defaultPeople(source, known, target.me);
  if (people.default_assignee === undefined)
    throw usage(`the component ${name} needs a default assignee, and your login is unknown`, "bt auth login");
  return { product: of, name, description: source?.description || name, ...people };
}

/** The products of these names in the source; a map may have given them other ones. */
export async function sourceProducts(needs: readonly Need[], { session }: Context): Promise<readonly TrackerProduct[]> {
  const names = needs.flatMap(({ kind, name }) => (kind === "product" ? [["names", name] as const] : []));
  if (names.length === 0) return [];
  return orNone(session.ask(requestFor(GET_PRODUCTS, names)).then(readProducts));
}

/** The groups of the source, as far as the login may read them. */
export async function sourceGroups({ session }: Context): Promise<readonly Group[]> {
  return orNone(session.ask(requestFor(GET_GROUP)).then(readGroups));
}

/** Logins in groups of the source, by the names of the groups in the target; none where the login may not see them. */
export async function sourceMembers(
  groups: readonly string[],
  { source: { session }, map }: Pick<Moving, "source" | "map">,
): Promise<GroupMembers> {
  const members = new Map<string, readonly string[]>();
  for (const group of groups) {
    const renamed = Object.entries(map["groups"] ?? {}).flatMap(([old, name]) => (name === group ? [old] : []));
    const names = renamed.length > 0 ? renamed : [group];
    const found = await orNone(session.ask(requestFor(GET_GROUP, { names, membership: true })).then(readGroups));
    const logins = found.flatMap(({ membership = [] }) => membership.map(({ name }) => name));
    const mapped = logins.flatMap((name) => mappedName(map, "users", { name }) ?? []);
    members.set(group, [...new Set(mapped)]);
  }
  return members;
}

/** A list; none where the login may not read it, or a mirror lacks it. */
async function orNone<Item>(list: Promise<readonly Item[]>): Promise<readonly Item[]> {
  try {
    return await list;
  } catch (error) {
    if (isDenied(error)) return [];
    throw error;
  }
}
