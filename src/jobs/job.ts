import type { JobEvent, JobPlan, RefusedBug, Write, WriteAttempt } from "../api/delivery/write.ts";
import { requestFor } from "../api/operations/operation.ts";
import { MAX_ATOMIC_BUGS, UPDATE_BUG } from "../api/operations/write-bugs.ts";
import { withWholeValues } from "../api/write/body.ts";
import { requestBody } from "../api/write/update-request.ts";
import type { Json, Request } from "../wire/exchange.ts";
import { isObject } from "../wire/json.ts";

/**
 * First line of a job's journal. The file holds one JSON object per line: the head, then one event per line, each on
 * disk before the next request. An attempt is one request; `i` is its index. A truncated last line means that the
 * process was killed while writing it.
 */
export type JobHead = JobPlan & {
  readonly v: 1;
  readonly job: string; // ULID
  readonly bt: string;
  readonly at: number; // ms since the epoch, this machine's clock
  readonly origin: string; // the base URL of the tracker
  readonly user?: string | undefined;
  readonly credential?: "none" | { readonly salt: string; readonly scrypt: string } | undefined; // identifies the owner
  readonly draft?: true; // kept to be edited before it is sent
  of?: string | undefined; // the first job of the same command, if that is another one
};

/** A job as read from its journal. */
export type Job = {
  readonly head: JobHead;
  readonly attempts: readonly WriteAttempt[];
  readonly unchangedIds: readonly number[];
  refusals: { i: number; bugs: RefusedBug[] }[]; // bugs left out, each before request `i`
  readonly isDamaged: boolean; // a line is unreadable or missing
};

/** Reads the lines of a job; undefined if the first line is not a job head. */
export function readJob(lines: readonly string[]): Job | undefined {
  const [first, ...events] = lines.map(parseLine);
  if (!isHead(first)) return undefined;
  const attempts = new Map<number, WriteAttempt>();
  const unchangedIds: number[] = [];
  const refusals: Job["refusals"] = [];
  let isDamaged = lines.slice(1).some((line, at) => !isEvent(events[at]) && !isLineCut(line));
  for (const event of events.filter(isEvent)) {
    const known = attempts.get(event.i);
    if (event.st === "SENT") attempts.set(event.i, { sent: known?.sent ?? event, end: undefined });
    else if (event.st === "LEFT") unchangedIds.push(...event.ids);
    else if (event.st === "REFUSED") refusals.push(event);
    else if (known) attempts.set(event.i, { ...known, end: event });
    else isDamaged = true; // its SENT line is missing
  }
  return { head: first, attempts: [...attempts.values()], unchangedIds, refusals, isDamaged };
}

/** Attempts with unknown outcome: interrupted, or not found on the tracker. */
export function unresolvedAttempts({ attempts }: Job): WriteAttempt[] {
  return attempts.filter(({ end }) => end === undefined || end.st === "UNKNOWN");
}

/**
 * Request of one attempt: the head's, restricted to the attempt's bugs, with edits of whole values applied to their values.
 */
export function attemptRequest(
  { request }: JobHead,
  { ids, before }: Pick<WriteAttempt["sent"], "ids" | "before">,
): Request {
  if (ids === undefined) return request;
  return requestFor(UPDATE_BUG, { ...withWholeValues(requestBody(request), before?.[0] ?? {}), ids });
}

/** The write of an attempt, as journaled. */
export function attemptWrite({ head }: Job, { sent }: WriteAttempt): Write {
  return { request: attemptRequest(head, sent), before: sent.before, ifMatch: sent.ifMatch };
}

/** The first job of the command that the job is of, which names the command. */
export function commandName({ job, of = job }: JobHead): string {
  return of;
}

/** Ids of the bugs that the job updates; empty for other kinds of jobs. */
export function jobBugs({ request }: JobHead): number[] {
  const { ids } = requestBody(request);
  return request.operation === "Update Bug" && Array.isArray(ids) ? ids.map(Number) : [];
}

/** True for an update that is sent in several requests. */
export function isBulk({ head }: Job): boolean {
  return head.bulk !== undefined || jobBugs(head).length > MAX_ATOMIC_BUGS;
}

/** True if no request of the job was ever sent, and no bug was left out of one. */
export function isUnsent({ attempts, unchangedIds, refusals, isDamaged }: Job): boolean {
  return attempts.length + unchangedIds.length + refusals.length === 0 && !isDamaged;
}

/** Id of the object that a job created; undefined for one that created none, or not yet. */
export function createdId({ attempts }: Job): number | undefined {
  const end = attempts.at(-1)?.end;
  const id = end?.st === "DONE" && isObject(end.answer) ? end.answer["id"] : undefined;
  return typeof id === "number" ? id : undefined;
}

/**
 * Lines without the last attempt if no connection was made for it, or a draft was refused, so that the job can be edited
 * and sent as if that had not been tried; undefined if there is no such attempt.
 */
export function linesBeforeUnsent(lines: string[]): string[] | undefined {
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
function isLineCut(line: string): boolean {
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
  return Number.isInteger(i) && ["SENT", "DONE", "LEFT", "REFUSED", "FAILED", "UNKNOWN"].includes(String(st));
}
