import type { WrittenDefaultPeople } from "../../wire/default-people.ts";
import { type FlagTypeRow, readFlagSwitches } from "../flags/types.ts";
import { defaultLogins, JOINED_PEOPLE } from "../products/default-people.ts";
import {
  CONTROL_LEVELS,
  type ComponentSetup,
  type GroupControlSetup,
  type PartSetup,
  type ProductSetup,
} from "../setup/products.ts";
import type { FlagTypeSetup } from "../setup/setup.ts";
import type { Store } from "../store/store.ts";

type ProductRow = {
  id: number;
  name: string;
  description: string;
  classification: string;
  has_unconfirmed: number;
  default_milestone: string;
  is_active: number;
};

const PRODUCTS = `SELECT products.id, products.name, products.description, classifications.name AS classification,
  has_unconfirmed, default_milestone, is_active
  FROM products JOIN classifications ON classifications.id = classification_id ORDER BY products.id`;

/** All products as setup, with components, versions, milestones and group controls. */
export function describeProducts(store: Store): ProductSetup[] {
  return store.all<ProductRow>(PRODUCTS).map(({ id, has_unconfirmed, is_active, ...product }) =>
    withoutEmpty({
      ...product,
      has_unconfirmed: isTrue(has_unconfirmed),
      is_active: isTrue(is_active),
      versions: parts(store, VERSIONS, id),
      milestones: parts(store, MILESTONES, id),
      components: components(store, id),
      groups: controls(store, id),
    }),
  );
}

type PartRow = { name: string; sort_key: number | null; is_active: number };

const VERSIONS = "SELECT name, NULL AS sort_key, is_active FROM versions WHERE product_id = ? ORDER BY id";
const MILESTONES = "SELECT name, sort_key, is_active FROM milestones WHERE product_id = ? ORDER BY sort_key, id";

function parts(store: Store, sql: string, productId: number): PartSetup[] {
  return store.all<PartRow>(sql, [productId]).map(({ name, sort_key, is_active }) => ({
    name,
    ...(sort_key === null ? {} : { sort_key }),
    is_active: isTrue(is_active),
  }));
}

type ComponentRow = {
  id: number;
  name: string;
  description: string;
  is_active: number;
} & WrittenDefaultPeople;

const COMPONENTS = `SELECT components.id, name, description, ${defaultLogins("written", "NULL")}, is_active
  FROM components ${JOINED_PEOPLE} WHERE product_id = ? ORDER BY components.id`;
const COMPONENT_CC = `SELECT login AS name FROM component_cc JOIN users ON users.id = user_id WHERE component_id = ?
  ORDER BY login`;

function components(store: Store, productId: number): ComponentSetup[] {
  return store.all<ComponentRow>(COMPONENTS, [productId]).map(({ id, is_active, ...component }) =>
    withoutEmpty({
      ...component,
      is_active: isTrue(is_active),
      default_cc: queryNames(store, COMPONENT_CC, id),
    }),
  );
}

type ControlRow = {
  name: string;
  entry: number;
  can_edit: number;
  edit_components: number;
  edit_bugs: number;
  can_confirm: number;
  member_control: number;
  other_control: number;
};

const GROUPS = `SELECT groups.name, entry, can_edit, edit_components, edit_bugs, can_confirm, member_control, other_control
  FROM group_controls JOIN groups ON groups.id = group_id WHERE product_id = ? ORDER BY groups.id`;

function controls(store: Store, productId: number): GroupControlSetup[] {
  return store.all<ControlRow>(GROUPS, [productId]).map((row) => ({
    group: row.name,
    entry: isTrue(row.entry),
    can_edit: isTrue(row.can_edit),
    edit_components: isTrue(row.edit_components),
    edit_bugs: isTrue(row.edit_bugs),
    can_confirm: isTrue(row.can_confirm),
    members: controlNamed(row.member_control),
    others: controlNamed(row.other_control),
  }));
}

function controlNamed(code: number): keyof typeof CONTROL_LEVELS {
  const [name = "none"] = Object.entries(CONTROL_LEVELS).find(([, level]) => level === code) ?? [];
  return name as keyof typeof CONTROL_LEVELS;
}

type TypeRow = Omit<FlagTypeRow, "grant_group_id" | "request_group_id"> & {
  grant_group: string | null;
  request_group: string | null;
};

const TYPES = `SELECT flag_types.id, flag_types.name, flag_types.description, cc_list, target, flag_types.is_active, is_requestable,
  is_requesteeble, is_multiplicable, sort_key, granters.name AS grant_group, requesters.name AS request_group
  FROM flag_types
  LEFT JOIN groups AS granters ON granters.id = grant_group_id
  LEFT JOIN groups AS requesters ON requesters.id = request_group_id ORDER BY flag_types.id`;
const placesIn = (table: string) => `SELECT coalesce(products.name, '') || coalesce('/' || components.name, '') AS name
  FROM ${table} AS places
  LEFT JOIN products ON products.id = places.product_id
  LEFT JOIN components ON components.id = component_id WHERE type_id = ? ORDER BY places.rowid`;
const PLACES = placesIn("flag_type_inclusions");
const EXCEPTIONS = placesIn("flag_type_exclusions");

export function describeFlagTypes(store: Store): FlagTypeSetup[] {
  return store.all<TypeRow>(TYPES).map(({ id, grant_group, request_group, cc_list, ...type }) => ({
    ...type,
    ...(cc_list === "" ? {} : { cc_list }),
    ...readFlagSwitches(type),
    ...(grant_group === null ? {} : { grant_group }),
    ...(request_group === null ? {} : { request_group }),
    places: queryNames(store, PLACES, id),
    ...withoutEmpty({ except: queryNames(store, EXCEPTIONS, id) }),
  }));
}

/** Column `name` of a query's rows; one value binds `?`, an object binds `@name`. */
export function queryNames(
  store: Store,
  sql: string,
  values: number | string | Readonly<Record<string, number | string>>,
): string[] {
  const bindings = typeof values === "object" ? values : [values];
  return store.all<{ name: string }>(sql, bindings).map(({ name }) => name);
}

/** A stored boolean (0 or 1) as a boolean. */
export function isTrue(value: number): boolean {
  return value === 1;
}

/** Copy of the record without null and empty-array values. */
export function withoutEmpty<T extends object>(record: T): T {
  return Object.fromEntries(
    Object.entries(record).filter(([, value]) => value !== null && !(Array.isArray(value) && value.length === 0)),
  ) as T;
}
