import { createdIds } from "../api/delivery/find-stored.ts";
import { type KnownWrite, mayPass, type Plan } from "../api/delivery/outcome.ts";
import { isSameLogin } from "../api/people.ts";
import { BtError, type ErrorKind, usageError } from "../errors.ts";

/** First line of a job's file, which has one command. */
export type JobHead = Omit<Plan, "writes"> & {
  readonly v: 2;
  readonly job: string; // ULID
  readonly at: number; // ms since the epoch, this machine's clock
  readonly tracker: string; // its base URL
  readonly user?: string | undefined; // login that the cache knew
};

/**
 * A further line: a write as planned, that it leaves, or what became of it. Each adds to the lines
 * before it of the same number.
 */
export type JobLine = Partial<Omit<JobWrite, "n" | "st">> & {
  readonly n: number;
  readonly st: JobWrite["st"] | "skipped"; // skipped: not to be sent any more
};

/** A write of a job, by all lines about it. */
export type JobWrite = KnownWrite & {
  readonly at?: number | undefined; // when it left, by this machine's clock; undefined: never sent
  readonly error?: StoredError | undefined; // refused, unknown
};

export type StoredError = { readonly kind: ErrorKind; readonly message: string; readonly code?: number | undefined };

export type Job = { readonly head: JobHead; readonly writes: readonly JobWrite[]; readonly isDamaged: boolean };

export type JobState = "draft" | "unfinished" | "unknown" | "done";

/** A job from the text of its file, whose last line may be cut; undefined without a head. */
export function readJob(text: string): Job | undefined {
  const [head, ...lines] = text.split("\n").slice(0, -1).map(parseLine);
  if (!isHead(head)) return undefined;
  const writes = new Map<number, JobWrite>();
  let isDamaged = false;
  for (const line of lines) {
    const known = isLine(line) ? writes.get(line.n) : undefined;
    if (!isLine(line) || !(known ?? line.request)) isDamaged = true;
    else if (line.st === "skipped") writes.delete(line.n);
    else writes.set(line.n, withLine(known, line));
  }
  return { head, writes: [...writes.values()], isDamaged };
}

function parseLine(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

function isHead(value: unknown): value is JobHead {
  const { v, job, tracker } = Object(value) as Partial<JobHead>;
  return v === 2 && typeof job === "string" && typeof tracker === "string";
}

function isLine(value: unknown): value is JobLine {
  const { n, st } = Object(value) as Partial<JobLine>;
  return Number.isInteger(n) && STATES.includes(String(st));
}

const STATES = ["planned", "sent", "applied", "refused", "unknown", "skipped"];

/** A write after a line about it; what is sent again has no result yet. */
function withLine(known: JobWrite | undefined, line: JobLine): JobWrite {
  if (line.st === "planned") return line as JobWrite;
  const { request, before, key } = known ?? {};
  return { ...(line.st === "sent" ? { request, before, key } : known), ...line } as JobWrite;
}

/** A finished job has no write that is left or unknown. */
export function jobState(job: Job): JobState {
  if (job.isDamaged || job.writes.some(isUnknown)) return "unknown";
  if (!job.writes.some(isLeft)) return "done";
  return job.head.draft ? "draft" : "unfinished";
}

/** True for a write of unknown outcome, or one that another process is sending. */
export function isUnknown({ st }: KnownWrite): boolean {
  return st === "sent" || st === "unknown";
}

/** The writes of a job that are to be sent, or have an unknown outcome. */
export function openWrites({ writes }: Job): JobWrite[] {
  return writes.filter((write) => isUnknown(write) || isLeft(write));
}

/** True for a write that was not sent, or refused for a reason that may pass. */
export function isLeft({ st, error }: JobWrite): boolean {
  if (st !== "refused" || !error) return st === "planned";
  const { kind, code } = error;
  return mayPass({ kind, facts: { bugzillaCode: code } });
}

/** Id of the bug that a write created; undefined for any other. */
export function createdBug(write: JobWrite): number | undefined {
  return write.request.operation === "Create Bug" ? createdIdsOf(write)[0] : undefined;
}

/** Ids of what a write created: a bug, a comment, a group or attachments. */
export function createdIdsOf({ st, response = null }: JobWrite): number[] {
  return st === "applied" ? createdIds(response) : [];
}

/** @throws BtError of kind usage for a job of another tracker or user */
export function checkOwner({ job, tracker, user }: JobHead, address: string, me: string | undefined): void {
  if (tracker !== address) throw usageError(`job ${job} is of ${tracker}, not of ${address}`, `--base-url ${tracker}`);
  if (user !== undefined && !isSameLogin(user, me)) throw usageError(`job ${job} is by ${user}, not by you`);
}

export function damagedJobError(name: string): BtError {
  return new BtError("local", `the journal of job ${name} is damaged, or written by a newer bt`, {
    details: ["its writes may or may not be applied"],
    hint: `check the tracker, then drop it: bt job drop ${name}`,
  });
}
