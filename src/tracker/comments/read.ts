import type { Json, JsonObject } from "../../wire/exchange.ts";
import { groupByBug } from "../bugs/columns.ts";
import { findBugId, requestedBugIds } from "../bugs/find.ts";
import type { Call, Route } from "../http/call.ts";
import { Fault, faults } from "../http/fault.ts";
import { type FieldSelection, pickFields, readFieldSelection } from "../http/field-selection.ts";
import { firstTextValue, textValues } from "../http/input.ts";
import { readTimestamp } from "../timestamps.ts";
import { presentLogin } from "../users/present.ts";

/** Get Comments: all of some bugs, and single ones by id; `new_since` (exclusive) is for those of the bugs. */
export const commentRoutes: readonly Route[] = [
  {
    method: "GET",
    path: "/bug/comment/{comment_id}",
    mayTakeLong: true,
    handle: (call) => ({ bugs: {}, comments: single(call) }),
  },
  {
    method: "GET",
    path: "/bug/{id}/comment",
    mayTakeLong: true,
    handle: (call) => ({ bugs: ofBugs(call), comments: single(call) }),
  },
];

function ofBugs(call: Call): Json {
  const since = firstTextValue(call.input, "new_since");
  const after = since === undefined ? "" : readTimestamp(since);
  const ids = [...new Set(requestedBugIds(call))];
  const comments = commentsOfBugs(call, ids, after);
  const selection = readFieldSelection(call.input);
  const shown = (id: number): JsonObject => ({
    comments: (comments.get(id) ?? []).map((row) => presentComment(call, row, selection)),
  });
  return Object.fromEntries(ids.map((id) => [String(id), shown(id)]));
}

function single(call: Call): Json {
  const part = call.path["comment_id"];
  const ids = [...(part === undefined ? [] : [part]), ...textValues(call.input, "comment_ids")];
  if (ids.some((id) => !/^\d+$/.test(id))) throw faults.notANumber("passed to Bugzilla::Comment::new_from_list");
  const selection = readFieldSelection(call.input);
  const comments = [...new Set(ids.map(Number))].map((id) => findComment(call, id));
  return Object.fromEntries(comments.map((row) => [String(row.id), presentComment(call, row, selection)]));
}

/** One comment by its global id, refused when there is none or the requester may not see it or its bug. */
export function findComment(call: Call, id: number): CommentRow {
  const stored = call.store.get<{ readonly bug_id: number }>("SELECT bug_id FROM comments WHERE id = ?", [id]);
  if (!stored) throw new Fault(400, 111, `${id} is not a valid comment id.`);
  findBugId(call, String(stored.bug_id));
  const comment = commentById(call, id);
  if (!comment) throw new Fault(401, 110, `Comment id ${id} is private.`);
  return comment;
}

/** A comment as it is stored, with its number on its bug and the name of its author. */
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
  readonly file: string | null; // the summary of the attachment that it is about
};

/** The comments of these bugs that the requester may see, made after a time, in order; by bug. */
function commentsOfBugs(call: Call, ids: readonly number[], after: string) {
  return groupByBug(call.store.all<CommentRow>(OF_BUGS, { ids: JSON.stringify(ids), after }), (row) => row);
}

/** One comment, if the requester may see it. */
function commentById(call: Call, id: number): CommentRow | undefined {
  return call.store.get<CommentRow>(ONE, [id]);
}

// The number counts all comments of the bug, so that private ones leave gaps for those who may not see them.
const OF_BUGS = `
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

const ONE = `
  SELECT visible_comments.id, visible_comments.bug_id, users.login AS creator, visible_comments.creation_time, text,
    visible_comments.is_private, kind, about, attachments.summary AS file,
    (SELECT count(*) FROM comments AS earlier WHERE earlier.bug_id = visible_comments.bug_id
      AND (earlier.creation_time, earlier.id) < (visible_comments.creation_time, visible_comments.id)) AS count
  FROM visible_comments
  JOIN users ON users.id = visible_comments.creator_id
  LEFT JOIN attachments ON attachments.id = about AND kind IN ('attachment_created', 'attachment_updated')
  WHERE visible_comments.id = ?`;

/** A comment as the interface shows it; tags only where tagging is in use. */
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

/** The text that a person reads: what was typed, and the sentence that tells of a duplicate or an attachment. */
export function presentCommentText({
  kind,
  text,
  about,
  file,
}: Pick<CommentRow, "kind" | "text" | "about" | "file">): string {
  const sentence = SENTENCES[kind];
  return sentence ? sentence(text, { about, file: file ?? "" }) : text;
}

type About = { readonly about: number | null; readonly file: string };

const SENTENCES: Readonly<Record<string, (text: string, about: About) => string>> = {
  duplicate_of: (text, { about }) => `${text}\n\n*** This bug has been marked as a duplicate of bug ${about} ***`,
  has_duplicate: (_text, { about }) => `*** Bug ${about} has been marked as a duplicate of this bug. ***`,
  attachment_created: (text, { about, file }) => `Created attachment ${about}\n${file}\n\n${text}`,
  attachment_updated: (text, { about, file }) => `Comment on attachment ${about}\n${file}\n\n${text}`,
};

/** The tags of a comment, in the order of the alphabet. */
export function commentTags({ store }: Call, id: number): readonly string[] {
  return store
    .all<{ readonly tag: string }>("SELECT tag FROM comment_tags WHERE comment_id = ? ORDER BY tag", [id])
    .map(({ tag }) => tag);
}
