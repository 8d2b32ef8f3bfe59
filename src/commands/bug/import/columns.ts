import { type Catalog, type CatalogField, findField, isSettable } from "../../../api/catalog/catalog.ts";
import { grouped } from "../../../api/lists.ts";
import { suggestNames } from "../../../api/nearest.ts";
import type { Parameter } from "../../../api/operations/operation.ts";
import { CREATE_BUG, UPDATE_BUG } from "../../../api/operations/write-bugs.ts";
import { isListField } from "../../../api/write/custom-fields.ts";
import { type BtError, usageError } from "../../../errors.ts";
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
  const found = labels.map((label) => ({ label, column: importColumn(label, catalog) }));
  const unknown = found.filter(({ column }) => column === undefined).map(({ label }) => label);
  if (unknown.length > 0) throw unknownColumnsError(unknown, catalog);
  const columns = found.flatMap(({ column }) => column ?? []);
  for (const [first, second] of grouped(columns, ({ name }) => name).values())
    if (second) throw lineError(1, usageError(`the columns ${first?.label} and ${second.label} are the same field`));
  return columns;
}

/** Members of JSON lines that are no fields of the bug. */
const OTHER_MEMBERS: ReadonlySet<string> = new Set(["tracker", "comments", "history", "attachments"]);

/** The column of a name; undefined for one of no field. */
function importColumn(label: string, catalog: Catalog): ImportColumn | undefined {
  if (OTHER_MEMBERS.has(label)) return { label, name: label, role: "ignored", isList: label !== "tracker" };
  const text = TEXTS[label.toLowerCase()];
  if (text) return { label, name: label.toLowerCase(), role: "text", isList: false, ...text };
  const field = findField(catalog, label);
  const name = SHOWN.has(label) ? label : (field?.api ?? "");
  if (field?.isAdded) return customColumn(label, field);
  if (!SHOWN.has(name)) return undefined;
  const role = ROLE_BY_COLUMN[name];
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
const ROLE_BY_COLUMN: Readonly<Record<string, ImportColumn["role"]>> = { id: "id", last_change_time: "guard" };

const TEXTS: Readonly<Record<string, Pick<ImportColumn, "update" | "create">>> = {
  description: { create: CREATE_BUG.parameters.find(({ name }) => name === "description") },
  comment: { update: UPDATE_BUG.parameters.find(({ name }) => name === "comment") },
};

const LIST_TYPES: ReadonlySet<number> = new Set([FIELD_TYPE.seeAlso, FIELD_TYPE.keywords]); // lists that are edited in other ways

function customColumn(label: string, field: CatalogField): ImportColumn {
  const role = LIST_TYPES.has(field.type) || !isSettable(field) ? "read-only" : "set";
  return { label, name: field.api, role, isList: isListField(field), custom: field };
}

function unknownColumnsError(labels: string[], { fields }: Catalog): BtError {
  const custom = fields.filter(({ isAdded }) => isAdded).map(({ api }) => api);
  const [first = ""] = labels;
  const hint = suggestNames(first, [...SHOWN, ...custom, ...Object.keys(TEXTS)]) ?? "bt field list shows the fields";
  const named = labels.map((label) => JSON.stringify(label)).join(", ");
  return lineError(1, usageError(`unknown column${labels.length > 1 ? "s" : ""} ${named}`, hint));
}
