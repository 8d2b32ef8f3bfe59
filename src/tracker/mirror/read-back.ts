import type { Json, JsonObject } from "../../wire/exchange.ts";
import { presentCommentText } from "../comments/read.ts";
import { wireFieldName } from "../fields.ts";
import type { Call } from "../http/call.ts";
import type { SqlValue } from "../store/database.ts";
import { presentLogin } from "../users/present.ts";
import type { StoredBug } from "./put-bug.ts";
import type { CommentColumns } from "./put-discussion.ts";
import { isMoment, objectsOf, textOf, wholeOf } from "./received.ts";

/**
 * Tests that are only true if the tracker's routes certainly return the comments, or the history, of a bug as received.
 * In doubt they are false, and the bug is read back.
 */
export type ReadBackTests = {
  readonly hasSameComments: (bug: StoredBug) => boolean;
  readonly hasSameHistory: (bug: StoredBug) => boolean;
};

/** The tests for bugs that were just stored. */
export function readBackOf(call: Call, bugs: readonly StoredBug[]): ReadBackTests {
  const logins = loginsOf(call, bugs);
  const hasTags = call.parameters.comment_taggers_group !== "";
  const isUnique = areUnique(bugs, "comments") && areUnique(bugs, "attachments");
  return {
    hasSameComments: ({ id, comments, received }) => {
      if (!isUnique) return false;
      const files = new Map(received.attachments.map((one) => [wholeOf(one["id"]), textOf(one["summary"])]));
      return received.comments.every((comment, at) => {
        const row = comments[at];
        if (row === undefined || row.bug_id !== id || !isLater(row, comments[at - 1])) return false;
        const place = { place: at, creator: logins.get(row.creator_id), file: files.get(row.about ?? 0), hasTags };
        return isSameComment(comment, row, place);
      });
    },
    hasSameHistory: ({ received, changes }) => isSameHistory(received.history, changes, logins),
  };
}

/** Logins as they are shown, by id. */
function loginsOf(call: Call, bugs: readonly StoredBug[]): ReadonlyMap<SqlValue | undefined, string> {
  const ids = new Set(
    bugs.flatMap(({ comments, changes }) => [
      ...comments.map(({ creator_id }) => creator_id),
      ...changes.map(([, user]) => user),
    ]),
  );
  const rows = call.store.all<{ readonly id: number; readonly login: string }>(
    "SELECT id, login FROM users WHERE id IN (SELECT value FROM json_each(?))",
    [JSON.stringify([...ids])],
  );
  return new Map(rows.map(({ id, login }) => [id, presentLogin(call, login)]));
}

/** True if all comments, and all attachments, have different ids; else rows would replace each other. */
function areUnique(bugs: readonly StoredBug[], part: "comments" | "attachments"): boolean {
  const ids = bugs.flatMap(({ received }) => received[part].map(({ id }) => id));
  return new Set(ids).size === ids.length;
}

/** True if comments come in the order in which they are numbered. */
function isLater(row: CommentColumns, before: CommentColumns | undefined): boolean {
  if (!isMoment(row.creation_time) || row.id === null) return false;
  if (before === undefined) return true;
  if (before.creation_time !== row.creation_time) return before.creation_time < row.creation_time;
  return (before.id ?? 0) < row.id;
}

type CommentPlace = {
  readonly place: number;
  readonly creator: string | undefined;
  readonly file: string | undefined;
  readonly hasTags: boolean;
};

function isSameComment(
  comment: JsonObject,
  row: CommentColumns,
  { place, creator, file, hasTags }: CommentPlace,
): boolean {
  const isOnFile = row.kind.startsWith("attachment");
  if (isOnFile && file === undefined) return false;
  return (
    Object.keys(comment).length === (hasTags ? 10 : 9) &&
    comment["id"] === row.id &&
    comment["bug_id"] === row.bug_id &&
    comment["attachment_id"] === (isOnFile ? row.about : null) &&
    comment["count"] === place &&
    comment["text"] === presentCommentText({ ...row, file: file ?? null }) &&
    isStoredUnchanged(row.text) &&
    isStoredUnchanged(file ?? "") &&
    comment["creator"] === creator &&
    comment["time"] === row.creation_time &&
    comment["creation_time"] === row.creation_time &&
    comment["is_private"] === (row.is_private === 1) &&
    (!hasTags || isEmptyList(comment["tags"]))
  );
}

function isEmptyList(value: Json | undefined): boolean {
  return Array.isArray(value) && value.length === 0;
}

/** True for a text without unpaired surrogates and NUL, which SQLite does not store. */
function isStoredUnchanged(text: string): boolean {
  return !UNSTORABLE.test(text);
}

const UNSTORABLE = /[\0\p{Surrogate}]/u;

type ChangeRow = readonly (SqlValue | undefined)[];

/** True if a history is read as received: `rows` are its changes as stored, in order. */
function isSameHistory(
  history: readonly JsonObject[],
  rows: readonly ChangeRow[],
  logins: ReadonlyMap<SqlValue | undefined, string>,
): boolean {
  const changes = history.flatMap((entry, at): readonly (Change | undefined)[] => {
    return changesOf(entry, history[at - 1]) ?? [undefined];
  });
  return (
    changes.length === rows.length &&
    changes.every((change, at) => {
      const [, user, time, ...row] = rows[at] ?? [];
      if (change === undefined || change.when !== time || change.who !== logins.get(user)) return false;
      return isSameChange(change.change, row);
    })
  );
}

type Change = { readonly when: Json | undefined; readonly who: Json | undefined; readonly change: JsonObject };

/** Changes of an entry; undefined if it is unusual, joined with the one before when it is read, or sorted before it. */
function changesOf(entry: JsonObject, before: JsonObject | undefined): readonly Change[] | undefined {
  const { when, who, changes } = entry;
  const list = objectsOf(changes);
  const isUsual = Array.isArray(changes) && list.length === changes.length && list.length > 0;
  if (!isUsual || typeof who !== "string" || Object.keys(entry).length !== 3 || !isNextEntry(entry, before))
    return undefined;
  return list.map((change) => ({ when, who, change }));
}

function isNextEntry({ when, who }: JsonObject, before: JsonObject | undefined): boolean {
  if (typeof when !== "string" || !isMoment(when)) return false;
  if (before === undefined) return true;
  return before["when"] === when ? before["who"] !== who : String(before["when"]) < when;
}

function isSameChange(change: JsonObject, [field, removed, added, comment, attachment]: ChangeRow): boolean {
  const hasFile = attachment !== null;
  return (
    comment === null &&
    Object.keys(change).length === (hasFile ? 4 : 3) &&
    change["field_name"] === wireFieldName(String(field)) &&
    change["removed"] === removed &&
    change["added"] === added &&
    isStoredUnchanged(`${field}${removed}${added}`) &&
    (!hasFile || change["attachment_id"] === attachment)
  );
}
