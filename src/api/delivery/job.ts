import type { Kind } from "../../errors.ts";
import type { Json, JsonObject, Request } from "../../wire/exchange.ts";
import { isObject } from "../read.ts";
import { withWholeValues } from "../write/whole-edits.ts";
import { MOST_AT_ONCE } from "./at-once.ts";
import type { TrackerTime } from "./clock.ts";
import { bodyOf } from "./write.ts";

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
  readonly seen?: Seen | undefined;
  readonly only?: "open" | undefined; // the change is for bugs that are open when their turn comes
  readonly exposed?: Exposed | undefined; // absent: a bug that may become public is not moved
};

/** The bugs that may lose their last group by a move to another product, as the requester agreed to; `all` by `--public`. */
export type Exposed = "all" | readonly number[];

/** When each bug had last been changed as the requester saw it; the job leaves alone what has changed since. */
export type Seen = Readonly<Record<string, string>>;

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
  | { readonly st: Trouble; readonly i: number; readonly kind: Kind; readonly message: string; readonly code?: number };

/** How an attempt ends when it is not done: refused, proven not to be there, in the way of another's change, not known. */
export type Trouble = "FAILED" | "ABSENT" | "COLLISION" | "UNKNOWN";

/** One attempt of a job as its lines tell it; without an end, `bt` was stopped while it was under way. */
export type Attempt = {
  readonly sent: Extract<JobEvent, { st: "SENT" }>; // the first time; its traces may be as old as that
  readonly last: Extract<JobEvent, { st: "SENT" }>;
  readonly end: Exclude<JobEvent, { st: "SENT" | "LEFT" }> | undefined;
};

/** A job as its lines tell it. */
export type Job = {
  readonly head: JobHead;
  readonly attempts: readonly Attempt[];
  readonly left: readonly number[];
  readonly isDamaged: boolean; // a line cannot be read, or is missing
};

/** Reads the lines of a job; undefined when the first of them is not the head of one. */
export function readJob(lines: readonly string[]): Job | undefined {
  const [head, ...events] = lines.map(parsed);
  if (!isHead(head)) return undefined;
  const attempts = new Map<number, Attempt>();
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
export function uncertain({ attempts }: Job): readonly Attempt[] {
  return attempts.filter(({ end }) => end === undefined || end.st === "UNKNOWN" || end.st === "ABSENT");
}

/** The request of one attempt: that of the head, on the bugs of the attempt, with the values that were made of theirs. */
export function requestOf({ request }: JobHead, { ids, before }: Pick<Attempt["sent"], "ids" | "before">): Request {
  if (ids === undefined) return request;
  const [first] = ids;
  return { ...request, path: `/rest/bug/${first}`, body: { ...withWholeValues(bodyOf(request), before?.[0]), ids } };
}

/** The bugs that a job changes as a whole; none when it is of another kind. */
export function bugsOf({ request }: JobHead): readonly number[] {
  const { ids } = bodyOf(request);
  const isUpdate = request.method === "PUT" && /^\/rest\/bug\/[^/]+$/.test(request.path);
  return isUpdate && Array.isArray(ids) ? ids.map(Number) : [];
}

/** The bugs of a job that are changed already, and those that are not: refused, not tried, or in the way of another's change. */
export function progressOf(job: Job): { readonly done: readonly number[]; readonly open: readonly number[] } {
  const bugs = bugsOf(job.head);
  const sent = job.attempts.filter(({ end }) => end?.st === "DONE").flatMap((one) => one.sent.ids ?? bugs);
  const done = new Set([...sent, ...job.left]);
  return { done: bugs.filter((id) => done.has(id)), open: bugs.filter((id) => !done.has(id)) };
}

/** Whether nothing of a job is left to do or to find out. */
export function isFinished(job: Job): boolean {
  if (job.isDamaged || uncertain(job).length > 0) return false;
  return bugsOf(job.head).length <= MOST_AT_ONCE || progressOf(job).open.length === 0;
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
