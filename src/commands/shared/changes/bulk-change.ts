import { bugsByMessage } from "../../../api/bug-messages.ts";
import { isBugId } from "../../../api/bug-ref.ts";
import {
  type BugResult,
  deliverBulk,
  isAboutBugs,
  isCollision,
  MAX_BUGS_PER_REQUEST,
  notTriedResults,
  readUnlessEnded,
  refusedHint,
  sendLines,
} from "../../../api/delivery/bulk.ts";
import type { CommandJobs, JobPlan, RunningJob, Writer } from "../../../api/delivery/writer.ts";
import { inChunks } from "../../../api/lists.ts";
import { MAX_ATOMIC_BUGS } from "../../../api/operations/write-bugs.ts";
import type { Change } from "../../../api/write/change.ts";
import { refusedBugs } from "../../../api/write/checks.ts";
import { lastingStatuses } from "../../../api/write/moves.ts";
import { expectedChanges } from "../../../api/write/preview.ts";
import type { UpdatePart } from "../../../api/write/update-part.ts";
import { changingParts, splitByEditBase, unchangedText, updateRequest } from "../../../api/write/update-request.ts";
import { stateBefore } from "../../../api/write/write-state.ts";
import { BtError } from "../../../errors.ts";
import { findByCatalog } from "../../../session/session.ts";
import { countText } from "../../../view/text.ts";
import type { Bug } from "../../../wire/bug-fields.ts";
import type { Context } from "../../verb.ts";
import type { SentBefore } from "./bulk-read-back.ts";
import { reportMany } from "./bulk-report.ts";
import { confirmChange } from "./confirm-change.ts";
import { checkTimesOfParts } from "./date-times.ts";
import { confirmExposure } from "./move-groups.ts";
import {
  editsNewest,
  findConflictingValues,
  findModified,
  type Precondition,
  preconditionOf,
  readNewestValues,
} from "./precondition.ts";
import { secondError, secondPart, withSecond } from "./second-update.ts";
import { expectedThing, readLabels } from "./show-changes.ts";
import type { UpdateOptions } from "./write-flags.ts";

/** Changes bugs by a plan, one job per part: bugs that cannot be changed are reported, the others continue. */
export async function changeMany(
  change: Change,
  plan: ManyPlan,
  options: UpdateOptions,
  context: Context,
): Promise<undefined> {
  if (!(await confirmMany(plan, options, context))) {
    const unchanged = [...plan.unchanged, ...plan.able.flatMap(unchangedResults)];
    const nothing = { able: [], unchanged, command: {}, precondition: undefined, jobs: [], done: 0 };
    await runJobs({ ...plan, ...change, ...nothing }, context);
    return undefined;
  }
  const exposed = await confirmExposure(plan.able, options, context);
  const precondition = preconditionOf({ ...change, bugs: bugsOfParts(plan.able) }, options, context);
  const seen = precondition && Object.fromEntries(precondition.seen);
  const unreadableIds = change.unreadable.filter(({ ref }) => isBugId(ref)).map(({ ref }) => Number(ref));
  const command: CommandJobs = {};
  const jobs = changingParts(change.parts).map(({ bugs, body, undoes, leaves }, at) => {
    const ids = bugs.map(({ id }) => id);
    if (at === 0) ids.push(...unreadableIds);
    ids.sort((one, other) => one - other);
    const conditions = { seen, latest: precondition?.latest, exposed };
    const bulk = { read: stateBefore(bugs, body) };
    return { request: updateRequest(ids, body), bulk, ...conditions, undoes, leaves, command };
  });
  const seconds = secondParts(plan.able).map(({ bugs, finish = {}, undoes, leaves }) => {
    const ids = bugs.map(({ id }) => id).sort((one, other) => one - other);
    return { request: updateRequest(ids, finish), bulk: { read: [] }, undoes, leaves, command };
  });
  await beginJobs([...jobs, ...seconds], await context.session.writes.writer(), (running) =>
    runJobs({ ...plan, ...change, command, precondition, jobs: running, done: 0 }, context),
  );
}

/** The parts that a second update completes, and that have bugs. */
function secondParts(parts: readonly UpdatePart[]): UpdatePart[] {
  return parts.filter(({ bugs, finish }) => finish && bugs.length > 0);
}

/** Begins every job before the first request, so that all can be resumed. */
async function beginJobs(
  [plan, ...others]: JobPlan[],
  writer: Writer,
  use: (jobs: RunningJob[]) => Promise<void>,
): Promise<void> {
  if (plan === undefined) return use([]);
  await writer.begin(plan, (job) => beginJobs(others, writer, (jobs) => use([job, ...jobs])));
}

/** A change of many bugs, ready to be sent. */
export type ManyPlan = {
  readonly able: readonly UpdatePart[]; // one part per job, with the bugs that can be changed
  readonly refused: readonly BugResult[];
  readonly unchanged: readonly BugResult[];
};

/** Separates the bugs that cannot be changed, each with its error. */
export async function planMany({ unreadable, parts, meant }: Change, { session }: Context): Promise<ManyPlan> {
  const changing = changingParts(parts);
  const refused = await findByCatalog(session, (catalog) =>
    changing.flatMap(({ bugs, body }) => refusedBugs(bugs, body, { catalog, address: session.address, meant })),
  );
  const refusedIds = new Set(refused.map(({ bug }) => bug.id));
  refused.sort((one, other) => one.bug.id - other.bug.id);
  const failed = [...unreadable, ...refused.map(({ bug, error }) => ({ ref: String(bug.id), error }))];
  return {
    able: changing.map((part) => ({ ...part, bugs: part.bugs.filter(({ id }) => !refusedIds.has(id)) })),
    refused: failed.map(({ ref, error }) => ({ bug: ref, st: "failed", error })),
    unchanged: parts.filter((part) => !changing.includes(part)).flatMap(unchangedResults),
  };
}

/** True for a change of too many bugs for one request, and one that some of the bugs cannot take. */
export function isInParts({ bugs, unreadable, isWhole = false }: Change, { refused }: ManyPlan): boolean {
  const isPart = !isWhole && ![unreadable.length, unreadable.length + bugs.length].includes(refused.length);
  return unreadable.length > 0 || isPart || bugs.length > MAX_ATOMIC_BUGS;
}

function unchangedResults(part: UpdatePart): BugResult[] {
  const note = part.dropped?.length ? unchangedText(part) : undefined;
  return part.bugs.map(({ id }) => ({ bug: String(id), st: "unchanged", note }));
}

function bugsOfParts(parts: readonly UpdatePart[]): Bug[] {
  return parts.flatMap(({ bugs }) => bugs);
}

/**
 * Previews a change of many bugs and prompts for confirmation; without a terminal `--yes` is required. Returns false if all
 * bugs that can be changed are as they should be.
 */
async function confirmMany(
  { able, refused }: ManyPlan,
  options: UpdateOptions,
  context: Context,
  { notes = [], hint }: { notes?: string[]; hint?: string } = {},
): Promise<boolean> {
  const catalog = await context.session.metadata.catalog();
  const fields = await readLabels(context);
  const expected = able.flatMap((part) =>
    part.bugs.map((bug) => ({ bug, id: bug.id, part, changes: expectedChanges(bug, part, catalog) })),
  );
  const things = expected
    .sort((one, other) => one.id - other.id)
    .map(({ bug, part, changes }) => expectedThing(bug, part, changes));
  const changed = things.filter(({ changes, extras }) => extras !== undefined || Object.keys(changes).length > 0);
  const unchanged = things.length - changed.length;
  if (options.yes || changed.length === 0) return changed.length > 0;
  const all = bugsOfParts(able).length + refused.length;
  const what = `update ${refused.length > 0 ? `${changed.length} of ${all} bugs` : countText(changed.length, "bug")}`;
  const [sentence, question] = [`this would ${what}${unchanged > 0 ? `, ${unchanged} unchanged` : ""}`, `${what}?`];
  const allNotes = [...notes, ...refusedLines(refused), ...bugsByMessage(lastingStatuses(expected, catalog))];
  const about = { sentence, changed, fields, notes: allNotes, question, hint };
  await confirmChange(about, options, context);
  return true;
}

/** Bugs that are left out, named before the others are confirmed. */
function refusedLines(refused: ManyPlan["refused"]): string[] {
  const reasons = bugsByMessage(
    refused.map(({ bug, error }) => ({ bug, message: error?.facts.reason ?? error?.message ?? "" })),
  );
  const lines = reasons.slice(0, MAX_REFUSED).map((line) => `not updated: ${line}`);
  const rest = reasons.length - lines.length;
  return rest > 0 ? [...lines, `and others, for ${countText(rest, "other reason")}`] : lines;
}

const MAX_REFUSED = 5;

/** Jobs about to send; `first` are results of an earlier run, `done` the number of bugs it finished. */
type JobRun = ManyPlan & {
  readonly jobs: readonly RunningJob[]; // one per part of `able`, then one per second update
  command: CommandJobs;
  readonly precondition: Precondition | undefined;
  readonly done: number;
  unchangedBefore?: number; // of those done
  readonly bugs?: readonly Bug[]; // all that were read
  readonly parts?: readonly UpdatePart[]; // of all bugs, also of unchanged ones
  readonly first?: readonly BugResult[];
  readonly before?: SentBefore; // by earlier runs
};

/**
 * Sends the requests of jobs, and prints a line per bug.
 * @throws BtError with the tally if any bug failed
 */
async function runJobs(run: JobRun, context: Context): Promise<void> {
  const { able, refused, unchanged, done, unchangedBefore = 0, first = [], before, precondition, jobs, command } = run;
  const { bugs = bugsOfParts(able), parts = able } = run;
  const newest = new Map<number, Bug>();
  for (const job of jobs) job.markRefused(refused);
  const isJournaled = jobs.every((job) => job.isJournaled);
  const total = done + first.length + refused.length + unchanged.length + bugsOfParts(able).length;
  await reportMany(
    sendJobs(run, newest, context),
    {
      total,
      done,
      unchanged: unchangedBefore,
      bugs,
      parts,
      able,
      newest,
      before,
      isGuarded: precondition !== undefined,
      isResumable: isJournaled,
      command,
      onVerified: (ids) => markUnchanged(ids, run),
      hint: (failed) => resumeJobHint(run, failed),
      checkTimes: () => checkTimesOfParts(able, context),
    },
    context,
  );
}

/** Journals bugs that are as they should be with the jobs that changed them. */
function markUnchanged(ids: readonly number[], { able, jobs }: JobRun): void {
  for (const [at, job] of jobs.entries()) {
    const own = ids.filter((id) => jobs.length === 1 || able[at]?.bugs.some((bug) => bug.id === id));
    if (own.length > 0) job.markUnchanged(own);
  }
}

/** Hint for a change with bugs left: the jobs that continue it. They leave bugs that were modified in the meantime as they are. */
function resumeJobHint({ jobs, refused }: JobRun, failed: readonly BugResult[]): string | undefined {
  const names = jobs.filter(({ isJournaled }) => isJournaled).map(({ name }) => name);
  if (names.length === 0) return undefined;
  const isRefused = ({ error }: BugResult) => error && isAboutBugs(error.kind, error.facts.bugzillaCode);
  if (failed.every((one) => isCollision(one) || refused.includes(one) || isRefused(one)))
    return refusedHint(
      names,
      failed.map(({ bug, error }) => ({ bug, kind: error?.kind })),
    );
  return `${sendLines(names)} continues with the others`;
}

async function* sendJobs(
  run: JobRun,
  newest: Map<number, Bug>,
  context: Context,
): AsyncGenerator<readonly BugResult[]> {
  const { able, jobs, precondition, refused, unchanged, first = [] } = run;
  if (first.length + refused.length + unchanged.length > 0) yield [...first, ...refused, ...unchanged];
  const seconds = secondParts(able);
  const steps = able.flatMap((part, at) => {
    const next = part.finish && jobs[able.length + seconds.indexOf(part)];
    return partsToRead(part, precondition).map((some) => ({ part: some, job: jobs[at], next }));
  });
  let end: BugResult | undefined;
  for (const { part, job, next } of steps) {
    if (job === undefined) throw new BtError("internal", "a part of an update without a job");
    const pages = end ? notTriedPages(part, end) : sendPart(part, { job, next, precondition, newest }, context);
    for await (const results of pages) {
      yield results;
      end ??= results.find(({ st }) => st === "not tried");
    }
  }
}

function notTriedPages({ bugs }: UpdatePart, { error }: Pick<BugResult, "error">): readonly BugResult[][] {
  const ids = inOrder(bugs).map(({ id }) => id);
  return [notTriedResults(ids, error)];
}

/** Sends the second update of the bugs that have the first, and returns the results of both. */
async function completeResults(
  results: readonly BugResult[],
  part: UpdatePart,
  job: RunningJob,
  context: Context,
): Promise<BugResult[]> {
  const second = secondPart(
    part,
    results.flatMap(({ changed }) => changed ?? []),
  );
  const later: BugResult[] = [];
  if (second.bugs.length > 0)
    for await (const page of sendRequests(second, { job, precondition: undefined, newest: new Map() }, context))
      later.push(...page);
  return results.map((first) => {
    const next = later.find(({ bug }) => bug === first.bug);
    const bugs = part.bugs.filter(({ id }) => String(id) === first.bug);
    if (next?.error) return { ...next, error: secondError(next.error, { ...part, bugs }) };
    return first.changed && next?.changed ? { ...first, changed: withSecond(first.changed, [next.changed]) } : first;
  });
}

/** The job of a part, that of its second update, and the bugs of which edits were applied to newer values. */
type PartJob = {
  job: RunningJob;
  next?: RunningJob | undefined;
  precondition: Precondition | undefined;
  newest: Map<number, Bug>;
};

/** The part, split so that its bugs are read right before they are edited. */
function partsToRead(part: UpdatePart, precondition: Precondition | undefined): UpdatePart[] {
  if (!editsNewest(part.body, precondition)) return [part];
  return inChunks(inOrder(part.bugs), MAX_BUGS_PER_REQUEST).map((bugs) => ({ ...part, bugs }));
}

function inOrder(bugs: readonly Bug[]): Bug[] {
  return bugs.toSorted((one, other) => one.id - other.id);
}

/** Sends both updates of a part; edits apply to the values right before. */
async function* sendPart(part: UpdatePart, own: PartJob, context: Context): AsyncGenerator<readonly BugResult[]> {
  const read = editsNewest(part.body, own.precondition)
    ? await readUnlessEnded(
        () => readNewestValues(part, context),
        () => context.io.signal.aborted,
      )
    : { newest: part, failures: [] };
  if (read instanceof BtError) return yield* notTriedPages(part, { error: read });
  const { newest, failures } = read;
  own.job.markRefused(failures);
  if (failures.length > 0) yield failures;
  for (const bug of newest.bugs) own.newest.set(bug.id, bug);
  for await (const results of sendRequests(newest, own, context))
    yield own.next ? await completeResults(results, newest, own.next, context) : results;
}

/** Sends a part by its job in several requests, by the values that its edits apply to; bugs that were modified are left out. */
function sendRequests(
  part: UpdatePart,
  { job, precondition }: PartJob,
  context: Context,
): AsyncGenerator<readonly BugResult[]> {
  const { body: edits } = part;
  const bugs = inOrder(part.bugs);
  const bugsWith = (ids: readonly number[]) => bugs.filter(({ id }) => ids.includes(id));
  const requests = splitByEditBase({ ...part, bugs }).map((one) => ({
    ids: one.bugs.map(({ id }) => id),
    body: one.body,
  }));
  return deliverBulk(requests, {
    attempt: ({ ids, body }) => {
      const own = bugsWith(ids);
      return job.attempt({ request: updateRequest(ids, body), before: stateBefore(own, edits) }, ids);
    },
    findRefused: async (ids) => {
      const modified = await findModified(ids, precondition, context);
      const others = ids.filter((id) => !modified.some(({ bug }) => bug === String(id)));
      const conflicting = editsNewest(edits, precondition) ? [] : bugsWith(others);
      const refused = [...modified, ...(await findConflictingValues(conflicting, edits, context))];
      job.markRefused(refused);
      return refused;
    },
    isStopped: () => context.io.signal.aborted,
  });
}
