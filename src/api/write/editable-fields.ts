import { usageError } from "../../errors.ts";
import { isAddedField } from "../../wire/added-fields.ts";
import { BUG_FIELD_ROWS, type Bug } from "../../wire/bug-fields.ts";
import type { Json, JsonObject } from "../../wire/exchange.ts";
import { FIELD_TYPE } from "../../wire/field-types.ts";
import { isObject } from "../../wire/json.ts";
import type { Field } from "../../wire/resources.ts";
import { type Catalog, type CatalogField, findField, isSettable } from "../catalog/catalog.ts";
import { fieldOf, type Parameter } from "../operations/operation.ts";
import { UPDATE_BUG } from "../operations/write-bugs.ts";
import { flagChangeText } from "./preview.ts";

/** A field of a bug in a document to edit: the parameter or the custom field that it sets. */
export type EditableField = FieldText &
  (
    | { readonly parameter: Parameter; readonly custom?: undefined }
    | { readonly custom: CatalogField; readonly parameter?: undefined }
  );

type FieldText = {
  readonly name: string; // in bug JSON, and in the body of an update
  readonly shape: "line" | "lines" | "list" | "flags" | "day";
};

/** Field metadata: the catalog, and the fields as the tracker describes them. */
export type FieldMetadata = { readonly catalog: Catalog; readonly fields: readonly Field[] };

/**
 * Fields that an update of a bug can change, in the order in which bugs are shown: those that the tracker returns for
 * it, without custom fields that another value hides and texts with control characters, which an editor cannot keep.
 */
export function editableFields(bug: Bug, { catalog, fields }: FieldMetadata): EditableField[] {
  const custom = fields
    .filter((field) => isAddedField(field) && isShownOn(field, bug, catalog))
    .flatMap(({ name }) => findField(catalog, name) ?? [])
    .filter(isSettable);
  const all = [...standardFields(bug), ...custom.map((field) => ({ ...customShape(field), custom: field }))];
  return all.filter((field) => (bug as JsonObject)[field.name] !== undefined && !CONTROL.test(fieldText(field, bug)));
}

const CONTROL = /(?![\t\n])[\p{Cc}\p{Cs}]/u;

function standardFields(bug: Bug): EditableField[] {
  const isRestricted = (bug.groups ?? []).length > 0;
  const fields: EditableField[] = [];
  for (const [name] of BUG_FIELD_ROWS) {
    const parameter = PARAMETERS.get(name);
    if (!parameter || (parameter.kind === "bool" && !isRestricted)) continue;
    fields.push({ name, shape: SHAPES[parameter.kind] ?? "line", parameter });
  }
  return fields;
}

/** Parameters of an update by the field that they set. */
const PARAMETERS: ReadonlyMap<string | null, Parameter> = new Map(
  UPDATE_BUG.parameters.filter(({ kind }) => kind !== "switch").map((parameter) => [fieldOf(parameter), parameter]),
);

const SHAPES: Readonly<Partial<Record<Parameter["kind"], EditableField["shape"]>>> = {
  edit: "list",
  links: "list",
  flags: "flags",
};

function customShape({ api, type }: CatalogField): FieldText {
  return { name: api, shape: CUSTOM_SHAPES[type] ?? "line" };
}

/** Shapes of custom fields that are no line of text, by type. */
const CUSTOM_SHAPES: Readonly<Record<number, EditableField["shape"]>> = {
  [FIELD_TYPE.multiSelect]: "list",
  [FIELD_TYPE.longText]: "lines",
  [FIELD_TYPE.date]: "day",
  [FIELD_TYPE.users]: "list",
  [FIELD_TYPE.bugs]: "list",
};

/** False for a field that depends on other values of another field. */
function isShownOn({ visibility_field, visibility_values }: Field, bug: Bug, catalog: Catalog): boolean {
  const decides = visibility_field ? findField(catalog, visibility_field)?.api : undefined;
  if (decides === undefined || visibility_values.length === 0) return true;
  return [(bug as JsonObject)[decides] ?? []].flat().some((value) => visibility_values.includes(String(value)));
}

/** Value of a field as a text to edit, empty without one; the items of a list are separated by commas. */
export function fieldText({ name, shape }: FieldText, bug: Bug): string {
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

/** An item in the list of a text: as JSON where a comma, a quote or a blank would change it. */
function quotedItem(item: string): string {
  return /[,\n]|^["\s]|\s$|^$/.test(item) ? JSON.stringify(item) : item;
}

/**
 * Items of a typed list: separated by commas, or in double quotes.
 * @throws BtError of kind usage for text beside quotes
 */
export function typedItems(text: string): string[] {
  const items: string[] = [];
  for (const [, quoted, rest = "", bare = ""] of text.matchAll(ITEM)) {
    if (rest !== "")
      throw usageError(`expected a comma before ${JSON.stringify(rest)}`, 'for example: crash, "one, two"');
    items.push(quoted === undefined ? bare.trim() : unquotedItem(quoted));
  }
  return items.filter((item) => item !== "");
}

/** An item in quotes and what wrongly follows it, or the text up to a comma. */
const ITEM = /\s*(?:("(?:[^"\\]|\\.)*")\s*([^,\s][^,]*)?|([^,]*))(?:,|$)/gs;

function unquotedItem(quoted: string): string {
  try {
    return String(JSON.parse(quoted));
  } catch {
    throw usageError(`${quoted} is not a string in double quotes`);
  }
}
