import type { BugFieldRow } from "../../wire/bug-fields.ts";
import type { Json } from "../../wire/exchange.ts";
import {
  type CustomField,
  displayedCustomValue,
  emptyCustomValue,
  isMultiSelect,
  storedCustomValue,
} from "../bug-fields/values.ts";
import {
  type Bug,
  type CustomValue,
  groupByBug,
  STORED_FIELDS,
  STORED_PERSON_FIELDS,
  type StoredField,
} from "../fields.ts";
import { loadFlags, saveFlags } from "../flags/flags.ts";
import { queueBugMails } from "../mail/mail.ts";
import { loadComponent, loadProduct } from "../products/products.ts";
import type { SqlRow, SqlValue, Store } from "../store/store.ts";
import { differenceBy, formatHours } from "../values.ts";
import {
  type BugDraft,
  diffBugs,
  EMPTY_COMMENT,
  emptyDraft,
  type FieldChange,
  insertComment,
  isBugVisible,
  maySeeBug,
  missingRight,
  type WriteContext,
  withBug,
} from "./draft.ts";
import { bugInUrl, bugUrl } from "./lists.ts";

/** The complete bug with this id, which exists, visible to the requester or not. */
export function loadBug(store: Store, id: number, customFields: readonly CustomField[]): Bug {
  const row = store.get(BUG, [id]) as BugRow;
  const valuesOf = loadCustomValues(store, [id]);
  const customValue = (field: CustomField): CustomValue => {
    const values = valuesOf(field.id, id);
    if (isMultiSelect(field.type)) return values;
    return values[0] === undefined ? emptyCustomValue(field) : displayedCustomValue(field, values[0]);
  };
  return {
    ...loadedColumns(row),
    product: loadProduct(store, row.product_id),
    component: loadComponent(store, row.component_id),
    ...loadLists(store, id),
    dupe_of: row.dupe_of,
    flags: loadFlags(store, id),
    custom: Object.fromEntries(customFields.map((field) => [field.name, customValue(field)])),
  };
}

type BugRow = SqlRow & { product_id: number; component_id: number; dupe_of: number | null };

function loadedColumns(row: BugRow): Omit<Pick<Bug, StoredField>, "product" | "component"> {
  const values = STORED_FIELDS.map((field) => [field.name, loadedValue(row, field)]);
  return Object.fromEntries(values) as Pick<Bug, StoredField>;
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

/** A field with a list of values, which are rows of a table. */
type StoredList = {
  readonly table: string;
  readonly item: string; // the column of the value
  readonly bug?: string; // the column of the bug's id; absent: bug_id
  readonly join?: string; // the table of the objects whose ids the values are
  readonly shown?: "login" | "name"; // the column of such an object that is shown
  readonly order?: string; // absent: by what is shown
};

/** All lists but flags, and the original of a duplicate; the tags are the requester's. */
const STORED_LISTS = {
  alias: { table: "bug_aliases", item: "alias" },
  blocks: { table: "bug_dependencies", item: "bug_id", bug: "depends_on_id" },
  cc: { table: "bug_cc", item: "user_id", join: "JOIN users ON users.id = user_id", shown: "login" },
  depends_on: { table: "bug_dependencies", item: "depends_on_id" },
  dupe_of: { table: "bug_duplicates", item: "dupe_of" },
  groups: {
    table: "bug_groups",
    item: "group_id",
    join: "JOIN groups ON groups.id = group_id",
    shown: "name",
    order: "groups.id",
  },
  keywords: {
    table: "bug_keywords",
    item: "keyword_id",
    join: "JOIN keywords ON keywords.id = keyword_id",
    shown: "name",
  },
  see_also: { table: "bug_see_also", item: "url", order: "id" },
  tags: {
    table: "bug_tags",
    item: "tag_id",
    shown: "name",
    order: "personal_tags.id",
    join: `JOIN personal_tags ON personal_tags.id = tag_id JOIN viewer ON viewer.user_id = personal_tags.user_id`,
  },
} as const satisfies Readonly<Record<string, StoredList>>;

export type ListField = keyof typeof STORED_LISTS;
type ListRow = { readonly bug_id: number; readonly item: string | number; readonly shown: string | number };

/** The rows of a list by the bug's id; bugs with an empty list are absent. */
export function loadList(store: Store, list: ListField, ids: readonly number[]): ReadonlyMap<number, ListRow[]> {
  const { table, item, bug = "bug_id", join = "", shown, order }: StoredList = STORED_LISTS[list];
  const shownColumn = shown ?? `${table}.${item}`;
  const sql = `SELECT ${table}.${bug} AS bug_id, ${table}.${item} AS item, ${shownColumn} AS shown FROM ${table} ${join}
    WHERE ${table}.${bug} IN (SELECT value FROM json_each(?)) ORDER BY ${order ?? shownColumn}`;
  return groupByBug(store.all<ListRow>(sql, [ids]), (row) => row);
}

/** Loads what is shown of a list of bugs; the function returns it for one bug. */
export function loadShownList(store: Store, list: ListField, ids: readonly number[]): (bugId: number) => Json[] {
  const rows = loadList(store, list, ids);
  return (id) => (rows.get(id) ?? []).map(({ shown }) => shown);
}

const LIST_ENTRIES = Object.entries(STORED_LISTS) as [ListField, StoredList][];

type LoadedList = Exclude<ListField, "tags" | "dupe_of">;

function loadLists(store: Store, id: number): Pick<Bug, LoadedList> {
  const loaded = LIST_ENTRIES.filter(([name]) => name !== "tags" && name !== "dupe_of");
  const lists = loaded.map(([name, { shown }]) => {
    const rows = loadList(store, name, [id]).get(id) ?? [];
    return [name, rows.map((row) => (shown ? { id: row.item, [shown]: row.shown } : row.item))];
  });
  return Object.fromEntries(lists) as Pick<Bug, LoadedList>;
}

/** Loads the values of custom fields of bugs; the function returns those of one field and bug. */
export function loadCustomValues(store: Store, ids: readonly number[]): (fieldId: number, bugId: number) => string[] {
  const values = new Map<string, string[]>();
  for (const { bug_id, field_id, value } of store.all<CustomValueRow>(CUSTOM_VALUES, { ids })) {
    const key = `${field_id} ${bug_id}`;
    values.set(key, [...(values.get(key) ?? []), value]);
  }
  return (fieldId, bugId) => values.get(`${fieldId} ${bugId}`) ?? [];
}

type CustomValueRow = { bug_id: number; field_id: number; value: string };

const CUSTOM_VALUES = ["custom_values", "custom_choices"]
  .map((table) => `SELECT bug_id, field_id, value FROM ${table} WHERE bug_id IN (SELECT value FROM json_each(@ids))`)
  .join(" UNION ALL ")
  .concat(" ORDER BY value");

/** Stores a new bug, which was `blank` before; returns it with its id. */
export function insertBug(context: WriteContext, blank: Bug, bug: Bug): Bug {
  const { id } = context.call.store.run(INSERT, rowOfBug(bug));
  const stored = { ...bug, id };
  saveOtherTables(context, blank, stored);
  return stored;
}

/** Stores the difference between two states of a bug: columns, lists, flags and custom fields. */
function saveBug(context: WriteContext, before: Bug, after: Bug): void {
  const [was, is] = [rowOfBug(before), rowOfBug(after)];
  const changed = Object.keys(is).filter((column) => is[column] !== was[column]); // a trigger reads words of each summary
  const values = changed.map((column) => `${column} = @${column}`).join(", ");
  if (values !== "") context.call.store.run(`UPDATE bugs SET ${values} WHERE id = @id`, { ...is, id: after.id });
  saveOtherTables(context, before, after);
}

// SQLite gives the id.
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

/** Stores the difference of what is not in the table of bugs. */
function saveOtherTables(context: WriteContext, before: Bug, after: Bug): void {
  const { store } = context.call;
  const { id } = after;
  for (const [name, { table, item, bug = "bug_id" }] of LIST_ENTRIES) {
    const [was, is] = [storedItems(before, name), storedItems(after, name)];
    const remove = `DELETE FROM ${table} WHERE ${bug} = ? AND ${item} = ?`;
    const add = `INSERT OR IGNORE INTO ${table} (${bug}, ${item}) VALUES (?, ?)`; // a dependency is in the lists of two bugs
    for (const value of differenceBy(was, is)) store.run(remove, [id, value]);
    for (const value of differenceBy(is, was)) store.run(add, [id, value]);
  }
  saveFlags(context.call, id, null, before.flags, after.flags);
  for (const field of context.customFields) {
    const value = after.custom[field.name] ?? emptyCustomValue(field);
    if (value !== before.custom[field.name]) saveCustomValue(store, id, field, value);
  }
}

// Personal tags are not changed with a bug.
function storedItems(bug: Bug, name: ListField): (string | number)[] {
  const list = name === "tags" ? [] : [bug[name] ?? []].flat();
  return list.map((item) => (typeof item === "object" ? item.id : item));
}

function saveCustomValue(store: Store, bugId: number, field: CustomField, value: CustomValue): void {
  const table = isMultiSelect(field.type) ? "custom_choices" : "custom_values";
  const values = value === emptyCustomValue(field) ? [] : [value].flat();
  store.run(`DELETE FROM ${table} WHERE bug_id = ? AND field_id = ?`, [bugId, field.id]);
  const add = `INSERT INTO ${table} (bug_id, field_id, value) VALUES (?, ?, ?)`;
  for (const item of values) store.run(add, [bugId, field.id, storedCustomValue(field, item)]);
}

export type AppliedChange = {
  changes: FieldChange[];
  lastChangeTime: string;
  commentId: number | undefined; // of the new comment
};

/** Stores the draft of an update, and queues its mails. */
export function applyDraft(context: WriteContext, draft: BugDraft): AppliedChange {
  const applied = storeDraft(context, draft);
  queueBugMails(context.call, draft, applied.changes);
  return applied;
}

/** Stores the draft of an update (bug, history, comment, related bugs) and returns what was changed. */
export function storeDraft(context: WriteContext, draft: BugDraft): AppliedChange {
  const { call } = context;
  const changes = diffBugs(draft.before, draft.after);
  const isModified = changes.length > 0 || draft.comment !== undefined || draft.privacy.length > 0;
  const lastChangeTime = isModified ? call.now : draft.before.last_change_time;
  const after = { ...draft.after, last_change_time: lastChangeTime };
  saveBug(context, draft.before, after);
  const logged = changes.filter(({ field }) => field !== "dup_id"); // a duplicate has comments instead, as in Bugzilla
  for (const change of logged) logChange(context, { ...change, bugId: after.id });
  const commentId = storeComment(context, draft);
  storePrivacy(context, draft);
  applyToOtherBugs(context, draft);
  return { changes, lastChangeTime, commentId };
}

/** Updates the bugs affected by a change: dependencies, See Also links, and the original of a duplicate. */
export function applyToOtherBugs(context: WriteContext, draft: BugDraft): void {
  logReverseDependencies(context, draft);
  const others = [...draftSeeAlsoBackLinks(context, draft), ...draftOriginalOfDuplicate(context, draft)];
  for (const other of others) applyDraft(context, other);
}

type LoggedChange = FieldChange & {
  readonly bugId: number;
  readonly commentId?: number;
  readonly attachmentId?: number;
};

/** Adds a change by the requester to the history of a bug. */
export function logChange({ call, user }: WriteContext, change: LoggedChange): void {
  const { commentId = null, attachmentId = null, ...entry } = change;
  call.store.run(INSERT_ACTIVITY, { ...entry, commentId, attachmentId, userId: user.id, time: call.now });
}

const INSERT_ACTIVITY = `INSERT INTO activity (bug_id, user_id, time, field, removed, added, comment_id, attachment_id)
  VALUES (@bugId, @userId, @time, @field, @removed, @added, @commentId, @attachmentId)`;

function storeComment(context: WriteContext, { after, comment }: BugDraft): number | undefined {
  if (!comment) return undefined;
  const { workTime } = comment;
  if (workTime !== 0)
    logChange(context, { bugId: after.id, field: "work_time", removed: "", added: formatHours(workTime) });
  return insertComment(context, after.id, comment);
}

function storePrivacy(context: WriteContext, { after, privacy }: BugDraft): void {
  for (const { commentId, isPrivate } of privacy) {
    context.call.store.run("UPDATE comments SET is_private = ? WHERE id = ?", [Number(isPrivate), commentId]);
    const [removed, added] = isPrivate ? ["0", "1"] : ["1", "0"];
    logChange(context, { bugId: after.id, field: "longdescs.isprivate", removed, added, commentId });
  }
}

/** Sets history and time of last change of the bugs at the other end of changed dependencies. */
function logReverseDependencies(context: WriteContext, { before, after }: BugDraft): void {
  const { store, now } = context.call;
  const id = String(after.id);
  for (const [list, field] of REVERSE_CHARTS) {
    const [was, is] = [before[list], after[list]];
    const changes = [
      ...differenceBy(was, is).map((bugId) => ({ bugId, field, removed: id, added: "" })),
      ...differenceBy(is, was).map((bugId) => ({ bugId, field, removed: "", added: id })),
    ];
    for (const change of changes) {
      logChange(context, change);
      setLastChangeTime(store, change.bugId, now);
    }
  }
}

/** Lists of dependencies, each with the chart name of the other bug's list. */
const REVERSE_CHARTS = [
  ["depends_on", "blocked"],
  ["blocks", "dependson"],
] as const;

// A See Also link between two bugs of this tracker is set on both, if the requester may change the other. @see Bugzilla/Bug.pm, add_see_also
function draftSeeAlsoBackLinks(context: WriteContext, { before, after }: BugDraft): readonly BugDraft[] {
  const { urlbase } = context.call.parameters;
  const backLink = bugUrl(urlbase, after.id);
  const urls = [...new Set([...after.see_also, ...before.see_also])];
  const changed = urls.filter((url) => after.see_also.includes(url) !== before.see_also.includes(url));
  return changed.flatMap((url) => {
    const bug = loadEditableBug(context, bugInUrl(url, urlbase));
    if (bug === undefined) return [];
    const unlinked = bug.see_also.filter((other) => other !== backLink);
    const linked = bug.see_also.includes(backLink) ? bug.see_also : [...unlinked, backLink];
    return [withBug(emptyDraft(bug), { see_also: after.see_also.includes(url) ? linked : unlinked })];
  });
}

/** The bug with this id, if the requester may see it and change its See Also. */
function loadEditableBug(context: WriteContext, id: string | undefined): Bug | undefined {
  const { store } = context.call;
  if (id === undefined || !isBugVisible(store, Number(id))) return undefined;
  const bug = loadBug(store, Number(id), context.customFields);
  const change = { field: "see_also", from: "", to: "a link back" };
  return missingRight(context, bug, change) === undefined ? bug : undefined;
}

// The reporter of a duplicate gets a copy of the original's mails, unless involved there, or not allowed to see it.
function draftOriginalOfDuplicate({ call, customFields }: WriteContext, { before, after }: BugDraft): BugDraft[] {
  const { creator, dupe_of: id } = after;
  if (id === null || id === before.dupe_of) return [];
  const original = loadBug(call.store, id, customFields);
  const isInvolved = [original.creator, ...original.cc].some((person) => person.id === creator.id);
  const cc = !isInvolved && maySeeBug(call, creator.id, id) ? [...original.cc, creator] : original.cc;
  const comment = { ...EMPTY_COMMENT, kind: "has_duplicate", about: after.id } as const;
  return [{ ...withBug(emptyDraft(original), { cc }), comment }];
}

export function setLastChangeTime(store: Store, bugId: number, time: string): void {
  store.run("UPDATE bugs SET last_change_time = ? WHERE id = ?", [time, bugId]);
}
