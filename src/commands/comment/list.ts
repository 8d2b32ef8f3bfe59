import { askEach, type BatchPlan, type Outcome } from "../../api/batch.ts";
import { isBugId } from "../../api/bug-ref.ts";
import { get, segment } from "../../api/operation.ts";
import { isObject, readComments, unexpectedShape } from "../../api/read.ts";
import type { Bug } from "../../wire/bug.ts";
import type { Comment } from "../../wire/comment.ts";
import type { Json, Request } from "../../wire/exchange.ts";
import { bugPlan } from "../bug/get.ts";
import type { Context } from "../context.ts";
import { momentOf } from "../moment.ts";
import { mapPages } from "../show.ts";
import { bugTargets, showEach } from "../targets.ts";
import { type Input, textOf } from "../verb.ts";
import { showComments } from "./show.ts";

/** `bt comment list`: the comments of all named bugs in few requests, every bug accounted for. */
export async function list(input: Input, context: Context): Promise<void> {
  const since = textOf(input.flags["new-since"]);
  const query = since === undefined ? [] : [["new_since", momentOf(since, context)] as const];
  const refs = await bugTargets(input.args, context);
  await showEach(commentsOfEach(refs, query, context), (pages) =>
    showComments({ comments: mapPages(pages, (lists) => lists.flat()), isWhole: true }, context),
  );
}

/** The comments of each bug, in the order asked. Answers are keyed by bug number, so aliases are looked up first. */
async function* commentsOfEach(
  refs: readonly string[],
  query: Request["query"],
  context: Context,
): AsyncGenerator<readonly Outcome<readonly Comment[]>[]> {
  const aliases = await numbersOf(
    refs.filter((ref) => !isBugId(ref)),
    context,
  );
  const lost = [...aliases.values()].filter((outcome) => "error" in outcome);
  if (lost.length > 0) yield lost;
  const asked = refs.flatMap((ref): readonly Asked[] => {
    const alias = aliases.get(ref);
    if (alias === undefined) return [{ ref, id: ref }];
    return "thing" in alias ? [{ ref, id: String(alias.thing.id) }] : [];
  });
  const refOf = new Map(asked.map(({ ref, id }) => [id, ref] as const));
  for await (const batch of askEach([...refOf.keys()], commentsPlan(query), context.tracker.ask)) {
    yield batch.map((outcome) => ({ ...outcome, ref: refOf.get(outcome.ref) ?? outcome.ref }));
  }
}

/** A bug as it was named and its number; one that is named in two ways is asked for once. */
type Asked = { readonly ref: string; readonly id: string };

async function numbersOf(aliases: readonly string[], context: Context) {
  const found = new Map<string, Outcome<Bug>>();
  for await (const batch of askEach(aliases, bugPlan(["id", "alias"]), context.tracker.ask)) {
    for (const outcome of batch) found.set(outcome.ref, outcome);
  }
  return found;
}

function commentsPlan(query: Request["query"]): BatchPlan<readonly Comment[]> {
  return {
    request: ([first = "", ...rest]) =>
      get(`/rest/bug/${segment(first)}/comment`, [...rest.map((ref) => ["ids", ref] as const), ...query]),
    read: (answer) =>
      Object.entries(bugsIn(answer)).map(([id, bug]) => ({
        thing: readComments(bug),
        names: [id],
      })),
  };
}

function bugsIn(answer: Json): Readonly<Record<string, Json>> {
  const bugs = isObject(answer) ? answer["bugs"] : undefined;
  if (!isObject(bugs)) throw unexpectedShape('an object named "bugs"');
  return bugs;
}
