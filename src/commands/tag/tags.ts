import { type CommentRef, commentIn, commentRef } from "../../api/bug-ref.ts";
import { fetchComments, readBugNumber } from "../../api/bugs.ts";
import { SEARCH_COMMENT_TAGS, UPDATE_COMMENT_TAGS } from "../../api/operations/comments.ts";
import { requestFor, type SendRequest } from "../../api/operations/operation.ts";
import { readTexts } from "../../api/response/response-objects.ts";
import { BtError, usageError } from "../../errors.ts";
import { note } from "../../session/note.ts";
import { commentTagsText, TAG_COLUMNS } from "../../view/comments.ts";
import { escapeJson } from "../../view/text.ts";
import { showPlanned } from "../shared/change/output.ts";
import { showList, showText, wholeJsonFormat } from "../shared/output/print.ts";
import { bodyOfFlags } from "../shared/write-body.ts";
import type { Context } from "../verb.ts";

/** Input of `bt tag search`. */
type TagSearchInput = { args: string[]; readonly parameters: { readonly limit?: number | undefined } };

/** `bt tag search`: tags in use that contain a text; the specification's default limit is always sent. */
export async function searchTags(input: TagSearchInput, context: Context): Promise<void> {
  const text = input.args[0]?.trim();
  if (!text) throw usageError("empty text of a tag");
  const { limit = 10 } = input.parameters;
  const tags = readTexts(await context.session.send(requestFor(SEARCH_COMMENT_TAGS, { query: text, limit })));
  await printTags(tags, context);
  if (tags.length === 0 && context.output.format === "table") await note(context.io, `no comment tags contain ${text}`);
}

/** Prints tags, one per line, or as a JSON array. */
async function printTags(tags: string[], context: Context): Promise<void> {
  if (wholeJsonFormat(context) === "json") return context.io.out(`${escapeJson(JSON.stringify(tags))}\n`);
  await showList(context, { columns: TAG_COLUMNS, pages: [tags] });
}

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
  const body = await bodyOfFlags(UPDATE_COMMENT_TAGS, input.parameters, context);
  const tags = Object.values(body).flat() as readonly string[];
  if (tags.length === 0) throw usageError("no tags given", `bt tag update ${ref.word} --add obsolete --remove spam`);
  const id = await readCommentId(ref, context.session.send);
  const request = { ...requestFor(UPDATE_COMMENT_TAGS, { comment_id: id }), body: { comment_id: id, ...body } };
  if (input.dryRun) return showPlanned([request], [], context);
  const journal = await context.session.journal();
  const stored = readTexts(await journal.deliver("tag update", { request }));
  const { add = [], remove = [] } = input.parameters;
  // trackers respond with no tags for a missing comment
  if (stored.length === 0 && add.some((tag) => !remove.includes(tag)))
    throw new BtError("missing", `the tags of comment ${id} were not updated`, {
      notApplied: request,
      hint: "check the comment id: bt comment list BUG shows the ids",
    });
  if (context.output.format !== "table") return printTags(stored, context);
  await showText(context, commentTagsText(commentName(ref), stored, context.output.view));
}

async function readCommentId(ref: CommentRef, send: SendRequest): Promise<number> {
  if ("id" in ref) return ref.id;
  return commentIn(await fetchComments(await readBugNumber(ref.bug, send), send), ref, ref.bug).id;
}

/** A comment by its id, or by bug and number, as the user named it. */
function commentName(ref: CommentRef): string {
  return "id" in ref ? `c:${ref.id}` : `${ref.bug}.${ref.count}`;
}
