import type { Request } from "../wire/exchange.ts";
import { isRead } from "../wire/reading.ts";

/** How long and how much one request may take: times in milliseconds, sizes in bytes. */
export type Limits = {
  readonly connectMs: number; // name, connection and TLS handshake
  readonly headersMs: number; // from the request to the first line of the answer, for a read
  readonly readMs: number; // a read as a whole, every attempt and redirect in it
  readonly writeMs: number; // a write as a whole
  readonly maxBytes: number; // the body, counted before and after decoding; what is made of it takes ten times as much
  readonly maxHeaderBytes: number;
};

/** What `bt` allows unless told otherwise. */
export const LIMITS: Limits = {
  connectMs: 10_000,
  headersMs: 30_000,
  readMs: 60_000,
  writeMs: 120_000,
  maxBytes: 10 * 1024 * 1024,
  maxHeaderBytes: 64 * 1024,
};

/** A request as the lower wrappers see it: with what is left of its time. */
export type Attempt = Request & { readonly timeoutMs?: number };

/** The time that a request has as a whole. */
export function totalMs(request: Attempt, limits: Pick<Limits, "readMs" | "writeMs">): number {
  return request.timeoutMs ?? (isRead(request) ? limits.readMs : limits.writeMs);
}
