import type { Json, JsonObject } from "../../wire/exchange.ts";
import { FIELD_TYPE } from "../../wire/field-types.ts";
import type { ReceivedBug } from "../../wire/mirror.ts";
import { STORED_FIELDS } from "../fields.ts";
import type { SqlValue } from "../store/database.ts";
import type { Store } from "../store/store.ts";
import { putDiscussion, type StoredDiscussion } from "./put-discussion.ts";
import { type PutContext, putFlags, type RowContext } from "./put-flags.ts";
import { bitOf, itemsOf, numberOf, objectOf, objectsOf, textOf, textsOf, timeOf, wholeOf } from "./received.ts";
import type { Registry } from "./registry.ts";
import { type RowInsert, rowBatch } from "./row-batch.ts";
import type { ShortSteps } from "./short-steps.ts";

/**
 * Stores bugs exactly as received, replacing their stored state: rows, lists, flags, comments, history and attachments,
 * with their ids, authors and times. No rule is applied, nothing is logged and no mail is queued. Called in a
 * transaction.
 */
export function* putBugs(context: PutContext, received: readonly ReceivedBug[]): ShortSteps<readonly StoredBug[]> {
  const { store, registry } = context;
  for (const { bug } of received) putPeople(registry, bug);
  const rows = rowBatch(store);
  const stored = clearStored(store, received);
  const bugs = received.map((one) => {
    const id = wholeOf(one.bug["id"]);
    const isSameSummary = stored.get(id) === textOf(one.bug["summary"]);
    rows.add(isSameSummary ? BUG_OF_SAME_SUMMARY : BUG, bugRow(context, one.bug));
    return putBug({ ...context, rows, isNew: !stored.has(id) }, id, one);
  });
  yield;
  yield* rows.insertAll();
  return bugs;
}

/** A bug as received, and its comments and changes as stored. */
export type StoredBug = StoredDiscussion & { readonly id: number; readonly received: ReceivedBug };

/** Removes the lists of those of the bugs that have rows already; returns their summaries by id. */
function clearStored(store: Store, received: readonly ReceivedBug[]): ReadonlyMap<number, string> {
  const ids = JSON.stringify(received.map(({ bug }) => wholeOf(bug["id"])));
  const stored = store.all<{ readonly id: number; readonly summary: string }>(
    "SELECT id, summary FROM bugs WHERE id IN (SELECT value FROM json_each(?))",
    [ids],
  );
  for (const column of ["bug_id", "depends_on_id"]) clear(store, "bug_dependencies", { column, ids }); // others write them, too
  const known = JSON.stringify(stored.map(({ id }) => id));
  for (const table of stored.length > 0 ? CLEARED : []) clear(store, table, { column: "bug_id", ids: known });
  return new Map(stored.map(({ id, summary }) => [id, summary]));
}

const CLEARED = [
  ...["bug_aliases", "bug_cc", "bug_keywords", "bug_groups", "bug_see_also", "bug_duplicates", "bug_tags"],
  ...["custom_values", "custom_choices", "flags"],
];

function clear(store: Store, table: string, { column, ids }: { readonly column: string; readonly ids: string }): void {
  store.run(`DELETE FROM ${table} WHERE ${column} IN (SELECT value FROM json_each(?))`, [ids]);
}

function putBug(context: RowContext, id: number, received: ReceivedBug): StoredBug {
  for (const { add, items } of LISTS) {
    for (const item of items(context, received.bug)) context.rows.add(add, [id, item]);
  }
  putCustomValues(context, id, received.bug);
  const discussion = putDiscussion(context, id, received);
  putFlags(context, { bugId: id, attachmentId: null, flags: objectsOf(received.bug["flags"]) });
  return { id, received, ...discussion };
}

const BUG: RowInsert = { table: "bugs", columns: STORED_FIELDS.map(({ column }) => column), key: "id" };

/** The word index would remove the words of a summary and add them again. */
const BUG_OF_SAME_SUMMARY: RowInsert = { ...BUG, unchanged: ["summary"] };

/** Stores the people with details, before ids of people are used: a detail may show that two accounts are one. */
function putPeople(registry: Registry, bug: JsonObject): void {
  for (const role of PEOPLE) {
    const detail = objectOf(bug[`${role}_detail`]);
    if (detail) registry.person(textOf(bug[role]), detail);
  }
  ccOf(registry, bug);
}

const PEOPLE = STORED_FIELDS.flatMap(({ name, family }) => (family === "person" ? [name] : []));

function ccOf(registry: Registry, bug: JsonObject): readonly number[] {
  const details = objectsOf(bug["cc_detail"]);
  return textsOf(bug["cc"]).map((login, at) => registry.person(login, detailOf(login, details[at])));
}

function bugRow({ registry }: PutContext, bug: JsonObject): readonly SqlValue[] {
  const product = registry.product(textOf(bug["product"]), textOf(bug["classification"]));
  const assignee = personOf(registry, bug, "assigned_to");
  const special: Readonly<Record<string, SqlValue>> = {
    product,
    component: registry.component(product, textOf(bug["component"]), assignee),
  };
  return STORED_FIELDS.map((field) => {
    if (field.name in special) return special[field.name] ?? null;
    if (field.family !== "person") return storedValue(bug[field.name], field.json);
    return field.isOptional && textOf(bug[field.name]) === "" ? null : personOf(registry, bug, field.name);
  });
}

function personOf(registry: Registry, bug: JsonObject, role: string): number {
  return registry.person(textOf(bug[role]), objectOf(bug[`${role}_detail`]));
}

function storedValue(value: Json | undefined, json: string | undefined): SqlValue {
  if (json === "bool") return bitOf(value);
  if (json === "int") return wholeOf(value);
  if (json === "double") return numberOf(value);
  if (json === "datetime") return timeOf(value);
  return json === "date" ? textOf(value).slice(0, 10) || null : textOf(value);
}

/** A list of a bug: how an item is added, and its items. */
type PutList = {
  readonly add: RowInsert;
  readonly items: (context: PutContext, bug: JsonObject) => readonly SqlValue[];
};

const LISTS: readonly PutList[] = [
  {
    add: itemOf("bug_aliases", "alias", "REPLACE"),
    items: (_, bug) => textsOf(bug["alias"]),
  },
  { add: itemOf("bug_cc", "user_id"), items: ({ registry }, bug) => ccOf(registry, bug) },
  {
    add: itemOf("bug_keywords", "keyword_id"),
    items: ({ registry }, bug) => textsOf(bug["keywords"]).map(registry.keyword),
  },
  {
    add: itemOf("bug_groups", "group_id"),
    items: ({ registry }, bug) => textsOf(bug["groups"]).map(registry.group),
  },
  {
    add: itemOf("bug_dependencies", "depends_on_id"),
    items: (_, bug) => itemsOf(bug["depends_on"]).map(wholeOf),
  },
  {
    add: { or: "IGNORE", table: "bug_dependencies", columns: ["depends_on_id", "bug_id"] },
    items: (_, bug) => itemsOf(bug["blocks"]).map(wholeOf),
  },
  { add: itemOf("bug_see_also", "url"), items: (_, bug) => textsOf(bug["see_also"]) },
  {
    add: itemOf("bug_duplicates", "dupe_of", "REPLACE"),
    items: (_, bug) => itemsOf(bug["dupe_of"]).slice(0, 1).map(wholeOf),
  },
  {
    add: itemOf("bug_tags", "tag_id"),
    items: (context, bug) => textsOf(bug["tags"]).flatMap((name) => tagId(context, name) ?? []),
  },
];

function itemOf(table: string, column: string, or: RowInsert["or"] = "IGNORE"): RowInsert {
  return { or, table, columns: ["bug_id", column] };
}

/** The detail of a person, if it is about this login: some servers sort the two lists differently. */
function detailOf(login: string, detail: JsonObject | undefined): JsonObject | undefined {
  return detail && textOf(detail["name"]) === login ? detail : undefined;
}

function tagId({ store, tagger }: PutContext, name: string): number | undefined {
  if (tagger === undefined) return undefined;
  store.run("INSERT OR IGNORE INTO personal_tags (user_id, name) VALUES (?, ?)", [tagger, name]);
  return Number(store.get("SELECT id FROM personal_tags WHERE user_id = ? AND name = ?", [tagger, name])?.["id"]);
}

function putCustomValues({ rows, customFields }: RowContext, bugId: number, bug: JsonObject): void {
  for (const { id, name, type } of customFields) {
    const isMultiple = type === FIELD_TYPE.multiSelect;
    const values = isMultiple ? textsOf(bug[name]) : singleValue(bug[name], type);
    for (const value of values) rows.add(isMultiple ? CHOICE : VALUE, [bugId, id, value]);
  }
}

const VALUE: RowInsert = { table: "custom_values", columns: ["bug_id", "field_id", "value"] };
const CHOICE: RowInsert = { or: "IGNORE", table: "custom_choices", columns: ["bug_id", "field_id", "value"] };

/** The stored form of a single value; none for the field's empty value. */
function singleValue(value: Json | undefined, type: number): readonly string[] {
  const text = textOf(value);
  if (text === "" || text === EMPTY[type]) return [];
  if (type === FIELD_TYPE.date) return [text.slice(0, 10)];
  return [type === FIELD_TYPE.dateTime ? timeOf(value) : text];
}

const EMPTY: Readonly<Record<number, string>> = { [FIELD_TYPE.select]: "---", [FIELD_TYPE.integer]: "0" };
