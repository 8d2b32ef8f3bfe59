import { BtError, type ErrorKind, withFacts } from "../../errors.ts";
import { DAY_MS, timestamp } from "../../wire/time.ts";
import { writeTargets } from "../write/update-request.ts";
import {
  describeWrite,
  type FailedOutcome,
  type Flight,
  journalOutcome,
  journalSend,
  type Outcome,
  sendOnce,
} from "./send-write.ts";
import { noteUnlessNoted } from "./stored-text.ts";
import { type BegunRun, type ConfirmedWrite, earliestSent, type Verification, type WriteAttempt } from "./write.ts";
import { addsEachTime, verifyAs } from "./write-kinds.ts";

/**
 * Looks for the effects of a write at some times (ms) until they are found; `lost` is the outcome of its request, absent
 * if an earlier run sent it.
 */
export async function verifyWrite(
  flight: Flight,
  lost: FailedOutcome | undefined,
  timesMs: number[],
): Promise<Outcome> {
  const { last, misses } = await lookRepeatedly(timesMs, flight);
  if (last.status === "refused") return { st: "FAILED", error: last.error };
  if (last.status === "applied") {
    const reason = lost === undefined ? "" : ` (${lost.error.message})`;
    flight.delivery.note(`${describeWrite(flight)} was verified as applied after a lost response${reason}`);
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
    last = await lookBy(verifyOnce, flight);
    if (last.status === "not-found") misses += 1;
    else if (last.status !== "failed") break;
  }
  return { last, misses };
}

/** Result of a look; "failed" if the tracker could not be reached. */
type Look = Verification | { status: "failed"; details: string[]; error?: BtError };

const STOPPED: Look = { status: "failed", details: ["stopped before it could be verified"] };

async function lookBy(verify: (flight: Flight) => Promise<Verification>, flight: Flight): Promise<Look> {
  try {
    return await verify(flight);
  } catch (error) {
    if (!(error instanceof BtError)) throw error;
    return { status: "failed", details: [`verification failed: ${error.message}`], error };
  }
}

/** Verifies a write by resending it if the tracker supports idempotency keys, else by looking for its effects. */
async function verifyOnce(flight: Flight): Promise<Verification> {
  const { delivery } = flight;
  const isKeyed = () => delivery.serverFacts.hasIdempotencyKeys() && isKeyKnown(flight);
  if (isKeyed()) return (await resendByKey(flight)) ?? searchForEffects(flight);
  const found = await searchForEffects(flight);
  if (found.status === "applied" || !isKeyed()) return found; // support of keys is learned from responses
  return (await resendByKey(flight)) ?? found;
}

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
async function resendByKey(flight: Flight): Promise<Verification | undefined> {
  const outcome = await sendOnce(flight);
  if (outcome.st === "DONE") return { status: "applied", response: outcome.response };
  const { kind, facts } = outcome.error;
  if (flight.sent.request.file && UNSENT_KINDS.includes(kind)) return undefined;
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
    `unknown outcome of ${describeWrite(flight)}${lost === undefined ? "" : `: ${lost.message}`}`,
    {
      request: lost?.facts.request,
      details: [...missed, ...seen],
      hint: isJournaled && (resend || last.status !== "unverifiable") ? next : "check the tracker before you retry",
      changed: "unknown",
      cause: last.status === "failed" ? (last.error ?? lost) : lost,
    },
  );
}

/** Earlier runs of a job: when it began (ms, this machine's clock), and the requests that they made. */
export type EarlierRuns = BegunRun & { attempts: readonly WriteAttempt[] };

/**
 * Looks whether a write was applied that the journal calls unsent: the journal may be restored from a backup, or be copied
 * to another machine. Undefined if nothing is found, or if the journal is too young for a copy.
 */
export async function findSentByCopy(flight: Flight, earlier: EarlierRuns): Promise<Outcome | undefined> {
  const { sent, delivery } = flight;
  const mayBeSent = delivery.now() - earlier.at > COPY_MS && addsEachTime(sent.request);
  if (delivery.isInProcess || !mayBeSent) return undefined;
  const look = async () => {
    const copy = asSentByCopy(flight, earlier);
    return { copy, found: await lookBy(searchForEffects, copy) };
  };
  if (delivery.serverFacts.time() === undefined) await look(); // its responses tell the tracker's time
  const { copy, found } = await look();
  if (found.status === "failed" && found.error)
    return { st: "FAILED", error: withFacts(found.error, { changed: "nothing" }) };
  let outcome: Outcome;
  if (found.status === "applied") outcome = { st: "DONE", response: found.response };
  else if (found.status === "ambiguous")
    outcome = { st: "UNKNOWN", error: unknownError(copy, undefined, found, 0), isChecked: true };
  else return undefined;
  journalSend(copy);
  if (found.status === "applied") {
    delivery.note(`${describeWrite(copy)} was found on the tracker, though the journal calls it unsent`);
    for (const detail of found.details ?? []) delivery.note(detail);
  }
  journalOutcome(copy, outcome);
  return outcome;
}

/** Age from which the journal of a job may be a copy, of which another one went on (ms). */
const COPY_MS = 60 * 1000;

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
