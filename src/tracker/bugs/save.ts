import type { BugFieldRow } from "../../wire/bug-field-row.ts";
import type { Bug, CustomValue, SetFlag } from "../bug.ts";
import type { CustomField } from "../bug-fields/choices.ts";
import { emptyCustomValue, isMultiSelect, storedCustomValue } from "../bug-fields/custom-fields.ts";
import { STORED_FIELDS, type StoredField } from "../fields.ts";
import type { SqlValue } from "../store/database.ts";
import type { Store } from "../store/store.ts";
import { differenceBy } from "./list-edit.ts";

/** Inserts the row of a new bug without its lists, flags and custom fields; returns the new id. */
export function insertBugRow(store: Store, bug: Bug): number {
  return store.run(INSERT, rowOfBug(bug)).id;
}

/** Store, custom fields and time of a save. */
export type SaveContext = {
  store: Store;
  customFields: CustomField[];
  now: string;
};

/** Stores the difference between two states of a bug: row, lists, flags and custom fields. */
export function saveBugChanges(context: SaveContext, before: Bug, after: Bug): void {
  const { store } = context;
  store.run(UPDATE_BUG, { ...rowOfBug(after), id: after.id });
  for (const list of STORED_LISTS) {
    for (const item of differenceBy(list.items(before), list.items(after), itemKey)) {
      store.run(list.remove, { bug: after.id, item });
    }
    for (const item of differenceBy(list.items(after), list.items(before), itemKey)) {
      store.run(list.add, { bug: after.id, item });
    }
  }
  saveFlags(context, { bugId: after.id, attachmentId: null, before: before.flags, after: after.flags });
  saveCustom(context, before, after);
}

function itemKey(item: string | number): string | number {
  return item;
}

// The number of a bug is the engine's.
const COLUMNS = STORED_FIELDS.filter(({ name }) => name !== "id");

function rowOfBug(bug: Bug): Readonly<Record<string, SqlValue>> {
  return Object.fromEntries(COLUMNS.map(({ name, column, json }) => [column, storedValue(bug[name], json)]));
}

function storedValue(value: Bug[StoredField], json: BugFieldRow["json"]): SqlValue {
  if (typeof value === "boolean") return Number(value);
  if (typeof value === "object" && value !== null) return value.id;
  return json === "date" && value === "" ? null : value;
}

const INSERT = `INSERT INTO bugs (${COLUMNS.map(({ column }) => column).join(", ")})
  VALUES (${COLUMNS.map(({ column }) => `@${column}`).join(", ")})`;

const UPDATE_BUG = `UPDATE bugs SET ${COLUMNS.map(({ column }) => `${column} = @${column}`).join(", ")} WHERE id = @id`;

// A list of a bug: its items, and the SQL that inserts and deletes one.
type StoredList = {
  readonly items: (bug: Bug) => readonly (string | number)[];
  readonly add: string;
  readonly remove: string;
};

function idsOf(list: readonly { readonly id: number }[]): number[] {
  return list.map(({ id }) => id);
}

const STORED_LISTS: readonly StoredList[] = [
  {
    items: (bug) => bug.alias,
    add: "INSERT INTO bug_aliases (bug_id, alias) VALUES (@bug, @item)",
    remove: "DELETE FROM bug_aliases WHERE bug_id = @bug AND alias = @item",
  },
  {
    items: (bug) => idsOf(bug.cc),
    add: "INSERT INTO bug_cc (bug_id, user_id) VALUES (@bug, @item)",
    remove: "DELETE FROM bug_cc WHERE bug_id = @bug AND user_id = @item",
  },
  {
    items: (bug) => idsOf(bug.keywords),
    add: "INSERT INTO bug_keywords (bug_id, keyword_id) VALUES (@bug, @item)",
    remove: "DELETE FROM bug_keywords WHERE bug_id = @bug AND keyword_id = @item",
  },
  {
    items: (bug) => idsOf(bug.groups),
    add: "INSERT INTO bug_groups (bug_id, group_id) VALUES (@bug, @item)",
    remove: "DELETE FROM bug_groups WHERE bug_id = @bug AND group_id = @item",
  },
  {
    items: (bug) => bug.depends_on,
    add: "INSERT INTO bug_dependencies (bug_id, depends_on_id) VALUES (@bug, @item) ON CONFLICT DO NOTHING",
    remove: "DELETE FROM bug_dependencies WHERE bug_id = @bug AND depends_on_id = @item",
  },
  {
    items: (bug) => bug.blocks,
    add: "INSERT INTO bug_dependencies (bug_id, depends_on_id) VALUES (@item, @bug) ON CONFLICT DO NOTHING",
    remove: "DELETE FROM bug_dependencies WHERE bug_id = @item AND depends_on_id = @bug",
  },
  {
    items: (bug) => bug.see_also,
    add: "INSERT INTO bug_see_also (bug_id, url) VALUES (@bug, @item) ON CONFLICT DO NOTHING",
    remove: "DELETE FROM bug_see_also WHERE bug_id = @bug AND url = @item",
  },
  {
    items: (bug) => (bug.dupe_of === null ? [] : [bug.dupe_of]),
    add: "INSERT INTO bug_duplicates (bug_id, dupe_of) VALUES (@bug, @item)",
    remove: "DELETE FROM bug_duplicates WHERE bug_id = @bug AND dupe_of = @item",
  },
];

/** Flags before and after an update: of a bug, or of one of its attachments. */
type FlagsChange = {
  bugId: number;
  attachmentId: number | null;
  readonly before: readonly SetFlag[];
  readonly after: readonly SetFlag[];
};

/** Stores the difference between two lists of flags. */
export function saveFlags({ store, now }: Omit<SaveContext, "customFields">, change: FlagsChange): void {
  const { bugId, attachmentId, before, after } = change;
  for (const { id } of differenceBy(before, after, (flag) => flag.id)) {
    store.run("DELETE FROM flags WHERE id = ?", [id]);
  }
  for (const flag of after) {
    const previous = before.find(({ id }) => id === flag.id && id !== 0);
    const row = {
      id: flag.id,
      bug: bugId,
      attachment: attachmentId,
      type: flag.type_id,
      status: flag.status,
      setter: flag.setter.id,
      requestee: flag.requestee?.id ?? null,
      now,
    };
    if (!previous) {
      store.run(ADD_FLAG, row);
    } else if (JSON.stringify(previous) !== JSON.stringify(flag)) {
      store.run(CHANGE_FLAG, row);
    }
  }
}

const ADD_FLAG = `
  INSERT INTO flags (bug_id, attachment_id, type_id, status, setter_id, requestee_id, creation_date, modification_date)
  VALUES (@bug, @attachment, @type, @status, @setter, @requestee, @now, @now)`;
const CHANGE_FLAG = `
  UPDATE flags SET type_id = @type, status = @status, setter_id = @setter, requestee_id = @requestee,
    modification_date = @now WHERE id = @id`;

function saveCustom(context: SaveContext, before: Bug, after: Bug): void {
  for (const field of context.customFields) {
    const value = after.custom[field.name] ?? emptyCustomValue(field);
    if (value !== before.custom[field.name]) replaceValue(context.store, { bug: after.id, field }, value);
  }
}

type CustomValueKey = { bug: number; field: CustomField };

function replaceValue(store: Store, { bug, field }: CustomValueKey, value: CustomValue): void {
  const key = { bug, field: field.id };
  store.run(isMultiSelect(field.type) ? DROP_CHOICES : DROP_VALUE, key);
  if (typeof value !== "string") {
    for (const item of value) {
      store.run(ADD_CHOICE, { ...key, value: item });
    }
  } else if (value !== emptyCustomValue(field)) {
    store.run(ADD_VALUE, { ...key, value: storedCustomValue(field, value) });
  }
}

const DROP_VALUE = "DELETE FROM custom_values WHERE bug_id = @bug AND field_id = @field";
const DROP_CHOICES = "DELETE FROM custom_choices WHERE bug_id = @bug AND field_id = @field";
const ADD_VALUE = "INSERT INTO custom_values (bug_id, field_id, value) VALUES (@bug, @field, @value)";
const ADD_CHOICE = "INSERT INTO custom_choices (bug_id, field_id, value) VALUES (@bug, @field, @value)";
