import { BtError, withFacts } from "../../errors.ts";
import { DAY_MS, timestamp } from "../../wire/time.ts";
import {
  type Delivery,
  type Flight,
  type JobStep,
  journalOutcome,
  journalSend,
  type Outcome,
  sendInProcess,
  sendOnce,
} from "./send-write.ts";
import { warnOfLostCharacters, withStoredText } from "./stored-text.ts";
import { verifyWrite } from "./verify-write.ts";
import type { Write } from "./write.ts";
import { writeKind } from "./write-kinds.ts";

/**
 * Delivers a write at most once: journals it, sends it, and looks whether it was applied if the response is lost.
 * Failures of tracker and network are returned as an `Outcome`.
 * @throws BtError if the journal cannot be written before the first request
 */
export async function deliver(write: Write, step: JobStep, delivery: Delivery): Promise<Outcome> {
  const { serverFacts, isInProcess } = delivery;
  const at = delivery.now();
  const since = timestamp(Math.min(serverFacts.time() ?? at, at) - DAY_MS); // a day earlier: both clocks may be off by hours
  const flight: Flight = { sent: { ...write, at, since }, step, delivery };
  try {
    if (!isInProcess) await warnOfLostCharacters(write.request, delivery);
    if (!isInProcess && !serverFacts.hasIdempotencyKeys())
      flight.sent = { ...flight.sent, alike: await findMatchesBefore(flight) };
  } catch (error) {
    if (!(error instanceof BtError)) throw error;
    return { st: "FAILED", error: withFacts(error, { changed: "nothing" }) };
  }
  try {
    return await sendJournaled(flight);
  } catch (error) {
    if (step.i === 0 || !(error instanceof BtError)) throw error;
    return { st: "FAILED", error }; // the journal cannot be written
  }
}

/** Ids of existing objects that could be mistaken for the result of a write. */
async function findMatchesBefore({ sent, delivery }: Flight): Promise<readonly number[]> {
  return writeKind(sent.request).findMatchesBefore?.(sent, delivery.send) ?? [];
}

/** Sends a write, and journals that it is sent and with which outcome; also for an attempt of an earlier run. */
export async function sendJournaled(flight: Flight): Promise<Outcome> {
  journalSend(flight);
  const outcome = flight.delivery.isInProcess ? await sendInProcess(flight) : await sendVerified(flight);
  journalOutcome(flight, outcome);
  return outcome;
}

/**
 * Sends a write. If the response is lost, looks for its effects until they are found, or for 30 seconds; a redirect would
 * mislead these looks, too.
 */
async function sendVerified(flight: Flight): Promise<Outcome> {
  try {
    let outcome = await sendOnce(flight);
    if (outcome.st === "UNKNOWN" && outcome.error.kind !== "guard")
      outcome = await verifyWrite(flight, outcome, outcome.isOver ? SINGLE_LOOK_MS : LOOKS_MS);
    if (outcome.st !== "DONE") return outcome;
    return { st: "DONE", response: await withStoredText(outcome.response, flight.sent.request, flight.delivery) };
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
  const outcome = await verifyWrite(flight, undefined, [0]);
  if (outcome.st !== "UNKNOWN") journalOutcome(flight, outcome);
  return outcome;
}
