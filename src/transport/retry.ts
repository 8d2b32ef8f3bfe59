import { BtError } from "../errors.ts";
import type { Io } from "../io.ts";
import { type Exchange, isRead, type Request, type Response, retryAfterMs } from "../wire/exchange.ts";
import type { HttpOptions, TimedExchange } from "./http.ts";

/** Retry policy; `random` from 0 to 1. */
type RetryPolicy = Pick<HttpOptions, "settings"> & {
  readonly random: () => number;
  readonly trace?: { readonly write: (line: string) => void } | undefined;
  readonly io: Pick<Io, "ticks" | "sleep" | "signal">; // a stop signal ends a sleep, and further attempts
};

/**
 * Retries transient failures within one time limit. A write is resent only if it never left, or if
 * the server rejected it (429) with a Retry-After.
 */
export function retrying(exchange: TimedExchange, { settings, random, trace, io }: RetryPolicy): Exchange {
  const { retry = 3 } = settings;
  return async (request) => {
    const { timeout = isRead(request) ? READ_S : WRITE_S } = settings;
    const end = io.ticks() + timeout * 1000;
    for (let tries = 1; ; tries += 1) {
      const result = await exchange(request, end).catch(thrownError);
      const next = tries <= retry ? nextTry(request, result, tries, random) : undefined;
      if (next === undefined || next.waitMs >= end - io.ticks()) return finish(result, tries);
      trace?.write(`${next.why}; retrying in ${(next.waitMs / 1000).toFixed(1)} s`);
      await io.sleep(next.waitMs);
      if (io.signal.aborted) return finish(result, tries);
    }
  };
}

const READ_S = 60;
const WRITE_S = 120;
const BASE_DELAY_MS = 500;
const MAX_DELAY_MS = 8_000;
const MAX_JITTER_MS = 1000; // beyond a Retry-After
const MAX_RETRY_AFTER_MS = 60_000; // a longer Retry-After is reported instead

type TryResult = Response | BtError;

function thrownError(error: unknown): BtError {
  if (error instanceof BtError) return error;
  throw error;
}

function finish(result: TryResult, tries: number): Response {
  if (!(result instanceof BtError)) return result;
  throw tries === 1 ? result : new BtError(result.kind, `${result.message} (tried ${tries} times)`, result.facts);
}

/** The wait before the next attempt, and its reason; undefined if there is none. */
function nextTry(request: Request, result: TryResult, tries: number, random: () => number) {
  const backoffMs = random() * Math.min(MAX_DELAY_MS, BASE_DELAY_MS * 2 ** (tries - 1));
  if (result instanceof BtError)
    return result.facts.isTransient ? { waitMs: backoffMs, why: result.message } : undefined;
  const isPage = result.status === 200 && /^\s*</.test(result.body); // gateways send one while a tracker restarts
  const status = isPage ? 503 : result.status;
  if (!TRANSIENT.has(status) || (status === 500 && tries > 1)) return undefined; // a 500 is rarely transient
  const requiredMs = retryAfterMs(result.headers);
  if ((requiredMs ?? 0) > MAX_RETRY_AFTER_MS) return undefined;
  if (status === 429 ? requiredMs === undefined : !isRead(request)) return undefined; // a block is prolonged by each request
  const waitMs = requiredMs === undefined ? backoffMs : requiredMs + random() * MAX_JITTER_MS;
  return { waitMs, why: `the tracker returned ${isPage ? "a web page" : status}` };
}

/** Statuses after which a read is retried. A write is retried only after a 429, with which it was not processed. */
const TRANSIENT: ReadonlySet<number> = new Set([408, 425, 429, 500, 502, 503, 504]);
