import { confirmedResults, isAboutBugs, refusedHint } from "../api/delivery/bulk.ts";
import type { RefusedBug, WriteAttempt } from "../api/delivery/write.ts";
import { requestBody } from "../api/write/update-request.ts";
import type { ErrorKind } from "../errors.ts";
import { isBulk, isUnsent, type Job, jobBugs, unresolvedAttempts } from "./job.ts";
import { isUnverified } from "./sent-parts.ts";

/** State of a job. */
export type JobState = "unknown" | "interrupted" | "partial" | "waiting" | "draft" | "failed" | "dropped" | "done";

/** Words about jobs in a state; a text follows the words "job JOB", `next` has JOB for its name. */
type StateRow = {
  /** The commands that lead on from an open job; absent: `nextStep` tells by what was refused. */
  next?: string;
  /** The loss of a drop, after the words for the write; absent: there is nothing to drop. */
  loss?: string;
  /** Why the text of an open job cannot be edited. */
  fixed?: string;
};

/**
 * All states, by weight: a command has the first that one of its jobs has. An update of many bugs is "partial" once each of
 * them was tried and some were refused, "failed" if all were, and "interrupted" while some are left. An open job is not sent, or
 * has something left to send or to verify; a job is "dropped" that was put aside like that. All other jobs are closed.
 */
export const JOB_STATES: Record<JobState, StateRow> = {
  unknown: {
    next: "bt job send JOB verifies it",
    loss: "may or may not be applied, and bt can no longer verify it",
    fixed: "may have been applied",
  },
  interrupted: {
    next: "bt job send JOB continues it",
    loss: "would not be continued",
    fixed: "was applied to some of its bugs",
  },
  partial: { loss: "would not be retried", fixed: "was applied to some of its bugs" },
  waiting: { next: "bt job send JOB sends it", loss: "would not be sent, and its text is lost" },
  draft: {
    next: "bt job send JOB sends it, bt job edit JOB edits its text",
    loss: "would not be sent, and its text is lost",
  },
  failed: { loss: "would not be retried", fixed: "was refused" },
  dropped: {},
  done: {},
};

/** The state of a job, which has exactly one; a closed job is one that was put aside. */
export function jobState(job: Job, isOpen = true): JobState {
  const left = (state: JobState) => (isOpen ? state : "dropped");
  if (isUnsent(job)) return left(job.head.draft ? "draft" : "waiting");
  if (job.isDamaged || unresolvedAttempts(job).length > 0) return left("unknown");
  if (isJobFinished(job)) {
    if (isOpen && isUnverified(job)) return "interrupted";
    return !isBulk(job) && job.attempts.at(-1)?.end?.st === "FAILED" ? "failed" : "done";
  }
  const { done, unchanged, failed, untried } = bugOutcomes(job);
  if (untried.length > 0 || !failed.every(({ isRefused }) => isRefused)) return left("interrupted");
  return done.length + unchanged.length > 0 ? "partial" : "failed";
}

/** Lines that continue an open job, or drop it. */
export function nextStep(job: Job): string | undefined {
  const { next } = JOB_STATES[jobState(job)];
  const left = bugOutcomes(job).failed.map(({ id, kind }) => ({ bug: String(id), kind }));
  return next?.replaceAll("JOB", job.head.job) ?? refusedHint([job.head.job], left);
}

/** A bug that was not updated, and why; `isRefused` unless the same update may succeed as it is. */
type FailedBug = { id: number; kind: ErrorKind; message: string; hint?: string | undefined; isRefused: boolean };

/** The outcomes of the bugs of an update, each of which is in one list. */
export type BugOutcomes = {
  done: number[];
  unchanged: number[];
  failed: FailedBug[];
  unknown: number[];
  untried: number[];
};

/** The outcome of a bug: the name of a list, or the failure. */
type BugState = Exclude<keyof BugOutcomes, "failed"> | FailedBug;

/** The outcomes of the bugs of an update, by the last request for each. */
export function bugOutcomes(job: Job): BugOutcomes {
  const states = new Map<number, BugState>();
  const requests = [
    ...job.refusals.map(({ i, bugs }) => ({ i, found: bugs.map(refusedState) })),
    ...job.attempts.map((attempt) => ({ i: attempt.sent.i, found: attemptStates(attempt, job) })),
  ];
  for (const { found } of requests.sort((one, other) => one.i - other.i))
    for (const [id, state] of found) states.set(id, state);
  for (const id of job.unchangedIds) if (states.get(id) !== "done") states.set(id, "unchanged");
  const outcomes: BugOutcomes = { done: [], unchanged: [], failed: [], unknown: [], untried: [] };
  for (const id of jobBugs(job.head)) {
    const state = states.get(id) ?? "untried";
    if (typeof state === "string") outcomes[state].push(id);
    else outcomes.failed.push(state);
  }
  return outcomes;
}

function refusedState(bug: RefusedBug): [number, BugState] {
  return [bug.id, { ...bug, isRefused: true }];
}

/** The outcomes of the bugs of a request; none for one that was refused as a whole, whose bugs are sent again in others. */
function attemptStates({ sent, end }: WriteAttempt, job: Job): [number, BugState][] {
  const ids = sent.ids ?? jobBugs(job.head);
  const all = (state: BugState): [number, BugState][] => ids.map((id) => [id, state]);
  if (end === undefined || end.st === "UNKNOWN") return all("unknown");
  if (end.st === "DONE") {
    if (!Array.isArray(Object(end.answer).bugs)) return all("done"); // an odd response of a write that succeeded
    const results = confirmedResults(ids, end.answer, requestBody(job.head.request));
    return results.map(({ bug, st }) => [Number(bug), st === "unchanged" ? st : "done"]);
  }
  const { kind, message, code } = end;
  if (kind === "unknown" || kind === "network") return all("untried"); // it was not found, or never sent
  const isRefused = isAboutBugs(kind, code);
  if (isRefused && isBulk(job) && ids.length > 1) return [];
  return ids.map((id) => [id, { id, kind, message, isRefused }]);
}

/** True if nothing is left to do or to verify. */
export function isJobFinished(job: Job): boolean {
  if (job.isDamaged || unresolvedAttempts(job).length > 0) return false;
  return !isBulk(job) || bugsLeft(job).length === 0;
}

/** Ids of the bugs of an update that are neither done nor unchanged. */
export function bugsLeft(job: Job): number[] {
  const { done, unchanged } = bugOutcomes(job);
  const settled = new Set([...done, ...unchanged]);
  return jobBugs(job.head).filter((id) => !settled.has(id));
}

/** State of a job in words: of an update of many bugs, what became of them, else the result of its request. */
export function stateText(job: Job, isOpen = true): string {
  const end = job.attempts.at(-1)?.end;
  if (isOpen && isJobFinished(job) && isUnverified(job)) return "applied, not verified";
  if (isUnsent(job)) return job.head.draft ? "draft, not sent" : "not sent";
  if (isBulk(job) && !isJobFinished(job)) return outcomesText(bugOutcomes(job));
  if (end === undefined || unresolvedAttempts(job).length > 0) return "unknown outcome";
  if (isBulk(job) || end.st === "DONE") return "applied";
  return "code" in end && end.code !== undefined ? `failed (code ${end.code})` : "failed";
}

/** Numbers of bugs, in the words of the error with which the update ended. */
function outcomesText({ done, unchanged, failed, unknown, untried }: BugOutcomes): string {
  const lists = { unchanged, failed, unknown, "not tried": untried };
  const total = done.length + Object.values(lists).flat().length;
  const others = Object.entries(lists).filter(([, list]) => list.length > 0);
  return [`${done.length} of ${total} done`, ...others.map(([word, list]) => `${list.length} ${word}`)].join(", ");
}
