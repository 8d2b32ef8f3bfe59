import { BtError } from "../../errors.ts";
import { IDEMPOTENCY_KEY } from "../../wire/exchange.ts";
import { invalidResponse } from "../response/failed-response.ts";
import type { Delivery, JobStep, Outcome } from "./deliver.ts";
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
    journalSend(sent, step);
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

/** Journals that a write is about to be sent. */
export function journalSend({ at, since, before, alike, ifMatch }: SentWrite, { i, ids, log }: JobStep): void {
  log.write({ st: "SENT", i, at, since, ids, before, alike, ifMatch });
}
