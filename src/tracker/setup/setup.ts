import { Fault, faults } from "../http/fault.ts";
import type { Store } from "../store/store.ts";
import { applyFields, type FieldSetup } from "./fields.ts";
import { idByName, putRow } from "./lookup.ts";
import { applyProducts, type ProductCatalogSetup } from "./products.ts";
import { type AccountsSetup, applyUsersAndGroups } from "./users.ts";

/**
 * Setup of a tracker: its whole configuration without bugs. Objects are identified by name; missing ones are created, others
 * keep what is omitted. Lists of names replace what an object had, such as the groups of a user, and so does `workflow`.
 */
export type Setup = AccountsSetup &
  ProductCatalogSetup & {
    parameters?: Readonly<Record<string, string>>;
    fields?: FieldSetup[];
    workflow?: WorkflowSetup;
    flag_types?: FlagTypeSetup[];
  };

/** Applies a setup to a tracker; call it inside a transaction. @throws Fault for unknown names or invalid values */
export function applySetup(store: Store, setup: Setup): void {
  for (const [name, value] of Object.entries(setup.parameters ?? {})) {
    putRow(store, "parameters", { name }, { value });
  }
  applyUsersAndGroups(store, setup);
  applyFields(store, setup.fields ?? []);
  applyWorkflow(store, setup.workflow ?? {});
  applyProducts(store, setup);
  applyFlagTypes(store, setup.flag_types ?? []);
}

/** Setup of a status transition; a string is a status that requires no comment. */
export type MoveSetup = string | { to: string; comment_required?: boolean };

/** All transitions by status; those of new bugs under `new`. */
export type WorkflowSetup = Readonly<Record<string, MoveSetup[]>>;

/** Key of new bugs in a workflow setup. */
export const NEW_BUG = "new";

/** Replaces the transitions of the statuses in the setup. */
function applyWorkflow(store: Store, workflow: WorkflowSetup): void {
  for (const [name, moves] of Object.entries(workflow)) {
    const from = name === NEW_BUG ? null : findStatusName(store, name);
    store.run("DELETE FROM status_moves WHERE from_status IS ?", [from]);
    for (const move of moves) {
      const { to, comment_required } = typeof move === "string" ? { to: move } : move;
      store.run(MOVE, {
        from,
        to: findStatusName(store, to),
        comment_required: Number(comment_required ?? false),
      });
    }
  }
}

const MOVE = `INSERT INTO status_moves (from_status, to_status, comment_required)
  VALUES (@from, @to, @comment_required)`;

const STATUS = `SELECT field_values.name FROM field_values JOIN fields ON fields.id = field_id
  WHERE fields.name = 'bug_status' AND field_values.name = ?`;

function findStatusName(store: Store, name: string): string {
  const status = store.get<{ name: string }>(STATUS, [name]);
  if (!status) throw faults.noSuchObject("status", name);
  return status.name;
}

/** Setup of a flag type; `places` are products or `Product/Component`, "" is everywhere. */
export type FlagTypeSetup = {
  name: string;
  description?: string;
  target?: "bug" | "attachment";
  is_active?: boolean;
  is_requestable?: boolean;
  is_requesteeble?: boolean;
  is_multiplicable?: boolean;
  sort_key?: number;
  grant_group?: string;
  request_group?: string;
  cc_list?: string; // comma-separated addresses that get its mails
  places?: string[];
  except?: string[]; // excluded places
};

/** Creates or updates flag types. */
function applyFlagTypes(store: Store, types: FlagTypeSetup[]): void {
  for (const type of types) {
    const existingId = findTypeId(store, type);
    const id = existingId ?? store.run(ADD, [type.name, type.target ?? "bug"]).id;
    const { name: _, target: _target, grant_group, request_group, places, except, ...given } = type;
    const group = (name: string | undefined) => (name === undefined ? undefined : idByName(store, "group", name));
    const groups = { grant_group_id: group(grant_group), request_group_id: group(request_group) };
    putRow(store, "flag_types", { id }, { ...given, ...groups });
    if (places !== undefined || existingId === undefined) applyScopes(store, id, ["inclusions", places ?? [""]]);
    if (except !== undefined) applyScopes(store, id, ["exclusions", except]);
  }
}

function findTypeId(store: Store, { name, target = "bug" }: FlagTypeSetup): number | undefined {
  const [type, second] = store.all<{ id: number }>("SELECT id FROM flag_types WHERE name = ? AND target = ?", [
    name,
    target,
  ]);
  if (second) {
    throw new Fault("other", `Several flag types are named '${name}'; a setup requires unique names.`);
  }
  return type?.id;
}

const ADD = "INSERT INTO flag_types (name, target) VALUES (?, ?)";

function applyScopes(store: Store, id: number, [table, scopes]: ["inclusions" | "exclusions", string[]]): void {
  store.run(`DELETE FROM flag_type_${table} WHERE type_id = ?`, [id]);
  for (const scope of scopes) {
    const [productId, componentId] = scopeNamed(store, scope);
    store.run(`INSERT INTO flag_type_${table} (type_id, product_id, component_id) VALUES (?, ?, ?)`, [
      id,
      productId,
      componentId,
    ]);
  }
}

// Product names may contain slashes: the longest matching product name wins.
function scopeNamed(store: Store, scope: string): [number | null, number | null] {
  if (scope === "") return [null, null];
  const ends = [scope.length, ...[...scope.matchAll(/\//g)].map(({ index }) => index).reverse()];
  const isProduct = (length: number) => store.get("SELECT id FROM products WHERE name = ?", [scope.slice(0, length)]);
  const end = ends.find(isProduct) ?? ends.at(-1) ?? scope.length;
  const productId = idByName(store, "product", scope.slice(0, end));
  return [productId, end === scope.length ? null : componentIdNamed(store, productId, scope.slice(end + 1))];
}

function componentIdNamed(store: Store, productId: number, name: string): number {
  const row = store.get<{ id: number }>("SELECT id FROM components WHERE product_id = ? AND name = ?", [
    productId,
    name,
  ]);
  if (!row) throw new Fault("object_does_not_exist", `Unknown component '${name}'.`);
  return row.id;
}
