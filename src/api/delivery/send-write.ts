import { BtError } from "../../errors.ts";
import { type Exchange, IDEMPOTENCY_KEY, type Json } from "../../wire/exchange.ts";
import type { FactStore } from "../fact-store.ts";
import type { SendRequest } from "../operations/operation.ts";
import { invalidResponseError } from "../response/failed-response.ts";
import type { ResponseReader } from "../response/response.ts";
import type { ServerFacts } from "./server-facts.ts";
import type { AttemptFailure, ConfirmedWrite, JobLog, SentWrite } from "./write.ts";
import { type JobOwner, writeKind } from "./write-kinds.ts";

/**
 * Context of a delivery: requests to the tracker, clocks and policies. `now` is this machine's clock (ms since the
 * epoch).
 */
export type Delivery = {
  readonly exchange: Exchange;
  readonly read: ResponseReader;
  readonly send: SendRequest; // `exchange` and `read` combined
  readonly serverFacts: ServerFacts;
  memory: FactStore;
  noted: Set<string>; // sentences that are noted once
  /** Login of the requester; undefined if it cannot be determined. */
  readonly me: () => Promise<string | undefined>;
  /** Other journaled writes that were sent since a moment (ms, this machine's clock) and confirmed. */
  readonly confirmedSince: (moment: number) => readonly ConfirmedWrite[];
  readonly now: () => number;
  readonly sleep: (ms: number) => Promise<void>; // before a verification; shows a notice
  readonly pause: (ms: number) => Promise<void>;
  readonly isStopped: () => boolean;
  readonly jobOwner?: JobOwner | undefined; // set if the job was begun by another user
  readonly isInProcess: boolean; // the tracker runs in this process, so no response can be lost
  readonly note: (sentence: string) => void;
};

/** Outcome of a delivered write: the response, or the error. */
export type Outcome = { st: "DONE"; response: Json } | FailedOutcome;

export type FailedOutcome = {
  st: AttemptFailure;
  error: BtError;
  isOver?: boolean; // a complete 2xx response arrived
  isChecked?: boolean; // the tracker was searched, and nothing proves that the write was applied
};

/** One attempt of a job: its index, its bugs if these are not all of the job, and the journal. */
export type JobStep = { readonly i: number; readonly ids?: readonly number[]; readonly log: JobLog };

/** A write that is about to be sent, or was sent. */
export type Flight = { sent: SentWrite; step: JobStep; delivery: Delivery };

/** Sends a write to a tracker in this process: its responses are neither lost nor another request's. */
export async function sendInProcess({ sent, delivery }: Flight): Promise<Outcome> {
  const { request } = sent;
  try {
    const response = await delivery.exchange(request);
    sent.onResponse?.(response);
    return { st: "DONE", response: await delivery.read(response, request) };
  } catch (error) {
    return failedOutcome(error);
  }
}

/** Sends a write once. The outcome is unknown if the error may have come after the write was applied. */
export async function sendOnce({ sent, step, delivery }: Flight): Promise<Outcome> {
  const { request, ifMatch } = sent;
  const headers: Record<string, string> = { ...request.headers, [IDEMPOTENCY_KEY]: `${step.log.job}-${step.i}` };
  if (ifMatch !== undefined && delivery.serverFacts.hasIdempotencyKeys()) headers["if-match"] = ifMatch;
  let isOver = false;
  try {
    const response = await delivery.exchange({ ...request, headers });
    isOver = response.status >= 200 && response.status < 300;
    sent.onResponse?.(response);
    const json = await delivery.read(response, request);
    if (writeKind(request).isResponse(json, request)) return { st: "DONE", response: json };
    throw invalidResponseError(request, "does not match the request");
  } catch (error) {
    return { ...failedOutcome(error), isOver };
  }
}

function failedOutcome(error: unknown): FailedOutcome {
  if (!(error instanceof BtError)) throw error;
  return { st: error.facts.changed === "unknown" ? "UNKNOWN" : "FAILED", error };
}

/** Label of a write in messages. */
export function describeWrite({ sent: { request } }: Flight): string {
  return writeKind(request).describe(request);
}

/** Journals that a write is about to be sent. */
export function journalSend({ sent, step }: Flight): void {
  const { at, since, before, alike, ifMatch } = sent;
  step.log.write({ st: "SENT", i: step.i, at, since, ids: step.ids, before, alike, ifMatch });
}

/** Journals an outcome, which counts even if that fails. */
export function journalOutcome({ step: { i, log }, delivery }: Flight, outcome: Outcome): void {
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
