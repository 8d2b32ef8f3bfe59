import { BtError } from "../../errors.ts";
import { IDEMPOTENCY_KEY } from "../../wire/exchange.ts";
import { invalidResponse } from "../response/failed-response.ts";
import type { Delivery, JobStep, Outcome } from "./deliver.ts";
import type { WriteAttempt } from "./journal.ts";
import type { ServerFacts } from "./server-facts.ts";
import type { SentWrite, Write } from "./write.ts";
import { writeKind } from "./write-kinds.ts";

/** Sends a write, and resends it up to three times if a complete response says that a deadlock rolled it back. */
export async function sendWithDeadlockRetry(sent: SentWrite, step: JobStep, delivery: Delivery): Promise<Outcome> {
  for (const wait of DEADLOCK_DELAYS_MS) {
    const outcome = await sendOnce(sent, step, delivery);
    if (outcome.st !== "FAILED" || !outcome.error.facts.isRolledBack) return outcome;
    delivery.note(
      `a deadlock on the tracker rolled back ${writeKind(sent.request).describe(sent.request)}; resending it`,
    );
    await delivery.pause(wait);
    if (delivery.isStopped()) return outcome;
    journalSend(sent, step, delivery);
  }
  return sendOnce(sent, step, delivery);
}

const DEADLOCK_DELAYS_MS: readonly number[] = [100, 500, 2000];

/** Sends a write once. The outcome is unknown if the error may have come after the write was applied. */
export async function sendOnce(
  write: Write,
  { i, log }: JobStep,
  { exchange, read, serverFacts, isEmbedded }: Delivery,
): Promise<Outcome> {
  const { request, ifMatch } = write;
  let isOver = false;
  const precondition = ifMatch !== undefined && serverFacts.hasIdempotencyKeys() ? { "if-match": ifMatch } : {};
  const key = isEmbedded ? {} : { [IDEMPOTENCY_KEY]: `${log.job}-${i}` };
  const headers = { ...request.headers, ...key, ...precondition };
  try {
    const reply = await exchange({ ...request, headers });
    isOver = reply.status >= 200 && reply.status < 300;
    write.onReply?.(reply);
    const answer = await read(reply, request);
    if (writeKind(request).isResponse(answer, request)) return { st: "DONE", answer };
    throw invalidResponse(request, "does not match the request");
  } catch (error) {
    if (!(error instanceof BtError)) throw error;
    return { st: error.facts.changed === "unknown" ? "UNKNOWN" : "FAILED", error, isOver };
  }
}

/** Journal line of a sent request. */
export type SendRecord = WriteAttempt["sent"];

/** The write with its send time (ms) on the tracker's clock, converted from this machine's clock if necessary. */
export function sentWrite(
  write: Write,
  { at, tracker, alike }: SendRecord,
  { serverFacts, now }: { readonly serverFacts: Pick<ServerFacts, "time">; readonly now: () => number },
): SentWrite {
  if (tracker) return { ...write, alike, at: tracker.at, clock: tracker.from };
  const time = serverFacts.time();
  return { ...write, alike, at: at + (time ? time.at - now() : 0), clock: "local" };
}

/** Like `journalSend`, but returns the error if the job has already sent something. */
export function tryJournalSend(fields: JournaledFields, step: JobStep, delivery: Delivery): SendRecord | BtError {
  try {
    return journalSend(fields, step, delivery);
  } catch (error) {
    if (step.i === 0 || !(error instanceof BtError)) throw error;
    return error;
  }
}

/** Journals that a write is about to be sent, with the tracker's time if known. */
export function journalSend(
  { before, alike, ifMatch }: JournaledFields,
  { i, ids, log }: JobStep,
  delivery: Delivery,
): SendRecord {
  const moment = { at: delivery.now(), tracker: delivery.isEmbedded ? undefined : delivery.serverFacts.time() };
  const record = { st: "SENT", i, ...moment, ids, before, alike, ifMatch } as const;
  log.write(record);
  return record;
}

type JournaledFields = Pick<SentWrite, "before" | "alike" | "ifMatch">;
