import { isBugId } from "../../api/bug-ref.ts";
import type { Catalog } from "../../api/catalog.ts";
import { type BugResult, type BulkTally, bulkError, deliverBulk } from "../../api/delivery/bulk.ts";
import type { Outcome as Delivered } from "../../api/delivery/deliver.ts";
import type { JobPlan } from "../../api/delivery/journal.ts";
import { stateBefore } from "../../api/delivery/write-state.ts";
import type { RunningJob, Writer } from "../../api/delivery/writer.ts";
import { refusedBugs, type VerbScope } from "../../api/write/checks.ts";
import { changingParts, type UpdatePart, unchangedText, updateRequest } from "../../api/write/update-request.ts";
import { editBase, groupByEditBase, wholeEditNames, withWholeValues } from "../../api/write/whole-edits.ts";
import { BtError, withDetails } from "../../errors.ts";
import type { Bug } from "../../wire/bug-fields.ts";
import type { JsonObject } from "../../wire/exchange.ts";
import type { Context, Input } from "../verb.ts";
import { type ReadBack, type SentBefore, withIgnoredValues } from "./bulk-read-back.ts";
import { checkStoredTimes } from "./changes.ts";
import { confirmUpdate } from "./confirm-many.ts";
import { ignoredLines, withIgnoredLines } from "./ignored-fields.ts";
import { confirmExposure } from "./move-groups.ts";
import {
  changedSince,
  collectOverwritten,
  conflictingStarts,
  matchOf,
  type Precondition,
  preconditionOf,
  reportOverwritten,
} from "./precondition.ts";
import { showResults } from "./show-results.ts";

/**
 * An update of bugs as read: the part of each, those that could not be read, and the statuses that the verb applies to.
 */
export type BulkChange = {
  readonly bugs: readonly Bug[];
  readonly lost: readonly { readonly ref: string; readonly error: BtError }[];
  readonly parts: readonly UpdatePart[];
  readonly meant?: VerbScope;
};

/** Updates many bugs, one job per part: bugs that cannot be updated are reported, the others continue. */
export async function updateMany(
  change: BulkChange,
  { input, context }: { readonly input: Input; readonly context: Context },
): Promise<void> {
  const plan = await planUpdate(change, context);
  if (plan.able.length > 0) await confirmUpdate({ parts: plan.able, refused: plan.refused.length }, input, context);
  const exposed = await confirmExposure(plan.able, input, context);
  const precondition = preconditionOf(input, bugsIn(plan.able), context);
  const seen = precondition && Object.fromEntries(precondition.seen);
  const lost = change.lost.flatMap(({ ref }) => (isBugId(ref) ? [Number(ref)] : []));
  const jobs = changingParts(change.parts).map(({ bugs, body, only }, at) => {
    const ids = [...bugs.map(({ id }) => id ?? 0), ...(at === 0 ? lost : [])].sort((one, other) => one - other);
    return { request: updateRequest(ids, body), seen, only, exposed };
  });
  await beginJobs(jobs, await context.session.writer(), (running) =>
    runJobs({ ...plan, ...change, precondition, jobs: running, done: 0 }, context),
  );
}

/** Begins every job before the first request, so that all can be resumed. */
async function beginJobs(
  [plan, ...others]: readonly JobPlan[],
  writing: Writer,
  use: (jobs: readonly RunningJob[]) => Promise<void>,
): Promise<void> {
  if (plan === undefined) return use([]);
  await writing.begin(plan, (job) => beginJobs(others, writing, (jobs) => use([job, ...jobs])));
}

/** A bulk update ready to send. */
export type ReadyUpdate = {
  readonly able: readonly UpdatePart[]; // one part per job, with the bugs that can be updated
  readonly refused: readonly BugResult[];
  readonly kept: readonly BugResult[]; // unchanged
};

/** Separates the bugs that cannot be updated, each with its error. */
export async function planUpdate({ lost, parts, meant }: BulkChange, context: Context): Promise<ReadyUpdate> {
  const { session } = context;
  const changing = changingParts(parts);
  const stoppedBy = (catalog: Catalog) =>
    changing.flatMap(({ bugs, body }) => refusedBugs(bugs, body, { catalog, address: session.address, meant }));
  const known = stoppedBy(await session.catalog());
  const fresh = known.length > 0 ? await session.freshCatalog() : undefined;
  const stopped = fresh ? stoppedBy(fresh) : known;
  const stuck = new Map(stopped.map(({ bug, error }) => [bug.id, error]));
  const failed = [...lost, ...stopped.map(({ bug, error }) => ({ ref: String(bug.id), error }))];
  return {
    able: changing.map((part) => ({ ...part, bugs: part.bugs.filter(({ id }) => !stuck.has(id)) })),
    refused: failed.map(({ ref, error }) => ({ bug: ref, st: "failed", error })),
    kept: parts.filter((part) => !changing.includes(part)).flatMap(unchanged),
  };
}

function unchanged(part: UpdatePart): readonly BugResult[] {
  const note = part.dropped?.length ? unchangedText(part) : undefined;
  return part.bugs.map(({ id }) => ({ bug: String(id), st: "unchanged", note }));
}

function bugsIn(parts: readonly UpdatePart[]): readonly Bug[] {
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
  const { able, refused, kept, jobs, done, first = [], bugs = bugsIn(able), parts = able } = run;
  const total = done + first.length + refused.length + kept.length + bugsIn(able).length;
  const start: BulkTally = { total, succeeded: done, failed: [] };
  const lines: string[] = [];
  const ignored = new Map<number, readonly string[]>();
  const results = collectOverwritten(resultsOf(run, context), bugsIn(able), lines);
  const { tally, failure } = await showResults(
    withIgnoredValues(results, readBackOf(run, ignored), context),
    { start, bugs, parts },
    context,
  );
  const names = jobs.filter(({ isJournaled }) => isJournaled).map(({ name }) => name);
  const way = names.map((name) => `bt job send ${name}`).join(" && ");
  const verdict = bulkError(tally, names.length > 0 ? `${way} continues with the others` : undefined);
  if (verdict) throw withDetails(verdict, [...lines, ...ignoredLines(ignored)]);
  await withIgnoredLines(() => reportWhole(run, { lines, failure, total }, context), ignored);
  if (context.io.terminal.stderr) await context.io.err(`${total} bugs up to date\n`);
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

/** Lines about overwritten changes, the failure of the output, and the number of bugs. */
type WholeUpdate = { readonly lines: readonly string[]; readonly failure: unknown; readonly total: number };

/** Reports the side effects of an update that was applied to every bug. */
async function reportWhole({ able, precondition }: BulkRun, { lines, failure, total }: WholeUpdate, context: Context) {
  const isGuarded = precondition !== undefined || able.some(({ body }) => wholeEditNames(body).length > 0);
  await reportOverwritten(lines, isGuarded, context);
  if (failure !== undefined) throw withUpdateCount(failure, total);
  for (const {
    bugs: [bug],
    body,
  } of able)
    if (bug) await checkStoredTimes(bug.id ?? 0, body, context);
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
    const ids = part.bugs.map(({ id }) => id ?? 0).sort((one, other) => one - other);
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
    groups: (all) => groupByEditBase(all, (id) => editBase(bugIn(part, id), part.body)),
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
  const bugs = part.bugs.filter(({ id }) => ids.includes(id ?? 0));
  const request = updateRequest(ids, withWholeValues(part.body, bugs[0] as JsonObject | undefined));
  return job.attempt({ request, before: stateBefore(bugs, part.body), ifMatch: matchOf(bugs, precondition) }, ids);
}
