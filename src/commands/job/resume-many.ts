import type { Catalog } from "../../api/catalog.ts";
import { type BugResult, confirmedResults, failedResults } from "../../api/delivery/bulk.ts";
import type { RunningJob } from "../../api/delivery/writer.ts";
import { partition } from "../../api/lists.ts";
import { isFlagUpdateDue } from "../../api/write/flag-requests.ts";
import { isOpen } from "../../api/write/moves.ts";
import type { PartScope, UpdatePart } from "../../api/write/update-part.ts";
import { requestBody } from "../../api/write/update-request.ts";
import { BtError } from "../../errors.ts";
import { attemptWrite, type Job, type JobHead, jobBugs, jobProgress, unresolvedAttempts } from "../../jobs/job.ts";
import type { ResendDecision } from "../../jobs/resume.ts";
import { journaledDoubts, sentParts } from "../../jobs/sent-parts.ts";
import type { Bug } from "../../wire/bug-fields.ts";
import type { JsonObject } from "../../wire/exchange.ts";
import type { SentBefore } from "../shared/bulk-read-back.ts";
import type { ManyPlan } from "../shared/change-many.ts";
import { planMany, runJobs } from "../shared/change-many.ts";
import { momentsOf } from "../shared/changes.ts";
import { withoutExposed } from "../shared/move-groups.ts";
import { readTargets } from "../shared/targets.ts";
import type { Context } from "../verb.ts";

/** Resumes a bulk update: looks for attempts with unknown outcome first; finished bugs are not touched. */
export async function resumeMany(
  job: RunningJob,
  kept: Job,
  mayResend: ResendDecision,
  context: Context,
): Promise<void> {
  const first = await checkedResults(job, kept, mayResend);
  const { done } = jobProgress(kept);
  const settled = new Set([...done.map(String), ...first.map(({ bug }) => bug)]);
  const rest = jobBugs(kept.head)
    .map(String)
    .filter((id) => !settled.has(id));
  const planned = planFor(rest, kept.head, context);
  const { untried, ...plan } = await planned.catch((error) => unread(error, rest, first));
  if (plan.kept.length > 0) job.markUnchanged(plan.kept.map(({ bug }) => Number(bug)));
  const again = new Set(plan.able.flatMap(({ bugs }) => bugs.map(({ id }) => id)));
  const before = await sentBefore(kept, again, context);
  const results = { first: [...first, ...untried], done: done.length, before };
  await runJobs({ ...plan, ...results, jobs: [job], precondition: resumedPrecondition(kept) }, context);
}

type Plan = ManyPlan & { untried: BugResult[] };

async function planFor(rest: string[], head: JobHead, context: Context): Promise<Plan> {
  const { request, only, exposed } = head;
  const { ids: _, ...body } = requestBody(request);
  const { bugs, lost } = await readTargets(rest, context);
  const catalog = await context.session.metadata.catalog();
  const [meant, others] = partition(bugs, (bug) => isDue(only, { bug, body, catalog }));
  const parts = [
    { bugs: meant, body },
    { bugs: others, body: {}, dropped: SAID.filter((name) => body[name] !== undefined) },
  ];
  const agreed = await withoutExposed(parts, exposed, context);
  const change = { bugs, lost: [...lost, ...agreed.lost], parts: agreed.parts };
  return { ...(await planMany(change, context)), untried: [] };
}

type DueBug = { bug: Bug; body: JsonObject; catalog: Catalog };

/** True if the bug is still in the state that the update is for. */
function isDue(only: PartScope | undefined, { bug, body, catalog }: DueBug): boolean {
  if (only === undefined) return true;
  return only === "open" ? isOpen(bug, catalog) : isFlagUpdateDue(only, body, bug);
}

/** Fields that bugs in another state do not get either. */
const SAID = ["comment", "work_time"];

/** Plan if the rest cannot be read: the outcomes of earlier attempts are still reported. */
function unread(error: unknown, rest: string[], first: readonly BugResult[]): Plan {
  if (!(error instanceof BtError) || first.length === 0) throw error;
  return { able: [], refused: [], kept: [], untried: rest.map((bug) => ({ bug, st: "not tried", error })) };
}

/** Results of the attempts with unknown outcome. The bugs of those to resend, and of refused ones, have none. */
async function checkedResults(job: RunningJob, kept: Job, mayResend: ResendDecision): Promise<readonly BugResult[]> {
  const results: BugResult[] = [];
  for (const attempt of unresolvedAttempts(kept)) {
    const ids = attempt.sent.ids ?? jobBugs(kept.head);
    const outcome = await job.check(attempt, attemptWrite(kept, attempt));
    if (outcome.st === "DONE") results.push(...confirmedResults(ids, outcome.response, requestBody(kept.head.request)));
    if (outcome.st !== "UNKNOWN") continue;
    if (await mayResend(outcome)) job.discard(attempt);
    else results.push(...failedResults(ids, outcome));
  }
  return results;
}

/** The precondition of a resumed job, without the bugs that the job has written itself. */
function resumedPrecondition({ head }: Job) {
  if (!head.seen) return undefined;
  return { seen: new Map(Object.entries(head.seen).map(([id, time]) => [Number(id), time])), latest: undefined };
}

/** Parts that a job has sent, by its journal, for bugs that are not sent again. */
async function sentBefore(kept: Job, again: ReadonlySet<number>, context: Context): Promise<SentBefore> {
  const parts: UpdatePart[] = [];
  for (const part of sentParts(kept, again)) parts.push({ ...part, moments: await momentsOf(part.body, context) });
  return { parts, doubts: journaledDoubts(kept, parts) };
}
