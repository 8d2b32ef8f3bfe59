import type { Json, JsonObject } from "../../wire/exchange.ts";
import { groupByBug } from "../bug.ts";
import { findBugId, requestedBugIds } from "../bugs/find.ts";
import { presentCommentText } from "../bugs/new-comment.ts";
import type { Call, Route } from "../http/call.ts";
import { Fault, faults } from "../http/fault.ts";
import { type FieldSelection, pickFields, readFieldSelection } from "../http/field-selection.ts";
import { firstTextValue, textsInPathAndInput } from "../http/input.ts";
import { readTimestamp } from "../timestamps.ts";
import { presentLogin } from "../users/present.ts";

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
  const comments = commentsOfBugs(call, ids, after);
  const selection = readFieldSelection(call.input);
  const present = (id: number): JsonObject => ({
    comments: (comments.get(id) ?? []).map((row) => presentComment(call, row, selection)),
  });
  return Object.fromEntries(ids.map((id) => [String(id), present(id)]));
}

function getCommentsById(call: Call): Json {
  const selection = readFieldSelection(call.input);
  return Object.fromEntries(
    requestedComments(call).map((row) => [String(row.id), presentComment(call, row, selection)]),
  );
}

/** The comments that a request names by their ids. @throws Fault comment_id_invalid, comment_is_private or bug_access_denied */
function requestedComments(call: Call): CommentRow[] {
  const ids = textsInPathAndInput(call, "comment_id", "comment_ids");
  if (ids.some((id) => !/^\d+$/.test(id))) throw faults.notANumber("passed to Bugzilla::Comment::new_from_list");
  return [...new Set(ids.map(Number))].map((id) => findComment(call, id));
}

/**
 * The comment with this global id.
 * @throws Fault comment_id_invalid, comment_is_private, or bug_access_denied if its bug is not visible
 */
export function findComment(call: Call, id: number): CommentRow {
  const stored = call.store.get<{ bug_id: number }>("SELECT bug_id FROM comments WHERE id = ?", [id]);
  if (!stored) throw new Fault("comment_id_invalid", `${id} is not a valid comment id.`);
  findBugId(call, String(stored.bug_id));
  const comment = commentById(call, id);
  if (!comment) throw new Fault("comment_is_private", `Comment id ${id} is private.`);
  return comment;
}

/** A stored comment with its author's login and its number on the bug (`count`, description 0). */
export type CommentRow = {
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

/** Visible comments by bug id, created after a time, oldest first. */
function commentsOfBugs(call: Call, ids: number[], after: string) {
  return groupByBug(call.store.all<CommentRow>(BY_BUGS, { ids: JSON.stringify(ids), after }), (row) => row);
}

/** The comment with this id; undefined if it is not visible. */
function commentById(call: Call, id: number): CommentRow | undefined {
  return call.store.get<CommentRow>(BY_ID, [id]);
}

// `count` includes private comments, so that numbers are the same for everybody.
const BY_BUGS = `
  SELECT visible_comments.id, visible_comments.bug_id, users.login AS creator, visible_comments.creation_time, text,
    visible_comments.is_private, kind, about, numbered.count, attachments.summary AS file
  FROM visible_comments
  JOIN users ON users.id = visible_comments.creator_id
  JOIN (
    SELECT id, row_number() OVER (PARTITION BY bug_id ORDER BY creation_time, id) - 1 AS count FROM comments
    WHERE bug_id IN (SELECT value FROM json_each(@ids))) AS numbered ON numbered.id = visible_comments.id
  LEFT JOIN attachments ON attachments.id = about AND kind IN ('attachment_created', 'attachment_updated')
  WHERE visible_comments.bug_id IN (SELECT value FROM json_each(@ids)) AND visible_comments.creation_time > @after
  ORDER BY visible_comments.bug_id, numbered.count`;

const BY_ID = `
  SELECT visible_comments.id, visible_comments.bug_id, users.login AS creator, visible_comments.creation_time, text,
    visible_comments.is_private, kind, about, attachments.summary AS file,
    (SELECT count(*) FROM comments AS earlier WHERE earlier.bug_id = visible_comments.bug_id
      AND (earlier.creation_time, earlier.id) < (visible_comments.creation_time, visible_comments.id)) AS count
  FROM visible_comments
  JOIN users ON users.id = visible_comments.creator_id
  LEFT JOIN attachments ON attachments.id = about AND kind IN ('attachment_created', 'attachment_updated')
  WHERE visible_comments.id = ?`;

/** JSON of a comment; `tags` only if comment tagging is enabled. */
function presentComment(call: Call, row: CommentRow, selection: FieldSelection): JsonObject {
  return pickFields(
    {
      id: row.id,
      bug_id: row.bug_id,
      attachment_id: row.kind.startsWith("attachment") ? row.about : null,
      count: row.count,
      text: presentCommentText(row),
      creator: presentLogin(call, row.creator),
      time: row.creation_time,
      creation_time: row.creation_time,
      is_private: row.is_private === 1,
      ...(call.parameters.comment_taggers_group === "" ? {} : { tags: commentTags(call, row.id) }),
    },
    selection,
  );
}

/** Tags of a comment, sorted. */
export function commentTags({ store }: Call, id: number): string[] {
  return store
    .all<{ tag: string }>("SELECT tag FROM comment_tags WHERE comment_id = ? ORDER BY tag", [id])
    .map(({ tag }) => tag);
}
