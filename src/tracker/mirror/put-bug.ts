import type { Json, JsonObject } from "../../wire/exchange.ts";
import { FIELD_TYPE } from "../../wire/field-types.ts";
import type { ReceivedBug } from "../../wire/mirror.ts";
import { STORED_FIELDS } from "../fields.ts";
import type { SqlValue } from "../store/database.ts";
import { putDiscussion } from "./put-discussion.ts";
import { type PutContext, putFlags } from "./put-flags.ts";
import { bitOf, itemsOf, numberOf, objectOf, objectsOf, textOf, textsOf, timeOf } from "./received.ts";
import type { Registry } from "./registry.ts";

/**
 * Stores a bug exactly as received, in place of what was stored of it: row, lists, flags, comments, history and attachments,
 * with their ids, authors and times. No rule is applied, nothing is logged and no mail is queued.
 */
export function putBug(context: PutContext, received: ReceivedBug): void {
  const { store } = context;
  const id = numberOf(received.bug["id"]);
  store.run(PUT_ROW, bugRow(context, received.bug));
  putLists(context, id, received.bug);
  if (!context.isNew) for (const clear of CLEAR_CUSTOM) store.run(clear, [id]);
  putCustomValues(context, id, received.bug);
  putDiscussion(context, received);
  putFlags(context, { bugId: id, attachmentId: null, flags: objectsOf(received.bug["flags"]) });
}

const PUT_ROW = `INSERT INTO bugs (${STORED_FIELDS.map(({ column }) => column).join(", ")})
  VALUES (${STORED_FIELDS.map(({ column }) => `@${column}`).join(", ")})
  ON CONFLICT (id) DO UPDATE SET
    ${STORED_FIELDS.map(({ column }) => `${column} = excluded.${column}`).join(", ")}`;

function bugRow({ registry }: PutContext, bug: JsonObject): Readonly<Record<string, SqlValue>> {
  const product = registry.product(textOf(bug["product"]), textOf(bug["classification"]));
  const assignee = personOf(registry, bug, "assigned_to");
  const special: Readonly<Record<string, SqlValue>> = {
    product,
    component: registry.component(product, textOf(bug["component"]), assignee),
  };
  const value = (field: (typeof STORED_FIELDS)[number]): SqlValue => {
    if (field.name in special) return special[field.name] ?? null;
    if (field.family !== "person") return storedValue(bug[field.name], field.json);
    return field.isOptional && textOf(bug[field.name]) === "" ? null : personOf(registry, bug, field.name);
  };
  return Object.fromEntries(STORED_FIELDS.map((field) => [field.column, value(field)]));
}

function personOf(registry: Registry, bug: JsonObject, role: string): number {
  return registry.person(textOf(bug[role]), objectOf(bug[`${role}_detail`]));
}

function storedValue(value: Json | undefined, json: string | undefined): SqlValue {
  if (json === "bool") return bitOf(value);
  if (json === "int" || json === "double") return numberOf(value);
  if (json === "datetime") return timeOf(value);
  return json === "date" ? textOf(value).slice(0, 10) || null : textOf(value);
}

/** A list of a bug: SQL that removes it and that adds an item, and its items. */
type PutList = {
  readonly clear: string;
  readonly add: string;
  readonly items: (context: PutContext, bug: JsonObject) => readonly SqlValue[];
  readonly isOfOthers?: true; // other bugs write it, too
};

const LISTS: readonly PutList[] = [
  {
    clear: "DELETE FROM bug_aliases WHERE bug_id = ?",
    add: "INSERT OR REPLACE INTO bug_aliases (bug_id, alias) VALUES (?, ?)",
    items: (_, bug) => textsOf(bug["alias"]),
  },
  {
    clear: "DELETE FROM bug_cc WHERE bug_id = ?",
    add: "INSERT OR IGNORE INTO bug_cc (bug_id, user_id) VALUES (?, ?)",
    items: ({ registry }, bug) => {
      const details = objectsOf(bug["cc_detail"]);
      return textsOf(bug["cc"]).map((login, at) => registry.person(login, detailOf(login, details[at])));
    },
  },
  {
    clear: "DELETE FROM bug_keywords WHERE bug_id = ?",
    add: "INSERT OR IGNORE INTO bug_keywords (bug_id, keyword_id) VALUES (?, ?)",
    items: ({ registry }, bug) => textsOf(bug["keywords"]).map(registry.keyword),
  },
  {
    clear: "DELETE FROM bug_groups WHERE bug_id = ?",
    add: "INSERT OR IGNORE INTO bug_groups (bug_id, group_id) VALUES (?, ?)",
    items: ({ registry }, bug) => textsOf(bug["groups"]).map(registry.group),
  },
  {
    clear: "DELETE FROM bug_dependencies WHERE bug_id = ?",
    add: "INSERT OR IGNORE INTO bug_dependencies (bug_id, depends_on_id) VALUES (?, ?)",
    items: (_, bug) => itemsOf(bug["depends_on"]).map(numberOf),
    isOfOthers: true,
  },
  {
    clear: "DELETE FROM bug_dependencies WHERE depends_on_id = ?",
    add: "INSERT OR IGNORE INTO bug_dependencies (depends_on_id, bug_id) VALUES (?, ?)",
    items: (_, bug) => itemsOf(bug["blocks"]).map(numberOf),
    isOfOthers: true,
  },
  {
    clear: "DELETE FROM bug_see_also WHERE bug_id = ?",
    add: "INSERT OR IGNORE INTO bug_see_also (bug_id, url) VALUES (?, ?)",
    items: (_, bug) => textsOf(bug["see_also"]),
  },
  {
    clear: "DELETE FROM bug_duplicates WHERE bug_id = ?",
    add: "INSERT INTO bug_duplicates (bug_id, dupe_of) VALUES (?, ?)",
    items: (_, bug) => itemsOf(bug["dupe_of"]).slice(0, 1).map(numberOf),
  },
  {
    clear: "DELETE FROM bug_tags WHERE bug_id = ?",
    add: "INSERT OR IGNORE INTO bug_tags (bug_id, tag_id) VALUES (?, ?)",
    items: (context, bug) => textsOf(bug["tags"]).flatMap((name) => tagId(context, name) ?? []),
  },
];

/** The detail of a person, if it is about this login: some servers sort the two lists differently. */
function detailOf(login: string, detail: JsonObject | undefined): JsonObject | undefined {
  return detail && textOf(detail["name"]) === login ? detail : undefined;
}

function tagId({ store, tagger }: PutContext, name: string): number | undefined {
  if (tagger === undefined) return undefined;
  store.run("INSERT OR IGNORE INTO personal_tags (user_id, name) VALUES (?, ?)", [tagger, name]);
  return Number(store.get("SELECT id FROM personal_tags WHERE user_id = ? AND name = ?", [tagger, name])?.["id"]);
}

function putLists(context: PutContext, id: number, bug: JsonObject): void {
  for (const { clear, add, items, isOfOthers } of LISTS) {
    if (!context.isNew || isOfOthers) context.store.run(clear, [id]);
    for (const item of items(context, bug)) context.store.run(add, [id, item]);
  }
}

function putCustomValues({ store, customFields }: PutContext, bugId: number, bug: JsonObject): void {
  for (const { id, name, type } of customFields) {
    const isMultiple = type === FIELD_TYPE.multiSelect;
    const values = isMultiple ? textsOf(bug[name]) : singleValue(bug[name], type);
    for (const value of values) store.run(isMultiple ? ADD_CHOICE : ADD_VALUE, [bugId, id, value]);
  }
}

const CLEAR_CUSTOM = ["custom_values", "custom_choices"].map((table) => `DELETE FROM ${table} WHERE bug_id = ?`);
const ADD_VALUE = "INSERT INTO custom_values (bug_id, field_id, value) VALUES (?, ?, ?)";
const ADD_CHOICE = "INSERT OR IGNORE INTO custom_choices (bug_id, field_id, value) VALUES (?, ?, ?)";

/** The stored form of a single value; none for the field's empty value. */
function singleValue(value: Json | undefined, type: number): readonly string[] {
  const text = textOf(value);
  if (text === "" || text === EMPTY[type]) return [];
  if (type === FIELD_TYPE.date) return [text.slice(0, 10)];
  return [type === FIELD_TYPE.dateTime ? timeOf(value) : text];
}

const EMPTY: Readonly<Record<number, string>> = { [FIELD_TYPE.select]: "---", [FIELD_TYPE.integer]: "0" };
