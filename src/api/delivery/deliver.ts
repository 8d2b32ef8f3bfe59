import { BtError, type ErrorKind, withFacts } from "../../errors.ts";
import { type Exchange, IDEMPOTENCY_KEY, type Json } from "../../wire/exchange.ts";
import type { SendRequest } from "../operations/operation.ts";
import { invalidResponse, type ResponseReader } from "../response/response.ts";
import { compareClocks, type Flight, nearbyWrites, type SendRecord, sentWrite, unresolvedWrite } from "./in-flight.ts";
import type { AttemptFailure, JobEvent, JobLog, WriteAttempt } from "./journal.ts";
import {
  concludeWrite,
  type LostResponse,
  RESUME_DELAY_MS,
  RETRY_DELAYS_MS,
  reconcile,
  remainingFlightMs,
  SINGLE_DELAY_MS,
  sleepWithNotice,
} from "./reconcile.ts";
import type { ServerFacts } from "./server-facts.ts";
import type { SentWrite, Verification, Write } from "./write.ts";
import { type JobOwner, verifyAs, writeKind } from "./write-kinds.ts";

/** What a delivery needs from outside. `now` counts milliseconds on this machine's clock, `ticks` those of this process. */
export type Delivery = {
  readonly exchange: Exchange;
  readonly read: ResponseReader;
  readonly ask: SendRequest; // both in one
  readonly hearsay: ServerFacts;
  /** The requester's login, as far as it can be found out. */
  readonly me: () => Promise<string | undefined>;
  /** What else the journal knows to have been sent since a moment on this machine's clock. */
  readonly othersSince: (moment: number) => readonly JournaledWrite[];
  readonly now: () => number;
  readonly ticks: () => number;
  readonly sleep: (ms: number) => Promise<void>; // before a look for a write; a person is told why
  readonly pause: (ms: number) => Promise<void>;
  readonly isStopped: () => boolean;
  readonly resendIfAbsent: boolean;
  readonly holdMs: number; // so long after a sending, a resumed job sends it again at the earliest
  readonly beginner?: JobOwner | undefined; // of a job that another user resumes
  readonly isNear: boolean; // in this process, where no answer gets lost
  readonly note: (sentence: string) => void;
};

/** A write of some job, with its answer when it is known to have been done; without one nobody knows. */
export type JournaledWrite = Write & {
  readonly job: string;
  readonly sent: SendRecord;
  readonly answer?: Json | undefined;
};

/** How a delivery ended. */
export type Outcome =
  | { readonly st: "DONE"; readonly answer: Json }
  | { readonly st: AttemptFailure; readonly error: BtError; readonly isOver?: boolean }; // over: a complete 2xx response came

/** One attempt: its number in the job, the bugs that it is about when these are not all of the job, and the job's journal. */
export type JobStep = { readonly i: number; readonly ids?: readonly number[]; readonly log: JobLog };

/**
 * Delivers a write at most once: it is written down, sent, and when the answer is lost its outcome is looked for. Never
 * throws for what the tracker or the network does; only when the journal cannot be written.
 */
export async function deliver(write: Write, place: JobStep, means: Delivery): Promise<Outcome> {
  const alike = await alikeBefore(write, means);
  if (alike instanceof BtError) return { st: "FAILED", error: alike };
  const sending = notedSending({ ...write, alike }, place, means);
  if (sending instanceof BtError) return { st: "FAILED", error: sending };
  const start = means.ticks();
  const flight = { sent: sentWrite(write, sending, means), local: sending.at, elapsed: () => means.ticks() - start };
  return ended({ place, means }, async () => {
    const outcome = await sendOut(flight.sent, place, means);
    return isLost(outcome) && !means.isNear ? verifyWrite(flight, outcome, { place, means }) : outcome;
  });
}

/** Puts down that a write is about to leave, with the tracker's time as far as it is known. */
function noteSending({ before, alike, ifMatch }: Noted, { i, ids, log }: JobStep, means: Delivery): SendRecord {
  const moment = { at: means.now(), tracker: means.isNear ? undefined : means.hearsay.time() };
  const sending = { st: "SENT", i, ...moment, ids, before, alike, ifMatch } as const;
  log.write(sending);
  return sending;
}

/** A job that has sent something goes on with what can still be told of it; one that has not is given up. */
function notedSending(noted: Noted, place: JobStep, means: Delivery): SendRecord | BtError {
  try {
    return noteSending(noted, place, means);
  } catch (error) {
    if (place.i === 0 || !(error instanceof BtError)) throw error;
    return error;
  }
}

type Noted = Pick<SentWrite, "before" | "alike" | "ifMatch">;

/** Sends a write, and again as long as a complete response says that a deadlock rolled it back: up to three times. */
async function sendOut(sent: SentWrite, place: JobStep, means: Delivery): Promise<Outcome> {
  for (const wait of DEADLOCK_WAITS_MS) {
    const outcome = await send(sent, place, means);
    if (outcome.st !== "FAILED" || !outcome.error.facts.isRolledBack) return outcome;
    means.note(`a deadlock on the tracker rolled back ${writeKind(sent.request).what(sent.request)}; sending it again`);
    await means.pause(wait);
    if (means.isStopped()) return outcome;
    noteSending(sent, place, means);
  }
  return send(sent, place, means);
}

const DEADLOCK_WAITS_MS: readonly number[] = [100, 500, 2000];

/** What is on the tracker already and would be taken for the work of this write; an error when that cannot be found out. */
async function alikeBefore(write: Write, means: Delivery): Promise<readonly number[] | undefined | BtError> {
  return prior(write, means).catch((error) => {
    if (!(error instanceof BtError)) throw error;
    return withFacts(error, { changed: "nothing" });
  });
}

async function prior(write: Write, { hearsay, ask, now, isNear }: Delivery): Promise<readonly number[] | undefined> {
  if (isNear) return undefined;
  await hearsay.askTime(ask);
  const { at, from } = hearsay.time() ?? { at: now(), from: "local" as const };
  return hearsay.isKeyed() ? undefined : writeKind(write.request).alikeBefore?.({ ...write, at, clock: from }, ask);
}

/**
 * Finds out what became of an attempt that was left without an outcome. When it is not there it is sent again, or left as
 * failed, so that whoever asks can look at each of its bugs before it is tried anew.
 */
export async function resumeAttempt(
  attempt: WriteAttempt,
  write: Write,
  around: Around & { absent: IfAbsent },
): Promise<Outcome> {
  const { place, means, absent } = around;
  const { sent, last } = attempt;
  const lost = new BtError("unknown", "bt was stopped before the answer came", { changed: "unknown" });
  return ended({ place, means }, async () => {
    const held = await remainingFlightMs(last, means);
    const again = { ...means, resendIfAbsent: true, sleep: (ms: number) => sleepWithNotice(ms, held, means) };
    const flight = { sent: sentWrite(write, sent, means), local: sent.at, elapsed: () => means.now() - sent.at };
    const settling = { place, means: again, times: [0, Math.max(RESUME_DELAY_MS, held)], isResent: absent === "leave" };
    const outcome = await verifyWrite(flight, { error: lost }, settling);
    return absent === "leave" && outcome.st === "ABSENT" ? { ...outcome, st: "FAILED" } : outcome;
  });
}

/** What is to be done with a write that is proven not to be there. */
export type IfAbsent = "send again" | "leave";

type Around = { readonly place: JobStep; readonly means: Delivery };

/** What came of it is told even when it cannot be written down any more. */
async function ended({ place, means }: Around, act: () => Promise<Outcome>): Promise<Outcome> {
  const outcome = await act().catch(unwritten);
  try {
    place.log.write(endOf(place.i, outcome));
  } catch (error) {
    if (!(error instanceof BtError)) throw error;
    means.note(`the journal is not complete: ${error.message}`);
  }
  return outcome;
}

/** A write that is to go out again, but cannot be written down, stays as unknown as it was. */
function unwritten(error: unknown): Outcome {
  if (!(error instanceof BtError)) throw error;
  return { st: "UNKNOWN", error: withFacts(error, { changed: "unknown" }) };
}

function endOf(i: number, outcome: Outcome): JobEvent {
  if (outcome.st === "DONE") return { st: "DONE", i, answer: outcome.answer };
  const { kind, message, facts } = outcome.error;
  const code = facts.bugzillaCode === undefined ? {} : { code: facts.bugzillaCode };
  return { st: outcome.st, i, kind, message, ...code };
}

async function send(write: Write, { i, log }: JobStep, { exchange, read, hearsay }: Delivery): Promise<Outcome> {
  const { request, ifMatch } = write;
  let isOver = false;
  const guard = ifMatch !== undefined && hearsay.isKeyed() ? { "if-match": ifMatch } : {};
  const headers = { ...request.headers, [IDEMPOTENCY_KEY]: `${log.job}-${i}`, ...guard };
  try {
    const reply = await exchange({ ...request, headers });
    isOver = reply.status >= 200 && reply.status < 300;
    write.heard?.(reply);
    const answer = await read(reply, request);
    if (writeKind(request).isAnswer(answer, request)) return { st: "DONE", answer };
    throw invalidResponse(request, "is not about what was asked");
  } catch (error) {
    if (!(error instanceof BtError)) throw error;
    return { st: error.facts.changed === "unknown" ? "UNKNOWN" : "FAILED", error, isOver };
  }
}

/** Whether the answer is lost and can be looked for; where a redirect took it, looking leads to the same place. */
function isLost(outcome: Outcome): outcome is Outcome & LostResponse {
  return outcome.st === "UNKNOWN" && outcome.error.kind !== "guard";
}

type Verifying = Around & { readonly times?: readonly number[]; readonly isResent?: boolean };

async function verifyWrite(flight: Flight, lost: LostResponse, settling: Verifying): Promise<Outcome> {
  const { place, means, isResent = false } = settling;
  const { sent } = flight;
  const { isOver = false } = lost;
  const verdict = await reconcile(() => look(flight, place, means), {
    times: settling.times ?? (isOver ? SINGLE_DELAY_MS : RETRY_DELAYS_MS),
    repetition: means.resendIfAbsent && !isResent && !isOver ? "allowed" : "only when asked for",
    sleep: means.sleep,
    isStopped: means.isStopped,
  });
  if (verdict.step !== "send again") {
    const resume = place.log.isKept ? `bt resume ${place.log.job}` : undefined;
    return concludeWrite(verdict, { what: writeKind(sent.request).what(sent.request), lost, resume, note: means.note });
  }
  means.note(`${writeKind(sent.request).what(sent.request)} is not on the tracker; sending it again`);
  noteSending(sent, place, means);
  const again = await sendOut(sent, place, means);
  return isLost(again) ? verifyWrite(flight, again, { place, means, isResent: true }) : again;
}

/** A tracker that knows a write again by its key is simply told it again; any other one is looked through. */
async function look(flight: Flight, place: JobStep, means: Delivery): Promise<Verification> {
  const { hearsay, ask } = means;
  const { sent } = flight;
  await hearsay.askTime(ask, { isFresh: true });
  const clocks = compareClocks(flight, hearsay);
  if (hearsay.isKeyed() && !means.beginner && clocks.elapsed < KEY_LIFETIME_MS) return sendByKey(sent, place, means);
  const others = nearbyWrites(flight, clocks, means);
  const eyes = {
    ask,
    me: await means.me(),
    settled: () => others().flatMap((one) => (one.answer === undefined ? [] : [{ ...one, answer: one.answer }])),
    rivals: () => others().flatMap((one) => unresolvedWrite(place.log, sent, one)),
  };
  const finding = await verifyAs(means.beginner, sent, eyes);
  if (finding.sight === "absent" && clocks.doubt !== undefined) throw invalidResponse(sent.request, clocks.doubt);
  return finding;
}

const KEY_LIFETIME_MS = 20 * 60 * 60 * 1000; // such trackers keep their answers for a day at least

/** Only a refusal of the change itself proves that it was not done the first time; whatever else fails tells nothing of that. */
async function sendByKey(sent: SentWrite, place: JobStep, means: Delivery): Promise<Verification> {
  const outcome = await send(sent, place, means);
  if (outcome.st === "DONE") return { sight: "present", answer: outcome.answer };
  const { kind, facts } = outcome.error;
  if (outcome.st === "UNKNOWN" || facts.bugzillaCode === undefined || DOES_NOT_DECIDE.includes(kind))
    throw outcome.error;
  return { sight: "refused", error: outcome.error };
}

const DOES_NOT_DECIDE: readonly ErrorKind[] = ["auth", "busy"];
