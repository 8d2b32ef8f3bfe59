import type { Json, JsonObject } from "../../wire/exchange.ts";
import type { Bug } from "../bug.ts";
import type { Call, Route } from "../http/call.ts";
import { faults } from "../http/fault.ts";
import { accessibleProduct } from "../products/access.ts";
import type { Store } from "../store/store.ts";
import type { FlagTypeWithRights } from "./rules.ts";

/**
 * Routes of Get Flag Type: by product and optional component, with the statuses the requester may set.
 * @see https://bugzilla.readthedocs.io/en/5.2/api/core/v1/flagtype.html#get-flag-type
 */
export const flagTypeRoutes: readonly Route[] = [
  { method: "GET", path: "/flag_type/{product}", handle: (call) => listFlagTypes(call) },
  { method: "GET", path: "/flag_type/{product}/{component}", handle: (call) => listFlagTypes(call) },
];

function listFlagTypes(call: Call): Json {
  const { product: name = "", component } = call.path;
  const product = accessibleProduct(call, name);
  if (!product) throw faults.noSuchProduct(name);
  const componentId =
    component === undefined ? null : findComponentId(call, { productId: product.id, name: component });
  const types = flagTypesFor(call.store, { productId: product.id, componentId });
  const ofTarget = (target: FlagType["target"]) =>
    types.filter((type) => type.target === target).map((type) => presentFlagType(call, type, product.id));
  return { bug: ofTarget("bug"), attachment: ofTarget("attachment") };
}

type ComponentName = { productId: number; name: string };

function findComponentId({ store }: Call, { productId, name }: ComponentName): number {
  const row = store.get<{ id: number }>("SELECT id FROM components WHERE product_id = ? AND name = ?", [
    productId,
    name,
  ]);
  if (!row) throw faults.noSuchObject("component", name);
  return row.id;
}

function presentFlagType(call: Call, type: FlagType, productId: number): JsonObject {
  const inclusions = componentNames(call, { typeId: type.id, productId });
  const values = ["X"];
  if (mayRequestFlag(call, type)) values.push("?");
  if (mayGrantFlag(call, type)) values.push("+", "-");
  return {
    id: type.id,
    name: type.name,
    description: type.description,
    type: type.target,
    values,
    is_active: type.is_active,
    is_requesteeble: type.is_requesteeble,
    is_multiplicable: type.is_multiplicable,
    ...(inclusions.length > 0 ? { inclusions } : {}),
  };
}

function componentNames({ store }: Call, { typeId, productId }: { typeId: number; productId: number }) {
  return store
    .all<{ name: string }>(
      `SELECT components.name FROM flag_type_inclusions JOIN components ON components.id = component_id
       WHERE type_id = ? AND flag_type_inclusions.product_id = ? ORDER BY components.name`,
      [typeId, productId],
    )
    .map(({ name }) => name);
}

/** The switches of a flag type. */
const FLAG_SWITCHES = ["is_active", "is_requestable", "is_requesteeble", "is_multiplicable"] as const;

type FlagSwitches<Value> = { readonly [Name in (typeof FLAG_SWITCHES)[number]]: Value };

/** The switches of a row of `flag_types`, which stores them as 0 or 1. */
function readFlagSwitches(row: FlagSwitches<number>): FlagSwitches<boolean> {
  return Object.fromEntries(FLAG_SWITCHES.map((name) => [name, row[name] === 1])) as FlagSwitches<boolean>;
}

/** A stored flag type. */
export type FlagType = FlagSwitches<boolean> & {
  readonly id: number;
  readonly name: string;
  readonly description: string;
  readonly cc_list: string;
  readonly target: "bug" | "attachment";
  readonly sort_key: number;
  readonly grant_group_id: number | null;
  readonly request_group_id: number | null;
};

/** Product and component of a bug; a null component stands for any. */
export type FlagTypeScope = { readonly productId: number; readonly componentId: number | null };

/** Flag types of a product and component in their order, inactive ones included. */
export function flagTypesFor(store: Store, { productId, componentId }: FlagTypeScope): FlagType[] {
  return store
    .all<FlagTypeRow>(TYPES, { product: productId, component: componentId })
    .map((row) => ({ ...row, ...readFlagSwitches(row) }));
}

/** A row of `flag_types`, or of a query with its columns. */
export type FlagTypeRow = Omit<FlagType, keyof FlagSwitches<boolean>> & FlagSwitches<number>;

const TYPES = `
  SELECT * FROM flag_types
  WHERE EXISTS (
      SELECT 1 FROM flag_type_inclusions WHERE type_id = flag_types.id
        AND (product_id IS NULL OR product_id = @product)
        AND (component_id IS NULL OR @component IS NULL OR component_id = @component))
    AND NOT EXISTS (
      SELECT 1 FROM flag_type_exclusions WHERE type_id = flag_types.id
        AND (product_id IS NULL OR product_id = @product)
        AND (component_id IS NULL OR component_id = @component))
  ORDER BY sort_key, name, id`;

/** Flag types of a bug's product and component for bugs or their attachments, with the requester's rights. */
export function flagTypesOfBug(
  call: Call,
  { product, component }: Bug,
  target: FlagType["target"] = "bug",
): FlagTypeWithRights[] {
  return flagTypesFor(call.store, { productId: product.id, componentId: component.id })
    .filter((type) => type.target === target)
    .map((type) => ({
      ...type,
      mayRequest: mayRequestFlag(call, type),
      mayGrant: mayGrantFlag(call, type),
    }));
}

/** True if the requester may request flags of this type; granting includes requesting. */
function mayRequestFlag(call: Call, type: FlagType): boolean {
  return isGroupMember(call, type.request_group_id) || (type.grant_group_id !== null && mayGrantFlag(call, type));
}

/** True if the requester may grant or deny flags of this type. */
function mayGrantFlag(call: Call, type: FlagType): boolean {
  return isGroupMember(call, type.grant_group_id);
}

function isGroupMember({ store }: Call, group: number | null): boolean {
  return group === null || store.get("SELECT group_id FROM viewer_groups WHERE group_id = ?", [group]) !== undefined;
}
