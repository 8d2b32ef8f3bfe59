import { askEach, type BatchPlan, type Outcome } from "../../api/batch.ts";
import { isBugId } from "../../api/bug-ref.ts";
import { get, segment } from "../../api/operation.ts";
import { isObject, listIn, unexpectedShape } from "../../api/read.ts";
import type { Comment } from "../../wire/comment.ts";
import type { Json, Request } from "../../wire/exchange.ts";
import { bugPlan } from "../bug/get.ts";
import type { Context } from "../context.ts";
import { momentOf } from "../moment.ts";
import { account, bugTargets } from "../targets.ts";
import { type Input, textOf } from "../verb.ts";
import { showComments } from "./show.ts";

/** `bt comment list`: the comments of all named bugs in few requests, every bug accounted for. */
export async function list(input: Input, context: Context): Promise<void> {
  const since = textOf(input.flags["new-since"]);
  const query = since === undefined ? [] : [["new_since", momentOf(since, context)] as const];
  const outcomes = await commentsOfEach(await bugTargets(input.args, context), query, context);
  const comments = outcomes.flatMap((outcome) => ("thing" in outcome ? outcome.thing : []));
  if (outcomes.some((outcome) => "thing" in outcome)) await showComments({ comments, isWhole: true }, context);
  account(outcomes);
}

/** The comments of each bug. Answers are keyed by bug number, so aliases are looked up first. */
export async function commentsOfEach(
  refs: readonly string[],
  query: Request["query"],
  context: Context,
): Promise<readonly Outcome<readonly Comment[]>[]> {
  const { ids, lost } = await numbersOf(refs, context);
  const found: Outcome<readonly Comment[]>[] = [...lost];
  for await (const batch of askEach([...ids.values()], commentsPlan(query), context.tracker.ask)) {
    found.push(...batch);
  }
  return refs.map((ref) => found.find((one) => one.ref === (ids.get(ref) ?? ref)) as Outcome<readonly Comment[]>);
}

async function numbersOf(refs: readonly string[], context: Context) {
  const ids = new Map(refs.filter(isBugId).map((ref) => [ref, ref]));
  const lost: Outcome<readonly Comment[]>[] = [];
  const aliases = refs.filter((ref) => !isBugId(ref));
  for await (const batch of askEach(aliases, bugPlan(["id", "alias"]), context.tracker.ask)) {
    for (const outcome of batch) {
      if ("thing" in outcome) ids.set(outcome.ref, String(outcome.thing.id));
      else lost.push(outcome);
    }
  }
  return { ids, lost };
}

function commentsPlan(query: Request["query"]): BatchPlan<readonly Comment[]> {
  return {
    request: ([first = "", ...rest]) =>
      get(`/rest/bug/${segment(first)}/comment`, [...rest.map((ref) => ["ids", ref] as const), ...query]),
    read: (answer) =>
      Object.entries(bugsIn(answer)).map(([id, bug]) => ({
        thing: listIn(bug, "comments") as unknown as readonly Comment[],
        isOf: (ref) => ref === id,
      })),
  };
}

function bugsIn(answer: Json): Readonly<Record<string, Json>> {
  const bugs = isObject(answer) ? answer["bugs"] : undefined;
  if (!isObject(bugs)) throw unexpectedShape('an object named "bugs"');
  return bugs;
}
