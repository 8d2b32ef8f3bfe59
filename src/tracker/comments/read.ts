import type { JsonObject } from "../../wire/exchange.ts";
import { grouped } from "../bugs/lists.ts";
import type { Call } from "../call.ts";
import { shownLogin } from "../people/shown.ts";
import { pick, type Selection } from "../selection.ts";

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
export function commentsOfBugs(call: Call, ids: readonly number[], after: string) {
  return grouped(call.store.all<CommentRow>(OF_BUGS, { ids: JSON.stringify(ids), after }), (row) => row);
}

/** One comment, if the requester may see it. */
export function commentById(call: Call, id: number): CommentRow | undefined {
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
export function shownComment(call: Call, row: CommentRow, selection: Selection): JsonObject {
  return pick(
    {
      id: row.id,
      bug_id: row.bug_id,
      attachment_id: row.kind.startsWith("attachment") ? row.about : null,
      count: row.count,
      text: shownText(row),
      creator: shownLogin(call, row.creator),
      time: row.creation_time,
      creation_time: row.creation_time,
      is_private: row.is_private === 1,
      ...(call.parameters.comment_taggers_group === "" ? {} : { tags: tagsOf(call, row.id) }),
    },
    selection,
  );
}

/** The text that a person reads: what was typed, and the sentence that tells of a duplicate or an attachment. */
export function shownText({ kind, text, about, file }: Pick<CommentRow, "kind" | "text" | "about" | "file">): string {
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
export function tagsOf({ store }: Call, id: number): readonly string[] {
  return store
    .all<{ readonly tag: string }>("SELECT tag FROM comment_tags WHERE comment_id = ? ORDER BY tag", [id])
    .map(({ tag }) => tag);
}
