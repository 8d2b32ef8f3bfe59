import { isBugId } from "../../api/bug-ref.ts";
import type { Outcome as Delivered } from "../../api/delivery/deliver.ts";
import { deliverMany, type Result } from "../../api/delivery/many.ts";
import { stateBefore } from "../../api/delivery/standing.ts";
import { type Tally, verdictOn } from "../../api/delivery/tally.ts";
import type { RunningJob } from "../../api/delivery/writing.ts";
import { type Meant, refusedBugs } from "../../api/write/refusals.ts";
import { updateRequest } from "../../api/write/request.ts";
import { BtError } from "../../errors.ts";
import type { Bug } from "../../wire/bug.ts";
import type { JsonObject } from "../../wire/exchange.ts";
import type { Context } from "../context.ts";
import type { Input } from "../verb.ts";
import { confirmed } from "./confirm.ts";
import { showResults } from "./show-results.ts";
import { type Care, careOf, changedSince, matchOf } from "./unchanged.ts";

/** A change of many bugs: those as they stand, those that could not be read, the body, and which bugs it is meant for. */
export type Change = {
  readonly bugs: readonly Bug[];
  readonly lost: readonly { readonly ref: string; readonly error: BtError }[];
  readonly body: JsonObject;
  readonly meant?: Meant;
};

/** Changes many bugs as a job of many requests: those that cannot be changed are named, the others go on. */
export async function updateMany(
  change: Change,
  { input, context }: { readonly input: Input; readonly context: Context },
): Promise<void> {
  const plan = await planOf(change, context);
  if (plan.able.length > 0)
    await confirmed({ ...change, bugs: plan.able, refused: plan.refused.length }, input, context);
  const care = careOf(input, plan.able, context);
  const ids = [
    ...change.bugs.map(({ id }) => id ?? 0),
    ...change.lost.flatMap(({ ref }) => (isBugId(ref) ? [Number(ref)] : [])),
  ];
  const request = updateRequest(
    ids.sort((one, other) => one - other),
    change.body,
  );
  const seen = care && Object.fromEntries(care.seen);
  const writing = await context.tracker.writing();
  await writing.begin({ request, seen }, (job) => runJob({ ...plan, care, job, done: 0 }, context));
}

/** A change of many bugs that is ready to go: which can be changed, and which are refused from the start. */
export type Ready = {
  readonly able: readonly Bug[];
  readonly refused: readonly Result[];
  readonly body: JsonObject;
};

/** Sorts out the bugs that cannot be changed, each with the reason. */
export async function planOf({ bugs, lost, body, meant }: Change, context: Context): Promise<Ready> {
  const { tracker } = context;
  const stopped = refusedBugs(bugs, body, { catalog: await tracker.catalog(), address: tracker.address, meant });
  const stuck = new Map(stopped.map(({ bug, error }) => [bug.id, error]));
  const failed = [...lost, ...stopped.map(({ bug, error }) => ({ ref: String(bug.id), error }))];
  return {
    able: bugs.filter(({ id }) => !stuck.has(id)),
    refused: failed.map(({ ref, error }) => ({ bug: ref, st: "failed", error })),
    body,
  };
}

/** A job that is about to send; `first` tells of what an earlier run has left, `done` counts what it has finished. */
export type Run = Ready & {
  readonly job: RunningJob;
  readonly care: Care | undefined;
  readonly done: number;
  readonly first?: readonly Result[];
};

/** Sends a job's requests, prints a line for every bug, and throws what is wrong with the whole at the end. */
export async function runJob(run: Run, context: Context): Promise<void> {
  const { able, refused, job, done, first = [] } = run;
  const total = done + first.length + refused.length + able.length;
  const start: Tally = { total, good: done, bad: [] };
  const { tally, failure } = await showResults(resultsOf(run, context), start, context);
  const verdict = verdictOn(tally, job.isKept ? job.name : undefined);
  if (verdict) throw verdict;
  if (failure !== undefined) throw untold(failure, total);
  if (context.io.terminal.stderr) await context.io.err(`${total} bugs are as they should be\n`);
}

/** Who reads only that the output is not there would do it all again. */
function untold(failure: unknown, total: number): unknown {
  if (!(failure instanceof BtError)) return failure;
  return new BtError(failure.kind, failure.message, { ...failure.facts, details: [`already done: all ${total} bugs`] });
}

async function* resultsOf(run: Run, context: Context): AsyncGenerator<readonly Result[]> {
  const { able, refused, care, body, first = [] } = run;
  if (first.length + refused.length > 0) yield [...first, ...refused];
  const ids = able.map(({ id }) => id ?? 0).sort((one, other) => one - other);
  yield* deliverMany(ids, {
    body,
    attempt: (some) => attempt(some, run),
    refuse: (some) => changedSince(some, care, context),
    isStopped: () => context.io.signal.aborted,
  });
}

function attempt(ids: readonly number[], { able, body, job, care }: Run): Promise<Delivered> {
  const bugs = able.filter(({ id }) => ids.includes(id ?? 0));
  const write = { request: updateRequest(ids, body), before: stateBefore(bugs, body), ifMatch: matchOf(bugs, care) };
  return job.attempt(write, ids);
}
