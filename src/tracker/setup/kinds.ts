import { DEFAULT_ROLES } from "../../wire/bug-fields.ts";
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
import { GROUP_CONTROL } from "../products/products.ts";
import type { Store } from "../store/store.ts";
import { Fault, faults } from "../values.ts";

/** A member of an object that a column has: text or a number as it is, a boolean as 0 or 1. */
export type Column = {
  readonly shape: Shape;
  readonly column?: string; // unless named as the member
  readonly refersTo?: Table; // the column has the id of an object, the member its name
  readonly codes?: Readonly<Record<string, number | string>>; // the stored values of the words
};

/** A member of an object that is stored in rows of other tables. */
export type Relation = {
  readonly shape: Shape;
  readonly read: (store: Store, id: number) => unknown;
  readonly write: (store: Store, id: number, value: never) => void;
};

/** A kind of object: its table, the column of its name, and its members. */
export type Kind = {
  readonly noun: string;
  readonly table: string;
  readonly key: string;
  readonly parent?: string; // the column with the id of the object that it is a part of
  readonly alsoKey?: Readonly<Record<string, string>>; // members also needed to find it, with their defaults
  readonly columns: Readonly<Record<string, Column>>;
  readonly relations?: Readonly<Record<string, Relation>>;
  readonly parts?: Kinds;
  readonly defaults?: Readonly<Record<string, string>>; // of new objects, in SQL with @parent and @key
  readonly order?: string; // SQL
  readonly where?: string; // SQL
  readonly takesName?: boolean; // a string is an object with this name
  readonly renames?: readonly string[]; // SQL for references: @parent, @from, @to; absent: it keeps its name
  readonly complete?: (object: SetupObject, store: Store, id: number | undefined) => SetupObject; // without an id: it is new
  readonly describe?: (object: SetupObject) => SetupObject; // the members described; absent: all
};
export type Kinds = Readonly<Record<string, Kind>>;

/** An object of a setup, of whatever kind. */
export type SetupObject = { readonly [member: string]: unknown };

/** A status transition; a string is a status that requires no comment. */
type TransitionSetup = string | { readonly to: string; readonly comment_required?: boolean };

/** All transitions by status; those of new bugs under `new`. */
export type WorkflowSetup = Readonly<Record<string, readonly TransitionSetup[]>>;

/** Setup of a tracker: its whole configuration without bugs. */
export type Setup = { readonly [Part in keyof typeof KINDS]?: readonly SetupObject[] } & {
  readonly parameters?: Readonly<Record<string, string>>;
  readonly workflow?: WorkflowSetup;
};

/** A table of objects whose names are unique. */
type Table = "classifications" | "fields" | "flag_types" | "groups" | "products" | "users";

/** Id of the object with this name in a table whose objects have unique names. @throws Fault object_does_not_exist */
export function idByName(store: Store, table: Table, name: string): number {
  const { noun, key } = KINDS[table];
  const [id] = store.values(`SELECT id FROM ${table} WHERE ${key} = ?`, [name]);
  if (id === undefined) throw faults.noSuchObject(noun, name);
  return id;
}

const NUMBER_COLUMN: Column = { shape: numberShape };

function textColumns(...names: string[]): Record<string, Column> {
  return Object.fromEntries(names.map((name) => [name, { shape: textShape }]));
}

function booleanColumns(...names: string[]): Record<string, Column> {
  return Object.fromEntries(names.map((name) => [name, { shape: booleanShape }]));
}

/** A column of one of some words, each stored as its code. */
function wordColumn(codes: Readonly<Record<string, number | string>>, column: string): Column {
  return { shape: wordShape(...Object.keys(codes)), codes, column };
}

function referenceColumn(refersTo: Table, column: string): Column {
  return { shape: textShape, refersTo, column };
}

/** The names of the objects in `others` that a table links with this one; `fixed`: its other columns. */
function linkedNames(
  table: string,
  idColumn: string,
  otherIdColumn: string,
  others: Table,
  fixed: Readonly<Record<string, string>> = {},
): Relation {
  const columns = [idColumn, otherIdColumn, ...Object.keys(fixed)];
  const where = [idColumn, ...Object.keys(fixed)].map((column) => `${column} = @${column}`).join(" AND ");
  const insert = `INSERT OR IGNORE INTO ${table} (${columns.join(", ")}) VALUES (@${columns.join(", @")})`;
  return {
    shape: listShape(textShape),
    read: (store, id) => {
      const select = `SELECT ${others}.${KINDS[others].key} FROM ${table}
        JOIN ${others} ON ${others}.id = ${otherIdColumn} WHERE ${where} ORDER BY ${others}.id`;
      return store.values<string>(select, { ...fixed, [idColumn]: id });
    },
    write: (store, id, names: readonly string[]) => {
      store.run(`DELETE FROM ${table} WHERE ${where}`, { ...fixed, [idColumn]: id });
      for (const name of names)
        store.run(insert, { ...fixed, [idColumn]: id, [otherIdColumn]: idByName(store, others, name) });
    },
  };
}

function includedGroups(kind: string): Relation {
  return linkedNames("group_inclusions", "grantor_id", "member_id", "groups", { kind });
}

function groupsOfUser(kind: string): Relation {
  return linkedNames("group_members", "user_id", "group_id", "groups", { kind, given_by: "direct" });
}

/** The field that shows this one, and the values at which it does. */
const VISIBILITY: Relation = {
  shape: recordShape({ field: textShape, values: listShape(textShape) }, "field", "values"),
  read: (store, id) => {
    const row = store.get<{ field: string | null }>("SELECT visibility_field AS field FROM fields WHERE id = ?", [id]);
    const values = "SELECT value FROM field_visibility WHERE field_id = @id ORDER BY value";
    return row?.field ? { field: row.field, values: store.values<string>(values, { id }) } : undefined;
  },
  write: (store, id, { field, values }: { field: string; values: readonly string[] }) => {
    idByName(store, "fields", field);
    store.run("UPDATE fields SET visibility_field = ? WHERE id = ?", [field, id]);
    store.run("DELETE FROM field_visibility WHERE field_id = ?", [id]);
    const insert = "INSERT OR IGNORE INTO field_visibility (field_id, value) VALUES (?, ?)";
    for (const value of values) store.run(insert, [id, value]);
  },
};

/** Places where a flag type is used: products or `Product/Component`; "" is everywhere. */
const PLACES: Relation = {
  shape: listShape(textShape),
  read: (store, id) => store.values<string>(PLACES_OF_TYPE, { id }),
  write: (store, id, list: readonly string[]) => {
    store.run("DELETE FROM flag_type_inclusions WHERE type_id = ?", [id]);
    for (const place of list)
      if (store.run(ADD_PLACE, { id, place }).changes === 0) throw faults.noSuchObject("product or component", place);
  },
};

const PLACES_OF_TYPE = `
  SELECT coalesce(products.name, '') || coalesce('/' || components.name, '') AS name FROM flag_type_inclusions AS places
  LEFT JOIN products ON products.id = places.product_id LEFT JOIN components ON components.id = component_id
  WHERE type_id = @id ORDER BY places.rowid`;

const ADD_PLACE = `
  INSERT INTO flag_type_inclusions (type_id, product_id, component_id)
  SELECT @id, products.id, components.id FROM products
  LEFT JOIN components ON components.product_id = products.id AND products.name || '/' || components.name = @place
  WHERE products.name = @place OR components.id IS NOT NULL
  UNION ALL SELECT @id, NULL, NULL WHERE @place = '' LIMIT 1`;

const { notApplicable: none, ...controls } = GROUP_CONTROL;
const CONTROLS = { none, ...controls };

/** Who may be in a group with bugs of a product, and what its members may do there. */
// biome-ignore format: a table
const CONTROL: Kind = {
  noun: "group control", table: "group_controls", key: "group", parent: "product_id",
  order: "group_id",
  columns: {
    group: referenceColumn("groups", "group_id"),
    ...booleanColumns("entry", "can_edit", "edit_components", "edit_bugs", "can_confirm"),
    members: wordColumn(CONTROLS, "member_control"),
    others: wordColumn(CONTROLS, "other_control"),
  },
  defaults: { member_control: String(CONTROLS.shown) },
};

// biome-ignore format: a table
const COMPONENT: Kind = {
  noun: "component", table: "components", key: "name", parent: "product_id", renames: [],
  columns: {
    ...textColumns("name", "description"),
    ...Object.fromEntries(DEFAULT_ROLES.map(({ written }) => [written, referenceColumn("users", `${written}_id`)])),
    ...booleanColumns("is_active"),
  },
  relations: { default_cc: linkedNames("component_cc", "component_id", "user_id", "users") },
  complete: (component, _store, id) => {
    const missing = DEFAULT_ROLES.find(({ written, isOptional }) => !isOptional && component[written] === undefined);
    if (id === undefined && missing)
      throw new Fault("param_required", `The component '${component["name"]}' requires a ${missing.written}.`);
    return component;
  },
};

// biome-ignore format: a table
const VERSION: Kind = {
  noun: "version", table: "versions", key: "name", parent: "product_id", takesName: true,
  columns: { ...textColumns("name"), ...booleanColumns("is_active") },
  renames: ["UPDATE bugs SET version = @to WHERE product_id = @parent AND version = @from"],
};

// biome-ignore format: a table
const MILESTONE: Kind = {
  noun: "milestone", table: "milestones", key: "name", parent: "product_id", takesName: true,
  columns: { ...textColumns("name"), sort_key: NUMBER_COLUMN, ...booleanColumns("is_active") },
  renames: [
    "UPDATE bugs SET target_milestone = @to WHERE product_id = @parent AND target_milestone = @from",
    "UPDATE products SET default_milestone = @to WHERE id = @parent AND default_milestone = @from",
  ],
  order: "sort_key, id",
};

/** A new value is the last; only statuses are open; with `visible_for` it is shown for this value of `value_field`. */
// biome-ignore format: a table
const VALUE: Kind = {
  noun: "value", table: "field_values", key: "name", parent: "field_id", takesName: true,
  columns: {
    ...textColumns("name"), sort_key: NUMBER_COLUMN,
    ...booleanColumns("is_active", "is_open"), ...textColumns("visible_for"),
  },
  defaults: { sort_key: "(SELECT coalesce(max(sort_key), 0) + 100 FROM field_values WHERE field_id = @parent)" },
  order: "sort_key, id",
};

/**
 * All kinds of objects of a setup, each after those that it refers to. An object is found by its name, and created if it is
 * missing; it keeps what is omitted, and lists replace what it had.
 */
// biome-ignore format: a table
export const KINDS = {
  groups: {
    noun: "group", table: "groups", key: "name",
    columns: {
      ...textColumns("name", "description"), ...booleanColumns("is_bug_group", "is_active"),
      ...textColumns("user_regexp", "icon_url"),
    },
    relations: {
      members: includedGroups("member"), // groups whose members are members of this group
      blessed_by: includedGroups("bless"), // groups whose members may change the membership
    },
    defaults: { description: "@key" },
  },
  users: {
    noun: "user", table: "users", key: "login", renames: [],
    columns: {
      ...textColumns("login", "real_name"), ...booleanColumns("email_enabled"),
      ...textColumns("disabled_text"), // reason for a disabled account; "" enables it
    },
    relations: {
      groups: groupsOfUser("member"), // direct ones
      blesses: groupsOfUser("bless"), // groups whose membership they may change
      password: { shape: booleanShape, read: () => undefined, write: () => undefined }, // makes a new one
    },
  },
  classifications: {
    noun: "classification", table: "classifications", key: "name", renames: [],
    columns: { ...textColumns("name", "description"), sort_key: NUMBER_COLUMN },
  },
  keywords: {
    noun: "keyword", table: "keywords", key: "name", renames: [], order: "name",
    columns: textColumns("name", "description"),
  },
  fields: {
    noun: "field", table: "fields", key: "name",
    columns: {
      ...textColumns("name", "display_name"), // cf_... of custom fields; of others, only the values can be set
      type: wordColumn(CUSTOM_FIELD_TYPE, "type"),
      ...booleanColumns("is_mandatory", "is_on_bug_entry", "is_obsolete"), // obsolete: hidden and read-only, values are kept
      sort_key: NUMBER_COLUMN, ...textColumns("value_field"),
    },
    relations: { visibility: VISIBILITY },
    parts: { values: VALUE },
    defaults: {
      display_name: "@key", is_custom: "1", is_on_bug_entry: "1",
      sort_key: "(SELECT max(sort_key) + 10 FROM fields)",
    },
    where: "is_custom OR id IN (SELECT field_id FROM field_values)",
    complete: completeField, describe: withoutStandardMembers,
  },
  products: {
    noun: "product", table: "products", key: "name",
    columns: {
      ...textColumns("name", "description"),
      classification: referenceColumn("classifications", "classification_id"),
      ...booleanColumns("has_unconfirmed"), ...textColumns("default_milestone"),
      ...booleanColumns("is_active"),
    },
    parts: { components: COMPONENT, versions: VERSION, milestones: MILESTONE, groups: CONTROL },
    defaults: { classification_id: "(SELECT min(id) FROM classifications)" },
    renames: [
      `UPDATE field_visibility SET value = @to WHERE value = @from
        AND field_id IN (SELECT id FROM fields WHERE visibility_field = 'product')`,
      `UPDATE field_values SET visible_for = @to WHERE visible_for = @from
        AND field_id IN (SELECT id FROM fields WHERE value_field = 'product')`,
    ],
    complete: completeProduct,
  },
  flag_types: {
    noun: "flag type", table: "flag_types", key: "name", renames: [], alsoKey: { target: "bug" },
    columns: {
      ...textColumns("name", "description", "cc_list"), // cc_list: shown by the interface only
      target: wordColumn({ bug: "bug", attachment: "attachment" }, "target"),
      ...booleanColumns("is_active", "is_requestable", "is_requesteeble", "is_multiplicable"),
      sort_key: NUMBER_COLUMN,
      grant_group: referenceColumn("groups", "grant_group_id"),
      request_group: referenceColumn("groups", "request_group_id"),
    },
    relations: { places: PLACES }, // of a new type: everywhere
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
  if (!name.startsWith("cf_") && Object.keys(field).some((member) => member !== "name" && member !== "values"))
    throw new Fault("other", `Of the field ${name} only the values can be set.`);
  if (type === undefined)
    idByName(store, "fields", name); // a new field needs a type
  else if (!/^cf_[a-z0-9_]+$/.test(name))
    throw new Fault("other", `Invalid custom field name ${name}: use cf_, then letters, digits and _.`);
  const typeCode = CUSTOM_FIELD_TYPE[type as keyof typeof CUSTOM_FIELD_TYPE];
  const [storedCode] = store.values("SELECT type FROM fields WHERE id = ?", [id ?? null]);
  if (type !== undefined && storedCode !== undefined && storedCode !== typeCode)
    throw new Fault("other", `The type of the field ${name} cannot be changed.`);
  if (value_field !== undefined) idByName(store, "fields", String(value_field));
  const empty = type === "select" ? [{ name: "---", sort_key: 0 }] : [];
  return { ...others, type, value_field, values: [...empty, ...(values as unknown[])] };
}

/** Of a standard field, only the name and the values. */
function withoutStandardMembers({ name, values, ...others }: SetupObject): SetupObject {
  return { name, ...(String(name).startsWith("cf_") ? others : {}), values };
}

/** A product with its default milestone among the milestones; a new product has "---". */
function completeProduct(product: SetupObject, _store: Store, id: number | undefined): SetupObject {
  const { default_milestone = id === undefined ? "---" : undefined, milestones = [] } = product;
  return { ...product, milestones: [milestones, default_milestone ?? []].flat() };
}
