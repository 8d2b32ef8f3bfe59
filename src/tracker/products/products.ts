import type { DefaultRole } from "../../wire/bug-fields.ts";
import type { Json, JsonObject } from "../../wire/exchange.ts";
import { type Choice, findByName } from "../bug-fields/values.ts";
import type { Bug, Component, NamedItem, Person, Product } from "../fields.ts";
import { type FlagType, loadFlagTypes, mayGrantFlag, mayRequestFlag } from "../flags/flags.ts";
import { type Call, isEnabled } from "../http/call.ts";
import {
  type FieldSelection,
  pickFieldParts,
  pickFields,
  readFieldSelection,
  readIdsAndNames,
  textValues,
} from "../http/input.ts";
import type { SqlRow, Store } from "../store/store.ts";
import { Fault, faults, raise, withBooleans } from "../values.ts";

/** Access to a product: searchable, open for new bugs, or either. */
export type ProductAccess = "selectable" | "enterable" | "accessible";

/** Ids of the products with this access, ascending. @see User.pm, get_selectable_products */
export function productIds({ store }: Call, access: ProductAccess): readonly number[] {
  return store.values(WITH_ACCESS[access]);
}

type ProductRow = Omit<Product, "has_unconfirmed" | "is_active"> & { has_unconfirmed: number; is_active: number };

const PRODUCT = "SELECT id, name, default_milestone, has_unconfirmed, is_active FROM products WHERE";

/** SQL test of a product: the requester is in all groups whose controls there meet a test. */
function inGroupsWith(control: "member_control = 3" | "entry" | "can_edit"): string {
  return `NOT EXISTS (
    SELECT 1 FROM group_controls WHERE product_id = products.id AND ${control}
      AND group_id NOT IN (SELECT group_id FROM viewer_groups))`;
}

const SELECTABLE = `SELECT id FROM products WHERE ${inGroupsWith("member_control = 3")}`;

const ENTERABLE = `SELECT id FROM products WHERE is_active
  AND EXISTS (SELECT 1 FROM components WHERE product_id = products.id AND is_active)
  AND EXISTS (SELECT 1 FROM versions WHERE product_id = products.id AND is_active)
  AND ${inGroupsWith("entry")}`;

const WITH_ACCESS: Readonly<Record<ProductAccess, string>> = {
  selectable: `${SELECTABLE} ORDER BY id`,
  enterable: `${ENTERABLE} ORDER BY id`,
  accessible: `${SELECTABLE} UNION ${ENTERABLE} ORDER BY id`,
};

/** The product with this name in any case. @throws Fault param_required, product_access_denied */
export function findEnterableProduct({ store }: Call, text: string): Product {
  const name = text.trim();
  if (name === "") throw new Fault("param_required", "You must select/enter a product.");
  const row = store.get<ProductRow>(`${PRODUCT} name = ? AND ${inGroupsWith("entry")}`, [name]);
  if (!row)
    throw new Fault(
      "product_access_denied",
      `Sorry, either the product ${name} does not exist or you aren't authorized to enter a bug into it.`,
    );
  if (row.is_active === 0)
    throw new Fault("product_access_denied", `Sorry, entering a bug into the product ${row.name} has been disabled.`);
  return withBooleans(row);
}

/** Checks that no group control forbids the requester to edit bugs of a product. @throws Fault product_edit_denied */
export function refuseReadOnlyProduct({ store }: Call, product: Product): void {
  if (!store.get(`${PRODUCT} id = ? AND ${inGroupsWith("can_edit")}`, [product.id]))
    throw new Fault("product_edit_denied", `You are not permitted to edit bugs in product ${product.name}.`);
}

/** The product with this id, which exists. */
export function loadProduct(store: Store, id: number): Product {
  return withBooleans(store.get(`${PRODUCT} id = ?`, [id]) as ProductRow);
}

type ComponentRow = NamedItem & { readonly is_active: number };

const COMPONENT = "SELECT id, name, is_active FROM components WHERE";

/** The component with this name in any letter case. @throws Fault object_does_not_exist if there is none */
export function findComponent(store: Store, product: Product, name: string): Component {
  const row = store.get<ComponentRow>(`${COMPONENT} product_id = ? AND name = ?`, [product.id, name]);
  return withBooleans(row ?? raise(noSuchPartFault("component", name, product)));
}

/** The component with this id, which exists. */
export function loadComponent(store: Store, id: number): Component {
  return withBooleans(store.get(`${COMPONENT} id = ?`, [id]) as ComponentRow);
}

/** The person who has a role in new bugs of a component. */
export function defaultPerson(store: Store, { id }: Component, { written }: DefaultRole): Person | null {
  const sql = `SELECT users.id, login FROM components JOIN users ON users.id = ${written}_id WHERE components.id = ?`;
  return store.get<Person>(sql, [id]) ?? null;
}

/** Kind of product part that bugs store by name. */
export type ProductPart = "version" | "milestone";

/** The version or milestone with this name in any letter case. @throws Fault object_does_not_exist if there is none */
export function findProductPart(store: Store, product: Product, part: ProductPart, name: string): Choice {
  return findByName(productParts(store, product.id, part), name) ?? raise(noSuchPartFault(part, name, product));
}

/** All versions or milestones of a product, in order; versions have no sort keys. */
export function productParts(store: Store, productId: number, part: ProductPart) {
  return store.all<StoredPart>(PART_QUERIES[part], [productId]).map(withBooleans);
}

type StoredPart = { id: number; name: string; sort_key: number; is_active: number };

const PART_QUERIES: Readonly<Record<ProductPart, string>> = {
  version: "SELECT id, name, 0 AS sort_key, is_active FROM versions WHERE product_id = ? ORDER BY id",
  milestone: "SELECT id, name, sort_key, is_active FROM milestones WHERE product_id = ? ORDER BY sort_key, name",
};

function noSuchPartFault(part: string, name: string, product: Product): Fault {
  return new Fault("object_does_not_exist", `There is no ${part} named '${name}' in the '${product.name}' product.`);
}

/** Comparator of version names: numbers numerically (9 before 10, 1.9 before 1.10) and before words. */
export const compareVersions = new Intl.Collator("en", { numeric: true }).compare;

/** Values of group controls. @see Bugzilla/Constants.pm, CONTROLMAPNA and the like */
export const GROUP_CONTROL = { notApplicable: 0, shown: 1, default: 2, mandatory: 3 } as const;

/** Group control of one product and one group, and the requester's membership. */
export type GroupControl = NamedItem & {
  readonly is_active: boolean; // active and a bug group
  readonly member_control: number;
  readonly other_control: number;
  readonly is_member: boolean;
};

/** True if every bug of the product must be in the group. */
export function isMandatoryGroup({ is_active, is_member, member_control, other_control }: GroupControl): boolean {
  return (
    is_active &&
    (member_control === GROUP_CONTROL.mandatory || (!is_member && other_control === GROUP_CONTROL.mandatory))
  );
}

/** True if a new bug is in the group when no groups are sent. */
export function isDefaultGroup(control: GroupControl): boolean {
  return isMandatoryGroup(control) || requesterControl(control) === GROUP_CONTROL.default;
}

/** True if the requester may put a new bug in the group. */
export function mayFileInGroup(control: GroupControl): boolean {
  return isMandatoryGroup(control) || OPTIONAL.has(requesterControl(control));
}

const OPTIONAL: ReadonlySet<number> = new Set([GROUP_CONTROL.shown, GROUP_CONTROL.default]);

/** The control that holds for the requester; an inactive group is not applicable. */
function requesterControl({ is_active, is_member, member_control, other_control }: GroupControl): number {
  const control = is_member ? member_control : other_control;
  return is_active ? control : GROUP_CONTROL.notApplicable;
}

/** True if the requester may add an existing bug to the group; non-members only while moving it to this product. */
export function mayAddGroup(control: GroupControl, isMoving: boolean): boolean {
  return (
    mayFileInGroup(control) &&
    (control.is_member || (isMoving && control.other_control !== GROUP_CONTROL.notApplicable))
  );
}

/** True if the requester may remove a bug from the group. @see Bugzilla/Bug.pm, remove_group */
export function mayRemoveGroup(control: GroupControl, isMoving: boolean): boolean {
  if (control.member_control === GROUP_CONTROL.mandatory && control.is_active) return false;
  return control.is_member || (isMoving && OPTIONAL.has(control.other_control));
}

/**
 * A bug's groups after a move to another product: those valid there, and its mandatory ones.
 * @see Bugzilla/Product.pm, groups_valid: a group that is not applicable for its members is invalid
 */
export function groupsAfterMove(groups: readonly NamedItem[], controls: GroupControl[]): NamedItem[] {
  const valid = controls.filter(({ member_control }) => member_control !== GROUP_CONTROL.notApplicable);
  const validGroups = groups.filter(({ id }) => valid.some((control) => control.id === id));
  const added = controls.filter(
    (control) => isMandatoryGroup(control) && !validGroups.some(({ id }) => id === control.id),
  );
  return [...validGroups, ...added.map(({ id, name }) => ({ id, name }))];
}

/** Fault 120: the bug cannot be put in the group, or taken out of it; does not disclose whether the group exists. */
export function groupEditDeniedFault(verb: "restrict" | "remove", group: string, { id, product }: Bug): Fault {
  const bug = id === 0 ? "a bug" : `bug ${id}`;
  const [move, allowed] = verb === "restrict" ? ["to", "restrict bugs to"] : ["from", "remove bugs from"];
  return new Fault(
    "group_restriction_not_allowed",
    `You tried to ${verb} ${bug} ${move} the '${group}' group, but either this group does not exist, or you are not allowed to ${allowed} this group in the '${product.name}' product.`,
  );
}

/** Group controls of a product; `is_member` is about the requester, by `viewer_groups`. */
export function loadGroupControls({ store }: Call, productId: number): GroupControl[] {
  return store.all<ControlRow>(CONTROLS, [productId]).map(withBooleans);
}

type ControlRow = Omit<GroupControl, "is_active" | "is_member"> & { is_active: number; is_member: number };

const CONTROLS = `
  SELECT groups.id, groups.name, (groups.is_active AND groups.is_bug_group) AS is_active,
    member_control, other_control, groups.id IN (SELECT group_id FROM viewer_groups) AS is_member
  FROM group_controls JOIN groups ON groups.id = group_id
  WHERE product_id = ? ORDER BY groups.id`;

/** Get Product, without those that are not accessible. */
export function getProducts(call: Call): Json {
  const selection = readFieldSelection(call.input);
  const visible = new Set(productIds(call, "accessible"));
  const ids = requestedIds(call).filter((id) => visible.has(id));
  const rows = call.store.all<Details>(PRODUCTS, [ids]);
  return { products: rows.map((row) => presentProduct(call, row, selection)) };
}

type Details = SqlRow & { id: number };

const PRODUCTS = `
  SELECT products.id, products.name, products.description, default_milestone, has_unconfirmed, is_active,
    classifications.name AS classification
  FROM products JOIN classifications ON classifications.id = classification_id
  WHERE products.id IN (SELECT value FROM json_each(?)) ORDER BY products.name`;

function requestedIds(call: Call): number[] {
  const { ids, names } = readIdsAndNames(call);
  const types = textValues(call.input, "type").map(readAccess);
  if (ids.length + names.length + types.length === 0)
    throw new Fault(
      "param_required",
      "The function Product.get requires that you set one of the following parameters: ids, names, type",
    );
  const idsOfNames = call.store.values(IDS_OF_NAMES, [names]);
  return [...ids.map(Number), ...idsOfNames, ...types.flatMap((type) => productIds(call, type))];
}

const IDS_OF_NAMES = "SELECT id FROM products WHERE name IN (SELECT value FROM json_each(?))";

function readAccess(type: string): ProductAccess {
  if (type === "selectable" || type === "enterable" || type === "accessible") return type;
  throw new Fault(
    "other",
    `The product type '${type}' is invalid. Valid choices are 'accessible', 'selectable', and 'enterable'.`,
  );
}

function presentProduct(call: Call, row: Details, selection: FieldSelection): JsonObject {
  const { store } = call;
  const presentList = (field: string, load: () => JsonObject[]): JsonObject[] =>
    selection.includes(field) ? load().map((part) => pickFieldParts(part, field, selection)) : [];
  const loadVersions = () => productParts(store, row.id, "version").sort((a, b) => compareVersions(a.name, b.name));
  const product: JsonObject = {
    ...withBooleans(row),
    components: presentList("components", () => presentComponents(call, row.id)),
    versions: presentList("versions", loadVersions),
    milestones: presentList("milestones", () => productParts(store, row.id, "milestone")),
  };
  return pickFields(product, selection);
}

function presentComponents({ store }: Call, productId: number): JsonObject[] {
  return store.all<Details>(COMPONENTS, [productId]).map((row) => ({
    ...withBooleans(row),
    sort_key: 0,
    flag_types: presentByTarget(loadFlagTypes(store, productId, row.id), presentFlagType),
  }));
}

const COMPONENTS = `
  SELECT components.id, name, description, is_active, assignee.login AS default_assigned_to,
    coalesce(contact.login, '') AS default_qa_contact
  FROM components JOIN users AS assignee ON assignee.id = default_assignee_id
  LEFT JOIN users AS contact ON contact.id = default_qa_contact_id
  WHERE product_id = ? ORDER BY name`;

function presentByTarget(types: readonly FlagType[], present: (type: FlagType) => JsonObject): JsonObject {
  const list = (target: FlagType["target"]) => types.filter((type) => type.target === target).map(present);
  return { bug: list("bug"), attachment: list("attachment") };
}

function presentFlagType({ target: _target, grant_group_id, request_group_id, ...type }: FlagType): JsonObject {
  return { ...type, grant_group: grant_group_id, request_group: request_group_id };
}

/** Get Classification: by id or name, with the selectable products. */
export function getClassifications(call: Call): Json {
  if (!isEnabled(call.parameters.useclassification))
    throw new Fault("auth_classification_not_enabled", "Sorry, classification is not enabled.");
  const { id_or_name = "" } = call.path;
  const selection = readFieldSelection(call.input);
  const row = call.store.get(CLASSIFICATION, [id_or_name, id_or_name]);
  const products = row ? call.store.all(OF_CLASSIFICATION, [row["id"] ?? null, productIds(call, "selectable")]) : [];
  // a classification without products that the requester may see counts as unknown
  if (products.length === 0) throw faults.noSuchObject("classification", id_or_name);
  const shown = products.map((product) => pickFieldParts(product, "products", selection));
  return { classifications: [pickFields({ ...row, products: shown }, selection)] };
}

const CLASSIFICATION =
  "SELECT id, name, description, sort_key FROM classifications WHERE CAST(id AS TEXT) = ? OR name = ?";
const OF_CLASSIFICATION = `SELECT id, name, description FROM products
  WHERE classification_id = ? AND id IN (SELECT value FROM json_each(?)) ORDER BY name`;

/** Get Flag Type: by product and optional component, with the statuses that the requester may set. */
export function listFlagTypes(call: Call): Json {
  const { product: name = "", component } = call.path;
  const [productId = 0] = call.store.values("SELECT id FROM products WHERE name = ?", [name]);
  if (!productIds(call, "accessible").includes(productId)) throw faults.noSuchProduct(`'${name}'`);
  const componentId = component === undefined ? null : findComponentId(call, productId, component);
  const types = loadFlagTypes(call.store, productId, componentId);
  return presentByTarget(types, (type) => presentUsableFlagType(call, type, productId));
}

function findComponentId({ store }: Call, productId: number, name: string): number {
  const sql = "SELECT id FROM components WHERE product_id = ? AND name = ?";
  return store.values(sql, [productId, name])[0] ?? raise(faults.noSuchObject("component", name));
}

function presentUsableFlagType(call: Call, type: FlagType, productId: number): JsonObject {
  const { id, name, description, target, is_active, is_requesteeble, is_multiplicable } = type;
  const values = ["X"];
  if (mayRequestFlag(call, type)) values.push("?");
  if (mayGrantFlag(call, type)) values.push("+", "-");
  const inclusions = call.store.values<string>(INCLUSIONS, [id, productId]);
  return {
    ...{ id, name, description, type: target, values, is_active, is_requesteeble, is_multiplicable },
    ...(inclusions.length > 0 ? { inclusions } : {}),
  };
}

const INCLUSIONS = `SELECT components.name FROM flag_type_inclusions JOIN components ON components.id = component_id
  WHERE type_id = ? AND flag_type_inclusions.product_id = ? ORDER BY components.name`;
