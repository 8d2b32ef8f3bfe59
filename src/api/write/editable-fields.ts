import { BUG_FIELD_ROWS, type Bug } from "../../wire/bug-fields.ts";
import type { Json, JsonObject } from "../../wire/exchange.ts";
import { FIELD_TYPE } from "../../wire/field-types.ts";
import { isObject } from "../../wire/json.ts";
import { type Catalog, type CatalogField, isSettable } from "../catalog/catalog.ts";
import { fieldOf, type Parameter } from "../operations/operation.ts";
import { UPDATE_BUG } from "../operations/write-bugs.ts";
import { isListField } from "./custom-fields.ts";
import { flagChangeText } from "./flags.ts";

/** A field of a bug in a document to edit: the parameter or the custom field that it sets. */
export type EditableField = {
  readonly name: string; // in bug JSON, and in the body of an update
  readonly shape: "line" | "lines" | "list" | "flags" | "day";
  readonly parameter?: Parameter;
  readonly custom?: CatalogField;
};

/** Fields that an update can change, without texts that an editor or a list cannot keep. */
export function editableFields(bug: Bug, { fields }: Catalog): EditableField[] {
  const standard = BUG_FIELD_ROWS.flatMap(([name]): EditableField[] => {
    const parameter = PARAMETERS.get(name);
    return parameter ? [{ name, shape: SHAPES[parameter.kind] ?? "line", parameter }] : [];
  });
  const custom = fields
    .filter(isSettable)
    .map((field): EditableField => ({ name: field.api, shape: shapeOf(field), custom: field }));
  const isKept = (field: EditableField) => {
    const value = (bug as JsonObject)[field.name];
    const isQuoted = Array.isArray(value) && listItems(value).some((item) => item.includes('"'));
    return value !== undefined && !isQuoted && !CONTROL.test(fieldText(field, bug));
  };
  return [...standard, ...custom].filter(isKept);
}

const CONTROL = /(?![\t\n])[\p{Cc}\p{Cs}]/u;

/** Parameters of an update by the field that they set. */
const PARAMETERS: ReadonlyMap<string | null, Parameter> = new Map(
  UPDATE_BUG.parameters.filter(({ kind }) => kind !== "switch").map((parameter) => [fieldOf(parameter), parameter]),
);

const SHAPES: Readonly<Partial<Record<Parameter["kind"], EditableField["shape"]>>> = {
  edit: "list",
  links: "list",
  flags: "flags",
};

function shapeOf(custom: CatalogField): EditableField["shape"] {
  if (isListField(custom)) return "list";
  if (custom.type === FIELD_TYPE.date) return "day";
  return custom.type === FIELD_TYPE.longText ? "lines" : "line";
}

/** Value of a field as a text to edit; the items of a list are separated by commas. */
export function fieldText({ name, shape }: EditableField, bug: Bug): string {
  const value = (bug as JsonObject)[name];
  if (shape === "list" || shape === "flags") return listItems(value).map(quotedItem).join(", ");
  return scalarText(value)
    .replace(shape === "day" ? /T00:00:00Z$/ : /\r(?=\n)/g, "")
    .replaceAll("\r", "\n");
}

function scalarText(value: Json | undefined): string {
  if (value === null || value === undefined) return "";
  if (typeof value === "boolean") return value ? "yes" : "no";
  return String(value);
}

/** Items of a list as texts; flags as `needinfo?(ada@example.org)`. */
export function listItems(value: Json | undefined): string[] {
  return [value ?? []]
    .flat()
    .map((item) => (isObject(item) ? flagChangeText(String(item["name"]), item) : scalarText(item)));
}

/** An item in the list of a text, as `splitQuotedItems` reads it. */
function quotedItem(item: string): string {
  return /[,\n]|^\s|\s$|^$/.test(item) ? `"${item}"` : item;
}
