import { type BtError, type ErrorKind, usage } from "../../errors.ts";
import type { Json, JsonObject, Request } from "../../wire/exchange.ts";
import { MAX_ATOMIC_BUGS } from "../operations/write-bugs.ts";
import { isObject } from "../response/response-objects.ts";
import { withWholeValues } from "../write/whole-edits.ts";
import type { TrackerTime } from "./server-facts.ts";
import { requestBody } from "./write.ts";

/** Where jobs are written down. */
export type Journal = {
  /** Begins a job and uses it; nobody else can take it up meanwhile. */
  readonly begin: <Result>(plan: JobPlan, use: (log: JobLog) => Promise<Result>) => Promise<Result>;
  /** Takes up a job that was left open; a usage error when there is none of that name. */
  readonly resume: <Result>(
    job: string,
    use: (log: JobLog, lines: readonly string[]) => Promise<Result>,
  ) => Promise<Result>;
  /** The lines of a job that is over; undefined when there is none of that name. */
  readonly finished: (job: string) => readonly string[] | undefined;
  /** The lines of every job that was begun at or after a moment, finished ones too. */
  readonly jobsSince: (moment: number) => readonly (readonly string[])[];
};

/** What a job is to do, as its head keeps it. */
export type JobPlan = Pick<JobHead, "request" | "seen" | "only" | "exposed">;

/** One job's journal. `write` returns when the line is on the disk, and throws when it cannot be put there. */
export type JobLog = {
  readonly job: string;
  readonly isKept: boolean; // false: there is no journal, so there is nothing to resume
  readonly write: (event: JobEvent) => void;
};

/** For trackers in this process, whose answers cannot get lost, and for those who want no journal. */
export function noJournal(newId: () => string): Journal {
  return {
    begin: (_, use) => use({ job: newId(), isKept: false, write: () => undefined }),
    resume: (job) => Promise.reject(nothingOpen(job)),
    finished: () => undefined,
    jobsSince: () => [],
  };
}

function nothingOpen(job: string): BtError {
  return usage(
    `no journal is kept here, so there is no job ${JSON.stringify(job)} to resume`,
    "bt jobs lists the open ones with their trackers: bt resume JOB --base-url ADDRESS",
  );
}

/**
 * The journal of a job, one JSON object a line: first the head, then what happened, each line on the disk before the next
 * step. An attempt is one request; `i` counts them. A job whose last line is cut was killed while writing it.
 */
export type JobHead = {
  readonly v: 1;
  readonly job: string; // ULID
  readonly bt: string;
  readonly at: number; // milliseconds, this machine's clock
  readonly origin: string; // the base URL of the tracker
  readonly user?: string | undefined;
  readonly credential?: "none" | { readonly salt: string; readonly scrypt: string } | undefined; // whose job it is
  readonly request: Request; // the whole change, all its bugs in `ids`; never with credentials
  readonly seen?: SeenVersions | undefined;
  readonly only?: "open" | undefined; // the change is for bugs that are open when their turn comes
  readonly exposed?: PublicConsent | undefined; // absent: a bug that may become public is not moved
};

/** The bugs that may lose their last group by a move to another product, as the requester agreed to; `all` by `--public`. */
export type PublicConsent = "all" | readonly number[];

/** When each bug had last been changed as the requester saw it; the job leaves alone what has changed since. */
export type SeenVersions = Readonly<Record<string, string>>;

/** One line of a job after its head. */
export type JobEvent =
  | {
      readonly st: "SENT";
      readonly i: number;
      readonly at: number; // as in the head
      readonly tracker?: TrackerTime | undefined; // absent: not known, or the journal is of a bt that did not keep it
      readonly ids?: readonly number[] | undefined; // absent: all of the head
      readonly before?: readonly JsonObject[] | undefined;
      readonly alike?: readonly number[] | undefined;
      readonly ifMatch?: string | undefined;
    }
  | { readonly st: "DONE"; readonly i: number; readonly answer: Json }
  | { readonly st: "LEFT"; readonly i: number; readonly ids: readonly number[] } // nothing to change on these any more
  | {
      readonly st: AttemptFailure;
      readonly i: number;
      readonly kind: ErrorKind;
      readonly message: string;
      readonly code?: number;
    };

/** How an attempt ends when it is not done: refused, proven not to be there, in the way of another's change, not known. */
export type AttemptFailure = "FAILED" | "ABSENT" | "COLLISION" | "UNKNOWN";

/** One attempt of a job as its lines tell it; without an end, `bt` was stopped while it was under way. */
export type WriteAttempt = {
  readonly sent: Extract<JobEvent, { st: "SENT" }>; // the first time; its traces may be as old as that
  readonly last: Extract<JobEvent, { st: "SENT" }>;
  readonly end: Exclude<JobEvent, { st: "SENT" | "LEFT" }> | undefined;
};

/** A job as its lines tell it. */
export type Job = {
  readonly head: JobHead;
  readonly attempts: readonly WriteAttempt[];
  readonly left: readonly number[];
  readonly isDamaged: boolean; // a line cannot be read, or is missing
};

/** Reads the lines of a job; undefined when the first of them is not the head of one. */
export function readJob(lines: readonly string[]): Job | undefined {
  const [head, ...events] = lines.map(parsed);
  if (!isHead(head)) return undefined;
  const attempts = new Map<number, WriteAttempt>();
  const left: number[] = [];
  let isDamaged = lines.slice(1).some((line, at) => !isEvent(events[at]) && !isCut(line));
  for (const event of events.filter(isEvent)) {
    const known = attempts.get(event.i);
    if (event.st === "SENT") attempts.set(event.i, { sent: known?.sent ?? event, last: event, end: undefined });
    else if (event.st === "LEFT") left.push(...event.ids);
    else if (known) attempts.set(event.i, { ...known, end: event });
    else isDamaged = true; // the line that tells of its sending is lost
  }
  return { head, attempts: [...attempts.values()], left, isDamaged };
}

/** The attempts whose outcome is not known: stopped under way, not found out, or not there. */
export function unresolvedAttempts({ attempts }: Job): readonly WriteAttempt[] {
  return attempts.filter(({ end }) => end === undefined || end.st === "UNKNOWN" || end.st === "ABSENT");
}

/** The request of one attempt: that of the head, on the bugs of the attempt, with the values that were made of theirs. */
export function attemptRequest(
  { request }: JobHead,
  { ids, before }: Pick<WriteAttempt["sent"], "ids" | "before">,
): Request {
  if (ids === undefined) return request;
  const [first] = ids;
  return {
    ...request,
    path: `/rest/bug/${first}`,
    body: { ...withWholeValues(requestBody(request), before?.[0]), ids },
  };
}

/** The bugs that a job changes as a whole; none when it is of another kind. */
export function jobBugs({ request }: JobHead): readonly number[] {
  const { ids } = requestBody(request);
  const isUpdate = request.method === "PUT" && /^\/rest\/bug\/[^/]+$/.test(request.path);
  return isUpdate && Array.isArray(ids) ? ids.map(Number) : [];
}

/** The bugs of a job that are changed already, and those that are not: refused, not tried, or in the way of another's change. */
export function jobProgress(job: Job): { readonly done: readonly number[]; readonly open: readonly number[] } {
  const bugs = jobBugs(job.head);
  const sent = job.attempts.filter(({ end }) => end?.st === "DONE").flatMap((one) => one.sent.ids ?? bugs);
  const done = new Set([...sent, ...job.left]);
  return { done: bugs.filter((id) => done.has(id)), open: bugs.filter((id) => !done.has(id)) };
}

/** Whether nothing of a job is left to do or to find out. */
export function isJobFinished(job: Job): boolean {
  if (job.isDamaged || unresolvedAttempts(job).length > 0) return false;
  return jobBugs(job.head).length <= MAX_ATOMIC_BUGS || jobProgress(job).open.length === 0;
}

/** Whether a line was cut off while it was written: nothing was sent then, or what was sent is left without an end. */
function isCut(line: string): boolean {
  return line.startsWith("{") && !line.endsWith("}") && !/\p{Cc}/u.test(line);
}

function parsed(line: string): unknown {
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
  return (
    Number.isInteger(i) && ["SENT", "DONE", "LEFT", "FAILED", "ABSENT", "COLLISION", "UNKNOWN"].includes(String(st))
  );
}
