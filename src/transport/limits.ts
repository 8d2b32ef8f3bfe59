import { isRead, type Request } from "../wire/exchange.ts";

/** Limits of one request: times in milliseconds, sizes in bytes. */
export type RequestLimits = {
  connectMs: number; // DNS lookup, connection and TLS handshake
  headersMs: number; // until the status line of the response to a read
  readMs: number; // a whole read, including retries and redirects
  writeMs: number; // a whole write
  maxBytes: number; // body size before and after decoding; parsed data takes about ten times as much
  maxHeaderBytes: number;
};

export const DEFAULT_LIMITS: RequestLimits = {
  connectMs: 10_000,
  headersMs: 30_000,
  readMs: 60_000,
  writeMs: 120_000,
  maxBytes: 10 * 1024 * 1024,
  maxHeaderBytes: 64 * 1024,
};

/** A request with its remaining time (ms). */
export type TimedRequest = Request & { timeoutMs?: number };

/** Time limit of a whole request (ms); an attachment has time for a slow connection. */
export function totalMs(request: TimedRequest, limits: RequestLimits): number {
  const limit = isRead(request) ? limits.readMs : limits.writeMs;
  const data = typeof request.body === "object" ? request.body["data"] : "";
  return request.timeoutMs ?? limit + (typeof data === "string" ? data.length : 0) / SLOW_BYTES_PER_MS;
}

const SLOW_BYTES_PER_MS = 128; // a million bits per second
