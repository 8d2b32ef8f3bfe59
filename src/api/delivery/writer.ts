import { BtError, type ErrorKind, withFacts } from "../../errors.ts";
import type { Json, Request } from "../../wire/exchange.ts";
import { DAY_MS, timestamp } from "../../wire/time.ts";
import type { SendRequest } from "../operations/operation.ts";
import { writeTargets } from "../write/update-request.ts";
import {
  type Delivery,
  type FailedOutcome,
  type JobStep,
  journalSend,
  type Outcome,
  sendInProcess,
  sendOnce,
  sendWithConflictRetry,
} from "./send-write.ts";
import { noteUnlessNoted, warnOfLostCharacters, withStoredText } from "./stored-text.ts";
import {
  type BegunRun,
  type ConfirmedWrite,
  earliestSent,
  type JobLog,
  type JobPlan,
  type Journal,
  type SentWrite,
  type Verification,
  type Write,
  type WriteAttempt,
} from "./write.ts";
import { addsEachTime, verifyAs, writeKind } from "./write-kinds.ts";

/** Sends writes: each at most once, journaled before, and verified if the response is lost. */
export type Writer = {
  /**
   * Sends one write as a job of its own and returns its response.
   * @throws BtError with the outcome of the write
   */
  readonly deliver: (write: Write) => Promise<Json>;
  /** The writes that `deliver` has confirmed. */
  readonly applied: readonly AppliedWrite[];
  /** Runs a job of several requests that form one update. */
  readonly begin: <Result>(plan: JobPlan, use: (job: RunningJob) => Promise<Result>) => Promise<Result>;
};

/** A confirmed write. */
export type AppliedWrite = { readonly request: Request; readonly response: Json };

/** A job while its lock is held. */
export type RunningJob = {
  readonly name: string;
  readonly isJournaled: boolean;
  /** Sends the job's update for some of its bugs; `write.before` holds their current state. */
  readonly attempt: (write: Write, ids?: readonly number[]) => Promise<Outcome>;
  /** Journals that nothing is left to change on these bugs. */
  readonly markUnchanged: (ids: readonly number[]) => void;
  /** Looks once whether an attempt of an earlier run was applied. */
  readonly check: (attempt: WriteAttempt, write: Write) => Promise<Outcome>;
  /** Sends an attempt of an earlier run again. */
  readonly resend: (attempt: WriteAttempt, write: Write) => Promise<Outcome>;
  /** Journals that an attempt of an earlier run counts as not sent. */
  readonly discard: (attempt: WriteAttempt) => void;
};

/** Combines deliveries with a journal. */
export function createWriter(journal: Journal, delivery: Delivery): Writer {
  const applied: AppliedWrite[] = [];
  return {
    deliver: async (write) => {
      const response = await journal.begin(write, async (log) =>
        outcomeResponse(await deliver(write, { i: 0, log }, delivery)),
      );
      applied.push({ request: write.request, response });
      return response;
    },
    applied,
    begin: (plan, use) =>
      journal.begin(plan, (log) => use(runningJob(log, plan.begun && { ...plan.begun, attempts: [] }, delivery))),
  };
}

/**
 * Response of a successful outcome.
 * @throws BtError of any other outcome
 */
export function outcomeResponse(outcome: Outcome): Json {
  if (outcome.st === "DONE") return outcome.response;
  throw outcome.error;
}

/** Earlier runs of a job: when it began (ms, this machine's clock), and the requests that they made. */
type EarlierRuns = BegunRun & { attempts: readonly WriteAttempt[] };

/** A job, new or resumed. */
export function runningJob(log: JobLog, earlier: EarlierRuns | undefined, delivery: Delivery): RunningJob {
  let next = earlier?.attempts.length ?? 0;
  const discarded = new Set<number>();
  const flightOf = ({ sent: { i, ids, at, since, alike } }: WriteAttempt, write: Write): Flight => ({
    sent: { ...write, at, since, alike },
    step: { i, log, ...(ids ? { ids } : {}) },
    delivery,
  });
  const mayBeSent = ({ request }: Write, ids: readonly number[] = []) =>
    earlier !== undefined &&
    !delivery.isInProcess &&
    delivery.now() - earlier.at > COPY_MS &&
    addsEachTime(request) &&
    !(ids.length > 0 && ids.every((id) => discarded.has(id)));
  return {
    name: log.job,
    isJournaled: log.isJournaled,
    attempt: async (write, ids) => {
      const step = { i: next, log, ...(ids ? { ids } : {}) };
      next += 1;
      const flight = { sent: { ...write, at: delivery.now(), since: "" }, step, delivery };
      const found = earlier && mayBeSent(write, ids) ? await findSent(flight, earlier) : undefined;
      return found ?? deliver(write, step, delivery);
    },
    markUnchanged: (ids) => log.write({ st: "LEFT", i: next, ids }),
    check: (attempt, write) => checkAttempt(flightOf(attempt, write)),
    resend: (attempt, write) => resendAttempt(flightOf(attempt, write)),
    discard: ({ sent: { i, ids = [] } }) => {
      for (const id of ids) discarded.add(id);
      log.write({ st: "FAILED", i, kind: "unknown", message: "not found; resent" });
    },
  };
}

/** Age from which the journal of a job may be a copy, of which another one went on (ms). */
const COPY_MS = 60 * 1000;

/**
 * Looks whether a write was applied that the journal calls unsent: the journal may be restored from a backup, or be copied
 * to another machine. Undefined if nothing is found.
 */
async function findSent(flight: Flight, earlier: EarlierRuns): Promise<Outcome | undefined> {
  const { step, delivery } = flight;
  if (delivery.serverFacts.time() === undefined) await lookOnce(asSentByCopy(flight, earlier), searchForEffects); // tells the time
  const copy = asSentByCopy(flight, earlier);
  const found = await lookOnce(copy, searchForEffects);
  if (found.status === "failed" && found.error)
    return { st: "FAILED", error: withFacts(found.error, { changed: "nothing" }) };
  if (found.status !== "applied" && found.status !== "ambiguous") return undefined;
  journalSend(copy.sent, step);
  const outcome: Outcome =
    found.status === "applied"
      ? { st: "DONE", response: found.response }
      : { st: "UNKNOWN", error: unknownError(copy, undefined, found, 0), isChecked: true };
  if (found.status === "applied") {
    delivery.note(`${labelOf(copy)} was found on the tracker, though the journal calls it unsent`);
    for (const detail of found.details ?? []) delivery.note(detail);
  }
  journalOutcome(copy, outcome);
  return outcome;
}

/**
 * A write as a copy of its job may have sent it: since the job began, by the earlier of both clocks. If they differ, older
 * objects that look like its result cannot be told from it.
 */
function asSentByCopy({ sent, step, delivery }: Flight, earlier: EarlierRuns): Flight {
  const {
    at,
    attempts: [first],
    jobs,
    created = [],
  } = earlier;
  const now = delivery.now();
  const skew = (delivery.serverFacts.time() ?? Number.POSITIVE_INFINITY) - now;
  const begun = first ? earliestSent(first.sent) : at + Math.min(skew, 0) - CLOCK_STEP_MS;
  const isExact = Math.abs(skew) < COPY_MS;
  const since = timestamp(isExact ? begun : at - DAY_MS);
  const before = writeTargets(sent.request).map((id) => ({ id: Number(id), last_change_time: since }));
  const isOthers = ({ job = "", request }: ConfirmedWrite) =>
    jobs === undefined || jobs.has(job) || JSON.stringify(request.body) !== JSON.stringify(sent.request.body);
  const confirmedSince = (moment: number) => delivery.confirmedSince(moment).filter(isOthers);
  return {
    sent: { ...sent, at, since, before, ...(isExact && { alike: created }) },
    step,
    delivery: { ...delivery, confirmedSince },
  };
}

/** Objects of the second that a search begins in may be missing from it, and clocks are read by the second (ms). */
const CLOCK_STEP_MS = 2000;

/**
 * Delivers a write at most once: journals it, sends it, and looks whether it was applied if the response is lost.
 * Failures of tracker and network are returned as an `Outcome`.
 * @throws BtError if the journal cannot be written before the first request
 */
export async function deliver(write: Write, step: JobStep, delivery: Delivery): Promise<Outcome> {
  const { serverFacts, now, isInProcess } = delivery;
  const at = now();
  const since = timestamp(Math.min(serverFacts.time() ?? at, at) - DAY_MS); // a day earlier: both clocks may be off by hours
  let sent: SentWrite = { ...write, at, since };
  try {
    if (!isInProcess) {
      await warnOfLostCharacters(write.request, delivery);
      sent = await addMatchesBefore(sent, delivery);
    }
  } catch (error) {
    if (!(error instanceof BtError)) throw error;
    return { st: "FAILED", error: withFacts(error, { changed: "nothing" }) };
  }
  try {
    journalSend(sent, step);
  } catch (error) {
    if (step.i === 0 || !(error instanceof BtError)) throw error;
    return { st: "FAILED", error };
  }
  return sendJournaled({ sent, step, delivery });
}

/** A write that is about to be sent, or was sent. */
type Flight = { sent: SentWrite; step: JobStep; delivery: Delivery };

/**
 * The write with the ids of existing objects that could be mistaken for its result; trackers with idempotency keys need no
 * search for them.
 */
async function addMatchesBefore(sent: SentWrite, { serverFacts, send }: Delivery): Promise<SentWrite> {
  if (serverFacts.hasIdempotencyKeys()) return sent;
  return { ...sent, alike: await findMatches(sent, send) };
}

async function findMatches(sent: SentWrite, send: SendRequest): Promise<readonly number[]> {
  return writeKind(sent.request).findMatchesBefore?.(sent, send) ?? [];
}

async function sendJournaled(flight: Flight): Promise<Outcome> {
  const { sent, delivery } = flight;
  const outcome = delivery.isInProcess ? await sendInProcess(sent, delivery) : await sendVerified(flight);
  journalOutcome(flight, outcome);
  return outcome;
}

/**
 * Sends a write. If the response is lost, looks for its effects until they are found, or for 30 seconds; a redirect would
 * mislead these looks, too.
 */
async function sendVerified(flight: Flight): Promise<Outcome> {
  const { sent, step, delivery } = flight;
  try {
    let outcome = await sendWithConflictRetry(sent, step, delivery);
    if (outcome.st === "UNKNOWN" && outcome.error.kind !== "guard")
      outcome = await verify(flight, outcome, outcome.isOver ? SINGLE_LOOK_MS : LOOKS_MS);
    if (outcome.st !== "DONE") return outcome;
    return { st: "DONE", response: await withStoredText(outcome.response, sent.request, delivery) };
  } catch (error) {
    if (!(error instanceof BtError)) throw error;
    return { st: "UNKNOWN", error: withFacts(error, { changed: "unknown" }) }; // a resend that could not be journaled
  }
}

/** Times of the looks after a lost response: the request may still be running, and a replica may lag behind. */
const LOOKS_MS = [1000, 3000, 7000, 15_000, 30_000];

/** Time of the look after a complete response that was not understood: the request has ended. */
const SINGLE_LOOK_MS = [1000];

/** Looks once whether an attempt of an earlier run was applied. */
export async function checkAttempt(flight: Flight): Promise<Outcome> {
  const outcome = await verify(flight, undefined, [0]);
  if (outcome.st !== "UNKNOWN") journalOutcome(flight, outcome);
  return outcome;
}

/** Sends an attempt of an earlier run again. */
export async function resendAttempt(flight: Flight): Promise<Outcome> {
  journalSend(flight.sent, flight.step);
  return sendJournaled(flight);
}

/** Journals an outcome, which stands even if that fails. */
function journalOutcome({ step: { i, log }, delivery }: Flight, outcome: Outcome): void {
  try {
    if (outcome.st === "DONE") {
      log.write({ st: "DONE", i, answer: outcome.response });
      return;
    }
    const { kind, message, facts } = outcome.error;
    const code = facts.bugzillaCode === undefined ? {} : { code: facts.bugzillaCode };
    log.write({ st: outcome.st, i, kind, message, ...code });
  } catch (error) {
    if (!(error instanceof BtError)) throw error;
    delivery.note(`the journal is incomplete: ${error.message}`);
  }
}

/** Looks for the effects of a write at these times (ms); `lost` is the outcome of its request in this run. */
async function verify(flight: Flight, lost: FailedOutcome | undefined, timesMs: number[]): Promise<Outcome> {
  const { last, misses } = await lookRepeatedly(timesMs, flight);
  if (last.status === "refused") return { st: "FAILED", error: last.error };
  if (last.status === "applied") {
    const reason = lost === undefined ? "" : ` (${lost.error.message})`;
    flight.delivery.note(`${labelOf(flight)} was verified as applied after a lost response${reason}`);
    for (const detail of last.details ?? []) noteUnlessNoted(detail, flight.delivery);
    return { st: "DONE", response: last.response };
  }
  return { st: "UNKNOWN", error: unknownError(flight, lost?.error, last, misses), isChecked: last.status !== "failed" };
}

/** The last look, and how many found nothing. */
async function lookRepeatedly(timesMs: number[], flight: Flight): Promise<{ last: Look; misses: number }> {
  const { sleep, isStopped } = flight.delivery;
  let last = STOPPED;
  let misses = 0;
  for (const [index, time] of timesMs.entries()) {
    await sleep(time - (timesMs[index - 1] ?? 0));
    if (isStopped()) return { last: STOPPED, misses };
    last = await lookOnce(flight);
    if (last.status === "not-found") misses += 1;
    else if (last.status !== "failed") break;
  }
  return { last, misses };
}

const STOPPED: Look = { status: "failed", details: ["stopped before it could be verified"] };

function labelOf({ sent: { request } }: Flight): string {
  return writeKind(request).describe(request);
}

/** Result of a look; "failed" if the tracker could not be reached. */
type Look = Verification | { status: "failed"; details: string[]; error?: BtError };

async function lookOnce(flight: Flight, verifyBy = verifyOnce): Promise<Look> {
  try {
    return await verifyBy(flight);
  } catch (error) {
    if (!(error instanceof BtError)) throw error;
    return { status: "failed", details: [`verification failed: ${error.message}`], error };
  }
}

/** Verifies a write once: by resending it if the tracker supports idempotency keys, else by looking for its effects. */
async function verifyOnce(flight: Flight): Promise<Verification> {
  const { delivery } = flight;
  const isKeyed = () => delivery.serverFacts.hasIdempotencyKeys() && isKeyKnown(flight);
  if (isKeyed()) return (await resendByKey(flight)) ?? searchForEffects(flight);
  const found = await searchForEffects(flight);
  if (found.status === "applied" || !isKeyed()) return found; // support of keys is learned from responses
  return (await resendByKey(flight)) ?? found;
}

/** Looks for the effects of a write. */
async function searchForEffects({ sent, delivery }: Flight): Promise<Verification> {
  return verifyAs(delivery.jobOwner, sent, {
    send: delivery.send,
    me: await delivery.me(),
    confirmed: () => delivery.confirmedSince(sent.at - DAY_MS),
  });
}

/** True if the tracker has the requester's key of the write, by the clocks of both sides. */
function isKeyKnown({ sent, delivery }: Flight): boolean {
  const now = delivery.now();
  const ageMs = Math.max(now - sent.at, (delivery.serverFacts.time() ?? now) - earliestSent(sent));
  return delivery.jobOwner === undefined && ageMs < KEY_LIFETIME_MS;
}

/** Trackers that support idempotency keys keep responses for at least a day. */
const KEY_LIFETIME_MS = 20 * 60 * 60 * 1000;

/**
 * Resends a write with its idempotency key. Only a refusal of the write itself shows that it was not applied. Undefined
 * if it cannot be resent, since its file has changed.
 * @throws BtError if the outcome is still unknown
 */
async function resendByKey({ sent, step, delivery }: Flight): Promise<Verification | undefined> {
  const outcome = await sendOnce(sent, step, delivery);
  if (outcome.st === "DONE") return { status: "applied", response: outcome.response };
  const { kind, facts } = outcome.error;
  if (sent.request.file && UNSENT_KINDS.includes(kind)) return undefined;
  if (outcome.st === "UNKNOWN" || facts.bugzillaCode === undefined || INCONCLUSIVE_KINDS.includes(kind))
    throw outcome.error;
  return { status: "refused", error: outcome.error };
}

const UNSENT_KINDS: readonly ErrorKind[] = ["usage", "local"];
const INCONCLUSIVE_KINDS: readonly ErrorKind[] = ["auth", "busy"];

/** Error for a write that was not found at any of the looks; `last` is the result of the last one. */
function unknownError(flight: Flight, lost: BtError | undefined, last: Look, misses: number): BtError {
  const { job, isJournaled } = flight.step.log;
  const times = misses === 1 ? "once" : `${misses} times`;
  const missed = last.status === "not-found" ? [`it was not found on the tracker (checked ${times})`] : [];
  const seen = ("details" in last && last.details) || [];
  const resend = lost === undefined && last.status !== "failed";
  const next = resend ? `bt job send ${job} --resend resends it` : `bt job send ${job} checks it again`;
  return new BtError(
    "unknown",
    `unknown outcome of ${labelOf(flight)}${lost === undefined ? "" : `: ${lost.message}`}`,
    {
      request: lost?.facts.request,
      details: [...missed, ...seen],
      hint: isJournaled && (resend || last.status !== "unverifiable") ? next : "check the tracker before you retry",
      changed: "unknown",
      cause: last.status === "failed" ? (last.error ?? lost) : lost,
    },
  );
}
