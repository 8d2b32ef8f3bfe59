import type { ErrorKind } from "../../errors.ts";
import type { Json, JsonObject, Request } from "../../wire/exchange.ts";
import { requestFor } from "../operations/operation.ts";
import { MAX_ATOMIC_BUGS, UPDATE_BUG } from "../operations/write-bugs.ts";
import { isObject } from "../response/response-objects.ts";
import { withWholeValues } from "../write/body.ts";
import type { PartScope } from "../write/update-part.ts";
import { requestBody } from "../write/update-request.ts";

/** Store of jobs. */
export type Journal = {
  /** Creates a job and runs `use` while holding its lock. */
  readonly begin: <Result>(plan: JobPlan, use: (log: JobLog) => Promise<Result>) => Promise<Result>;
  /** Stores a job as a draft, which is not sent; returns its name. */
  readonly draft: (plan: JobPlan) => Promise<string>;
  /**
   * Opens an unfinished job by name and runs `use` while holding its lock.
   * @throws BtError of kind usage if no such job is open
   */
  readonly resume: <Result>(
    job: string,
    use: (log: JobLog, lines: readonly string[]) => Promise<Result>,
  ) => Promise<Result>;
  /** Lines of a finished job; undefined if there is none of that name. */
  readonly finished: (job: string) => readonly string[] | undefined;
  /** Lines of every job, finished ones included, newest first. */
  readonly newestJobs: () => Iterable<readonly string[]>;
};

/** The part of a job's head that describes its work: the request, the bugs as read, and conditions. */
export type JobPlan = Pick<JobHead, "request" | "seen" | "only" | "exposed">;

/** Journal of one job. `write` returns once the line is on disk. */
export type JobLog = {
  readonly job: string;
  readonly isJournaled: boolean; // false: nothing is stored, so the job cannot be resumed
  readonly write: (event: JobEvent) => void;
};

/**
 * First line of a job's journal. The file holds one JSON object per line: the head, then one event per line, each on
 * disk before the next request. An attempt is one request; `i` is its index. A truncated last line means that the
 * process was killed while writing it.
 */
export type JobHead = {
  readonly v: 1;
  readonly job: string; // ULID
  readonly bt: string;
  readonly at: number; // ms since the epoch, this machine's clock
  readonly origin: string; // the base URL of the tracker
  readonly user?: string | undefined;
  readonly credential?: "none" | { readonly salt: string; readonly scrypt: string } | undefined; // identifies the owner
  readonly request: Request; // the whole update, all bugs in `ids`; never with credentials
  readonly seen?: SeenVersions | undefined;
  readonly only?: PartScope | undefined; // skip bugs that are in another state when their turn comes
  readonly exposed?: PublicConsent | undefined; // absent: bugs that may become public are not moved
  readonly draft?: true; // kept to be edited before it is sent
};

/** Bugs that may lose their last group by a move to another product; "all" for `--allow-no-groups`. */
export type PublicConsent = "all" | readonly number[];

/** `last_change_time` of each bug as the user saw it, by id. The job skips bugs modified since. */
export type SeenVersions = Readonly<Record<string, string>>;

/** A line of a job's journal after its head. */
export type JobEvent =
  | {
      readonly st: "SENT";
      readonly i: number;
      readonly at: number; // as in the head
      readonly since: string;
      readonly ids?: readonly number[] | undefined; // absent: all bugs of the head
      readonly before?: readonly JsonObject[] | undefined;
      readonly alike?: readonly number[] | undefined;
      readonly ifMatch?: string | undefined;
    }
  | { readonly st: "DONE"; readonly i: number; readonly answer: Json }
  | { readonly st: "LEFT"; readonly i: number; readonly ids: readonly number[] } // nothing left to change on these
  | {
      readonly st: AttemptFailure;
      readonly i: number;
      readonly kind: ErrorKind;
      readonly message: string;
      readonly code?: number;
    };

/** End of an attempt that is not known to have succeeded: not applied, or unknown. */
export type AttemptFailure = "FAILED" | "UNKNOWN";

/** One attempt of a job. Without `end`, the process was stopped while it was in flight. */
export type WriteAttempt = {
  readonly sent: Extract<JobEvent, { st: "SENT" }>; // the first one, if it was resent
  readonly end: Exclude<JobEvent, { st: "SENT" | "LEFT" }> | undefined;
};

/** A job as read from its journal. */
export type Job = {
  readonly head: JobHead;
  readonly attempts: readonly WriteAttempt[];
  readonly left: readonly number[];
  readonly isDamaged: boolean; // a line is unreadable or missing
};

/** Reads the lines of a job; undefined if the first line is not a job head. */
export function readJob(lines: readonly string[]): Job | undefined {
  const [first, ...events] = lines.map(parseLine);
  if (!isHead(first)) return undefined;
  const attempts = new Map<number, WriteAttempt>();
  const left: number[] = [];
  let isDamaged = lines.slice(1).some((line, at) => !isEvent(events[at]) && !isCut(line));
  for (const event of events.filter(isEvent)) {
    const known = attempts.get(event.i);
    if (event.st === "SENT") attempts.set(event.i, { sent: known?.sent ?? event, end: undefined });
    else if (event.st === "LEFT") left.push(...event.ids);
    else if (known) attempts.set(event.i, { ...known, end: event });
    else isDamaged = true; // its SENT line is missing
  }
  return { head: first, attempts: [...attempts.values()], left, isDamaged };
}

/** Attempts with unknown outcome: interrupted, or not found on the tracker. */
export function unresolvedAttempts({ attempts }: Job): readonly WriteAttempt[] {
  return attempts.filter(({ end }) => end === undefined || end.st === "UNKNOWN");
}

/**
 * Request of one attempt: that of the head, restricted to the attempt's bugs, with edits of whole values applied to
 * theirs.
 */
export function attemptRequest(
  { request }: JobHead,
  { ids, before }: Pick<WriteAttempt["sent"], "ids" | "before">,
): Request {
  if (ids === undefined) return request;
  return requestFor(UPDATE_BUG, { ...withWholeValues(requestBody(request), before?.[0]), ids });
}

/** Ids of the bugs that the job updates; empty for other kinds of jobs. */
export function jobBugs({ request }: JobHead): readonly number[] {
  const { ids } = requestBody(request);
  return request.operation === "Update Bug" && Array.isArray(ids) ? ids.map(Number) : [];
}

/** True for an update of so many bugs that it is sent in several requests. */
export function isBulk({ head }: Pick<Job, "head">): boolean {
  return jobBugs(head).length > MAX_ATOMIC_BUGS;
}

/** Ids of the job's bugs that are done, and of those still open (refused, not tried or modified by another user). */
export function jobProgress(job: Job): { readonly done: readonly number[]; readonly open: readonly number[] } {
  const bugs = jobBugs(job.head);
  const sent = job.attempts.filter(({ end }) => end?.st === "DONE").flatMap((one) => one.sent.ids ?? bugs);
  const done = new Set([...sent, ...job.left]);
  return { done: bugs.filter((id) => done.has(id)), open: bugs.filter((id) => !done.has(id)) };
}

/** True if nothing is left to do or to verify. */
export function isJobFinished(job: Job): boolean {
  if (job.isDamaged || unresolvedAttempts(job).length > 0) return false;
  return !isBulk(job) || jobProgress(job).open.length === 0;
}

/**
 * Lines without the last attempt if no connection was made for it, or a draft was refused, so that the job can be edited
 * and sent as if that had not been tried; undefined if there is no such attempt.
 */
export function linesBeforeUnsent(lines: readonly string[]): readonly string[] | undefined {
  const [head, ...events] = lines.map(parseLine);
  const isFirst = events.every((event) => isEvent(event) && event.i === 0);
  const isDraft = isHead(head) && head.draft && isFirst;
  if (isDraft && Object(events.at(-1)).st === "FAILED") return lines.slice(0, 1);
  const [sent, end] = lines.slice(-2).map(parseLine);
  if (!isEvent(sent) || !isEvent(end) || sent.i !== end.i) return undefined;
  const isNeverSent = sent.st === "SENT" && end.st === "FAILED" && end.kind === "network";
  return isNeverSent ? lines.slice(0, -2) : undefined;
}

/** True if the line was truncated while being written. Nothing was sent after it. */
function isCut(line: string): boolean {
  return line.startsWith("{") && !line.endsWith("}") && !/\p{Cc}/u.test(line);
}

function parseLine(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

function isHead(value: unknown): value is JobHead {
  const { v, job, origin, request } = Object(value) as Partial<JobHead>;
  return v === 1 && typeof job === "string" && typeof origin === "string" && isObject(request as Json | undefined);
}

function isEvent(value: unknown): value is JobEvent {
  const { st, i } = Object(value) as Partial<JobEvent>;
  return Number.isInteger(i) && ["SENT", "DONE", "LEFT", "FAILED", "UNKNOWN"].includes(String(st));
}
