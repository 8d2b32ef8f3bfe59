import type { Json, JsonObject } from "../../wire/exchange.ts";
import type { ReceivedBug } from "../../wire/mirror.ts";
import { presentCommentText } from "../comments/read.ts";
import type { SqlValue } from "../store/database.ts";
import type { Store } from "../store/store.ts";
import { type PutContext, putFlags, type RowContext } from "./put-flags.ts";
import { bitOf, numberOf, objectOf, objectsOf, textOf, textsOf, timeOf, wholeOf } from "./received.ts";
import type { RowInsert } from "./row-batch.ts";

/** Comments and changes as stored, in the order in which they were received. */
export type StoredDiscussion = {
  readonly comments: readonly CommentColumns[];
  readonly changes: readonly (readonly SqlValue[])[];
};

/** Stores attachments, comments and history of a bug as received. Rows that did not change are not written again. */
export function putDiscussion(context: RowContext, bugId: number, received: ReceivedBug): StoredDiscussion {
  putRows(context, { insert: ATTACHMENT, bugId }, attachmentRows(context, bugId, received.attachments));
  putAttachmentFlags(context, bugId, received.attachments);
  const comments = withAllHours(commentRows(context, bugId, received), received.bug["actual_time"]);
  putRows(context, { insert: COMMENT, bugId }, comments);
  putTags(context, received.comments);
  const changes = putHistory(context, bugId, received.history);
  return { comments, changes };
}

function attachmentRows({ store, registry }: PutContext, bugId: number, attachments: readonly JsonObject[]) {
  return attachments.map((one) => ({
    id: wholeOf(one["id"]) || null,
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
    size: wholeOf(one["size"]),
    data: textOf(one["data"]) || keptData(store, one),
  }));
}

const ATTACHMENT = {
  table: "attachments",
  columns: [
    ...["id", "bug_id", "creator_id", "creation_time", "last_change_time", "file_name", "summary", "content_type"],
    ...["is_patch", "is_obsolete", "is_private", "size", "data"],
  ],
  key: "id",
} as const satisfies RowInsert;

function putAttachmentFlags(context: RowContext, bugId: number, attachments: readonly JsonObject[]): void {
  for (const one of attachments) {
    putFlags(context, { bugId, attachmentId: wholeOf(one["id"]), flags: objectsOf(one["flags"]) });
  }
}

/** The data that is kept of an attachment: it never changes, unless an administrator deletes it. */
function keptData(store: Store, { id, size }: JsonObject): string {
  const row = store.get<{ readonly data: string }>("SELECT data FROM attachments WHERE id = ? AND size = ?", [
    wholeOf(id),
    wholeOf(size),
  ]);
  return row?.data ?? "";
}

/** A comment as stored. */
export type CommentColumns = StoredText & {
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
  { comments, history, attachments }: Pick<ReceivedBug, "comments" | "history" | "attachments">,
): readonly CommentColumns[] {
  const hours = hoursByMoment(history);
  const files = new Map(attachments.map(({ id, summary }) => [wholeOf(id), textOf(summary)]));
  return comments.map((comment) => {
    const creator = textOf(comment["creator"]);
    const time = timeOf(comment["creation_time"] ?? comment["time"]);
    const work = hours.size === 0 ? 0 : (hours.get(`${time} ${creator}`) ?? 0);
    if (hours.size > 0) hours.delete(`${time} ${creator}`);
    return {
      id: wholeOf(comment["id"]) || null,
      bug_id: bugId,
      creator_id: registry.person(creator),
      creation_time: time,
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
  if (!MADE.test(text) && !text.endsWith("***")) return { text, kind: "plain", about: null };
  const kinds = KINDS.flatMap(([kind, pattern]): readonly StoredText[] => {
    const { own = "", about } = pattern.exec(text)?.groups ?? {};
    return about === undefined ? [] : [{ text: kind === "has_duplicate" ? "" : own, kind, about: Number(about) }];
  });
  const matches = (one: StoredText) => presentCommentText({ ...one, file: files.get(one.about ?? 0) ?? null }) === text;
  return kinds.find(matches) ?? withFile(text, files) ?? { text, kind: "plain", about: null };
}

const MADE = /^(?:Created|Comment on) attachment /;

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

function putTags({ store, rows, isNew }: RowContext, comments: readonly JsonObject[]): void {
  for (const { id, tags } of comments) {
    if (!isNew) store.run("DELETE FROM comment_tags WHERE comment_id = ?", [wholeOf(id)]);
    for (const tag of textsOf(tags)) rows.add(TAG, [wholeOf(id), tag]);
  }
}

const TAG: RowInsert = { or: "IGNORE", table: "comment_tags", columns: ["comment_id", "tag"] };

function putHistory({ store, registry, rows, isNew }: RowContext, bugId: number, history: readonly JsonObject[]) {
  const changes = history.flatMap(({ when, who, changes }) =>
    objectsOf(changes).map((change) => [
      bugId,
      registry.person(textOf(who)),
      timeOf(when),
      registry.field(textOf(change["field_name"])),
      textOf(change["removed"]),
      textOf(change["added"]),
      wholeOf(objectOf(change["comment"])?.["comment_id"]) || null,
      wholeOf(change["attachment_id"]) || null,
    ]),
  );
  const stored = isNew
    ? []
    : store.all(STORED_ACTIVITY, [bugId]).map((row) => ACTIVITY.columns.map((name) => row[name]));
  if (JSON.stringify(stored) === JSON.stringify(changes)) return changes;
  if (stored.length > 0) store.run("DELETE FROM activity WHERE bug_id = ?", [bugId]);
  for (const row of changes) rows.add(ACTIVITY, row);
  return changes;
}

const ACTIVITY: RowInsert = {
  table: "activity",
  columns: ["bug_id", "user_id", "time", "field", "removed", "added", "comment_id", "attachment_id"],
};
const STORED_ACTIVITY = `SELECT ${ACTIVITY.columns.join(", ")} FROM activity WHERE bug_id = ? ORDER BY time, id`;

type Place<Name extends string> = {
  readonly insert: Omit<RowInsert, "columns"> & { readonly columns: readonly Name[] };
  readonly bugId: number;
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
