import type { BatchOutcome } from "../../api/batch.ts";
import { type CommentRef, commentIn, commentOfBug, commentRef } from "../../api/bug-ref.ts";
import { commentsPlan, fetchComments, readBugNumber, requestParts } from "../../api/bugs.ts";
import { collectPages } from "../../api/lists.ts";
import { CREATE_COMMENT, GET_COMMENTS_BY_ID } from "../../api/operations/comments.ts";
import { requestFor, type SendRequest } from "../../api/operations/operation.ts";
import { readComment, unexpectedShapeError } from "../../api/response/response-objects.ts";
import { readBugTitles } from "../../api/search/searches.ts";
import { checkedText, parseHours } from "../../api/write/values.ts";
import { BtError, isKind, usageError } from "../../errors.ts";
import { COMMENT_COLUMNS, commentsText, quotedComment } from "../../view/comments.ts";
import { isObject } from "../../wire/json.ts";
import type { Comment } from "../../wire/resources.ts";
import type { SharedInput } from "../input.ts";
import { showCreated, showPlanned } from "../shared/change/output.ts";
import type { ProseInput } from "../shared/flags.ts";
import { isForCards, mapPages, showReceived, showText } from "../shared/output/print.ts";
import { printFound, readOneTarget, readTargetsToShow } from "../shared/targets.ts";
import { readLongText, readMoment, withEditorIfNone } from "../shared/text.ts";
import type { Context } from "../verb.ts";

/** Input of `bt comment list`. */
type CommentListInput = {
  args: string[];
  readonly fromText: boolean;
  readonly parameters: { readonly "new-since"?: string | undefined };
};

/** `bt comment get`: comments by global id, or by bug and number. */
export async function getComments(input: SharedInput, context: Context): Promise<void> {
  const refs = input.args.flatMap((arg) => arg.split(",")).map((word) => commentRef(word, context.session.address));
  const show = (comments: AsyncIterable<readonly Comment[]>) => showComments(comments, "without headings", context);
  await printFound(readNamedComments(refs, context), show, "comments");
}

async function* readNamedComments(
  refs: readonly CommentRef[],
  { session }: Context,
): AsyncGenerator<readonly BatchOutcome<Comment>[]> {
  const lists = new Map<number, Promise<Comment[]>>();
  const fetchOnce = (bug: number) => {
    const list = lists.get(bug) ?? fetchComments(bug, session.send);
    lists.set(bug, list);
    return list;
  };
  for (const ref of refs)
    try {
      yield [{ ref: ref.word, thing: await readNamedComment(ref, fetchOnce, session.send) }];
    } catch (error) {
      if (!isKind(error, "missing", "refused", "auth")) throw error;
      yield [{ ref: ref.word, error }];
    }
}

/**
 * Reads a comment from the list of its bug: in the response for a comment's id, its number may be wrong.
 * @see Bugzilla/WebService/Bug.pm, comments: for a comment by its id, `count` counts comments of the same second as one
 */
async function readNamedComment(
  ref: CommentRef,
  fetchList: (bug: number) => Promise<Comment[]>,
  send: SendRequest,
): Promise<Comment> {
  if (!("id" in ref)) return commentIn(await fetchList(await readBugNumber(ref.bug, send)), ref, ref.bug);
  const { comments } = Object(await send(requestFor(GET_COMMENTS_BY_ID, { comment_id: ref.id })));
  if (!isObject(comments)) throw unexpectedShapeError('an object named "comments"');
  const found = comments[ref.id];
  if (found === undefined) throw new BtError("missing", `comment ${ref.id} was not found`);
  const comment = readComment(found);
  if (comment.id !== ref.id) throw unexpectedShapeError(`comment ${ref.id}`);
  const listed = (await fetchList(comment.bug_id)).find(({ id }) => id === comment.id);
  const { count: _, ...withoutNumber } = comment;
  return listed ?? (withoutNumber as Comment);
}

/** `bt comment list`: comments of all given bugs in few requests; reports bugs not found. */
export async function listComments(input: CommentListInput, context: Context): Promise<void> {
  const since = input.parameters["new-since"];
  const moment = since === undefined ? undefined : readMoment(since, context);
  const refs = await readTargetsToShow(input, context);
  const batches = requestParts(refs, commentsPlan(moment), context.session.send);
  const show = (pages: AsyncIterable<(readonly Comment[])[]>) => {
    const comments = mapPages(pages, (lists) => lists.flat());
    return showComments(comments, "with headings", context);
  };
  await printFound(batches, show);
}

/**
 * Prints comments: a conversation on a terminal, the objects as JSON, else one line per comment. Headings are the titles of
 * several bugs in a conversation.
 */
async function showComments(
  pages: AsyncIterable<readonly Comment[]>,
  headings: "with headings" | "without headings",
  context: Context,
): Promise<void> {
  if (!isForCards(context)) return showReceived(context, pages, COMMENT_COLUMNS, COMMENT_MEMBERS);
  const comments = await collectPages(pages);
  const bugs = [...new Set(comments.map(({ bug_id }) => bug_id))];
  const hasHeadings = headings === "with headings" && bugs.length > 1;
  const titles = hasHeadings ? await readBugTitles(bugs, context.session.searches) : undefined;
  await showText(context, commentsText(comments, context.output.view, titles));
}

/** Keys of a comment, in the specification's order. */
const COMMENT_MEMBERS: readonly (keyof Comment)[] = [
  "id",
  "bug_id",
  "attachment_id",
  "count",
  "text",
  "creator",
  "time",
  "creation_time",
  "is_private",
  "tags",
];

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
  const textInput = withEditorIfNone({ ...input, args: [String(bug)] }, typed, context);
  const written = (await readLongText("comment", typed, textInput, context, quotes)) ?? "";
  const text = textInput.editor ? written : `${quotes}${written}`; // the editor had the quotes
  if (text.trim() === "") throw usageError("the comment is empty", "use -m TEXT, -F FILE (-F - for stdin) or --editor");
  const { "is-private": is_private, "work-time": hours } = input.parameters;
  const work_time = hours === undefined ? undefined : parseHours(hours, "work_time");
  const comment = checkedText("comment", text);
  const request = requestFor(CREATE_COMMENT, { id: bug, comment, is_private, work_time });
  if (input.dryRun) return showPlanned([request], [], context);
  const journal = await context.session.journal();
  const { id } = Object(await journal.deliver("comment add", { request }));
  if (typeof id !== "number") throw unexpectedShapeError("the id of the new comment");
  const created = [{ id: String(id), result: "created" }];
  await showCreated(created, (number) => ({ sentence: `added comment c:${number} to bug ${bug}` }), context);
}

async function readQuotes(bug: number, input: CommentAddInput, context: Context): Promise<string> {
  const texts = input.reply.flatMap((text) => text.split(","));
  const { address } = context.session;
  const refs = texts.map((text) => commentOfBug(text, [String(bug), ...input.args], address));
  const comments = await fetchComments(bug, context.session.send);
  return refs.map((ref) => quotedComment(commentIn(comments, ref, bug))).join("");
}
