import { type Catalog, type CatalogField, findField, isSettable } from "../../../api/catalog/catalog.ts";
import { suggestNames } from "../../../api/nearest.ts";
import type { Parameter } from "../../../api/operations/operation.ts";
import { CREATE_BUG, UPDATE_BUG } from "../../../api/operations/write-bugs.ts";
import { isListField } from "../../../api/write/custom-fields.ts";
import { usageError } from "../../../errors.ts";
import { DEFAULT_BUG_FIELDS, EXTRA_BUG_FIELDS } from "../../../wire/bug-fields.ts";
import { FIELD_TYPE } from "../../../wire/field-types.ts";
import { lineError } from "./file.ts";

/**
 * A column of an imported file. `id` names the bug, `guard` is the time of the last change that the file knows of, `set`
 * columns are set, `text` are added to bugs, and the others are not imported.
 */
export type ImportColumn = {
  readonly label: string; // as in the file
  readonly name: string; // of the field or parameter
  readonly role: "id" | "guard" | "set" | "text" | "read-only" | "ignored";
  readonly isList: boolean;
  readonly update?: Parameter | undefined; // absent: cannot be set on existing bugs
  readonly create?: Parameter | undefined; // absent: cannot be set on new bugs
  readonly custom?: CatalogField | undefined;
};

/**
 * The columns of a file by the names of their fields, which may be labels or synonyms.
 * @throws BtError of kind usage for unknown names, with the nearest, and for two columns of one field
 */
export function importColumns(labels: readonly string[], catalog: Catalog): ImportColumn[] {
  const columns = labels.map((label) => importColumn(label, catalog));
  const twice = columns.find(({ name }, at) => columns.findIndex((one) => one.name === name) !== at);
  if (twice === undefined) return columns;
  const [one, other] = columns.filter(({ name }) => name === twice.name).map(({ label }) => label);
  throw lineError(1, usageError(`the columns ${one} and ${other} are the same field`));
}

/** Members of JSON lines that are no fields of the bug. */
const PARTS: ReadonlySet<string> = new Set(["tracker", "comments", "history", "attachments"]);

function importColumn(label: string, catalog: Catalog): ImportColumn {
  if (PARTS.has(label)) return { label, name: label, role: "ignored", isList: label !== "tracker" };
  const text = TEXTS[label.toLowerCase()];
  if (text) return { label, name: label.toLowerCase(), role: "text", isList: false, ...text };
  const field = findField(catalog, label);
  const name = SHOWN.has(label) ? label : (field?.api ?? "");
  if (field?.isAdded) return customColumn(label, field);
  if (!SHOWN.has(name)) throw unknownColumn(label, catalog);
  const role = ROLES[name];
  return role ? { label, name, role, isList: false } : fieldColumn(label, name);
}

function fieldColumn(label: string, name: string): ImportColumn {
  const update = UPDATE_BUG.parameters.find((one) => one.name === name);
  const create = CREATE_BUG.parameters.find((one) => one.name === name);
  const isSet = name !== "flags" && (update ?? create) !== undefined;
  const isList = update !== undefined && ["edit", "links"].includes(update.kind);
  return { label, name, role: isSet ? "set" : "read-only", isList, update, create };
}

const SHOWN: ReadonlySet<string> = new Set([...DEFAULT_BUG_FIELDS, ...EXTRA_BUG_FIELDS]);
const ROLES: Readonly<Record<string, ImportColumn["role"]>> = { id: "id", last_change_time: "guard" };

const TEXTS: Readonly<Record<string, Pick<ImportColumn, "update" | "create">>> = {
  description: { create: CREATE_BUG.parameters.find(({ name }) => name === "description") },
  comment: { update: UPDATE_BUG.parameters.find(({ name }) => name === "comment") },
};

const LIST_TYPES: ReadonlySet<number> = new Set([FIELD_TYPE.seeAlso, FIELD_TYPE.keywords]); // lists that are edited in other ways

function customColumn(label: string, field: CatalogField): ImportColumn {
  const role = LIST_TYPES.has(field.type) || !isSettable(field) ? "read-only" : "set";
  return { label, name: field.api, role, isList: isListField(field), custom: field };
}

function unknownColumn(label: string, { fields }: Catalog) {
  const custom = fields.filter(({ isAdded }) => isAdded).map(({ api }) => api);
  const hint = suggestNames(label, [...SHOWN, ...custom, ...Object.keys(TEXTS)]) ?? "bt field list shows the fields";
  const isMerged = /[;\t]/.test(label);
  const why = isMerged ? "columns are separated by commas, or by tabs with --input-format tsv" : hint;
  return lineError(1, usageError(`unknown column ${JSON.stringify(label)}`, why));
}
