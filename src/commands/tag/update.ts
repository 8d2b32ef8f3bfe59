import { type CommentRef, commentRef, readCommentId } from "../../api/bugs/comment-ref.ts";
import { UPDATE_COMMENT_TAGS } from "../../api/operations/comments.ts";
import { requestFor } from "../../api/operations/operation.ts";
import { readTags } from "../../api/response/response-objects.ts";
import { TAG_LENGTH } from "../../api/write/limits.ts";
import { assertTagsApplied } from "../../api/write/read-back.ts";
import { usageError } from "../../errors.ts";
import { commentTagsText } from "../../view/comments.ts";
import { showPlanned } from "../shared/change/written.ts";
import { showText } from "../shared/output/print.ts";
import { bodyFrom, readValueContext } from "../shared/write-body.ts";
import type { Context } from "../verb.ts";
import { printTags } from "./search.ts";

/** Input of `bt tag update`. */
type TagUpdateInput = {
  args: string[];
  readonly parameters: {
    readonly add?: readonly string[] | undefined;
    readonly remove?: readonly string[] | undefined;
  };
  readonly dryRun: boolean;
};

/** `bt tag update`: adds and removes tags of one comment, and prints its tags. */
export async function updateTags(input: TagUpdateInput, context: Context): Promise<void> {
  const ref = commentRef(input.args[0] ?? "", context.session.address);
  const body = bodyFrom(
    input.parameters,
    UPDATE_COMMENT_TAGS.parameters,
    await readValueContext(input.parameters, context, await context.session.metadata.catalog()),
  );
  const tags = Object.values(body).flat() as readonly string[];
  if (tags.length === 0) throw usageError("no tags given", `bt tag update ${ref.word} --add obsolete --remove spam`);
  for (const tag of tags) checkTag(tag);
  const id = await readCommentId(ref, context.session.send);
  const request = requestFor(UPDATE_COMMENT_TAGS, { comment_id: Number(id), ...body });
  if (input.dryRun) return showPlanned([request], [], context);
  const journal = await context.session.writes.journal();
  const now = readTags(await journal.deliver("tag update", { request }));
  assertTagsApplied(request, now);
  if (context.output.format !== "table") return printTags(now, context);
  await showText(context, commentTagsText(commentRefName(ref), now, context.output.view));
}

/** Name of a comment after an update: its number if it was named by it. */
function commentRefName(ref: CommentRef): string {
  return "id" in ref ? `c:${ref.id}` : `${ref.bug}.${ref.count}`;
}

function checkTag(tag: string): void {
  const { least, most } = TAG_LENGTH;
  const length = [...tag].length;
  if (length < least || length > most) {
    throw usageError(`a tag must have ${least} to ${most} characters, ${JSON.stringify(tag)} has ${length}`);
  }
}
