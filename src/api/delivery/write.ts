import type { BtError, ErrorKind } from "../../errors.ts";
import type { Json, JsonObject, Request, Response } from "../../wire/exchange.ts";
import { DAY_MS } from "../../wire/time.ts";
import type { SendRequest } from "../operations/operation.ts";
import { isSameLogin } from "../people.ts";
import type { LeftFields } from "../write/update-part.ts";

/** The jobs of one command share this: the first of them names the command in the heads of the others, each comes after the last. */
export type CommandJobs = { first?: string; last?: string };

/** The part that a job has in its command. */
type JobRole = {
  command?: CommandJobs | undefined; // absent: the command has no other jobs
  edits?: string[] | undefined; // fields of which only items were edited, though the request has the whole values
  undoes?: string[] | undefined; // the commands whose changes an undo takes back, by their first jobs
  leaves?: LeftFields | undefined; // parts of these that it does not take back
};

/** A write, with the state of its objects before it, so that its outcome can be verified without a response. */
export type Write = JobRole & {
  readonly request: Request;
  readonly before?: readonly JsonObject[] | undefined;
  readonly ifMatch?: string | undefined; // update tokens, for trackers that check them
  readonly onResponse?: ((response: Response) => void) | undefined; // receives it unparsed
};

/** A write that is sent, with the matches of a search for its result beforehand. */
export type SentWrite = Write & {
  readonly at: number; // ms since the epoch, this machine's clock
  readonly since: string; // start of that search (ISO 8601, UTC)
  readonly alike?: readonly number[] | undefined; // ids that matched before; undefined if nobody looked
};

/** A confirmed write with its response; its results belong to no other write. */
export type ConfirmedWrite = SentWrite & { job?: string; readonly response: Json };

/** Context of a verification: a way to send requests, the requester's login if known, and other writes. */
export type VerifyContext = {
  send: SendRequest;
  me: string | undefined;
  /** Other writes of the last day, as far as they were confirmed. */
  readonly confirmed: () => readonly ConfirmedWrite[];
};

/**
 * Result of one look at the tracker: applied (with the reconstructed response, and lines on values that were stored differently),
 * no trace of it, several objects that may be its result, refused by the tracker, or unverifiable because this kind of write
 * leaves no readable trace.
 */
export type Verification =
  | { readonly status: "applied"; readonly response: Json; details?: string[] }
  | { readonly status: "not-found"; readonly details?: readonly string[] }
  | { readonly status: "ambiguous"; readonly details: readonly string[] }
  | { readonly status: "refused"; readonly error: BtError }
  | { readonly status: "unverifiable" };

/** Finds objects that already look like the result of a write that is about to be sent; returns their ids. */
export type FindMatchesBefore = (sent: SentWrite, send: SendRequest) => Promise<readonly number[]>;

/** Verifies one kind of write. */
export type VerifyWrite = (sent: SentWrite, context: VerifyContext) => Promise<Verification>;

/**
 * Properties of one kind of object for its verification: the equivalent response, its description, and lines on values that
 * were stored differently.
 */
type Judging<Thing> = {
  toResponse: (thing: Thing) => Json;
  describe: (thing: Thing) => string;
  differences?: (thing: Thing) => string[];
};

/** The objects without differences; if there are none, all. */
export function bestMatches<Thing>(found: Thing[], differences: (thing: Thing) => string[]): Thing[] {
  const exact = found.filter((thing) => differences(thing).length === 0);
  return exact.length > 0 ? exact : found;
}

/** No proof of a write; `candidates` describe objects that may be its result all the same. */
export function notFoundVerification(candidates: string[]): Verification {
  return candidates.length > 0 ? { status: "not-found", details: candidates } : { status: "not-found" };
}

export const MAX_CANDIDATES = 5;

/** Time at which a write was sent (ms), not later than the tracker's clock had it. */
export function earliestSent({ since }: { since: string }): number {
  return Date.parse(since) + DAY_MS;
}

/**
 * Verification by the objects that look like the result of a write. They prove it only if there is one, and if nothing
 * before the write can be mistaken for it.
 */
export function judgeMatches<Thing>(
  found: readonly Thing[],
  { alike }: SentWrite,
  { toResponse, describe, differences = () => [] }: Judging<Thing>,
): Verification {
  const [only, ...more] = found;
  if (!only) return { status: "not-found" };
  if (more.length === 0 && alike) {
    const details = differences(only);
    return { status: "applied", response: toResponse(only), ...(details.length > 0 && { details }) };
  }
  return { status: "ambiguous", details: found.map(describe) };
}

/** True if the login is the requester's; undefined if that is unknown. */
export function isRequester({ me }: VerifyContext, login: string): boolean | undefined {
  return me === undefined ? undefined : isSameLogin(me, login);
}

/** Keeps a record of writes, each of which is a job. */
export type Journal = {
  /** Creates a job and runs `use` while holding its lock. */
  readonly begin: <Result>(plan: JobPlan, use: (log: JobLog) => Promise<Result>) => Promise<Result>;
};

/** The work of a job: its request, the bugs as read, and conditions. */
export type JobPlan = JobRole & {
  readonly request: Request; // the whole update, all bugs in `ids`; never with credentials
  bulk?: BulkStart | undefined; // absent: sent in one request
  readonly seen?: SeenVersions | undefined;
  readonly latest?: string | undefined; // bugs modified after this moment are skipped
  readonly exposed?: PublicConsent | undefined; // absent: bugs that may become public are not moved
  begun?: BegunRun | undefined; // absent: nothing of it can have been sent before
};

/** A bulk update as it began: the values of its bugs that it sets, as they were read. */
export type BulkStart = { read: JsonObject[] };

/** A bug that a bulk update leaves out, and why. */
export type RefusedBug = { id: number; kind: ErrorKind; message: string; hint?: string | undefined };

/** An earlier run that the job belongs to, whose record may be a copy: when it began, its known jobs, and the bugs it created. */
export type BegunRun = {
  at: number; // ms, this machine's clock
  jobs?: Set<string>;
  created?: number[];
};

/** Bugs that may lose their last group by a move to another product; "all" for `--allow-no-groups`. */
export type PublicConsent = "all" | readonly number[];

/** `last_change_time` of each bug as the user saw it, by id. The job skips bugs modified since. */
export type SeenVersions = Readonly<Record<string, string>>;

/** Journal of one job. `write` returns once the line is on disk. */
export type JobLog = {
  readonly job: string;
  readonly isJournaled: boolean; // false: nothing is stored, so the job cannot be resumed
  readonly write: (event: JobEvent) => void;
};

/** An event of a job: an attempt is one request; `i` is its index. */
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
  | { st: "REFUSED"; i: number; bugs: RefusedBug[] } // before request `i`, which lacks these
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
  readonly end: Exclude<JobEvent, { st: "SENT" | "LEFT" | "REFUSED" }> | undefined;
};
