import type { Store } from "../store/store.ts";

/** Kind of a comment; Bugzilla generates the text of all but plain ones. */
export type CommentKind = "plain" | "duplicate_of" | "has_duplicate" | "attachment_created" | "attachment_updated";

/** A new comment; `workTime` in hours, `about` the id of the related bug or attachment. */
export type NewComment = {
  readonly text: string;
  readonly isPrivate: boolean;
  readonly workTime: number;
  readonly kind: CommentKind;
  readonly about: number | null;
};

/** A plain public comment without text. */
export const EMPTY_COMMENT: NewComment = { text: "", isPrivate: false, workTime: 0, kind: "plain", about: null };

/** Author, bug and time of a new comment. */
export type CommentOrigin = { readonly bugId: number; readonly userId: number; readonly time: string };

/** Inserts a comment; returns its global id. */
export function insertComment(store: Store, origin: CommentOrigin, comment: NewComment): number {
  return store.run(INSERT, { ...origin, ...comment, isPrivate: Number(comment.isPrivate) }).id;
}

const INSERT = `
  INSERT INTO comments (bug_id, creator_id, creation_time, text, is_private, work_time, kind, about)
  VALUES (@bugId, @userId, @time, @text, @isPrivate, @workTime, @kind, @about)`;

/**
 * Text of a comment with the generated text about a duplicate or attachment.
 * @see Bugzilla/Comment.pm, body_full
 */
export function presentCommentText({ kind, text, about, file }: StoredText): string {
  const template = TEMPLATES[kind];
  return template ? template(text, { about, file: file ?? "" }) : text;
}

/** Parts of a comment that make up its shown text; `file` is the summary of the attachment that it is about. */
type StoredText = { kind: string; text: string; about: number | null; file: string | null };

type RelatedObject = { about: number | null; file: string };

const TEMPLATES: Readonly<Record<string, (text: string, about: RelatedObject) => string>> = {
  duplicate_of: (text, { about }) => `${text}\n\n*** This bug has been marked as a duplicate of bug ${about} ***`,
  has_duplicate: (_text, { about }) => `*** Bug ${about} has been marked as a duplicate of this bug. ***`,
  attachment_created: (text, { about, file }) => `Created attachment ${about}\n${file}\n\n${text}`,
  attachment_updated: (text, { about, file }) => `Comment on attachment ${about}\n${file}\n\n${text}`,
};
