import type { Json, JsonObject } from "../../wire/exchange.ts";
import { FIELD_TYPE } from "../../wire/field-types.ts";
import type { ReceivedBug } from "../../wire/mirror.ts";
import type { CustomFieldRow } from "../bug-fields/custom-fields.ts";
import { chartFieldName, STORED_FIELDS, STORED_PERSON_FIELDS } from "../fields.ts";
import type { SqlValue } from "../store/database.ts";
import type { Store } from "../store/store.ts";
import {
  receivedBit,
  receivedInteger,
  receivedItems,
  receivedNumber,
  receivedObject,
  receivedObjects,
  receivedText,
  receivedTexts,
  storedTime,
} from "./received.ts";
import type { Registry } from "./registry.ts";
import { createRowBatch, type RowBatch, type RowInsert, type ShortSteps } from "./row-batch.ts";

/**
 * Puts bugs into the tables that searches read, in place of what was there: rows, lists, flags, comments, history and
 * attachments, with their ids, authors and times. No rule is applied, nothing is logged and no mail is queued. Called in
 * a transaction.
 */
export function* putBugs(context: PutContext, received: readonly ReceivedBug[]): ShortSteps<void> {
  const { store, registry } = context;
  for (const { bug } of received) putPeople(registry, bug);
  const rows = createRowBatch(store);
  const stored = clearStored(store, received);
  for (const one of received) {
    const id = receivedInteger(one.bug["id"]);
    const isSameSummary = stored.get(id) === receivedText(one.bug["summary"]);
    rows.add(isSameSummary ? BUG_OF_SAME_SUMMARY : BUG, bugRow(context, one.bug));
    putBug({ ...context, rows, isNew: !stored.has(id) }, id, one);
  }
  yield;
  yield* rows.insertAll();
}

/** Store and registry for received bugs. `tagger` is the user whose personal tags bugs have. */
type PutContext = {
  store: Store;
  registry: Registry;
  customFields: readonly CustomFieldRow[];
  tagger?: number | undefined;
};

/** A context whose rows are collected. Of a new bug nothing is stored. */
type RowContext = PutContext & { rows: RowBatch; isNew: boolean };

/** Removes the lists of those of the bugs that have rows already; returns their summaries by id. */
function clearStored(store: Store, received: readonly ReceivedBug[]): ReadonlyMap<number, string> {
  const ids = JSON.stringify(received.map(({ bug }) => receivedInteger(bug["id"])));
  const stored = store.all<{ id: number; summary: string }>(
    "SELECT id, summary FROM bugs WHERE id IN (SELECT value FROM json_each(?))",
    [ids],
  );
  for (const column of ["bug_id", "depends_on_id"]) clearRows(store, "bug_dependencies", { column, ids }); // others write them, too
  const known = JSON.stringify(stored.map(({ id }) => id));
  for (const table of stored.length > 0 ? CLEARED : []) clearRows(store, table, { column: "bug_id", ids: known });
  return new Map(stored.map(({ id, summary }) => [id, summary]));
}

const CLEARED = [
  "bug_aliases",
  "bug_cc",
  "bug_keywords",
  "bug_groups",
  "bug_see_also",
  "bug_duplicates",
  "bug_tags",
  "custom_values",
  "custom_choices",
  "flags",
];

function clearRows(store: Store, table: string, { column, ids }: { column: string; ids: string }): void {
  store.run(`DELETE FROM ${table} WHERE ${column} IN (SELECT value FROM json_each(?))`, [ids]);
}

function putBug(context: RowContext, id: number, received: ReceivedBug): void {
  for (const { add, items } of RECEIVED_LISTS) {
    for (const item of items(context, received.bug)) context.rows.add(add, [id, item]);
  }
  putCustomValues(context, id, received.bug);
  putDiscussion(context, id, received);
  putFlags(context, { bugId: id, attachmentId: null, flags: receivedObjects(received.bug["flags"]) });
}

const BUG: RowInsert = { table: "bugs", columns: STORED_FIELDS.map(({ column }) => column), key: "id" };

/** The word index would remove the words of a summary and add them again. */
const BUG_OF_SAME_SUMMARY: RowInsert = { ...BUG, unchanged: ["summary"] };

/** Stores the people with details, before ids of people are used: a detail may show that two accounts are one. */
function putPeople(registry: Registry, bug: JsonObject): void {
  for (const { name: role } of STORED_PERSON_FIELDS) {
    const detail = receivedObject(bug[`${role}_detail`]);
    if (detail) registry.registerPerson(receivedText(bug[role]), detail);
  }
  registerCc(registry, bug);
}

function registerCc(registry: Registry, bug: JsonObject): number[] {
  const details = receivedObjects(bug["cc_detail"]);
  return receivedTexts(bug["cc"]).map((login, at) =>
    registry.registerPerson(login, matchingDetail(login, details[at])),
  );
}

function bugRow({ registry }: PutContext, bug: JsonObject): SqlValue[] {
  const product = registry.registerProduct(receivedText(bug["product"]), receivedText(bug["classification"]));
  const assignee = registerPerson(registry, bug, "assigned_to");
  const special: Readonly<Record<string, SqlValue>> = {
    product,
    component: registry.registerComponent(product, receivedText(bug["component"]), assignee),
  };
  return STORED_FIELDS.map((field) => {
    if (field.name in special) return special[field.name] ?? null;
    if (field.family !== "person") return receivedValue(bug[field.name], field.json);
    return field.isOptional && receivedText(bug[field.name]) === "" ? null : registerPerson(registry, bug, field.name);
  });
}

function registerPerson(registry: Registry, bug: JsonObject, role: string): number {
  return registry.registerPerson(receivedText(bug[role]), receivedObject(bug[`${role}_detail`]));
}

function receivedValue(value: Json | undefined, json: string | undefined): SqlValue {
  if (json === "bool") return receivedBit(value);
  if (json === "int") return receivedInteger(value);
  if (json === "double") return receivedNumber(value);
  if (json === "datetime") return storedTime(value);
  return json === "date" ? receivedText(value).slice(0, 10) || null : receivedText(value);
}

/** A list of a bug: how an item is added, and its items. */
type PutList = {
  add: RowInsert;
  items: (context: PutContext, bug: JsonObject) => SqlValue[];
};

const RECEIVED_LISTS: readonly PutList[] = [
  {
    add: itemInsert("bug_aliases", "alias", "REPLACE"),
    items: (_, bug) => receivedTexts(bug["alias"]),
  },
  { add: itemInsert("bug_cc", "user_id"), items: ({ registry }, bug) => registerCc(registry, bug) },
  {
    add: itemInsert("bug_keywords", "keyword_id"),
    items: ({ registry }, bug) => receivedTexts(bug["keywords"]).map(registry.registerKeyword),
  },
  {
    add: itemInsert("bug_groups", "group_id"),
    items: ({ registry }, bug) => receivedTexts(bug["groups"]).map(registry.registerGroup),
  },
  {
    add: itemInsert("bug_dependencies", "depends_on_id"),
    items: (_, bug) => receivedItems(bug["depends_on"]).map(receivedInteger),
  },
  {
    add: { or: "IGNORE", table: "bug_dependencies", columns: ["depends_on_id", "bug_id"] },
    items: (_, bug) => receivedItems(bug["blocks"]).map(receivedInteger),
  },
  { add: itemInsert("bug_see_also", "url"), items: (_, bug) => receivedTexts(bug["see_also"]) },
  {
    add: itemInsert("bug_duplicates", "dupe_of", "REPLACE"),
    items: (_, bug) => receivedItems(bug["dupe_of"]).slice(0, 1).map(receivedInteger),
  },
  {
    add: itemInsert("bug_tags", "tag_id"),
    items: (context, bug) => receivedTexts(bug["tags"]).flatMap((name) => registerTag(context, name) ?? []),
  },
];

function itemInsert(table: string, column: string, or: RowInsert["or"] = "IGNORE"): RowInsert {
  return { or, table, columns: ["bug_id", column] };
}

/** The detail of a person, if it is about this login: some servers sort the two lists differently. */
function matchingDetail(login: string, detail: JsonObject | undefined): JsonObject | undefined {
  return detail && receivedText(detail["name"]) === login ? detail : undefined;
}

function registerTag({ store, tagger }: PutContext, name: string): number | undefined {
  if (tagger === undefined) return undefined;
  store.run("INSERT OR IGNORE INTO personal_tags (user_id, name) VALUES (?, ?)", [tagger, name]);
  return Number(store.get("SELECT id FROM personal_tags WHERE user_id = ? AND name = ?", [tagger, name])?.["id"]);
}

function putCustomValues({ rows, customFields }: RowContext, bugId: number, bug: JsonObject): void {
  for (const { id, name, type } of customFields) {
    const isMultiple = type === FIELD_TYPE.multiSelect;
    const values = isMultiple ? receivedTexts(bug[name]) : storedSingle(bug[name], type);
    for (const value of values) rows.add(isMultiple ? CHOICE : VALUE, [bugId, id, value]);
  }
}

const VALUE: RowInsert = { table: "custom_values", columns: ["bug_id", "field_id", "value"] };
const CHOICE: RowInsert = { or: "IGNORE", table: "custom_choices", columns: ["bug_id", "field_id", "value"] };

/** The stored form of a single value; none for the field's empty value. */
function storedSingle(value: Json | undefined, type: number): string[] {
  const text = receivedText(value);
  if (text === "" || text === EMPTY[type]) return [];
  if (type === FIELD_TYPE.date) return [text.slice(0, 10)];
  return [type === FIELD_TYPE.dateTime ? storedTime(value) : text];
}

const EMPTY: Readonly<Record<number, string>> = { [FIELD_TYPE.select]: "---", [FIELD_TYPE.integer]: "0" };

/** Flags of a bug, or of one of its attachments. */
type PutFlags = {
  bugId: number;
  attachmentId: number | null;
  flags: JsonObject[];
};

/** Adds flags to those of the bug or attachment. */
function putFlags({ rows, registry }: RowContext, { bugId, attachmentId, flags }: PutFlags): void {
  for (const flag of flags.filter(({ status }) => STATUSES.has(receivedText(status)))) {
    const requestee = receivedText(flag["requestee"]);
    rows.add(FLAG, [
      receivedInteger(flag["id"]) || null,
      registry.registerFlagType(flag, attachmentId === null ? "bug" : "attachment"),
      bugId,
      attachmentId,
      receivedText(flag["status"]),
      registry.registerPerson(receivedText(flag["setter"])),
      requestee === "" ? null : registry.registerPerson(requestee),
      storedTime(flag["creation_date"]),
      storedTime(flag["modification_date"]),
    ]);
  }
}

const STATUSES: ReadonlySet<string> = new Set(["?", "+", "-"]);

const FLAG: RowInsert = {
  or: "REPLACE",
  table: "flags",
  columns: [
    "id",
    "type_id",
    "bug_id",
    "attachment_id",
    "status",
    "setter_id",
    "requestee_id",
    "creation_date",
    "modification_date",
  ],
};

/** Stores attachments, comments and history of a bug. Rows that did not change are not written again. */
function putDiscussion(context: RowContext, bugId: number, received: ReceivedBug): void {
  putRows(context, { insert: ATTACHMENT, bugId }, attachmentRows(context, bugId, received.attachments));
  for (const attachment of received.attachments) {
    putFlags(context, {
      bugId,
      attachmentId: receivedInteger(attachment["id"]),
      flags: receivedObjects(attachment["flags"]),
    });
  }
  const comments = withAllHours(commentRows(context, bugId, received), received.bug["actual_time"]);
  putRows(context, { insert: COMMENT, bugId }, comments);
  putTags(context, received.comments);
  putHistory(context, bugId, received.history);
}

function attachmentRows({ store, registry }: PutContext, bugId: number, attachments: readonly JsonObject[]) {
  return attachments.map((attachment) => ({
    id: receivedInteger(attachment["id"]) || null,
    bug_id: bugId,
    creator_id: registry.registerPerson(receivedText(attachment["creator"])),
    creation_time: storedTime(attachment["creation_time"]),
    last_change_time: storedTime(attachment["last_change_time"]),
    file_name: receivedText(attachment["file_name"]),
    summary: receivedText(attachment["summary"]),
    content_type: receivedText(attachment["content_type"]),
    is_patch: receivedBit(attachment["is_patch"]),
    is_obsolete: receivedBit(attachment["is_obsolete"]),
    is_private: receivedBit(attachment["is_private"]),
    size: receivedInteger(attachment["size"]),
    data: receivedText(attachment["data"]) || keptData(store, attachment),
  }));
}

const ATTACHMENT = {
  table: "attachments",
  columns: [
    "id",
    "bug_id",
    "creator_id",
    "creation_time",
    "last_change_time",
    "file_name",
    "summary",
    "content_type",
    "is_patch",
    "is_obsolete",
    "is_private",
    "size",
    "data",
  ],
  key: "id",
} as const satisfies RowInsert;

/**
 * The data that is kept of an attachment, empty without any: it never changes, unless an administrator deletes it. A tracker
 * that was restored from a backup may give its number to another one, which is of another time.
 */
export function keptData(store: Store, { id, size, creation_time: created }: JsonObject): string {
  const row = store.get<{ data: string }>(KEPT_DATA, [receivedInteger(id), receivedInteger(size), storedTime(created)]);
  return row?.data ?? "";
}

const KEPT_DATA = "SELECT data FROM attachments WHERE id = ? AND size = ? AND creation_time = ?";

type CommentColumns = StoredText & {
  readonly id: number | null;
  readonly bug_id: number;
  readonly creator_id: number;
  readonly creation_time: string;
  readonly is_private: number;
  readonly work_time: number;
};

const COMMENT = {
  table: "comments",
  columns: ["id", "bug_id", "creator_id", "creation_time", "is_private", "work_time", "text", "kind", "about"],
  key: "id",
} as const satisfies RowInsert;

function commentRows(
  { registry }: PutContext,
  bugId: number,
  { comments, history }: ReceivedBug,
): readonly CommentColumns[] {
  const hours = hoursByMoment(history);
  return comments.map((comment) => {
    const creator = receivedText(comment["creator"]);
    const time = storedTime(comment["creation_time"] ?? comment["time"]);
    return {
      id: receivedInteger(comment["id"]) || null,
      bug_id: bugId,
      creator_id: registry.registerPerson(creator),
      creation_time: time,
      is_private: receivedBit(comment["is_private"]),
      work_time: hours.get(`${time} ${creator}`)?.shift() ?? 0,
      ...storedText(comment),
    };
  });
}

/** Hours worked by time and author, in order: comments do not have them, the history does. */
function hoursByMoment(history: readonly JsonObject[]): ReadonlyMap<string, number[]> {
  const hours = new Map<string, number[]>();
  for (const { when, who, changes } of history) {
    for (const change of receivedObjects(changes).filter(({ field_name }) => field_name === "work_time")) {
      const key = `${storedTime(when)} ${receivedText(who)}`;
      const worked = receivedNumber(change["added"]) - receivedNumber(change["removed"]);
      hours.set(key, [...(hours.get(key) ?? []), worked]);
    }
  }
  return hours;
}

/** The rows with hours whose sum is the bug's; what is left belongs to comments that are not visible. */
function withAllHours(rows: readonly CommentColumns[], actual: Json | undefined): readonly CommentColumns[] {
  const [first, ...others] = rows;
  if (!first || typeof actual !== "number") return rows;
  const left = actual - rows.reduce((sum, { work_time }) => sum + work_time, 0);
  return Math.abs(left) < 0.001 ? rows : [{ ...first, work_time: first.work_time + left }, ...others];
}

type StoredText = { text: string; kind: string; about: number | null };

/** True for a comment whose text is in its table as it was received. */
export function isTextInTable(comment: JsonObject): boolean {
  const { id, text } = comment;
  if (typeof text !== "string" || receivedInteger(id) === 0) return false;
  return storedText(comment).kind === "plain" && !UNSTORABLE.test(text);
}

/** SQLite stores no NUL and no unpaired surrogates. */
const UNSTORABLE = /[\0\p{Surrogate}]/u;

/** The text that a person wrote, without the sentence that the server makes of the comment's kind: searches do not see it. */
function storedText({ text: received, attachment_id }: JsonObject): StoredText {
  const text = receivedText(received);
  const isMade = /^(?:Created|Comment on) attachment /.test(text) || text.endsWith("***");
  for (const [kind, pattern] of isMade ? COMMENT_KIND_PATTERNS : []) {
    const { own = "", about } = pattern.exec(text)?.groups ?? {};
    const isAbout = kind.startsWith("attachment") ? about === receivedText(attachment_id) : about !== undefined;
    if (isAbout) return { text: own, kind, about: Number(about) };
  }
  return { text, kind: "plain", about: null };
}

const COMMENT_KIND_PATTERNS = [
  ["duplicate_of", /^(?<own>.*)\n\n\*\*\* This bug has been marked as a duplicate of bug (?<about>\d+) \*\*\*$/s],
  ["has_duplicate", /^\*\*\* Bug (?<about>\d+) has been marked as a duplicate of this bug\. \*\*\*$/],
  ["attachment_created", /^Created attachment (?<about>\d+)\n[^\n]*(?:\n\n(?<own>.*))?$/s],
  ["attachment_updated", /^Comment on attachment (?<about>\d+)\n[^\n]*(?:\n\n(?<own>.*))?$/s],
] as const;

function putTags({ store, rows, isNew }: RowContext, comments: readonly JsonObject[]): void {
  for (const { id, tags } of comments) {
    if (!isNew) store.run("DELETE FROM comment_tags WHERE comment_id = ?", [receivedInteger(id)]);
    for (const tag of receivedTexts(tags)) rows.add(TAG, [receivedInteger(id), tag]);
  }
}

const TAG: RowInsert = { or: "IGNORE", table: "comment_tags", columns: ["comment_id", "tag"] };

function putHistory({ store, registry, rows, isNew }: RowContext, bugId: number, history: readonly JsonObject[]): void {
  const changes = history.flatMap(({ when, who, changes: fields }) =>
    receivedObjects(fields).map((change) => [
      bugId,
      registry.registerPerson(receivedText(who)),
      storedTime(when),
      chartFieldName(receivedText(change["field_name"])),
      receivedText(change["removed"]),
      receivedText(change["added"]),
      receivedInteger(receivedObject(change["comment"])?.["comment_id"]) || null,
      receivedInteger(change["attachment_id"]) || null,
    ]),
  );
  const stored = isNew
    ? []
    : store.all(STORED_ACTIVITY, [bugId]).map((row) => ACTIVITY.columns.map((name) => row[name]));
  if (JSON.stringify(stored) === JSON.stringify(changes)) return;
  if (stored.length > 0) store.run("DELETE FROM activity WHERE bug_id = ?", [bugId]);
  for (const row of changes) rows.add(ACTIVITY, row);
}

const ACTIVITY: RowInsert = {
  table: "activity",
  columns: ["bug_id", "user_id", "time", "field", "removed", "added", "comment_id", "attachment_id"],
};
const STORED_ACTIVITY = `SELECT ${ACTIVITY.columns.join(", ")} FROM activity WHERE bug_id = ? ORDER BY time, id`;

type Place<Name extends string> = {
  insert: Omit<RowInsert, "columns"> & { columns: Name[] };
  bugId: number;
};

/** Makes the rows of a bug in a table these: an unchanged row stays, which spares the word index. */
function putRows<Name extends string>(
  { store, rows, isNew }: RowContext,
  { insert, bugId }: Place<Name>,
  put: readonly (Readonly<Record<Name, SqlValue>> & { readonly id: number | null })[],
): void {
  const before = isNew ? [] : store.all(`SELECT * FROM ${insert.table} WHERE bug_id = ?`, [bugId]);
  const stored = new Map(before.map((row) => [row["id"], row]));
  for (const row of put) {
    const values = insert.columns.map((name) => row[name]);
    const same = stored.get(row.id);
    if (!same || insert.columns.some((name, at) => same[name] !== values[at])) rows.add(insert, values);
    stored.delete(row.id);
  }
  for (const id of stored.keys()) store.run(`DELETE FROM ${insert.table} WHERE id = ?`, [id ?? null]);
}
