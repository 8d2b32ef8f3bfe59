import type { Json, JsonObject } from "../../wire/exchange.ts";
import type { Call, Route } from "../call.ts";
import { faults } from "../fault.ts";
import { idsAndNames } from "../input.ts";
import { readSelection, type Selection } from "../selection.ts";
import { knownController } from "./controllers.ts";
import { fieldValues } from "./values.ts";

/** Fields: all of them, or those named by id or name in the path and in `ids` and `names`. */
export const fieldRoutes: readonly Route[] = [
  { method: "GET", path: "/field/bug", handle: (call) => getFields(call) },
  { method: "GET", path: "/field/bug/{id_or_name}", handle: (call) => getFields(call) },
];

function getFields(call: Call): Json {
  const selection = readSelection(call.input);
  const named = namedFields(call);
  const fields = named.length > 0 ? named : call.store.all<FieldRow>(`${FIELDS} ORDER BY sort_key, name`);
  return { fields: fields.map((field) => shownField(call, field, selection)) };
}

/** A field as it is stored. */
export type FieldRow = {
  readonly id: number;
  readonly name: string;
  readonly display_name: string;
  readonly type: number;
  readonly is_custom: number;
  readonly is_mandatory: number;
  readonly is_on_bug_entry: number;
  readonly visibility_field: string | null;
  readonly value_field: string | null;
};

const FIELDS = `SELECT id, name, display_name, type, is_custom, is_mandatory, is_on_bug_entry, visibility_field,
    CASE WHEN name IN ('component', 'version', 'target_milestone') THEN 'product' ELSE value_field END AS value_field
  FROM fields`;
const FIELD_BY_ID = `${FIELDS} WHERE id = ?`;
const FIELD_BY_NAME = `${FIELDS} WHERE name = ?`;

function namedFields(call: Call): readonly FieldRow[] {
  const { store } = call;
  const { ids, names } = idsAndNames(call);
  const found = [
    ...ids.map((id) => store.get<FieldRow>(FIELD_BY_ID, [Number(id)]) ?? refuse(faults.noSuchId("field", id))),
    ...names.map((name) => store.get<FieldRow>(FIELD_BY_NAME, [name]) ?? refuse(faults.noSuchObject("field", name))),
  ];
  return [...new Map(found.map((field) => [field.id, field])).values()];
}

function refuse(fault: Error): never {
  throw fault;
}

function shownField(call: Call, field: FieldRow, { wants }: Selection): JsonObject {
  const values = wants("values") || wants("value_field") ? fieldValues(call, field) : undefined;
  const members: JsonObject = {
    id: field.id,
    name: field.name,
    display_name: field.display_name,
    type: field.type,
    is_custom: field.is_custom === 1,
    is_mandatory: field.is_mandatory === 1,
    is_on_bug_entry: field.is_on_bug_entry === 1,
    visibility_field: field.visibility_field,
    visibility_values: visibilityValues(call, field),
    ...(values === undefined ? {} : { value_field: field.value_field, values }),
  };
  return Object.fromEntries(Object.entries(members).filter(([name]) => wants(name)));
}

function visibilityValues(call: Call, { id, visibility_field }: FieldRow): readonly string[] {
  return call.store
    .all<{ readonly value: string }>("SELECT value FROM field_visibility WHERE field_id = ? ORDER BY value", [id])
    .map(({ value }) => value)
    .filter(knownController({ call, field: visibility_field }));
}
