import type { Comment } from "../../wire/comment.ts";
import type { Context } from "../context.ts";
import { chosenColumns, formatOf, isForEyes, showList, showText, wireColumns } from "../show.ts";

/** Comments to print; `isWhole` says that they came as a bug's own list, so that their numbers are right. */
export type ShownComments = { readonly comments: readonly Comment[]; readonly isWhole: boolean };

/** Prints comments: a conversation for eyes, the tracker's own objects as JSON, one line a comment otherwise. */
export async function showComments(shown: ShownComments, context: Context): Promise<void> {
  const format = formatOf(context);
  if (isForEyes(context) && !context.output.fields) {
    const { commentsText } = await import("../../view/comments.ts");
    return showText(context, commentsText(shown, context.output.view));
  }
  const { COMMENT_COLUMNS } = await import("../../view/comments.ts");
  const isJson = (format === "json" || format === "ndjson") && !context.output.fields;
  const columns = isJson ? wireColumns<Comment>(keysOf(shown.comments)) : chosenColumns(COMMENT_COLUMNS, context);
  await showList<Comment>(context, { columns, pages: [shown.comments] });
}

function keysOf(comments: readonly Comment[]): readonly (keyof Comment)[] {
  return [...new Set(comments.flatMap((comment) => Object.keys(comment)))].sort() as (keyof Comment)[];
}
