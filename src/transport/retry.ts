import { BtError } from "../errors.ts";
import { type Exchange, isRead, type Request, type Response, retryAfterMs } from "../wire/exchange.ts";
import type { TimedExchange } from "./http.ts";

/** Retry policy: `ticks` and `sleep` in milliseconds, `random` from 0 to 1. */
export type RetryPolicy = {
  readonly retries?: number | undefined; // after the first attempt
  readonly timeoutMs?: number | undefined; // of all attempts
  readonly random: () => number;
  readonly ticks: () => number;
  readonly sleep: (ms: number) => Promise<void>;
  readonly isStopped?: (() => boolean) | undefined; // stops further attempts
  readonly note?: ((sentence: string) => void) | undefined;
};

/**
 * Retries transient failures within one time limit. A write is resent only if it never left, or if
 * the server rejected it (429) with a Retry-After.
 */
export function retrying(exchange: TimedExchange, policy: RetryPolicy): Exchange {
  const { retries = 3, timeoutMs, ticks, random, sleep, isStopped = () => false, note = () => undefined } = policy;
  const limitOf = (request: Request) => timeoutMs ?? (isRead(request) ? READ_MS : WRITE_MS);
  return async (request) => {
    const end = ticks() + limitOf(request);
    for (let tries = 1; ; tries += 1) {
      const result = await exchange(request, end).catch(thrownError);
      const next = tries <= retries ? nextTry(request, result, tries, random) : undefined;
      if (next === undefined || next.waitMs >= end - ticks()) return finish(result, tries);
      note(`${next.why}; retrying in ${(next.waitMs / 1000).toFixed(1)} s`);
      await sleep(next.waitMs);
      if (isStopped()) return finish(result, tries);
    }
  };
}

const READ_MS = 60_000;
const WRITE_MS = 120_000;
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
