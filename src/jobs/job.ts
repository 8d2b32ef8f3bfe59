import type { JobFacts } from "../api/delivery/journal.ts";
import type { SentWrite } from "../api/delivery/outcome.ts";
import { addsEachTime, writeRow } from "../api/delivery/write-rows.ts";
import { isRefusedLogin } from "../api/response/response-errors.ts";
import type { ErrorKind } from "../errors.ts";
import type { Json, JsonObject, Request } from "../wire/exchange.ts";
import { isObject } from "../wire/json.ts";

/** First line of a job's file, which has one command. */
export type JobHead = {
  readonly v: 2;
  readonly job: string; // ULID
  readonly bt: string; // version
  readonly at: number; // ms since the epoch, this machine's clock
  readonly tracker: string; // its base URL
  readonly user?: string | undefined; // login that the cache knew
  readonly command: string; // `bug update`
  readonly key?: string | undefined; // by which the command finds it again, such as the checksum of a file
  readonly draft?: true; // to be finished by `bt job send`
} & JobFacts;

/**
 * A further line: a write before anything is sent, that it leaves, or what became of it. `at` is this machine's clock, `left`
 * the server's, where it is known, else `ticks` the time since the machine's start.
 */
export type JobLine = { readonly n: number } & (
  | {
      readonly st: "planned";
      readonly request: Request;
      readonly key?: string | undefined;
      readonly before?: readonly JsonObject[] | undefined;
    }
  | {
      readonly st: "sent";
      readonly at: number;
      readonly request?: Request | undefined; // if it is not as planned
      readonly before?: readonly JsonObject[] | undefined;
      readonly left?: number | undefined;
      readonly ticks?: number | undefined;
    }
  | { readonly st: "applied"; readonly response: Json; readonly left?: number | undefined }
  | { readonly st: "refused" | "unknown"; readonly error: StoredError; readonly left?: number | undefined }
  | { readonly st: "skipped" }
);

export type StoredError = { readonly kind: ErrorKind; readonly message: string; readonly code?: number | undefined };

/** A write of a job; `outcome` is absent before an answer. */
export type JobWrite = SentWrite & {
  readonly n: number;
  readonly isSent: boolean;
  readonly at?: number | undefined; // when it left, by this machine's clock
  readonly outcome?: StoredOutcome | undefined;
};

export type StoredOutcome =
  | { readonly st: "applied"; readonly response: Json }
  | { readonly st: "refused" | "unknown"; readonly error: StoredError };

export type Job = { readonly head: JobHead; readonly writes: readonly JobWrite[]; readonly isDamaged: boolean };

/** The writes of a job that are to be sent. */
export function writesLeft({ writes }: Job): JobWrite[] {
  return writes.filter((write) => isLeft(write, writes.length));
}

export type JobState = "draft" | "unfinished" | "unknown" | "done";

/** A job from the text of its file, whose last line may be cut; undefined without a head. */
export function readJob(text: string): Job | undefined {
  const [head, ...lines] = text.split("\n").slice(0, -1).map(parseLine);
  if (!isHead(head)) return undefined;
  const writes = new Map<number, JobWrite>();
  let isDamaged = false;
  for (const line of lines) {
    if (!isLine(line)) isDamaged = true;
    else if (line.st === "skipped") writes.delete(line.n);
    else {
      const write = nextState(line, writes);
      if (write) writes.set(write.n, write);
      else isDamaged = true;
    }
  }
  return { head, writes: [...writes.values()], isDamaged };
}

/** A write after a line about it; undefined if an earlier line is missing. */
function nextState(
  line: Exclude<JobLine, { st: "skipped" }>,
  writes: ReadonlyMap<number, JobWrite>,
): JobWrite | undefined {
  const known = writes.get(line.n);
  const { n } = line;
  if (line.st === "planned") {
    return { n, request: line.request, before: line.before, key: line.key, isSent: false };
  }
  if (known === undefined) return undefined;
  if (line.st === "sent") {
    const { at, left, ticks, request = known.request, before = known.before } = line;
    return { n, request, before, key: known.key, at, left, ticks, isSent: true };
  }
  const left = line.left ?? known.left;
  const outcome: StoredOutcome =
    line.st === "applied" ? { st: line.st, response: line.response } : { st: line.st, error: line.error };
  return { ...known, left, outcome };
}

/** A finished job has no write that is left or unknown. A draft that the tracker refused stays a draft. */
export function jobState({ head, writes, isDamaged }: Job): JobState {
  if (isDamaged || writes.some(isUnknown)) return "unknown";
  const left = writes.filter(
    (write) => isLeft(write, writes.length) || (head.draft && write.outcome?.st === "refused"),
  );
  if (head.draft && left.length === writes.length) return "draft";
  return left.length > 0 ? "unfinished" : "done";
}

export function isUnknown({ isSent, outcome }: JobWrite): boolean {
  return isSent && (outcome === undefined || outcome.st === "unknown");
}

/**
 * True for a write, of so many of its job, that is to be sent: it was not, or it was refused for a reason that may pass, as by a
 * network, a login, or, one of several, by load.
 */
function isLeft({ isSent, outcome }: JobWrite, count: number): boolean {
  if (outcome?.st !== "refused") return !isSent;
  const { kind, code } = outcome.error;
  return ["network", "local"].includes(kind) || (kind === "busy" && count > 1) || isRefusedLogin(kind, code);
}

/** Id of the bug that a write created; undefined for any other. */
export function createdBug({ request, outcome }: JobWrite): number | undefined {
  const isNew = request.operation === "Create Bug" && outcome?.st === "applied";
  return isNew ? Number(Object(outcome.response).id) : undefined;
}

/** True if sending the write would add something that may be there already, if the journal is older than what was sent. */
export function mayAddTwice({ request }: JobWrite): boolean {
  return writeRow(request) === undefined || addsEachTime(request);
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
  return isObject(value as Json) && Number.isInteger(n) && STATES.includes(String(st));
}

const STATES = ["planned", "sent", "applied", "refused", "unknown", "skipped"];
