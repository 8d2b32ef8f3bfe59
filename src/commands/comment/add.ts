import { fetchComments, readBugNumber } from "../../api/bugs.ts";
import { commentIn, commentOfBug } from "../../api/comment-ref.ts";
import { CREATE_COMMENT } from "../../api/operations/comments.ts";
import { requestFor } from "../../api/operations/operation.ts";
import { unexpectedShapeError } from "../../api/response/response-objects.ts";
import { parseHours } from "../../api/write/parameter-values.ts";
import { checkedText } from "../../api/write/texts.ts";
import { type BtError, usageError } from "../../errors.ts";
import { quotedComment } from "../../view/comments.ts";
import { isObject } from "../../wire/json.ts";
import { showCreated, showPlanned } from "../shared/change/written.ts";
import type { ProseInput } from "../shared/flags.ts";
import { readOneTarget } from "../shared/targets.ts";
import { readLongText, withEditorIfNone } from "../shared/text/input-text.ts";
import type { Context } from "../verb.ts";

/** Input of `bt comment add`. */
type CommentAddInput = ProseInput & {
  readonly parameters: {
    readonly comment?: string | undefined;
    readonly "is-private"?: boolean | undefined;
    readonly "work-time"?: string | undefined;
  };
  readonly reply: readonly string[];
  readonly dryRun: boolean;
};

/** `bt comment add`: adds one comment to one bug, with the quotes of `--reply`. */
export async function addComment(input: CommentAddInput, context: Context): Promise<void> {
  const ref = await readOneTarget(input.args[0] ?? "", context, "bt bug update - -m TEXT comments on several bugs");
  const bug = await readBugNumber(ref, context.session.send);
  const quotes = input.reply.length > 0 ? await readQuotes(bug, input, context) : "";
  const typed = input.parameters.comment;
  const given = withEditorIfNone({ ...input, args: [String(bug)] }, typed, context);
  const read = (await readLongText({ name: "comment", typed, start: quotes }, given, context)) ?? "";
  const text = given.editor ? read : `${quotes}${read}`; // the editor had the quotes
  if (text.trim() === "") throw noTextError();
  const { "is-private": is_private, "work-time": hours } = input.parameters;
  const work_time = hours === undefined ? undefined : parseHours(hours, "work_time");
  const comment = checkedText("comment", text);
  const request = requestFor(CREATE_COMMENT, { id: bug, comment, is_private, work_time });
  if (input.dryRun) return showPlanned([request], [], context);
  const journal = await context.session.journal();
  const response = await journal.deliver("comment add", { request });
  const id = isObject(response) ? response["id"] : undefined;
  if (typeof id !== "number") throw unexpectedShapeError("the id of the new comment");
  const created = [{ id: String(id), result: "created" }];
  await showCreated(created, (number) => ({ sentence: `added comment c:${number} to bug ${bug}` }), context);
}

async function readQuotes(bug: number, input: CommentAddInput, context: Context): Promise<string> {
  const texts = input.reply.flatMap((text) => text.split(","));
  const { address } = context.session;
  const refs = texts.map((text) => commentOfBug(text, { flag: "reply", bug: [String(bug), ...input.args], address }));
  const comments = await fetchComments(bug, context.session.send);
  return refs.map((ref) => quotedComment(commentIn(comments, ref, bug))).join("");
}

function noTextError(): BtError {
  return usageError("the comment is empty", "use -m TEXT, -F FILE (-F - for stdin) or --editor");
}
