import type { Store } from "../store/store.ts";

/** Kind of a comment; Bugzilla generates the text of all but plain ones. */
export type CommentKind = "plain" | "duplicate_of" | "has_duplicate";

/** A new comment; `workTime` in hours, `about` the id of the related bug. */
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
