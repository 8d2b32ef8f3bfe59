import { CREATE_COMMENT, GET_COMMENTS } from "../../api/operations/comments.ts";
import type { InputOf } from "../input.ts";
import { DRY_RUN } from "../shared/changes/write-flags.ts";
import { FROM_TEXT, proseFlags } from "../shared/flags.ts";
import { parameterFlags } from "../shared/parameter-flags.ts";

export function listCommentFlags() {
  return [...parameterFlags(GET_COMMENTS.parameters, "Criteria"), FROM_TEXT];
}

export function addCommentFlags() {
  return [
    ...parameterFlags(CREATE_COMMENT.parameters, "Comment"),
    ...proseFlags("comment", "Comment"),
    {
      name: "reply",
      value: "<numbers>",
      many: true,
      about: "quote these comments, by their numbers on the bug",
      group: "Comment",
    } as const,
    DRY_RUN,
  ];
}

/** Input of `bt comment list`. */
export type CommentListInput = InputOf<ReturnType<typeof listCommentFlags>>;

/** Input of `bt comment add`. */
export type CommentAddInput = InputOf<ReturnType<typeof addCommentFlags>>;
