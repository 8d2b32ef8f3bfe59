import { isBugId } from "../../api/bug-ref.ts";
import type { Catalog } from "../../api/catalog.ts";
import type { BugResult } from "../../api/delivery/bulk.ts";
import type { JobPlan } from "../../api/delivery/write.ts";
import type { RunningJob, Writer } from "../../api/delivery/writer.ts";
import { refusedBugs, type VerbScope } from "../../api/write/checks.ts";
import type { UpdatePart } from "../../api/write/update-part.ts";
import { changingParts, unchangedText, updateRequest } from "../../api/write/update-request.ts";
import type { BtError } from "../../errors.ts";
import type { Bug } from "../../wire/bug-fields.ts";
import type { Context, Input } from "../verb.ts";
import { confirmUpdate } from "./confirm-many.ts";
import { confirmExposure } from "./move-groups.ts";
import { preconditionOf } from "./precondition.ts";
import { bugsIn, type ReadyUpdate, runJobs } from "./run-jobs.ts";

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
    const ids = [...bugs.map(({ id }) => id), ...(at === 0 ? lost : [])].sort((one, other) => one - other);
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
