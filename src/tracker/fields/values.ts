import type { Json, JsonObject } from "../../wire/exchange.ts";
import type { Call } from "../call.ts";
import { productIds } from "../products/visible.ts";
import { KNOWN_CLASSIFICATIONS, knownController } from "./controllers.ts";
import { FIELD_TYPE } from "./custom.ts";

/** A field as the values need to know it. */
export type ValuedField = {
  readonly id: number;
  readonly name: string;
  readonly type: number;
  readonly value_field: string | null;
};

/** The legal values of a field as the interface shows them; undefined for fields that have none. */
export function fieldValues(call: Call, field: ValuedField): readonly JsonObject[] | undefined {
  const read = Object.hasOwn(SOURCES, field.name) ? SOURCES[field.name] : undefined;
  if (read) return read(call, field);
  const isSelect = field.type === FIELD_TYPE.select || field.type === FIELD_TYPE.multiSelect;
  return isSelect && field.name !== "product" ? selectValues(call, field) : undefined;
}

type Source = (call: Call, field: ValuedField) => readonly JsonObject[];

const SOURCES: Readonly<Record<string, Source>> = {
  bug_status: (call, field) => statusValues(call, field),
  classification: (call) => classificationValues(call),
  component: (call) => perProduct(call, COMPONENTS),
  keywords: ({ store }) => store.all("SELECT name, description FROM keywords ORDER BY name"),
  target_milestone: (call) => perProduct(call, MILESTONES),
  version: (call) => perProduct(call, VERSIONS),
};

type Named = { readonly name: string; readonly sort_key: number };
type OfProduct = Named & { readonly product: string; readonly is_active: number };
type Select = Named & { readonly visible_for: string | null };
type Status = Select & { readonly is_open: number };

const COMPONENTS = `
  SELECT components.name, 0 AS sort_key, components.is_active, products.name AS product
  FROM components JOIN products ON products.id = components.product_id
  WHERE products.id IN (SELECT value FROM json_each(?)) ORDER BY products.id, components.name`;

const VERSIONS = `
  SELECT versions.name, 0 AS sort_key, versions.is_active, products.name AS product
  FROM versions JOIN products ON products.id = versions.product_id
  WHERE products.id IN (SELECT value FROM json_each(?)) ORDER BY versions.id`;

const MILESTONES = `
  SELECT milestones.name, milestones.sort_key, milestones.is_active, products.name AS product
  FROM milestones JOIN products ON products.id = milestones.product_id
  WHERE products.id IN (SELECT value FROM json_each(?)) ORDER BY milestones.sort_key, milestones.name, milestones.id`;

function classificationValues(call: Call): readonly JsonObject[] {
  const accessible = JSON.stringify(productIds(call, "accessible"));
  return call.store.all<Named>(KNOWN_CLASSIFICATIONS, [accessible]).map((row) => shown(row, []));
}

function perProduct(call: Call, sql: string): readonly JsonObject[] {
  return call.store
    .all<OfProduct>(sql, [JSON.stringify(productIds(call, "selectable"))])
    .map((row) => ({ ...shown(row, [row.product]), is_active: row.is_active === 1 }));
}

function selectValues(call: Call, { id, value_field }: ValuedField): readonly JsonObject[] {
  const isKnown = knownController({ call, field: value_field });
  return call.store
    .all<Select>("SELECT name, sort_key, visible_for FROM field_values WHERE field_id = ? ORDER BY sort_key, name", [
      id,
    ])
    .filter(({ visible_for }) => visible_for === null || isKnown(visible_for))
    .map((row) => shown(row, row.visible_for === null ? [] : [row.visible_for]));
}

function statusValues({ store }: Call, { id }: ValuedField): readonly JsonObject[] {
  const statuses = store.all<Status>(
    "SELECT name, sort_key, visible_for, is_open FROM field_values WHERE field_id = ? ORDER BY sort_key, name",
    [id],
  );
  const rank = new Map(statuses.map(({ name }, index) => [name, index]));
  const moves = store.all<Move>("SELECT from_status, to_status, comment_required FROM status_moves");
  const movesFrom = (from: string | null): Json =>
    moves
      .filter(({ from_status }) => from_status === from)
      .sort((a, b) => (rank.get(a.to_status) ?? 0) - (rank.get(b.to_status) ?? 0))
      .map(({ to_status, comment_required }) => ({ name: to_status, comment_required: comment_required === 1 }));
  const start = { name: null, sort_key: 0, sortkey: 0, visibility_values: [], is_open: true };
  return [
    { ...start, can_change_to: movesFrom(null) },
    ...statuses.map((row) => ({ ...shown(row, []), is_open: row.is_open === 1, can_change_to: movesFrom(row.name) })),
  ];
}

type Move = { readonly from_status: string | null; readonly to_status: string; readonly comment_required: number };

function shown({ name, sort_key }: Named, visibility_values: readonly string[]): JsonObject {
  return { name, sort_key, sortkey: sort_key, visibility_values };
}
