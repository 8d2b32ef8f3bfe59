import { type Catalog, type CatalogField, findField, isSettable } from "../../../api/catalog/catalog.ts";
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
 * The columns of a file by the names of their fields, which may be labels or synonyms; `skipped` ones are not imported,
 * whatever they are.
 * @throws BtError of kind usage for unknown names, with the nearest, for two columns of one field, and for skipped ones that
 * the file does not have, or that tell which bug a row is of
 */
export function importColumns(
  labels: readonly string[],
  catalog: Catalog,
  skipped: readonly string[] = [],
): ImportColumn[] {
  const absent = skipped.find((name) => !labels.includes(name));
  if (absent !== undefined)
    throw usageError(`the file has no column ${JSON.stringify(absent)}`, suggestNames(absent, labels));
  const columns: ImportColumn[] = [];
  const unknown: string[] = [];
  for (const label of labels) {
    const column = importColumn(label, catalog);
    if (skipped.includes(label)) columns.push(skippedColumn(label, column));
    else if (column) columns.push(column);
    else unknown.push(label);
  }
  if (unknown.length > 0) throw unknownColumnsError(unknown, catalog);
  const fields = columns.filter(({ role }) => role !== "ignored");
  const twice = fields.find(({ name }, at) => fields.findIndex((one) => one.name === name) !== at);
  if (twice === undefined) return columns;
  const [first, second] = fields.filter(({ name }) => name === twice.name).map(({ label }) => label);
  throw lineError(1, usageError(`the columns ${first} and ${second} are the same field`));
}

function skippedColumn(label: string, column: ImportColumn | undefined): ImportColumn {
  if (column?.role === "id" || column?.role === "guard")
    throw usageError(`the column ${label} cannot be skipped: it tells which bug a row is of, and as of when`);
  return ignoredColumn(label);
}

/** Members of JSON lines that are no fields of the bug. */
const OTHER_MEMBERS: ReadonlySet<string> = new Set(["tracker", "comments", "history", "attachments"]);

function ignoredColumn(label: string): ImportColumn {
  return { label, name: label, role: "ignored", isList: false };
}

/** The column of a name; undefined for one of no field. */
function importColumn(label: string, catalog: Catalog): ImportColumn | undefined {
  if (OTHER_MEMBERS.has(label)) return { ...ignoredColumn(label), isList: label !== "tracker" };
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
  const names = [...SHOWN, ...custom, ...Object.keys(TEXTS)];
  const [only = "", ...others] = labels;
  const suggested = others.length > 0 ? undefined : suggestNames(only, names);
  const isMerged = labels.some((label) => /[;\t]/.test(label));
  const skip = `--skip-columns '${labels.map((label) => (label.includes(",") ? `"${label}"` : label)).join(",")}'`;
  const leaveOut = `${skip} leaves ${others.length > 0 ? "them" : "it"} out`;
  const hint = isMerged
    ? "columns are separated by commas, semicolons or tabs in CSV, by tabs in TSV: see --input-format"
    : `${suggested ?? "bt field list shows the fields"}${suggested?.endsWith("?") ? "" : ";"} ${leaveOut}`;
  const named = labels.map((label) => JSON.stringify(label)).join(", ");
  return lineError(1, usageError(`unknown column${others.length > 0 ? "s" : ""} ${named}`, hint));
}
