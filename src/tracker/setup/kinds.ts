import { DEFAULT_PEOPLE, type WrittenDefaultPeople } from "../../wire/default-people.ts";
import { CUSTOM_FIELD_TYPE } from "../../wire/field-types.ts";
import {
  booleanShape,
  listShape,
  numberShape,
  recordShape,
  type Shape,
  textShape,
  wordShape,
} from "../../wire/shape.ts";
import { Fault } from "../http/fault.ts";
import type { Store } from "../store/store.ts";
import { idByName, type Named } from "./lookup.ts";

/** A member of an object that a column has: text or a number as it is, a boolean as 0 or 1. */
export type Column<T = unknown> = {
  readonly shape: Shape;
  readonly column?: string; // unless named as the member
  readonly refersTo?: Named; // the column has the id of an object, the member its name
  readonly codes?: Readonly<Record<string, number | string>>; // the stored values of the words
  readonly is?: T; // type of the member's value only
};

/** A member of an object that rows of other tables have. */
export type Rows<T = unknown> = {
  readonly shape: Shape;
  readonly read: (store: Store, id: number) => T | undefined;
  readonly write: (store: Store, id: number, value: T) => void;
};

type Members = Readonly<Record<string, Column | Rows<never>>>;

/** A kind of object: its table, the column of its name, and its members. */
export type Kind = {
  readonly noun: string;
  readonly table: string;
  readonly key: string;
  readonly parent?: string; // the column with the id of the object that it is a part of
  readonly also?: Readonly<Record<string, string>>; // members that tell objects of one name apart, with their defaults
  readonly members: Members;
  readonly parts?: Kinds;
  readonly initial?: Readonly<Record<string, string>>; // columns of new objects, in SQL with @parent and @key
  readonly order?: string; // SQL
  readonly where?: string; // SQL
  readonly isShort?: boolean; // a string is an object with this name
  readonly rename?: readonly string[]; // statements for what refers to it by name: @parent, @from, @to
  readonly complete?: (object: SetupObject, store: Store, id: number | undefined) => SetupObject; // without an id: it is new
  readonly shown?: (object: SetupObject) => SetupObject; // what of it is described
};
export type Kinds = Readonly<Record<string, Kind>>;

/** An object of a setup, of whatever kind. */
export type SetupObject = Readonly<Record<string, unknown>>;

const TEXT: Column<string> = { shape: textShape };
const BOOLEAN: Column<boolean> = { shape: booleanShape };
const NUMBER: Column<number> = { shape: numberShape };

function word<Word extends string>(codes: Readonly<Record<Word, number | string>>, column?: string): Column<Word> {
  return { shape: wordShape(...Object.keys(codes)), codes, ...(column === undefined ? {} : { column }) };
}

function nameOf(refersTo: Named, column: string): Column<string> {
  return { shape: textShape, refersTo, column };
}

/** Noun, table, and the member by which objects are found. */
function kept<const Noun extends string, const Key extends string>(noun: Noun, table: string, key: Key) {
  return { noun, table, key };
}

type Links = { table: string; own: string; other: string; of: Named; fixed?: Readonly<Record<string, string>> };

/** Names of other objects, which a table links with this one. */
function links({ table, own, other, of, fixed = {} }: Links): Rows<string[]> {
  const key = of === "users" ? "login" : "name";
  const conditions = Object.keys(fixed).map((column) => ` AND ${column} = @${column}`);
  const where = `${own} = @id${conditions.join("")}`;
  const columns = [own, other, ...Object.keys(fixed)].join(", ");
  const values = ["@id", "@other", ...Object.keys(fixed).map((column) => `@${column}`)].join(", ");
  const select = `SELECT ${of}.${key} AS name FROM ${table} JOIN ${of} ON ${of}.id = ${other} WHERE ${where} ORDER BY ${of}.id`;
  return {
    shape: listShape(textShape),
    read: (store, id) => names(store, select, { ...fixed, id }),
    write: (store, id, others) => {
      store.run(`DELETE FROM ${table} WHERE ${where}`, { ...fixed, id });
      const insert = `INSERT OR IGNORE INTO ${table} (${columns}) VALUES (${values})`;
      for (const name of others) store.run(insert, { ...fixed, id, other: idByName(store, of, name) });
    },
  };
}

function names(store: Store, sql: string, bindings: Readonly<Record<string, number | string>>): string[] {
  return store.all<{ name: string }>(sql, bindings).map(({ name }) => name);
}

function includedGroups(kind: string): Rows<string[]> {
  return links({ table: "group_inclusions", own: "grantor_id", other: "member_id", of: "groups", fixed: { kind } });
}

function groupsOfUser(kind: string): Rows<string[]> {
  const fixed = { kind, given_by: "direct" };
  return links({ table: "group_members", own: "user_id", other: "group_id", of: "groups", fixed });
}

type Visibility = { field: string; values: string[] };

/** The field that shows this one, and the values at which it does. */
const VISIBILITY: Rows<Visibility> = {
  shape: recordShape({ field: textShape, values: listShape(textShape) }, "field", "values"),
  read: (store, id) => {
    const row = store.get<{ field: string | null }>("SELECT visibility_field AS field FROM fields WHERE id = ?", [id]);
    const values = names(store, "SELECT value AS name FROM field_visibility WHERE field_id = @id ORDER BY value", {
      id,
    });
    return row?.field ? { field: row.field, values } : undefined;
  },
  write: (store, id, { field, values }) => {
    idByName(store, "fields", field);
    store.run("UPDATE fields SET visibility_field = ? WHERE id = ?", [field, id]);
    store.run("DELETE FROM field_visibility WHERE field_id = ?", [id]);
    for (const value of new Set(values))
      store.run("INSERT INTO field_visibility (field_id, value) VALUES (?, ?)", [id, value]);
  },
};

/** Places where a flag type is used: products or `Product/Component`; "" is everywhere. */
function places(table: string): Rows<string[]> {
  return {
    shape: listShape(textShape),
    read: (store, id) =>
      names(
        store,
        `SELECT coalesce(products.name, '') || coalesce('/' || components.name, '') AS name FROM ${table} AS places
          LEFT JOIN products ON products.id = places.product_id LEFT JOIN components ON components.id = component_id
          WHERE type_id = @id ORDER BY places.rowid`,
        { id },
      ),
    write: (store, id, list) => {
      store.run(`DELETE FROM ${table} WHERE type_id = ?`, [id]);
      const insert = `INSERT INTO ${table} (type_id, product_id, component_id) VALUES (?, ?, ?)`;
      for (const place of list) store.run(insert, [id, ...placeIds(store, place)]);
    },
  };
}

type PlaceIds = readonly [product: number | null, component: number | null];
const PLACE = `SELECT products.id AS product, components.id AS component FROM products
  LEFT JOIN components ON components.product_id = products.id AND products.name || '/' || components.name = @place
  WHERE products.name = @place OR components.id IS NOT NULL`;

function placeIds(store: Store, place: string): PlaceIds {
  if (place === "") return [null, null];
  const found = store.get<{ product: number; component: number | null }>(PLACE, { place });
  if (!found) throw new Fault("object_does_not_exist", `There is no product or component named '${place}'.`);
  return [found.product, found.component];
}

/** Numeric group controls by their names in a setup; same numbers as `GROUP_CONTROL`. */
const LEVELS = { none: 0, shown: 1, default: 2, mandatory: 3 } as const;

const GROUP_CONTROL = {
  ...kept("group control", "group_controls", "group"),
  parent: "product_id",
  members: {
    group: nameOf("groups", "group_id"),
    entry: BOOLEAN,
    can_edit: BOOLEAN,
    edit_components: BOOLEAN, // members may edit the product
    edit_bugs: BOOLEAN, // members may edit its bugs
    can_confirm: BOOLEAN,
    members: word(LEVELS, "member_control"),
    others: word(LEVELS, "other_control"),
  },
  initial: { member_control: String(LEVELS.shown) },
  order: "group_id",
} as const;

type DefaultPeople = { readonly [Name in keyof WrittenDefaultPeople]-?: Column<string> };

const COMPONENT = {
  ...kept("component", "components", "name"),
  parent: "product_id",
  members: {
    name: TEXT,
    description: TEXT,
    ...(Object.fromEntries(
      DEFAULT_PEOPLE.map(({ written }) => [written, nameOf("users", `${written}_id`)]),
    ) as DefaultPeople),
    default_cc: links({ table: "component_cc", own: "component_id", other: "user_id", of: "users" }),
    is_active: BOOLEAN,
  },
  rename: [],
  complete: (component: SetupObject, _store: Store, id: number | undefined): SetupObject => {
    const lacking = DEFAULT_PEOPLE.find(({ written, isOptional }) => !isOptional && component[written] === undefined);
    if (id === undefined && lacking)
      throw new Fault("param_required", `The component '${component["name"]}' requires a ${lacking.written}.`);
    return component;
  },
} as const;

const VERSION = {
  ...kept("version", "versions", "name"),
  parent: "product_id",
  isShort: true,
  members: { name: TEXT, is_active: BOOLEAN },
  rename: ["UPDATE bugs SET version = @to WHERE product_id = @parent AND version = @from"],
} as const;

const MILESTONE = {
  ...kept("milestone", "milestones", "name"),
  parent: "product_id",
  isShort: true,
  members: { name: TEXT, sort_key: NUMBER, is_active: BOOLEAN },
  rename: [
    "UPDATE bugs SET target_milestone = @to WHERE product_id = @parent AND target_milestone = @from",
    "UPDATE products SET default_milestone = @to WHERE id = @parent AND default_milestone = @from",
  ],
  order: "sort_key, id",
} as const;

const VALUE = {
  ...kept("value", "field_values", "name"),
  parent: "field_id",
  isShort: true,
  members: {
    name: TEXT,
    sort_key: NUMBER, // of a new value: last
    is_active: BOOLEAN,
    is_open: BOOLEAN, // statuses only
    visible_for: TEXT, // shown only for this value of value_field
  },
  initial: { sort_key: "(SELECT coalesce(max(sort_key), 0) + 100 FROM field_values WHERE field_id = @parent)" },
  order: "sort_key, id",
} as const;

/**
 * All kinds of objects of a setup, each after those that it refers to. An object is found by its name, and created if it is
 * missing; it keeps what is omitted, and lists replace what it had.
 */
export const KINDS = {
  groups: {
    ...kept("group", "groups", "name"),
    members: {
      name: TEXT,
      description: TEXT,
      is_bug_group: BOOLEAN,
      is_active: BOOLEAN,
      user_regexp: TEXT,
      icon_url: TEXT,
      members: includedGroups("member"), // groups whose members are members of this group
      blessed_by: includedGroups("bless"), // groups whose members may change the membership
      visible_to: includedGroups("see"), // groups whose members see the members of this group
    },
    initial: { description: "@key" },
  },
  users: {
    ...kept("user", "users", "login"),
    members: {
      login: TEXT,
      real_name: TEXT,
      groups: groupsOfUser("member"), // direct ones
      blesses: groupsOfUser("bless"), // groups whose membership they may change
      email_enabled: BOOLEAN,
      disabled_text: TEXT, // reason for a disabled account; "" enables it
      password: { shape: booleanShape, read: () => undefined, write: () => undefined } as Rows<boolean>, // makes a new one
    },
    rename: [],
  },
  classifications: {
    ...kept("classification", "classifications", "name"),
    members: { name: TEXT, description: TEXT, sort_key: NUMBER },
    rename: [],
  },
  keywords: {
    ...kept("keyword", "keywords", "name"),
    order: "name",
    members: { name: TEXT, description: TEXT },
    rename: [],
  },
  fields: {
    ...kept("field", "fields", "name"),
    members: {
      name: TEXT, // cf_... of custom fields; of others, only the values can be set
      display_name: TEXT,
      type: word(CUSTOM_FIELD_TYPE),
      is_mandatory: BOOLEAN,
      is_on_bug_entry: BOOLEAN,
      is_obsolete: BOOLEAN, // hidden and read-only, values are kept
      sort_key: NUMBER,
      value_field: TEXT,
      visibility: VISIBILITY,
    },
    parts: { values: VALUE },
    initial: {
      display_name: "@key",
      is_custom: "1",
      is_on_bug_entry: "1",
      sort_key: "(SELECT max(sort_key) + 10 FROM fields)",
    },
    where: "is_custom OR id IN (SELECT field_id FROM field_values)",
    complete: completeField,
    shown: settable,
  },
  products: {
    ...kept("product", "products", "name"),
    members: {
      name: TEXT,
      description: TEXT,
      classification: nameOf("classifications", "classification_id"),
      has_unconfirmed: BOOLEAN,
      default_milestone: TEXT,
      is_active: BOOLEAN,
    },
    parts: { components: COMPONENT, versions: VERSION, milestones: MILESTONE, groups: GROUP_CONTROL },
    initial: { classification_id: "(SELECT min(id) FROM classifications)" },
    rename: [
      `UPDATE field_visibility SET value = @to WHERE value = @from
        AND field_id IN (SELECT id FROM fields WHERE visibility_field = 'product')`,
      `UPDATE field_values SET visible_for = @to WHERE visible_for = @from
        AND field_id IN (SELECT id FROM fields WHERE value_field = 'product')`,
    ],
    complete: completeProduct,
  },
  flag_types: {
    ...kept("flag type", "flag_types", "name"),
    also: { target: "bug" },
    members: {
      name: TEXT,
      description: TEXT,
      cc_list: TEXT, // comma-separated addresses that get its mails
      target: word({ bug: "bug", attachment: "attachment" }),
      is_active: BOOLEAN,
      is_requestable: BOOLEAN,
      is_requesteeble: BOOLEAN,
      is_multiplicable: BOOLEAN,
      sort_key: NUMBER,
      grant_group: nameOf("groups", "grant_group_id"),
      request_group: nameOf("groups", "request_group_id"),
      places: places("flag_type_inclusions"), // of a new type: everywhere
      except: places("flag_type_exclusions"),
    },
    rename: [],
    complete: (type: SetupObject, _store: Store, id: number | undefined): SetupObject =>
      id === undefined ? { places: [""], ...type } : type,
  },
} as const satisfies Kinds;

/**
 * A field whose name and type are valid; a select has the value "---".
 * @throws Fault other for an invalid name or another type: stored values would become invalid
 */
function completeField(field: SetupObject, store: Store, id: number | undefined): SetupObject {
  const name = String(field["name"]);
  const { type, value_field, values = [], ...others } = field;
  if (type === undefined) idByName(store, "fields", name);
  else if (!/^cf_[a-z0-9_]+$/.test(name))
    throw new Fault("other", `Invalid custom field name ${name}: use cf_, then letters, digits and _.`);
  else if (id !== undefined && store.get("SELECT 1 FROM fields WHERE id = ? AND type <> ?", [id, typeCode(type)]))
    throw new Fault("other", `The type of the field ${name} cannot be changed.`);
  if (value_field !== undefined) idByName(store, "fields", String(value_field));
  const none = type === "select" ? [{ name: "---", sort_key: 0 }] : [];
  return settable({ ...others, type, value_field, values: [...none, ...(values as unknown[])] });
}

function settable({ name, values, ...others }: SetupObject): SetupObject {
  return { name, ...(String(name).startsWith("cf_") ? others : {}), values };
}

function typeCode(type: unknown): number {
  return CUSTOM_FIELD_TYPE[type as keyof typeof CUSTOM_FIELD_TYPE];
}

/** A product whose milestones have its default. */
function completeProduct(product: SetupObject, _store: Store, id: number | undefined): SetupObject {
  const { default_milestone = id === undefined ? "---" : undefined, milestones = [] } = product;
  const isNamed = (part: unknown) => part === default_milestone || Object(part).name === default_milestone;
  const list = milestones as unknown[];
  return default_milestone === undefined || list.some(isNamed)
    ? product
    : { ...product, milestones: [default_milestone, ...list] };
}

type Value<M> = M extends Rows<infer T> ? T : M extends Column<infer T> ? T : never;

type ObjectOf<K extends Kind> = { readonly [Name in K["key"]]: string } & {
  readonly [Name in Exclude<keyof K["members"], K["key"]>]?: Value<K["members"][Name]>;
} & (K["parts"] extends Kinds ? ObjectsOf<K["parts"]> : unknown);

type ObjectsOf<K extends Kinds> = {
  readonly [Part in keyof K]?: readonly (ObjectOf<K[Part]> | (K[Part]["isShort"] extends true ? string : never))[];
};

/** A status transition; a string is a status that requires no comment. */
export type MoveSetup = string | { readonly to: string; readonly comment_required?: boolean };

/** All transitions by status; those of new bugs under `new`. */
export type WorkflowSetup = Readonly<Record<string, readonly MoveSetup[]>>;

/** Setup of a tracker: its whole configuration without bugs. */
export type Setup = ObjectsOf<typeof KINDS> & {
  readonly parameters?: Readonly<Record<string, string>>;
  readonly workflow?: WorkflowSetup;
};

export type ProductSetup = ObjectOf<(typeof KINDS)["products"]>;
