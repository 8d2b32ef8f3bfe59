import { PER_PRODUCT_FIELDS } from "../../wire/bug-fields.ts";
import { DEFAULT_PEOPLE, type ReadDefaultPeople, type WrittenDefaultPeople } from "../../wire/default-people.ts";
import type { Json, JsonObject } from "../../wire/exchange.ts";
import { CUSTOM_FIELD_TYPE } from "../../wire/field-types.ts";
import type { Field, FieldValue, Group, TrackerProduct } from "../../wire/resources.ts";
import { grouped } from "../lists.ts";
import type { Need, NeedKind } from "./census.ts";
import { exactFlagTypes } from "./exact-flags.ts";
import type { NameMap } from "./name-map.ts";
import { type GroupMembers, isThere } from "./plan.ts";
import type { Target } from "./target.ts";

/** Descriptions of fields, products and groups in the source. */
export type SourceSetup = {
  readonly fields: readonly Field[];
  readonly products: readonly TrackerProduct[];
  readonly groups: readonly Group[];
};

/** Input of a setup; `defaults` are the default milestones of the target's products by name. */
export type SetupParts = {
  readonly needs: readonly Need[];
  readonly source: SourceSetup;
  readonly target: Target;
  readonly owner: string; // default assignee of components without one in the source
  readonly defaults: ReadonlyMap<string, string>;
  readonly members: GroupMembers; // of new groups
  readonly map: NameMap;
};

/**
 * Setup document that adds the missing names to a tracker, as in the source: all components, versions and milestones of
 * a new product, and those that bugs need of other products.
 */
export function exactSetup(parts: SetupParts): JsonObject {
  const { needs, source, target } = parts;
  const missing = needs.filter((need) => !isThere(need, target));
  const of = (kind: NeedKind) => missing.filter((need) => need.kind === kind);
  const products = productsIn(parts, missing);
  const keywords = source.fields.find(({ name }) => name === "keywords")?.values ?? [];
  return {
    users: [...assignees(products).map((login) => ({ login })), ...membersIn(unique(of("group")), parts)],
    groups: unique(of("group")).map((name) => ({
      ...{ name, description: source.groups.find((one) => one.name === name)?.description || name },
      ...{ is_bug_group: true, is_active: true, members: ["admin"] },
    })),
    keywords: of("keyword").map(({ name }) => ({
      name,
      description: keywords.find((one) => one.name === name)?.description ?? "",
    })),
    fields: fieldsIn(parts, missing),
    workflow: workflowIn(parts, missing),
    products,
    flag_types: flagTypesIn(parts, missing, unique(of("group"))),
    ...(of("parameter").length > 0 ? { parameters: Object.fromEntries(of("parameter").map(turnedOn)) } : {}),
  };
}

function turnedOn({ name }: Need): readonly [name: string, value: string] {
  return [name, "1"];
}

function membersIn(groups: readonly string[], { members }: SetupParts): readonly JsonObject[] {
  return groups.flatMap((group) => (members.get(group) ?? []).map((login) => ({ login, groups: [group] })));
}

function unique(needs: readonly Need[]): readonly string[] {
  return [...new Map(needs.map(({ name }) => [name.toLowerCase(), name])).values()];
}

function productsIn(parts: SetupParts, missing: readonly Need[]): readonly JsonObject[] {
  const kinds: ReadonlySet<NeedKind> = new Set(PER_PRODUCT_FIELDS);
  const news = new Set(missing.filter(({ kind }) => kind === "product").map(({ name }) => name));
  const changed = missing.flatMap(({ kind, of }) => (kinds.has(kind) || kind === "group" ? [of] : []));
  return [...new Set([...news, ...changed])].map((name) => productIn(name, news.has(name), { parts, missing }));
}

type About = { readonly parts: SetupParts; readonly missing: readonly Need[] };

function productIn(name: string, isNew: boolean, { parts, missing }: About): JsonObject {
  const { source, needs, defaults } = parts;
  const listed = source.products.find((one) => one.name === name);
  const needed = (kind: NeedKind) => missing.filter((need) => need.kind === kind && need.of === name);
  const partsOf = (kind: NeedKind, list: TrackerProduct["versions"] = []) => {
    const names = needed(kind).map((need) => need.name);
    const others = names.filter((one) => !list.some((part) => part.name === one)).map((one) => ({ name: one }));
    const own = list.filter((part) => isNew || names.includes(part.name)).map(partIn);
    return [...own, ...others];
  };
  const groups = needs.filter(({ kind, of }) => kind === "group" && of === name);
  const milestone = isNew ? listed?.default_milestone : defaults.get(name);
  return {
    name,
    ...(isNew ? { description: listed?.description || name, has_unconfirmed: listed?.has_unconfirmed !== false } : {}),
    ...(isNew && listed?.is_active === false ? { is_active: false } : {}),
    ...(milestone === undefined ? {} : { default_milestone: milestone }),
    components: componentsIn(name, isNew, { parts, missing }),
    versions: partsOf("version", listed?.versions),
    milestones: partsOf("target_milestone", listed?.milestones),
    groups: groups
      .filter((group) => isNew || missing.includes(group))
      .map((group) => ({ group: group.name, members: "shown", others: "none" })),
  };
}

function partIn({ name, sort_key, is_active }: NonNullable<TrackerProduct["versions"]>[number]): JsonObject {
  return {
    name,
    ...(typeof sort_key === "number" ? { sort_key } : {}),
    ...(is_active === undefined ? {} : { is_active: Boolean(is_active) }),
  };
}

function componentsIn(product: string, isNew: boolean, { parts, missing }: About): readonly JsonObject[] {
  const { source, owner } = parts;
  const listed = source.products.find((one) => one.name === product)?.components ?? [];
  const needed = missing.filter(({ kind, of }) => kind === "component" && of === product).map(({ name }) => name);
  const names = new Set([...(isNew ? listed.map(({ name }) => name) : []), ...needed]);
  return [...names].map((name) => {
    const one = listed.find((part) => part.name === name);
    return {
      name,
      description: one?.description ?? "",
      ...defaultPeople(one, (login) => login, owner),
      ...(one?.is_active === false ? { is_active: false } : {}),
    };
  });
}

/** Default people of a new component: those of the source by the logins that they are known by; the owner for a required one. */
export function defaultPeople(
  source: ReadDefaultPeople | undefined,
  known: (login: string) => string | undefined,
  owner: string | undefined,
): WrittenDefaultPeople {
  const people = DEFAULT_PEOPLE.map(({ read, written, isOptional }) => {
    const login = known(source?.[read] ?? "") || (isOptional ? undefined : owner);
    return [written, login] as const;
  });
  return Object.fromEntries(people.filter(([, login]) => login !== undefined));
}

function assignees(products: readonly JsonObject[]): readonly string[] {
  const components = products.flatMap(({ components: list }) => list as readonly JsonObject[]);
  const logins = components.flatMap((one) => DEFAULT_PEOPLE.map(({ written }) => one[written]));
  return [...new Set(logins.flatMap((login) => (typeof login === "string" ? [login] : [])))];
}

/** Names of the types of custom fields in a setup, by type code. */
const TYPES: Readonly<Record<number, string>> = Object.fromEntries(
  Object.entries(CUSTOM_FIELD_TYPE).map(([name, code]) => [code, name]),
);

function fieldsIn({ source, target }: SetupParts, missing: readonly Need[]): readonly JsonObject[] {
  const news = missing
    .filter(({ kind }) => kind === "field")
    .flatMap(({ name }) => {
      const field = source.fields.find((one) => one.name === name);
      return field && TYPES[field.type] && /^cf_[a-z0-9_]+$/.test(name) ? [newField(field, target)] : [];
    });
  const valued = missing.filter(({ kind }) => kind === "value" || kind === "custom value");
  const byField = grouped(valued, ({ of }) => of);
  return [...news, ...[...byField].map(([api, needs]) => valuesOf(api, needs, { source, target }))];
}

function newField({ name, display_name, type, values = [], is_on_bug_entry }: Field, { catalog }: Target): JsonObject {
  const known = catalog.fields.some((field) => field.chart === name);
  return {
    name,
    ...(known ? {} : { type: TYPES[type] ?? "text" }),
    display_name: display_name ?? name,
    is_on_bug_entry: Boolean(is_on_bug_entry),
    ...(values.length > 0 ? { values: values.flatMap((one) => valueIn(one)) } : {}),
  };
}

function valueIn({ name, sort_key, sortkey, is_open }: FieldValue): readonly JsonObject[] {
  if (typeof name !== "string" || name === "") return [];
  const place = sort_key ?? sortkey;
  return [
    {
      name,
      ...(typeof place === "number" ? { sort_key: place } : {}),
      ...(is_open === undefined ? {} : { is_open: Boolean(is_open) }),
    },
  ];
}

function valuesOf(
  api: string,
  needs: readonly Need[],
  { source, target }: Pick<SetupParts, "source" | "target">,
): JsonObject {
  const name = target.catalog.fields.find((field) => field.api === api)?.chart ?? api;
  const values = source.fields.find((field) => field.name === name)?.values ?? [];
  return {
    name,
    values: needs.map(
      (need) => valueIn(values.find((one) => one.name === need.name) ?? { name: need.name })[0] ?? need.name,
    ),
  };
}

/** Status changes of statuses that are new, and those that lead to them. */
function workflowIn({ source, target }: SetupParts, missing: readonly Need[]): JsonObject {
  const news = new Set(missing.filter(({ kind, of }) => kind === "value" && of === "status").map(({ name }) => name));
  if (news.size === 0) return {};
  const own = target.catalog.fields.find(({ chart }) => chart === "bug_status")?.values ?? [];
  const known = new Set([...own.map(({ name }) => name), ...news]);
  const statuses = source.fields.find(({ name }) => name === "bug_status")?.values ?? [];
  const moves = statuses.flatMap((status): readonly (readonly [string, Json])[] => {
    const { name } = status;
    if (name === "" || (name !== null && !known.has(name))) return [];
    const before = name === null ? target.catalog.starts : (own.find((one) => one.name === name)?.can_change_to ?? []);
    const added = (status.can_change_to ?? []).filter((move) => known.has(move.name));
    const all = new Map([...added, ...before].map((move) => [move.name, move]));
    return [
      [
        name ?? "new",
        [...all.values()].map((move) => ({ to: move.name, comment_required: Boolean(move.comment_required) })),
      ],
    ];
  });
  return Object.fromEntries(moves);
}

/** The flag types of a setup that creates these groups. */
function flagTypesIn(parts: SetupParts, missing: readonly Need[], created: readonly string[]): readonly JsonObject[] {
  const { source, target, map } = parts;
  const news = new Set(missing.flatMap(({ kind, name }) => (kind === "product" ? [name] : [])));
  const isMissing = (product: string, component: string) =>
    missing.some(({ kind, of, name }) => kind === "component" && of === product && name === component);
  return exactFlagTypes({
    needs: missing.filter(({ kind }) => kind === "flag" || kind === "attachment flag"),
    ...{ products: source.products, groups: source.groups, map },
    isNew: (product) => news.has(product),
    hasComponent: (of, name) =>
      news.has(of) || isMissing(of, name) || isThere({ kind: "component", of, name, bugs: 0 }, target),
    hasGroup: (name) => created.includes(name) || target.groups.has(name.toLowerCase()),
  });
}
