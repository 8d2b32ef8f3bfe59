import { Fault, faults } from "../http/fault.ts";
import type { Store } from "../store/store.ts";
import { idByName, storedBoolean, storedOrNull } from "./lookup.ts";
import { applyFields, type FieldSetup } from "./setup-fields.ts";
import { applyProducts, type ProductCatalogSetup } from "./setup-products.ts";
import { type AccountsSetup, applyUsersAndGroups } from "./setup-users.ts";

/**
 * A tracker's arrangement as one value: everything but its bugs, named the way people name it. What is there already (by
 * name) is brought to what is said, what is not said stays as it is, and nothing is taken away but moves of statuses whose
 * moves are said.
 */
export type Setup = AccountsSetup &
  ProductCatalogSetup & {
    readonly parameters?: Readonly<Record<string, string>>;
    readonly fields?: readonly FieldSetup[];
    readonly workflow?: WorkflowSetup;
    readonly flag_types?: readonly FlagTypeSetup[];
  };

/** Arranges a tracker, all or nothing. */
export function applySetup(store: Store, setup: Setup): void {
  for (const [name, value] of Object.entries(setup.parameters ?? {})) {
    store.run(
      "INSERT INTO parameters (name, value) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value",
      [name, value],
    );
  }
  applyUsersAndGroups(store, setup);
  applyFields(store, setup.fields ?? []);
  applyWorkflow(store, setup.workflow ?? {});
  applyProducts(store, setup);
  applyFlagTypes(store, setup.flag_types ?? []);
}

/** A status that may be moved to; as a text alone the move needs no comment. */
export type MoveSetup = string | { readonly to: string; readonly comment_required?: boolean };

/** The moves from each status that is named, all of them; those of new bugs stand under `new`. */
export type WorkflowSetup = Readonly<Record<string, readonly MoveSetup[]>>;

/** Where new bugs stand among the statuses of a workflow. */
export const NEW_BUG = "new";

/** Brings the moves from the statuses that are named to what is said; those from others stay. */
function applyWorkflow(store: Store, workflow: WorkflowSetup): void {
  for (const [name, moves] of Object.entries(workflow)) {
    const from = name === NEW_BUG ? null : statusNamed(store, name);
    store.run("DELETE FROM status_moves WHERE from_status IS ?", [from]);
    for (const move of moves) {
      const { to, comment_required } = typeof move === "string" ? { to: move } : move;
      store.run(MOVE, { from, to: statusNamed(store, to), comment_required: storedBoolean(comment_required ?? false) });
    }
  }
}

const MOVE = `INSERT INTO status_moves (from_status, to_status, comment_required)
  VALUES (@from, @to, @comment_required)`;

const STATUS = `SELECT field_values.name FROM field_values JOIN fields ON fields.id = field_id
  WHERE fields.name = 'bug_status' AND field_values.name = ?`;

function statusNamed(store: Store, name: string): string {
  const status = store.get<{ readonly name: string }>(STATUS, [name]);
  if (!status) throw faults.noSuchObject("status", name);
  return status.name;
}

/** A flag type, and where it may be set: everywhere, or in some products (or components, as `Product/Component`). */
export type FlagTypeSetup = {
  readonly name: string;
  readonly description?: string;
  readonly target?: "bug" | "attachment";
  readonly is_active?: boolean;
  readonly is_requestable?: boolean;
  readonly is_requesteeble?: boolean;
  readonly is_multiplicable?: boolean;
  readonly sort_key?: number;
  readonly grant_group?: string;
  readonly request_group?: string;
  readonly cc_list?: string; // addresses that get its mails too, separated by commas
  readonly places?: readonly string[];
  readonly except?: readonly string[]; // places, of those, where it may not be set
};

/** Brings flag types to what is said. */
export function applyFlagTypes(store: Store, types: readonly FlagTypeSetup[]): void {
  for (const type of types) {
    const known = typeNamed(store, type);
    const id = known ?? store.run(ADD, [type.name, type.target ?? "bug"]).id;
    store.run(CHANGE, { id, ...columns(store, type) });
    if (type.places !== undefined || known === undefined) applyPlaces(store, id, ["inclusions", type.places ?? [""]]);
    if (type.except !== undefined) applyPlaces(store, id, ["exclusions", type.except]);
  }
}

function typeNamed(store: Store, { name, target = "bug" }: FlagTypeSetup): number | undefined {
  const [type, second] = store.all<{ readonly id: number }>("SELECT id FROM flag_types WHERE name = ? AND target = ?", [
    name,
    target,
  ]);
  if (second) {
    throw new Fault(400, 32000, `Several flag types are named '${name}'; an arrangement cannot tell them apart.`);
  }
  return type?.id;
}

const ADD = "INSERT INTO flag_types (name, target) VALUES (?, ?)";

const CHANGE = `
  UPDATE flag_types SET description = coalesce(@description, description), cc_list = coalesce(@cc_list, cc_list),
    is_active = coalesce(@is_active, is_active),
    is_requestable = coalesce(@is_requestable, is_requestable),
    is_requesteeble = coalesce(@is_requesteeble, is_requesteeble),
    is_multiplicable = coalesce(@is_multiplicable, is_multiplicable), sort_key = coalesce(@sort_key, sort_key),
    grant_group_id = coalesce(@grant_group, grant_group_id),
    request_group_id = coalesce(@request_group, request_group_id)
  WHERE id = @id`;

function columns(store: Store, type: FlagTypeSetup) {
  const group = (name: string | undefined) => (name === undefined ? null : idByName(store, "group", name));
  return {
    description: storedOrNull(type.description),
    cc_list: storedOrNull(type.cc_list),
    is_active: storedBoolean(type.is_active),
    is_requestable: storedBoolean(type.is_requestable),
    is_requesteeble: storedBoolean(type.is_requesteeble),
    is_multiplicable: storedBoolean(type.is_multiplicable),
    sort_key: storedOrNull(type.sort_key),
    grant_group: group(type.grant_group),
    request_group: group(type.request_group),
  };
}

function applyPlaces(
  store: Store,
  id: number,
  [table, places]: readonly ["inclusions" | "exclusions", readonly string[]],
): void {
  store.run(`DELETE FROM flag_type_${table} WHERE type_id = ?`, [id]);
  for (const place of places) {
    const [productId, componentId] = placeNamed(store, place);
    store.run(`INSERT INTO flag_type_${table} (type_id, product_id, component_id) VALUES (?, ?, ?)`, [
      id,
      productId,
      componentId,
    ]);
  }
}

// A product's name may hold a slash itself, so the longest name that a product has is meant.
function placeNamed(store: Store, place: string): readonly [number | null, number | null] {
  if (place === "") return [null, null];
  const ends = [place.length, ...[...place.matchAll(/\//g)].map(({ index }) => index).reverse()];
  const isProduct = (end: number) => store.get("SELECT id FROM products WHERE name = ?", [place.slice(0, end)]);
  const end = ends.find(isProduct) ?? ends.at(-1) ?? place.length;
  const productId = idByName(store, "product", place.slice(0, end));
  return [productId, end === place.length ? null : componentNamed(store, productId, place.slice(end + 1))];
}

function componentNamed(store: Store, productId: number, name: string): number {
  const row = store.get<{ readonly id: number }>("SELECT id FROM components WHERE product_id = ? AND name = ?", [
    productId,
    name,
  ]);
  if (!row) throw new Fault(404, 51, `There is no component named '${name}' there.`);
  return row.id;
}
