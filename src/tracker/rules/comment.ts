/** What a comment says beside its text: plain ones nothing, others which bug they are about. */
export type CommentKind = "plain" | "duplicate_of" | "has_duplicate";

/** A comment that a change makes. */
export type NewComment = {
  readonly text: string;
  readonly isPrivate: boolean;
  readonly workTime: number;
  readonly kind: CommentKind;
  readonly about: number | null;
};

/** A plain public comment without text. */
export const EMPTY_COMMENT: NewComment = { text: "", isPrivate: false, workTime: 0, kind: "plain", about: null };
