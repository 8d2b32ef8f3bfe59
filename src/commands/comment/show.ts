import type { Comment } from "../../wire/comment.ts";
import { titlesOf } from "../bug/titles.ts";
import type { Context } from "../context.ts";
import { chosenColumns, isForEyes, showList, showPages, showText, wholeFormat } from "../show.ts";
import { gathered } from "../targets.ts";

/** Comments to print; `isWhole` says that they came as a bug's own list, so that their numbers are right. */
export type ShownComments = { readonly comments: AsyncIterable<readonly Comment[]>; readonly isWhole: boolean };

/** Prints comments: a conversation for eyes, the tracker's own objects as JSON, one line a comment otherwise. */
export async function showComments({ comments, isWhole }: ShownComments, context: Context): Promise<void> {
  const { COMMENT_COLUMNS, commentsText } = await import("../../view/comments.ts");
  if (isForEyes(context) && !context.output.fields) {
    const told = await gathered(comments);
    const bugs = isWhole ? [...new Set(told.map(({ bug_id }) => bug_id))] : [];
    const titles = bugs.length > 1 ? await titlesOf(bugs, context) : undefined;
    return showText(context, commentsText({ comments: told, isWhole, titles }, context.output.view));
  }
  const format = wholeFormat(context);
  if (format) {
    const { wholes } = await import("../../view/listing.ts");
    await showPages(context, comments, wholes<Comment>(format, STANDARD, context.output.view));
  } else await showList<Comment>(context, { columns: chosenColumns(COMMENT_COLUMNS, context), pages: comments });
}

/** The keys of a comment, in the order of the specification. */
const STANDARD: readonly (keyof Comment)[] = [
  ...(["id", "bug_id", "attachment_id", "count", "text"] as const),
  ...(["creator", "time", "creation_time", "is_private", "tags"] as const),
];
