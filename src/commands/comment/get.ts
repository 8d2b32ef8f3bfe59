import { type BatchOutcome, type BatchPlan, foundThings, requestEach } from "../../api/batch.ts";
import { requestByNumber } from "../../api/bugs/bug-numbers.ts";
import { commentsPlan } from "../../api/bugs/bug-parts.ts";
import { type CommentRef, commentRef, readCommentId } from "../../api/bugs/comment-ref.ts";
import { collectPages } from "../../api/lists.ts";
import { GET_COMMENTS_BY_ID } from "../../api/operations/comments.ts";
import { requestFor } from "../../api/operations/operation.ts";
import { readComment, unexpectedShapeError } from "../../api/response/response-objects.ts";
import { readBugTitles } from "../../api/search/searches.ts";
import { isNotFound } from "../../errors.ts";
import { note } from "../../session/note.ts";
import { COMMENT_COLUMNS, commentsText } from "../../view/comments.ts";
import { jsonListing } from "../../view/listing.ts";
import { errorCodes } from "../../wire/error-codes.ts";
import { isObject } from "../../wire/json.ts";
import type { Comment } from "../../wire/resources.ts";
import type { SharedInput } from "../input.ts";
import {
  chosenColumns,
  isForCards,
  mapPages,
  showList,
  showPages,
  showText,
  wholeFormat,
} from "../shared/output/print.ts";
import { printFound, readTargetsOrText } from "../shared/targets.ts";
import { readMoment } from "../shared/text/input-text.ts";
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
  await printFound(
    readNamedComments(await readCommentIds(refs, context), context),
    (comments) => showComments({ comments, isWhole: false }, context),
    { thing: "comments", identity: ({ id }) => id },
  );
}

async function* readNamedComments(
  named: BatchOutcome<string>[],
  context: Context,
): AsyncGenerator<readonly BatchOutcome<Comment>[]> {
  const lost = named.filter((outcome) => "error" in outcome);
  if (lost.length > 0) yield lost;
  const wordOf = new Map(named.flatMap((one) => ("thing" in one ? [[one.thing, one.ref] as const] : [])));
  for await (const batch of requestEach([...wordOf.keys()], PLAN, context.session.send)) {
    const counts = await readCounts(batch, context);
    const outcomes = batch.map((one) => ({ ...withCount(one, counts), ref: wordOf.get(one.ref) ?? one.ref }));
    for (const one of outcomes) if ("thing" in one) await noteBareNumber(one.ref, one.thing, context);
    yield outcomes;
  }
}

/** Notes the bug of a comment that was named by a bare number, which may have been meant as a bug's. */
async function noteBareNumber(ref: string, { bug_id }: Comment, { io }: Context): Promise<void> {
  if (/^\d+$/.test(ref)) await note(io, `comment ${ref} is on bug ${bug_id}; for bug ${ref}'s description: ${ref}.0`);
}

/**
 * Comment numbers by id, from the lists of their bugs.
 * @see Bugzilla/WebService/Bug.pm, comments: for a comment by its id, `count` counts comments of the same second as one
 */
async function readCounts(
  batch: readonly BatchOutcome<Comment>[],
  context: Context,
): Promise<ReadonlyMap<number, number>> {
  const bugs = new Set(foundThings(batch).map(({ bug_id }) => String(bug_id)));
  const counts = new Map<number, number>();
  for await (const lists of requestEach([...bugs], commentsPlan(), context.session.send)) {
    for (const { id, count } of foundThings(lists).flat()) counts.set(id, count);
  }
  return counts;
}

function withCount(outcome: BatchOutcome<Comment>, counts: ReadonlyMap<number, number>): BatchOutcome<Comment> {
  if ("error" in outcome) return outcome;
  const { count: _, ...comment } = outcome.thing;
  const count = counts.get(comment.id);
  return { ...outcome, thing: (count === undefined ? comment : { ...comment, count }) as Comment };
}

const PLAN: BatchPlan<Comment> = {
  name: "comment",
  codes: errorCodes("object_does_not_exist", "comment_is_private", "comment_id_invalid"),
  request: (ids) => requestFor(GET_COMMENTS_BY_ID, { comment_ids: ids }),
  read: (response) => {
    const comments = isObject(response) ? response["comments"] : undefined;
    if (!isObject(comments)) throw unexpectedShapeError('an object named "comments"');
    return Object.values(comments).map((one) => {
      const thing = readComment(one);
      return { thing, names: [String(thing.id)] };
    });
  },
};

/** `bt comment list`: comments of all given bugs in few requests; reports bugs not found. */
export async function listComments(input: CommentListInput, context: Context): Promise<void> {
  const since = input.parameters["new-since"];
  const moment = since === undefined ? undefined : readMoment(since, context);
  const { refs, lines } = await readTargetsOrText(input, context);
  const batches = requestByNumber(refs, commentsPlan(moment), context.session.send);
  await printFound(
    batches,
    (pages) => showComments({ comments: mapPages(pages, (lists) => lists.flat()), isWhole: true }, context),
    { identity: (list) => list[0]?.bug_id ?? list, lines },
  );
}

/** Comments to print; `isWhole` if they are complete lists of their bugs, which get headings if there are several. */
export type ShownComments = { readonly comments: AsyncIterable<readonly Comment[]>; readonly isWhole: boolean };

/** Prints comments: a conversation on a terminal, the objects as JSON, else one line per comment. */
export async function showComments({ comments, isWhole }: ShownComments, context: Context): Promise<void> {
  if (isForCards(context)) {
    const shown = await collectPages(comments);
    const bugs = isWhole ? [...new Set(shown.map(({ bug_id }) => bug_id))] : [];
    const titles = bugs.length > 1 ? await readBugTitles(bugs, context.session.searches) : undefined;
    return showText(context, commentsText({ comments: shown, titles }, context.output.view));
  }
  const format = wholeFormat(context);
  if (format) {
    await showPages(context, comments, jsonListing<Comment>(format, context.output.view, STANDARD));
  } else await showList<Comment>(context, { columns: chosenColumns(COMMENT_COLUMNS, context), pages: comments });
}

/** Keys of a comment, in the specification's order. */
const STANDARD: readonly (keyof Comment)[] = [
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

/** Global id of each named comment, or its error. */
export async function readCommentIds(refs: CommentRef[], context: Context): Promise<BatchOutcome<string>[]> {
  const outcomes: BatchOutcome<string>[] = [];
  for (const ref of refs) {
    try {
      outcomes.push({ ref: ref.word, thing: await readCommentId(ref, context.session.send) });
    } catch (error) {
      if (!isNotFound(error)) throw error;
      outcomes.push({ ref: ref.word, error });
    }
  }
  return outcomes;
}
