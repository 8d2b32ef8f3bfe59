import { BtError } from "../errors.ts";
import { type Exchange, isRead, type Request, type Response, retryAfterMs } from "../wire/exchange.ts";
import { type RequestLimits, type TimedRequest, totalMs } from "./limits.ts";
import { retryFacts } from "./network-errors.ts";

/** Retry policy: `now` and `sleep` in milliseconds, `random` from 0 to 1. */
export type RetryPolicy = {
  readonly retries?: number | undefined; // after the first attempt; default: DEFAULT_RETRIES
  readonly limits: RequestLimits;
  readonly random: () => number;
  readonly now: () => number;
  readonly sleep: (ms: number) => Promise<void>;
  readonly isStopped?: (() => boolean) | undefined; // stops further attempts
  readonly note?: ((sentence: string) => void) | undefined;
};

/**
 * Retries transient failures within one time limit. A write is resent only if it never left, or if the server rejected it
 * (429) with a Retry-After. All requests share a retry budget, so that a failing server is not flooded.
 */
export function retrying(exchange: Exchange, policy: RetryPolicy): Exchange {
  const { retries = DEFAULT_RETRIES, now, random, sleep } = policy;
  let budget = MAX_BUDGET;
  return async (request: TimedRequest) => {
    const end = now() + totalMs(request, policy.limits);
    for (let tries = 1; ; tries += 1) {
      const attempt: TimedRequest = { ...request, timeoutMs: Math.max(1, end - now()) };
      const result = await attemptOnce(exchange, attempt);
      const state = { tries, leftMs: end - now(), random };
      const next = tries <= retries && budget > 0 ? nextTry(request, result, state) : undefined;
      if (next === undefined) {
        budget = Math.min(MAX_BUDGET, budget + budgetEarned(result));
        return finish(result, tries);
      }
      budget -= 1;
      policy.note?.(`${next.why}; retrying in ${(next.waitMs / 1000).toFixed(1)} s`);
      await sleep(next.waitMs);
      if (policy.isStopped?.() || now() >= end) return finish(result, tries);
    }
  };
}

const DEFAULT_RETRIES = 3;
const MAX_BUDGET = 10;
const BASE_DELAY_MS = 500;
const MAX_DELAY_MS = 8_000;
const MAX_RETRY_AFTER_MS = 60_000; // a longer Retry-After is reported instead

type TryResult = Response | BtError;
type NextTry = { waitMs: number; why: string };
type RetryState = { tries: number; leftMs: number; random: () => number };

async function attemptOnce(exchange: Exchange, request: Request): Promise<TryResult> {
  try {
    return await exchange(request);
  } catch (error) {
    if (error instanceof BtError) return error;
    throw error;
  }
}

function budgetEarned(result: TryResult): number {
  return result instanceof BtError || TRANSIENT.has(meantStatus(result)) ? 0 : 1;
}

/** Status of a response: that of a page with 200 in place of JSON is 503, since gateways send one while a tracker restarts. */
function meantStatus({ status, body }: Response): number {
  return status === 200 && /^\s*</.test(body) ? 503 : status;
}

function finish(result: TryResult, tries: number): Response {
  if (!(result instanceof BtError)) return result;
  throw tries === 1 ? result : new BtError(result.kind, `${result.message} (tried ${tries} times)`, result.facts);
}

/** Next attempt, if any. */
function nextTry(request: Request, result: TryResult, state: RetryState): NextTry | undefined {
  const next =
    result instanceof BtError
      ? nextTryAfterFault(request, result, state)
      : nextTryAfterResponse(request, result, state);
  return next !== undefined && next.waitMs < state.leftMs ? next : undefined;
}

function nextTryAfterFault(request: Request, error: BtError, state: RetryState): NextTry | undefined {
  const facts = retryFacts(error);
  if (facts === undefined || facts.isFinal || (facts.sent && !isRead(request))) return undefined;
  return { waitMs: backoff(state), why: error.message };
}

function nextTryAfterResponse(request: Request, response: Response, state: RetryState): NextTry | undefined {
  const status = meantStatus(response);
  if (!TRANSIENT.has(status) || (status === 500 && state.tries > 1)) return undefined; // a 500 is rarely transient
  const requiredMs = retryAfterMs(response.headers);
  if ((requiredMs ?? 0) > MAX_RETRY_AFTER_MS) return undefined;
  if (status === 429 ? requiredMs === undefined : !isRead(request)) return undefined; // a block is prolonged by each request
  const waitMs = requiredMs === undefined ? backoff(state) : requiredMs + state.random() * 1000;
  return { waitMs, why: `the tracker returned ${status === response.status ? status : "a web page"}` };
}

/** Statuses after which a read is retried. A write is retried only after a 429, with which it was not processed. */
const TRANSIENT: ReadonlySet<number> = new Set([408, 425, 429, 500, 502, 503, 504]);

/** Delay (ms) with full jitter and exponential growth. */
function backoff({ tries, random }: RetryState): number {
  return random() * Math.min(MAX_DELAY_MS, BASE_DELAY_MS * 2 ** (tries - 1));
}
