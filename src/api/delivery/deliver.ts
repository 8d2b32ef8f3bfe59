import { BtError, type ErrorKind, withFacts } from "../../errors.ts";
import type { Exchange, Json } from "../../wire/exchange.ts";
import type { SendRequest } from "../operations/operation.ts";
import { invalidResponse } from "../response/failed-response.ts";
import type { ResponseReader } from "../response/response.ts";
import { compareClocks, type Flight, nearbyWrites, unresolvedWrite } from "./in-flight.ts";
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
import {
  journalSend,
  type SendRecord,
  sendOnce,
  sendWithDeadlockRetry,
  sentWrite,
  tryJournalSend,
} from "./send-write.ts";
import type { ServerFacts } from "./server-facts.ts";
import type { SentWrite, Verification, Write } from "./write.ts";
import { type JobOwner, verifyAs, writeKind } from "./write-kinds.ts";

/**
 * Context of a delivery: requests to the tracker, clocks and policies. `now` is this machine's clock (ms since the
 * epoch), `ticks` a monotonic clock (ms).
 */
export type Delivery = {
  readonly exchange: Exchange;
  readonly read: ResponseReader;
  readonly ask: SendRequest; // `exchange` and `read` combined
  readonly serverFacts: ServerFacts;
  /** Login of the requester; undefined if it cannot be determined. */
  readonly me: () => Promise<string | undefined>;
  /** Other journaled writes sent since a moment (ms, this machine's clock). */
  readonly writesSince: (moment: number) => readonly JournaledWrite[];
  readonly now: () => number;
  readonly ticks: () => number;
  readonly sleep: (ms: number) => Promise<void>; // before a verification; shows a notice
  readonly pause: (ms: number) => Promise<void>;
  readonly isStopped: () => boolean;
  readonly resendIfAbsent: boolean;
  readonly holdMs: number; // minimum time between a send and its resend by a resumed job
  readonly jobOwner?: JobOwner | undefined; // set if the job was begun by another user
  readonly isEmbedded: boolean; // the tracker runs in this process, so no response can be lost
  readonly note: (sentence: string) => void;
};

/** A write from the journal of any job, with its response if it was confirmed. */
export type JournaledWrite = Write & {
  readonly job: string;
  readonly sent: SendRecord;
  readonly answer?: Json | undefined;
};

/** Outcome of a delivered write: the response, or the error. */
export type Outcome =
  | { readonly st: "DONE"; readonly answer: Json }
  | { readonly st: AttemptFailure; readonly error: BtError; readonly isOver?: boolean }; // isOver: a complete 2xx response arrived

/** One attempt of a job: its index, its bugs if these are not all of the job, and the journal. */
export type JobStep = { readonly i: number; readonly ids?: readonly number[]; readonly log: JobLog };

/**
 * Delivers a write at most once: journals it, sends it, and verifies the outcome if the response is lost. Failures of
 * tracker and network are returned as an `Outcome`.
 * @throws BtError if the journal cannot be written before the first request
 */
export async function deliver(write: Write, step: JobStep, delivery: Delivery): Promise<Outcome> {
  const alike = await matchesBefore(write, delivery);
  if (alike instanceof BtError) return { st: "FAILED", error: alike };
  const record = tryJournalSend({ ...write, alike }, step, delivery);
  if (record instanceof BtError) return { st: "FAILED", error: record };
  const start = delivery.ticks();
  const flight = {
    sent: sentWrite(write, record, delivery),
    local: record.at,
    elapsed: () => delivery.ticks() - start,
  };
  return journalOutcome({ step, delivery }, async () => {
    const outcome = await sendWithDeadlockRetry(flight.sent, step, delivery);
    return isLost(outcome) && !delivery.isEmbedded ? verifyWrite(flight, outcome, { step, delivery }) : outcome;
  });
}

/**
 * Ids of existing objects that could be mistaken for the result of this write, or the error that prevented finding
 * them.
 */
async function matchesBefore(write: Write, delivery: Delivery): Promise<readonly number[] | undefined | BtError> {
  return findPriorMatches(write, delivery).catch((error) => {
    if (!(error instanceof BtError)) throw error;
    return withFacts(error, { changed: "nothing" });
  });
}

async function findPriorMatches(
  write: Write,
  { serverFacts, ask, now, isEmbedded }: Delivery,
): Promise<readonly number[] | undefined> {
  if (isEmbedded) return undefined;
  await serverFacts.fetchTime(ask);
  const { at, from } = serverFacts.time() ?? { at: now(), from: "local" as const };
  return serverFacts.hasIdempotencyKeys()
    ? undefined
    : writeKind(write.request).findMatchesBefore?.({ ...write, at, clock: from }, ask);
}

/** Verifies an attempt whose outcome is unknown. If it was not applied, it is resent or reported as failed. */
export async function resumeAttempt(
  attempt: WriteAttempt,
  write: Write,
  around: AttemptContext & { ifNotApplied: IfNotApplied },
): Promise<Outcome> {
  const { step, delivery, ifNotApplied } = around;
  const { sent, last } = attempt;
  const lost = new BtError("unknown", "bt was stopped before the response arrived", { changed: "unknown" });
  return journalOutcome({ step, delivery }, async () => {
    const held = await remainingFlightMs(last, delivery);
    const again = { ...delivery, resendIfAbsent: true, sleep: (ms: number) => sleepWithNotice(ms, held, delivery) };
    const flight = { sent: sentWrite(write, sent, delivery), local: sent.at, elapsed: () => delivery.now() - sent.at };
    const options = {
      step,
      delivery: again,
      timesMs: [0, Math.max(RESUME_DELAY_MS, held)],
      wasResent: ifNotApplied === "report",
    };
    const outcome = await verifyWrite(flight, { error: lost }, options);
    return ifNotApplied === "report" && outcome.st === "ABSENT" ? { ...outcome, st: "FAILED" } : outcome;
  });
}

/** Action for a write that is verified as not applied. */
export type IfNotApplied = "resend" | "report";

type AttemptContext = { readonly step: JobStep; readonly delivery: Delivery };

/** Runs a delivery and journals its outcome. The outcome is returned even if it cannot be journaled. */
async function journalOutcome({ step, delivery }: AttemptContext, act: () => Promise<Outcome>): Promise<Outcome> {
  const outcome = await act().catch(asUnknown);
  try {
    step.log.write(endEvent(step.i, outcome));
  } catch (error) {
    if (!(error instanceof BtError)) throw error;
    delivery.note(`the journal is incomplete: ${error.message}`);
  }
  return outcome;
}

/** Outcome of a resend that could not be journaled: as unknown as before. */
function asUnknown(error: unknown): Outcome {
  if (!(error instanceof BtError)) throw error;
  return { st: "UNKNOWN", error: withFacts(error, { changed: "unknown" }) };
}

function endEvent(i: number, outcome: Outcome): JobEvent {
  if (outcome.st === "DONE") return { st: "DONE", i, answer: outcome.answer };
  const { kind, message, facts } = outcome.error;
  const code = facts.bugzillaCode === undefined ? {} : { code: facts.bugzillaCode };
  return { st: outcome.st, i, kind, message, ...code };
}

/** True if the response is lost and the outcome can be verified. A redirect would mislead the verification, too. */
function isLost(outcome: Outcome): outcome is Outcome & LostResponse {
  return outcome.st === "UNKNOWN" && outcome.error.kind !== "guard";
}

type VerifyOptions = AttemptContext & { readonly timesMs?: readonly number[]; readonly wasResent?: boolean };

async function verifyWrite(flight: Flight, lost: LostResponse, options: VerifyOptions): Promise<Outcome> {
  const { step, delivery, wasResent = false } = options;
  const { sent } = flight;
  const { isOver = false } = lost;
  const result = await reconcile(() => verifyOnce(flight, step, delivery), {
    timesMs: options.timesMs ?? (isOver ? SINGLE_DELAY_MS : RETRY_DELAYS_MS),
    resend: delivery.resendIfAbsent && !wasResent && !isOver ? "allowed" : "on request",
    sleep: delivery.sleep,
    isStopped: delivery.isStopped,
  });
  if (result.step !== "resend") {
    const resume = step.log.isJournaled ? `bt job send ${step.log.job}` : undefined;
    return concludeWrite(result, {
      label: writeKind(sent.request).describe(sent.request),
      lost,
      resume,
      note: delivery.note,
    });
  }
  delivery.note(`${writeKind(sent.request).describe(sent.request)} was not applied; resending it`);
  journalSend(sent, step, delivery);
  const again = await sendWithDeadlockRetry(sent, step, delivery);
  return isLost(again) ? verifyWrite(flight, again, { step, delivery, wasResent: true }) : again;
}

/** Verifies a write once: by resending it if the tracker supports idempotency keys, else by looking for its effects. */
async function verifyOnce(flight: Flight, step: JobStep, delivery: Delivery): Promise<Verification> {
  const { serverFacts, ask } = delivery;
  const { sent } = flight;
  await serverFacts.fetchTime(ask, { isFresh: true });
  const clocks = compareClocks(flight, serverFacts);
  const isKeyed = serverFacts.hasIdempotencyKeys() && !delivery.jobOwner && clocks.elapsedMs < KEY_LIFETIME_MS;
  const resent = isKeyed ? await resendByKey(sent, step, delivery) : undefined;
  if (resent) return resent;
  const others = nearbyWrites(flight, clocks, delivery);
  const context = {
    ask,
    me: await delivery.me(),
    confirmed: () => others().flatMap((one) => (one.answer === undefined ? [] : [{ ...one, answer: one.answer }])),
    unresolved: () => others().flatMap((one) => unresolvedWrite(step.log, sent, one)),
  };
  const verification = await verifyAs(delivery.jobOwner, sent, context);
  if (verification.status === "not-applied" && clocks.inconclusive !== undefined)
    throw invalidResponse(sent.request, clocks.inconclusive);
  return verification;
}

/** Trackers that support idempotency keys keep responses for at least a day. */
const KEY_LIFETIME_MS = 20 * 60 * 60 * 1000;

/**
 * Resends a write with its idempotency key. Only a refusal of the write itself proves that it was not applied. Undefined
 * if it cannot be resent, since its file has changed.
 * @throws BtError if the outcome is still unknown
 */
async function resendByKey(sent: SentWrite, step: JobStep, delivery: Delivery): Promise<Verification | undefined> {
  const outcome = await sendOnce(sent, step, delivery);
  if (outcome.st === "DONE") return { status: "applied", answer: outcome.answer };
  const { kind, facts } = outcome.error;
  if (sent.request.file && UNSENT_KINDS.includes(kind)) return undefined;
  if (outcome.st === "UNKNOWN" || facts.bugzillaCode === undefined || INCONCLUSIVE_KINDS.includes(kind))
    throw outcome.error;
  return { status: "refused", error: outcome.error };
}

const UNSENT_KINDS: readonly ErrorKind[] = ["usage", "local"];
const INCONCLUSIVE_KINDS: readonly ErrorKind[] = ["auth", "busy"];
