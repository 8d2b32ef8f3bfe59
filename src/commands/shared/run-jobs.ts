import { type BugResult, bulkError, deliverBulk } from "../../api/delivery/bulk.ts";
import type { Outcome as Delivered } from "../../api/delivery/send-write.ts";
import { stateBefore } from "../../api/delivery/write-state.ts";
import type { RunningJob } from "../../api/delivery/writer.ts";
import { grouped } from "../../api/lists.ts";
import { editBase, wholeEditNames, withWholeValues } from "../../api/write/body.ts";
import type { UpdatePart } from "../../api/write/update-part.ts";
import { updateRequest } from "../../api/write/update-request.ts";
import { BtError, withDetails } from "../../errors.ts";
import type { Bug } from "../../wire/bug-fields.ts";
import type { JsonObject } from "../../wire/exchange.ts";
import type { Context } from "../verb.ts";
import { type ReadBack, type SentBefore, withIgnoredValues } from "./bulk-read-back.ts";
import { checkStoredTimes } from "./changes.ts";
import { ignoredLines, withIgnoredLines } from "./ignored-fields.ts";
import {
  changedSince,
  collectOverwritten,
  conflictingStarts,
  matchOf,
  type Precondition,
  reportOverwritten,
} from "./precondition.ts";
import { showResults } from "./show-results.ts";

/** A bulk update ready to send. */
export type ReadyUpdate = {
  readonly able: readonly UpdatePart[]; // one part per job, with the bugs that can be updated
  readonly refused: readonly BugResult[];
  readonly kept: readonly BugResult[]; // unchanged
};

/** The bugs of all parts. */
export function bugsIn(parts: readonly UpdatePart[]): readonly Bug[] {
  return parts.flatMap(({ bugs }) => bugs);
}

/** Jobs about to send; `first` are results of an earlier run, `done` the number of bugs it finished. */
export type BulkRun = ReadyUpdate & {
  readonly jobs: readonly RunningJob[]; // one per part of `able`
  readonly precondition: Precondition | undefined;
  readonly done: number;
  readonly bugs?: readonly Bug[]; // all that were read
  readonly parts?: readonly UpdatePart[]; // of all bugs, also of unchanged ones
  readonly first?: readonly BugResult[];
  readonly before?: SentBefore; // by earlier runs
};

/**
 * Sends the requests of jobs, and prints a line per bug.
 * @throws BtError with the tally if any bug failed
 */
export async function runJobs(run: BulkRun, context: Context): Promise<void> {
  const { able, refused, kept, done, first = [], bugs = bugsIn(able), parts = able } = run;
  const total = done + first.length + refused.length + kept.length + bugsIn(able).length;
  const overwritten: string[] = [];
  const ignored = new Map<number, readonly string[]>();
  const results = collectOverwritten(resultsOf(run, context), bugsIn(able), overwritten);
  const pages = withIgnoredValues(results, readBackOf(run, ignored), context);
  const start = { total, succeeded: done, failed: [] };
  const { tally, failure } = await showResults(pages, { start, bugs, parts }, context);
  const verdict = bulkError(tally, wayOn(run));
  if (verdict) throw withDetails(verdict, [...overwritten, ...ignoredLines(ignored)]);
  await withIgnoredLines(async () => {
    await reportOverwritten(overwritten, isGuarded(run), context);
    if (failure !== undefined) throw withUpdateCount(failure, total);
    for (const part of able) if (part.bugs[0]) await checkStoredTimes(part.bugs[0].id, part.body, context);
  }, ignored);
  if (context.io.terminal.stderr) await context.io.err(`${total} bugs up to date\n`);
}

/** Hint for a bulk update with bugs left: the jobs that continue it. */
function wayOn({ jobs, first }: BulkRun): string | undefined {
  const names = jobs.filter(({ isJournaled }) => isJournaled).map(({ name }) => name);
  if (names.length === 0) return undefined;
  const isResendable = first?.some(({ st }) => st === "unknown");
  const resend = isResendable ? "; --resend also resends those with unknown outcome" : "";
  return `${names.map((name) => `bt job send ${name}`).join(" && ")} continues with the others${resend}`;
}

function readBackOf({ able, before, jobs }: BulkRun, ignored: ReadBack["ignored"]): ReadBack {
  return {
    ...{ able, before, ignored, isResumable: jobs.every(({ isJournaled }) => isJournaled) },
    onVerified: (ids) => {
      for (const [at, job] of jobs.entries()) {
        const own = jobs.length === 1 ? ids : ids.filter((id) => able[at]?.bugs.some((bug) => bug.id === id));
        if (own.length > 0) job.markUnchanged(own);
      }
    },
  };
}

/** True if the update is not to overwrite changes of others. */
function isGuarded({ able, precondition }: BulkRun): boolean {
  return precondition !== undefined || able.some(({ body }) => wholeEditNames(body).length > 0);
}

/** Adds the number of updated bugs to an output error, so the user does not repeat the update. */
export function withUpdateCount(failure: unknown, total: number): unknown {
  if (!(failure instanceof BtError)) return failure;
  return new BtError(failure.kind, failure.message, {
    ...failure.facts,
    details: [`already applied: all ${total} bugs`],
  });
}

async function* resultsOf(run: BulkRun, context: Context): AsyncGenerator<readonly BugResult[]> {
  const { able, refused, kept, first = [] } = run;
  if (first.length + refused.length + kept.length > 0) yield [...first, ...refused, ...kept];
  let end: BugResult | undefined;
  for (const [at, part] of able.entries()) {
    const ids = part.bugs.map(({ id }) => id).sort((one, other) => one - other);
    if (end) yield ids.map((id) => ({ ...end, bug: String(id) }) as BugResult);
    else
      for await (const results of deliverPart(ids, part, { run, at, context })) {
        yield results;
        end ??= results.find(({ st }) => st === "not tried");
      }
  }
}

type Place = { readonly run: BulkRun; readonly at: number; readonly context: Context };

function deliverPart(ids: readonly number[], part: UpdatePart, { run, at, context }: Place) {
  const { jobs, precondition } = run;
  return deliverBulk(ids, {
    body: part.body,
    attempt: (some) => attempt(some, { part, job: jobs[at], precondition }),
    groups: (all) => [...grouped(all, (id) => editBase(bugIn(part, id), part.body)).values()],
    findRefused: async (some) => {
      const changed = await changedSince(some, precondition, context);
      const left = some.filter((id) => !changed.some(({ bug }) => bug === String(id)));
      return [
        ...changed,
        ...(await conflictingStarts(
          left.flatMap((id) => bugIn(part, id) ?? []),
          part.body,
          context,
        )),
      ];
    },
    isStopped: () => context.io.signal.aborted,
  });
}

function bugIn({ bugs }: UpdatePart, id: number): Bug | undefined {
  return bugs.find((bug) => bug.id === id);
}

type Attempting = {
  readonly part: UpdatePart;
  readonly job: RunningJob | undefined;
  readonly precondition: Precondition | undefined;
};

function attempt(ids: readonly number[], { part, job, precondition }: Attempting): Promise<Delivered> {
  if (!job) throw new BtError("internal", "a part of an update without a job");
  const bugs = part.bugs.filter(({ id }) => ids.includes(id));
  const request = updateRequest(ids, withWholeValues(part.body, bugs[0] as JsonObject | undefined));
  return job.attempt({ request, before: stateBefore(bugs, part.body), ifMatch: matchOf(bugs, precondition) }, ids);
}
