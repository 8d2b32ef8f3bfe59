import type { NewComment } from "../rules/comment.ts";
import type { Store } from "../store/store.ts";

/** Who says something on which bug, and when. */
export type Speech = { readonly bugId: number; readonly userId: number; readonly time: string };

/** Stores a comment and gives its number. */
export function insertComment(store: Store, speech: Speech, comment: NewComment): number {
  return store.run(INSERT, { ...speech, ...comment, isPrivate: Number(comment.isPrivate) }).id;
}

const INSERT = `
  INSERT INTO comments (bug_id, creator_id, creation_time, text, is_private, work_time, kind, about)
  VALUES (@bugId, @userId, @time, @text, @isPrivate, @workTime, @kind, @about)`;
