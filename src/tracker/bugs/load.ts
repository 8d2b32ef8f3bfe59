import type { Bug, CustomValue, NamedItem, Person, SetFlag } from "../bug.ts";
import type { CustomField } from "../bug-fields/choices.ts";
import { displayedCustomValue, emptyCustomValue, isMultiSelect } from "../bug-fields/custom-fields.ts";
import { STORED_FIELDS, STORED_PERSON_FIELDS, type StoredField } from "../fields.ts";
import { productById } from "../products/access.ts";
import { componentById } from "../products/parts.ts";
import type { SqlRow } from "../store/database.ts";
import type { Store } from "../store/store.ts";
import { LIST_QUERIES, type ListField } from "./columns.ts";

/** The complete bug with this id, visible to the requester or not. @throws TypeError if there is none */
export function loadBug(store: Store, id: number, customFields: CustomField[]): Bug {
  const row = store.get<BugRow>(BUG, [id]);
  const product = row && productById(store, row.product_id);
  const component = row && componentById(store, row.component_id);
  if (!row || !product || !component) throw new TypeError(`there is no bug ${id} to load`);
  return {
    ...storedValues(row),
    product,
    component,
    dupe_of: row.dupe_of,
    ...loadLists(store, id),
    flags: loadFlags(store, id),
    custom: loadCustom(store, id, customFields),
  };
}

type BugRow = SqlRow & {
  product_id: number;
  component_id: number;
  dupe_of: number | null;
};

function storedValues(row: BugRow): Omit<Pick<Bug, StoredField>, "product" | "component"> {
  return Object.fromEntries(STORED_FIELDS.map((field) => [field.name, loadedValue(row, field)])) as Pick<
    Bug,
    StoredField
  >;
}

function loadedValue(row: BugRow, { name, column, json, family }: (typeof STORED_FIELDS)[number]): Bug[StoredField] {
  const value = row[column] ?? null;
  if (family === "person") return value === null ? null : { id: Number(value), login: String(row[`${name}_login`]) };
  if (json === "bool") return value === 1;
  return json === "date" ? String(value ?? "") : (value as string | number);
}

const BUG = `SELECT bugs.*, dupe_of, ${STORED_PERSON_FIELDS.map(({ name }) => `${name}.login AS ${name}_login`).join(", ")}
  FROM bugs
  ${STORED_PERSON_FIELDS.map(({ name, column }) => `LEFT JOIN users AS ${name} ON ${name}.id = bugs.${column}`).join("\n  ")}
  LEFT JOIN bug_duplicates ON bug_duplicates.bug_id = bugs.id
  WHERE bugs.id = ?`;

function loadLists(store: Store, id: number) {
  const rows = (list: ListField) =>
    store.all<{ item: never; id: number; login: string }>(LIST_QUERIES[list]("(?)"), [id]);
  const items = <T>(list: ListField): T[] => rows(list).map(({ item }) => item);
  const named = (list: ListField): NamedItem[] =>
    rows(list).map(({ item, id: itemId }) => ({ id: itemId, name: item }));
  return {
    alias: items<string>("alias"),
    depends_on: items<number>("depends_on"),
    blocks: items<number>("blocks"),
    see_also: items<string>("see_also"),
    cc: rows("cc").map(({ item, login }): Person => ({ id: item, login })),
    keywords: named("keywords"),
    groups: named("groups"),
  };
}

type FlagRow = {
  id: number;
  type_id: number;
  name: string;
  status: string;
  setter_id: number;
  setter: string;
  requestee_id: number | null;
  requestee: string | null;
};

const FLAGS = `
  SELECT flags.id, type_id, flag_types.name, status, setter_id, setters.login AS setter, requestee_id,
    requestees.login AS requestee
  FROM flags
  JOIN flag_types ON flag_types.id = type_id
  JOIN users AS setters ON setters.id = setter_id
  LEFT JOIN users AS requestees ON requestees.id = requestee_id
  WHERE bug_id = ? AND attachment_id IS ? ORDER BY flag_types.sort_key, flag_types.name, type_id, flags.id`;

/** Flags of a bug itself, or of one of its attachments, in the order of types. */
export function loadFlags(store: Store, bugId: number, attachmentId: number | null = null): SetFlag[] {
  return store.all<FlagRow>(FLAGS, [bugId, attachmentId]).map(toFlag);
}

function toFlag({ setter_id, setter, requestee_id, requestee, ...flag }: FlagRow): SetFlag {
  return {
    ...flag,
    setter: { id: setter_id, login: setter },
    requestee: requestee_id === null || requestee === null ? null : { id: requestee_id, login: requestee },
  };
}

type CustomValueRow = { field_id: number; value: string };

const SINGLE = "SELECT field_id, value FROM custom_values WHERE bug_id = ?";
const MULTIPLE = `
  SELECT field_id, value FROM custom_choices WHERE bug_id = ? ORDER BY value`;

function loadCustom(store: Store, id: number, customFields: CustomField[]): Bug["custom"] {
  const single = store.all<CustomValueRow>(SINGLE, [id]);
  const multiple = store.all<CustomValueRow>(MULTIPLE, [id]);
  const read = (field: CustomField): CustomValue => {
    if (isMultiSelect(field.type))
      return multiple.filter(({ field_id }) => field_id === field.id).map(({ value }) => value);
    const stored = single.find(({ field_id }) => field_id === field.id);
    return stored ? displayedCustomValue(field, stored.value) : emptyCustomValue(field);
  };
  return Object.fromEntries(customFields.map((field) => [field.name, read(field)]));
}
