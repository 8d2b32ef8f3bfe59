import { DEFAULT_PEOPLE, type WrittenDefaultPeople } from "../../wire/default-people.ts";
import { Fault } from "../http/fault.ts";
import type { Store } from "../store/store.ts";
import { DEFAULT_PERSON_COLUMN_NAMES, DEFAULT_PERSON_COLUMNS } from "./default-people.ts";
import { idByName, storedBoolean, storedOrNull } from "./lookup.ts";

export type KeywordSetup = { name: string; description?: string };

/** Setup of a version or milestone; a string is the name of an active one. */
export type PartSetup = string | { name: string; sort_key?: number; is_active?: boolean };

/** Setup of a component; users by login. A new one requires those of its default people who are not optional. */
export type ComponentSetup = WrittenDefaultPeople & {
  name: string;
  description?: string;
  default_cc?: string[];
  is_active?: boolean;
};

export type GroupControlSetup = {
  group: string;
  entry?: boolean;
  can_edit?: boolean;
  edit_components?: boolean; // members may edit the product
  edit_bugs?: boolean; // members may edit its bugs
  can_confirm?: boolean; // members may confirm its bugs
  members?: keyof typeof CONTROL_LEVELS;
  others?: keyof typeof CONTROL_LEVELS;
};

export type ProductSetup = {
  name: string;
  description?: string;
  classification?: string;
  has_unconfirmed?: boolean;
  default_milestone?: string;
  is_active?: boolean;
  components?: ComponentSetup[];
  versions?: PartSetup[];
  milestones?: PartSetup[];
  groups?: GroupControlSetup[];
};

export type ClassificationSetup = KeywordSetup & { sort_key?: number };

export type ProductCatalogSetup = {
  readonly classifications?: readonly ClassificationSetup[];
  readonly keywords?: readonly KeywordSetup[];
  products?: ProductSetup[];
};

/** Numeric group controls by their names in a setup; same numbers as `GROUP_CONTROL`. */
export const CONTROL_LEVELS = { none: 0, shown: 1, default: 2, mandatory: 3 } as const;

/** Creates or updates classifications, keywords and products. */
export function applyProducts(store: Store, { classifications, keywords, products }: ProductCatalogSetup): void {
  for (const { name, description, sort_key } of classifications ?? []) {
    store.run(CLASSIFICATION, { name, description: storedOrNull(description), sort_key: storedOrNull(sort_key) });
  }
  for (const { name, description } of keywords ?? []) {
    store.run(KEYWORD, { name, description: storedOrNull(description) });
  }
  for (const product of products ?? []) {
    applyProduct(store, product);
  }
}

const CLASSIFICATION = `
  INSERT INTO classifications (name, description, sort_key)
  VALUES (@name, coalesce(@description, ''), coalesce(@sort_key, 0))
  ON CONFLICT (name) DO UPDATE SET description = coalesce(@description, description),
    sort_key = coalesce(@sort_key, sort_key)`;

const KEYWORD = `
  INSERT INTO keywords (name, description) VALUES (@name, coalesce(@description, ''))
  ON CONFLICT (name) DO UPDATE SET description = coalesce(@description, description)`;

const PRODUCT = `
  INSERT INTO products (name, description, classification_id, has_unconfirmed, default_milestone, is_active)
  VALUES (@name, coalesce(@description, ''), coalesce(@classification, (SELECT min(id) FROM classifications)),
    coalesce(@has_unconfirmed, 1), coalesce(@default_milestone, '---'), coalesce(@is_active, 1))
  ON CONFLICT (name) DO UPDATE SET description = coalesce(@description, description),
    classification_id = coalesce(@classification, classification_id),
    has_unconfirmed = coalesce(@has_unconfirmed, has_unconfirmed),
    default_milestone = coalesce(@default_milestone, default_milestone), is_active = coalesce(@is_active, is_active)`;

function applyProduct(store: Store, product: ProductSetup): void {
  const { classification, default_milestone = "---", milestones = [] } = product;
  store.run(PRODUCT, {
    name: product.name,
    description: storedOrNull(product.description),
    classification: classification === undefined ? null : idByName(store, "classification", classification),
    has_unconfirmed: storedBoolean(product.has_unconfirmed),
    default_milestone: storedOrNull(product.default_milestone),
    is_active: storedBoolean(product.is_active),
  });
  const productId = idByName(store, "product", product.name);
  const parts = (sql: string, list: PartSetup[]) => {
    for (const part of list) {
      const { name, sort_key, is_active } = typeof part === "string" ? { name: part } : part;
      store.run(sql, { productId, name, sort_key: storedOrNull(sort_key), is_active: storedBoolean(is_active) });
    }
  };
  parts(VERSION, product.versions ?? []);
  parts(MILESTONE, [default_milestone, ...milestones]);
  for (const component of product.components ?? []) {
    applyComponent(store, productId, component);
  }
  for (const control of product.groups ?? []) {
    applyControl(store, productId, control);
  }
}

const VERSION = `
  INSERT INTO versions (product_id, name, is_active) VALUES (@productId, @name, coalesce(@is_active, 1))
  ON CONFLICT (product_id, name) DO UPDATE SET is_active = coalesce(@is_active, is_active)`;

const MILESTONE = `
  INSERT INTO milestones (product_id, name, sort_key, is_active)
  VALUES (@productId, @name, coalesce(@sort_key, 0), coalesce(@is_active, 1))
  ON CONFLICT (product_id, name) DO UPDATE SET sort_key = coalesce(@sort_key, sort_key),
    is_active = coalesce(@is_active, is_active)`;

const COMPONENT = `
  INSERT INTO components (product_id, name, description, ${DEFAULT_PERSON_COLUMN_NAMES.join(", ")}, is_active)
  VALUES (@productId, @name, coalesce(@description, ''), ${DEFAULT_PERSON_COLUMN_NAMES.map(givenOrKept).join(", ")}, coalesce(@is_active, 1))
  ON CONFLICT (product_id, name) DO UPDATE SET description = coalesce(@description, description),
    ${DEFAULT_PERSON_COLUMN_NAMES.map((column) => `${column} = excluded.${column}`).join(", ")},
    is_active = coalesce(@is_active, is_active)`;

/** SQL of an id that is given, or else of the one that an existing component has. */
function givenOrKept(column: string): string {
  return `coalesce(@${column}, (SELECT ${column} FROM components WHERE product_id = @productId AND name = @name))`;
}

const EXISTING = "SELECT id FROM components WHERE product_id = ? AND name = ?";

function applyComponent(store: Store, productId: number, component: ComponentSetup): void {
  const { name } = component;
  const lacking = DEFAULT_PEOPLE.find(({ written, isOptional }) => !isOptional && component[written] === undefined);
  if (lacking && !store.get(EXISTING, [productId, name]))
    throw new Fault("param_required", `The component '${name}' requires a ${lacking.written}.`);
  store.run(COMPONENT, {
    productId,
    name,
    description: storedOrNull(component.description),
    ...peopleIds(store, component),
    is_active: storedBoolean(component.is_active),
  });
  if (component.default_cc === undefined) return;
  const id = Number(store.get(EXISTING, [productId, name])?.["id"]);
  store.run("DELETE FROM component_cc WHERE component_id = ?", [id]);
  for (const login of component.default_cc) {
    store.run("INSERT OR IGNORE INTO component_cc VALUES (?, ?)", [id, idByName(store, "user", login)]);
  }
}

/** Ids of the default people by column, null for those that are not given. */
function peopleIds(store: Store, component: WrittenDefaultPeople): Readonly<Record<string, number | null>> {
  return Object.fromEntries(
    DEFAULT_PERSON_COLUMNS.map(({ written, column }) => {
      const login = component[written];
      return [column, login === undefined ? null : idByName(store, "user", login)];
    }),
  );
}

const CONTROL = `
  INSERT INTO group_controls (product_id, group_id, entry, can_edit, edit_components, edit_bugs, can_confirm,
    member_control, other_control)
  VALUES (@productId, @group, coalesce(@entry, 0), coalesce(@can_edit, 0), coalesce(@edit_components, 0),
    coalesce(@edit_bugs, 0), coalesce(@can_confirm, 0), coalesce(@members, ${CONTROL_LEVELS.shown}), coalesce(@others, ${CONTROL_LEVELS.none}))
  ON CONFLICT (product_id, group_id) DO UPDATE SET entry = coalesce(@entry, entry),
    can_edit = coalesce(@can_edit, can_edit), edit_components = coalesce(@edit_components, edit_components),
    edit_bugs = coalesce(@edit_bugs, edit_bugs), can_confirm = coalesce(@can_confirm, can_confirm),
    member_control = coalesce(@members, member_control), other_control = coalesce(@others, other_control)`;

function applyControl(store: Store, productId: number, control: GroupControlSetup): void {
  store.run(CONTROL, {
    productId,
    group: idByName(store, "group", control.group),
    entry: storedBoolean(control.entry),
    can_edit: storedBoolean(control.can_edit),
    edit_components: storedBoolean(control.edit_components),
    edit_bugs: storedBoolean(control.edit_bugs),
    can_confirm: storedBoolean(control.can_confirm),
    members: control.members === undefined ? null : CONTROL_LEVELS[control.members],
    others: control.others === undefined ? null : CONTROL_LEVELS[control.others],
  });
}
