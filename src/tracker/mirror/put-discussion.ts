import type { Json, JsonObject } from "../../wire/exchange.ts";
import type { ReceivedBug } from "../../wire/mirror.ts";
import { presentCommentText } from "../comments/read.ts";
import type { SqlRow, SqlValue } from "../store/database.ts";
import type { Store } from "../store/store.ts";
import { type PutContext, putFlags } from "./put-flags.ts";
import { bitOf, numberOf, objectOf, objectsOf, textOf, textsOf, timeOf } from "./received.ts";

/** Stores attachments, comments and history of a bug as received. Rows that did not change are not written again. */
export function putDiscussion(context: PutContext, received: ReceivedBug): void {
  const bugId = numberOf(received.bug["id"]);
  putAttachments(context, bugId, received.attachments);
  putComments(context, bugId, received);
  putHistory(context, bugId, received.history);
}

/** Adds attachments and comments to those that a bug has; hours worked are those of the history. */
export function addDiscussion(context: PutContext, received: ReceivedBug): void {
  const { store } = context;
  const bugId = numberOf(received.bug["id"]);
  for (const row of attachmentRows(context, bugId, received.attachments)) putRow(store, "attachments", row);
  for (const one of received.attachments) {
    putFlags(context, { bugId, attachmentId: numberOf(one["id"]), flags: objectsOf(one["flags"]) });
  }
  for (const row of commentRows(context, bugId, received)) putRow(store, "comments", row);
  putTags(context, received.comments);
}

type Row = Readonly<Record<string, SqlValue>>;

function attachmentRows({ store, registry }: PutContext, bugId: number, attachments: readonly JsonObject[]) {
  return attachments.map((one) => ({
    id: numberOf(one["id"]) || null,
    bug_id: bugId,
    creator_id: registry.person(textOf(one["creator"])),
    creation_time: timeOf(one["creation_time"]),
    last_change_time: timeOf(one["last_change_time"]),
    file_name: textOf(one["file_name"]),
    summary: textOf(one["summary"]),
    content_type: textOf(one["content_type"]),
    is_patch: bitOf(one["is_patch"]),
    is_obsolete: bitOf(one["is_obsolete"]),
    is_private: bitOf(one["is_private"]),
    size: numberOf(one["size"]),
    data: textOf(one["data"]) || keptData(store, one),
  }));
}

function putAttachments(context: PutContext, bugId: number, attachments: readonly JsonObject[]): void {
  putRows(context, { table: "attachments", bugId }, attachmentRows(context, bugId, attachments));
  if (!context.isNew) context.store.run("DELETE FROM flags WHERE bug_id = ? AND attachment_id IS NOT NULL", [bugId]);
  for (const one of attachments) {
    putFlags(context, { bugId, attachmentId: numberOf(one["id"]), flags: objectsOf(one["flags"]) });
  }
}

/** The data that is kept of an attachment: it never changes, unless an administrator deletes it. */
function keptData(store: Store, { id, size }: JsonObject): string {
  const row = store.get<{ readonly data: string }>("SELECT data FROM attachments WHERE id = ? AND size = ?", [
    numberOf(id),
    numberOf(size),
  ]);
  return row?.data ?? "";
}

function putComments(context: PutContext, bugId: number, received: ReceivedBug): void {
  const rows = withAllHours(commentRows(context, bugId, received), received.bug["actual_time"]);
  putRows(context, { table: "comments", bugId }, rows);
  putTags(context, received.comments);
}

function commentRows(
  { registry }: PutContext,
  bugId: number,
  { comments, history, attachments }: Pick<ReceivedBug, "comments" | "history" | "attachments">,
) {
  const hours = hoursByMoment(history);
  const files = new Map(attachments.map(({ id, summary }) => [numberOf(id), textOf(summary)]));
  return comments.map((comment) => {
    const moment = `${timeOf(comment["creation_time"] ?? comment["time"])} ${textOf(comment["creator"])}`;
    const work = hours.get(moment) ?? 0;
    hours.delete(moment);
    return {
      id: numberOf(comment["id"]) || null,
      bug_id: bugId,
      creator_id: registry.person(textOf(comment["creator"])),
      creation_time: timeOf(comment["creation_time"] ?? comment["time"]),
      is_private: bitOf(comment["is_private"]),
      work_time: work,
      ...storedText(comment, files),
    };
  });
}

type Hours = { readonly work_time: number };

/** Hours worked by time and author: comments do not have them, the history does. */
function hoursByMoment(history: readonly JsonObject[]): Map<string, number> {
  const hours = new Map<string, number>();
  for (const { when, who, changes } of history) {
    for (const change of objectsOf(changes).filter(({ field_name }) => field_name === "work_time")) {
      hours.set(`${timeOf(when)} ${textOf(who)}`, numberOf(change["added"]) - numberOf(change["removed"]));
    }
  }
  return hours;
}

/** The rows with hours whose sum is the bug's; what is left belongs to comments that are not visible. */
function withAllHours<R extends Hours>(rows: readonly R[], actual: Json | undefined): readonly R[] {
  const [first, ...others] = rows;
  if (!first || typeof actual !== "number") return rows;
  const left = actual - rows.reduce((sum, { work_time }) => sum + work_time, 0);
  return Math.abs(left) < 0.001 ? rows : [{ ...first, work_time: first.work_time + left }, ...others];
}

type StoredText = { readonly text: string; readonly kind: string; readonly about: number | null };

/**
 * The text that a person wrote, without the sentence that the server makes of the comment's kind: searches do not see
 * it. A text that would not be read back as received is plain.
 */
function storedText(comment: JsonObject, files: ReadonlyMap<number, string>): StoredText {
  const text = textOf(comment["text"]);
  const kinds = KINDS.flatMap(([kind, pattern]): readonly StoredText[] => {
    const { own = "", about } = pattern.exec(text)?.groups ?? {};
    return about === undefined ? [] : [{ text: kind === "has_duplicate" ? "" : own, kind, about: Number(about) }];
  });
  const matches = (one: StoredText) => presentCommentText({ ...one, file: files.get(one.about ?? 0) ?? null }) === text;
  return kinds.find(matches) ?? withFile(text, files) ?? { text, kind: "plain", about: null };
}

const KINDS = [
  ["duplicate_of", /^(?<own>.*)\n\n\*\*\* This bug has been marked as a duplicate of bug (?<about>\d+) \*\*\*$/s],
  ["has_duplicate", /^\*\*\* Bug (?<about>\d+) has been marked as a duplicate of this bug\. \*\*\*$/],
] as const;

function withFile(text: string, files: ReadonlyMap<number, string>): StoredText | undefined {
  const [, word = "", id = ""] = /^(Created|Comment on) attachment (\d+)\n/.exec(text) ?? [];
  const start = `${word} attachment ${id}\n${files.get(Number(id))}\n\n`;
  const isBare = text === start.trimEnd(); // servers trim a sentence without a text
  if (word === "" || !(isBare || text.startsWith(start))) return undefined;
  const kind = word === "Created" ? "attachment_created" : "attachment_updated";
  return { text: text.slice(start.length), kind, about: Number(id) };
}

function putTags({ store, isNew }: PutContext, comments: readonly JsonObject[]): void {
  for (const { id, tags } of comments) {
    if (!isNew) store.run("DELETE FROM comment_tags WHERE comment_id = ?", [numberOf(id)]);
    for (const tag of textsOf(tags)) {
      store.run("INSERT OR IGNORE INTO comment_tags (comment_id, tag) VALUES (?, ?)", [numberOf(id), tag]);
    }
  }
}

function putHistory({ store, registry, isNew }: PutContext, bugId: number, history: readonly JsonObject[]): void {
  const rows = history.flatMap(({ when, who, changes }) =>
    objectsOf(changes).map((change) => ({
      bug_id: bugId,
      user_id: registry.person(textOf(who)),
      time: timeOf(when),
      field: registry.field(textOf(change["field_name"])),
      removed: textOf(change["removed"]),
      added: textOf(change["added"]),
      comment_id: numberOf(objectOf(change["comment"])?.["comment_id"]) || null,
      attachment_id: numberOf(change["attachment_id"]) || null,
    })),
  );
  const stored = isNew ? [] : store.all(STORED_ACTIVITY, [bugId]);
  if (JSON.stringify(stored) === JSON.stringify(rows)) return;
  if (stored.length > 0) store.run("DELETE FROM activity WHERE bug_id = ?", [bugId]);
  for (const row of rows) store.run(ADD_ACTIVITY, row);
}

const ACTIVITY = ["bug_id", "user_id", "time", "field", "removed", "added", "comment_id", "attachment_id"] as const;
const STORED_ACTIVITY = `SELECT ${ACTIVITY.join(", ")} FROM activity WHERE bug_id = ? ORDER BY time, id`;
const ADD_ACTIVITY = `INSERT INTO activity (${ACTIVITY.join(", ")}) VALUES (${ACTIVITY.map((name) => `@${name}`).join(", ")})`;

type Place = { readonly table: "attachments" | "comments"; readonly bugId: number };

/** Makes the rows of a bug in a table these: an unchanged row stays, which spares the word index. */
function putRows(context: PutContext, { table, bugId }: Place, rows: readonly Row[]): void {
  const { store, isNew } = context;
  const before = isNew ? [] : store.all(`SELECT * FROM ${table} WHERE bug_id = ?`, [bugId]);
  const stored = new Map(before.map((row) => [row["id"], row]));
  for (const row of rows) {
    if (!hasAll(stored.get(row["id"] ?? null), row)) putRow(store, table, row);
    stored.delete(row["id"] ?? null);
  }
  for (const id of stored.keys()) store.run(`DELETE FROM ${table} WHERE id = ?`, [id ?? null]);
}

function hasAll(stored: SqlRow | undefined, row: Row): boolean {
  return stored !== undefined && Object.entries(row).every(([name, value]) => stored[name] === value);
}

function putRow(store: Store, table: Place["table"], row: Row): void {
  const names = Object.keys(row);
  store.run(
    `INSERT INTO ${table} (${names.join(", ")}) VALUES (${names.map((name) => `@${name}`).join(", ")})
     ON CONFLICT (id) DO UPDATE SET ${names.map((name) => `${name} = excluded.${name}`).join(", ")}`,
    row,
  );
}
