import { DEFAULT_PEOPLE, type WrittenDefaultPeople } from "../../wire/default-people.ts";
import { Fault } from "../http/fault.ts";
import type { Store } from "../store/store.ts";
import { DEFAULT_PERSON_COLUMNS } from "./default-people.ts";
import { idByName, putRow } from "./lookup.ts";

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
  for (const { name, ...given } of classifications ?? [])
    putRow(store, "classifications", { name }, given, { description: "", sort_key: 0 });
  for (const { name, ...given } of keywords ?? []) putRow(store, "keywords", { name }, given, { description: "" });
  for (const product of products ?? []) applyProduct(store, product);
}

function applyProduct(store: Store, product: ProductSetup): void {
  const { name, classification, components, versions, milestones = [], groups, ...given } = product;
  const { default_milestone = "---" } = given;
  const first = store.get<{ id: number }>("SELECT min(id) AS id FROM classifications");
  const classification_id =
    classification === undefined ? undefined : idByName(store, "classification", classification);
  const defaults = {
    ...{ description: "", classification_id: first?.id ?? null, has_unconfirmed: true, is_active: true },
    default_milestone,
  };
  putRow(store, "products", { name }, { ...given, classification_id }, defaults);
  const product_id = idByName(store, "product", name);
  for (const { name: version, is_active } of (versions ?? []).map(asPart))
    putRow(store, "versions", { product_id, name: version }, { is_active }, { is_active: true });
  for (const { name: milestone, ...part } of [default_milestone, ...milestones].map(asPart))
    putRow(store, "milestones", { product_id, name: milestone }, part, { sort_key: 0, is_active: true });
  for (const component of components ?? []) applyComponent(store, product_id, component);
  for (const control of groups ?? []) applyControl(store, product_id, control);
}

function asPart(part: PartSetup): Exclude<PartSetup, string> {
  return typeof part === "string" ? { name: part } : part;
}

const EXISTING = "SELECT id FROM components WHERE product_id = ? AND name = ?";

function applyComponent(store: Store, product_id: number, component: ComponentSetup): void {
  const { name, description, default_cc, is_active } = component;
  const lacking = DEFAULT_PEOPLE.find(({ written, isOptional }) => !isOptional && component[written] === undefined);
  if (lacking && !store.get(EXISTING, [product_id, name]))
    throw new Fault("param_required", `The component '${name}' requires a ${lacking.written}.`);
  const given = { description, is_active, ...peopleIds(store, component) };
  putRow(store, "components", { product_id, name }, given, { description: "", is_active: true });
  if (default_cc === undefined) return;
  const id = Number(store.get(EXISTING, [product_id, name])?.["id"]);
  store.run("DELETE FROM component_cc WHERE component_id = ?", [id]);
  for (const login of default_cc)
    store.run("INSERT OR IGNORE INTO component_cc VALUES (?, ?)", [id, idByName(store, "user", login)]);
}

/** Ids of the default people by column, undefined for those that are not given. */
function peopleIds(store: Store, component: WrittenDefaultPeople): Readonly<Record<string, number | undefined>> {
  return Object.fromEntries(
    DEFAULT_PERSON_COLUMNS.map(({ written, column }) => {
      const login = component[written];
      return [column, login === undefined ? undefined : idByName(store, "user", login)];
    }),
  );
}

function applyControl(store: Store, product_id: number, control: GroupControlSetup): void {
  const { group, members, others, ...given } = control;
  const key = { product_id, group_id: idByName(store, "group", group) };
  const levels = {
    member_control: members && CONTROL_LEVELS[members],
    other_control: others && CONTROL_LEVELS[others],
  };
  const defaults = { member_control: CONTROL_LEVELS.shown, other_control: CONTROL_LEVELS.none };
  const none = { entry: false, can_edit: false, edit_components: false, edit_bugs: false, can_confirm: false };
  putRow(store, "group_controls", key, { ...given, ...levels }, { ...none, ...defaults });
}
