import { BtError } from "../errors.ts";
import { type Exchange, isRead, type Request, type Response, retryAfterMs } from "../wire/exchange.ts";
import { type RequestLimits, type TimedRequest, totalMs } from "./limits.ts";
import { faultNote } from "./network-errors.ts";

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
 * (429) with a Retry-After. All requests share a retry budget, so that a failing server is not flooded, and none is sent
 * before the end of a Retry-After that another waits for.
 */
export function retrying(exchange: Exchange, policy: RetryPolicy): Exchange {
  const budget: Budget = { left: MAX_BUDGET, heldUntil: 0 };
  return async (request: TimedRequest) => {
    await untilReleased(budget, policy);
    const end = policy.now() + totalMs(request, policy.limits);
    for (let tries = 1; ; tries += 1) {
      const attempt: TimedRequest = { ...request, timeoutMs: Math.max(1, end - policy.now()) };
      const result = await attemptOnce(exchange, attempt);
      const mayRetry = tries <= (policy.retries ?? DEFAULT_RETRIES) && budget.left > 0;
      const state = { tries, leftMs: end - policy.now(), random: policy.random };
      const next = mayRetry ? nextTry(request, result, state) : undefined;
      if (next === undefined) {
        budget.left = Math.min(MAX_BUDGET, budget.left + budgetEarned(result));
        return finishRetries(result, tries);
      }
      noteRetry(budget, next, policy);
      await policy.sleep(next.waitMs);
      await untilReleased(budget, policy);
      if (policy.isStopped?.() || policy.now() >= end) return finishRetries(result, tries);
    }
  };
}

/** Retries left to all requests together, and the end (ms) of the last Retry-After. */
type Budget = { left: number; heldUntil: number };

/** Waits for the end of the last Retry-After, also if another one comes meanwhile; not if all is to stop. */
async function untilReleased(budget: Budget, { now, sleep, isStopped }: RetryPolicy): Promise<void> {
  while (budget.heldUntil > now() && !isStopped?.()) await sleep(budget.heldUntil - now());
}

function noteRetry(budget: Budget, { waitMs, why, isRequired }: NextTry, { now, note }: RetryPolicy): void {
  budget.left -= 1;
  if (isRequired) budget.heldUntil = Math.max(budget.heldUntil, now() + waitMs);
  note?.(`${why}; retrying in ${(waitMs / 1000).toFixed(1)} s`);
}

const DEFAULT_RETRIES = 3;
const MAX_BUDGET = 10;
const BASE_DELAY_MS = 500;
const MAX_DELAY_MS = 8_000;
const MAX_RETRY_AFTER_MS = 60_000; // a longer Retry-After is reported instead

type TryResult = Response | BtError;
type NextTry = { waitMs: number; why: string; isRequired?: boolean }; // isRequired: by a Retry-After
type RetryState = { tries: number; leftMs: number; random: () => number };

async function attemptOnce(exchange: Exchange, request: Request): Promise<TryResult> {
  try {
    return await exchange(request);
  } catch (error) {
    if (error instanceof BtError) return error;
    throw error;
  }
}

/** Amount that a response returns to the shared retry budget. */
function budgetEarned(result: TryResult): number {
  return result instanceof BtError || result.status >= 500 || TRANSIENT_STATUSES.has(meantStatus(result)) ? 0 : 1;
}

/** Status of a response: that of a page with 200 in place of JSON is 503, since gateways send one while a tracker restarts. */
function meantStatus({ status, body }: Response): number {
  return status === 200 && /^\s*</.test(body) ? 503 : status;
}

function finishRetries(result: TryResult, tries: number): Response {
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
  const note = faultNote(error);
  if (note === undefined || note.retry === "never" || (note.fault.sent && !isRead(request))) return undefined;
  if (note.retry === "twice" && state.tries > 2) return undefined;
  return { waitMs: backoff(state), why: error.message };
}

function nextTryAfterResponse(request: Request, response: Response, state: RetryState): NextTry | undefined {
  const requiredMs = retryAfterMs(response.headers);
  const status = meantStatus(response);
  const rule = TRANSIENT_STATUSES.get(status);
  if (rule === undefined || state.tries > (rule.maxRetries ?? Number.POSITIVE_INFINITY)) return undefined;
  if ((requiredMs ?? 0) > MAX_RETRY_AFTER_MS) return undefined;
  if (!isRead(request) && !rule.isUnprocessed) return undefined;
  if (rule.isUnprocessed && requiredMs === undefined) return undefined; // each request would prolong a block
  const waitMs = requiredMs === undefined ? backoff(state) : requiredMs + state.random() * 1000;
  const what = status === response.status ? status : "a web page";
  return { waitMs, why: `the tracker returned ${what}`, isRequired: requiredMs !== undefined };
}

/** Statuses after which a read is retried, at most `maxRetries` times where the policy allows more; a write, only if it was not processed. */
const TRANSIENT_STATUSES: ReadonlyMap<number, { maxRetries?: number; isUnprocessed?: true }> = new Map([
  [408, {}],
  [425, {}],
  [429, { isUnprocessed: true }],
  [500, { maxRetries: 1 }], // rarely transient
  [502, {}],
  [503, {}],
  [504, {}],
]);

/** Delay (ms) with full jitter and exponential growth. */
function backoff({ tries, random }: RetryState): number {
  return random() * Math.min(MAX_DELAY_MS, BASE_DELAY_MS * 2 ** (tries - 1));
}
