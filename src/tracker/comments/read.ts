import type { Json, JsonObject } from "../../wire/exchange.ts";
import { groupByBug } from "../bug.ts";
import { findBugId, requestedBugIds } from "../bugs/find.ts";
import { presentCommentText } from "../bugs/new-comment.ts";
import type { Call, Route } from "../http/call.ts";
import { Fault, faults } from "../http/fault.ts";
import { type FieldSelection, pickFields, readFieldSelection } from "../http/field-selection.ts";
import { firstTextValue, textsInPathAndInput } from "../http/input.ts";
import { presentLogin } from "../users/present.ts";
import { readTimestamp } from "../values.ts";

/**
 * Routes of Get Comments: by bug, and by `comment_ids`; `new_since` (exclusive) applies to the comments by bug.
 * @see https://bugzilla.readthedocs.io/en/5.2/api/core/v1/comment.html#get-comments
 */
export const commentRoutes: readonly Route[] = [
  {
    method: "GET",
    path: "/bug/comment/{comment_id}",
    handle: (call) => ({ bugs: {}, comments: getCommentsById(call) }),
  },
  {
    method: "GET",
    path: "/bug/{id}/comment",
    handle: (call) => ({ bugs: getCommentsOfBugs(call), comments: getCommentsById(call) }),
  },
];

function getCommentsOfBugs(call: Call): Json {
  const since = firstTextValue(call.input, "new_since");
  const after = since === undefined ? "" : readTimestamp(since);
  const ids = [...new Set(requestedBugIds(call))];
  const selection = readFieldSelection(call.input);
  const rows = call.store.all<CommentRow>(OF_BUGS, { ids: JSON.stringify(ids), after });
  const comments = groupByBug(rows, (row) => presentComment(call, row, selection));
  return Object.fromEntries(ids.map((id) => [String(id), { comments: comments.get(id) ?? [] }]));
}

/** The comments that a request names. @throws Fault comment_id_invalid, comment_is_private or bug_access_denied */
function getCommentsById(call: Call): Json {
  const selection = readFieldSelection(call.input);
  const ids = textsInPathAndInput(call, "comment_id", "comment_ids");
  if (ids.some((id) => !/^\d+$/.test(id))) throw faults.notANumber("passed to Bugzilla::Comment::new_from_list");
  const rows = [...new Set(ids.map(Number))].map((id) => findComment(call, id));
  return Object.fromEntries(rows.map((row) => [String(row.id), presentComment(call, row, selection)]));
}

/**
 * The comment with this global id.
 * @throws Fault comment_id_invalid, comment_is_private, or bug_access_denied if its bug is not visible
 */
export function findComment(call: Call, id: number): CommentRow {
  const stored = call.store.get<{ bug_id: number }>("SELECT bug_id FROM comments WHERE id = ?", [id]);
  if (!stored) throw new Fault("comment_id_invalid", `${id} is not a valid comment id.`);
  findBugId(call, String(stored.bug_id));
  const comment = call.store.get<CommentRow>(BY_ID, { ids: JSON.stringify([stored.bug_id]), id });
  if (!comment) throw new Fault("comment_is_private", `Comment id ${id} is private.`);
  return comment;
}

/** A stored comment with its author's login and its number on the bug (`count`, description 0). */
type CommentRow = {
  readonly id: number;
  readonly bug_id: number;
  readonly creator: string;
  readonly creation_time: string;
  readonly text: string;
  readonly is_private: number;
  readonly kind: string;
  readonly about: number | null;
  readonly count: number;
  readonly file: string | null; // summary of the related attachment
};

// `count` includes private comments, so that numbers are the same for everybody.
const COMMENTS = `
  SELECT shown.id, shown.bug_id, users.login AS creator, shown.creation_time, text, shown.is_private, kind, about,
    numbered.count, attachments.summary AS file
  FROM visible_comments AS shown
  JOIN users ON users.id = shown.creator_id
  JOIN (
    SELECT id, row_number() OVER (PARTITION BY bug_id ORDER BY creation_time, id) - 1 AS count FROM comments
    WHERE bug_id IN (SELECT value FROM json_each(@ids))) AS numbered ON numbered.id = shown.id
  LEFT JOIN attachments ON attachments.id = about AND kind IN ('attachment_created', 'attachment_updated')
  WHERE shown.bug_id IN (SELECT value FROM json_each(@ids))`;
const OF_BUGS = `${COMMENTS} AND shown.creation_time > @after ORDER BY shown.bug_id, numbered.count`;
const BY_ID = `${COMMENTS} AND shown.id = @id`;

/** JSON of a comment; `tags` only if comment tagging is enabled. */
function presentComment(call: Call, row: CommentRow, selection: FieldSelection): JsonObject {
  const { id, bug_id, count, creation_time, kind, about, is_private } = row;
  const hasTags = call.parameters.comment_taggers_group !== "" && selection.includes("tags");
  const comment = {
    ...{ id, bug_id, count, creation_time, time: creation_time },
    attachment_id: kind.startsWith("attachment") ? about : null,
    text: presentCommentText(row),
    creator: presentLogin(call, row.creator),
    is_private: is_private === 1,
    ...(hasTags ? { tags: commentTags(call, id) } : {}),
  };
  return pickFields(comment, selection);
}

/** Tags of a comment, sorted. */
export function commentTags({ store }: Call, id: number): string[] {
  const rows = store.all<{ tag: string }>("SELECT tag FROM comment_tags WHERE comment_id = ? ORDER BY tag", [id]);
  return rows.map(({ tag }) => tag);
}
