import { BtError } from "../errors.ts";
import { type Exchange, isRead, type Reply, type Request, retryAfterMs } from "../wire/exchange.ts";
import { type RequestLimits, type TimedRequest, totalMs } from "./network.ts";
import { faultNote } from "./network-errors.ts";

/** How often and how long to try: `now` and `sleep` count milliseconds, `random` gives 0 to 1. */
export type RetryPolicy = {
  readonly retries: number; // after the first try
  readonly limits: Pick<RequestLimits, "readMs" | "writeMs">;
  readonly random: () => number;
  readonly now: () => number;
  readonly sleep: (ms: number) => Promise<void>;
  readonly isStopped?: (() => boolean) | undefined; // then nothing goes out again
  readonly note?: ((sentence: string) => void) | undefined;
};

/**
 * Tries again what may succeed later, within one deadline for all tries. A write goes out again only when it never left, or
 * when the server took no more requests (429) and said when to come back. All requests share a budget, so that a dying server is left alone.
 */
export function retrying(exchange: Exchange, patience: RetryPolicy): Exchange {
  const budget = { left: MOST_LEFT };
  return async (request: TimedRequest) => {
    const end = patience.now() + totalMs(request, patience.limits);
    for (let tries = 1; ; tries += 1) {
      const attempt: TimedRequest = { ...request, timeoutMs: Math.max(1, end - patience.now()) };
      const outcome = await settled(exchange, attempt);
      const most = Math.min(patience.retries, tries - 1 + budget.left);
      const again = nextTry(request, outcome, { tries, most, leftMs: end - patience.now(), random: patience.random });
      if (again === undefined) {
        budget.left = Math.min(MOST_LEFT, budget.left + earned(outcome));
        return finish(outcome, tries);
      }
      budget.left -= 1;
      patience.note?.(`${again.why}; trying again in ${(again.waitMs / 1000).toFixed(1)} s`);
      await patience.sleep(again.waitMs);
      if (patience.isStopped?.()) return finish(outcome, tries);
    }
  };
}

const MOST_LEFT = 10;
const FIRST_MS = 500;
const LONGEST_MS = 8_000;
const LONGEST_ASKED_MS = 60_000; // a longer Retry-After is told to the user instead of slept through

type Outcome = Reply | BtError;
type NextTry = { readonly most: number; readonly waitMs: number; readonly why: string };
type Chance = {
  readonly tries: number;
  readonly most: number;
  readonly leftMs: number;
  readonly random: () => number;
};

async function settled(exchange: Exchange, request: Request): Promise<Outcome> {
  try {
    return await exchange(request);
  } catch (error) {
    if (error instanceof BtError) return error;
    throw error;
  }
}

/** What a request gives back to the budget that all share. */
function earned(outcome: Outcome): number {
  return outcome instanceof BtError || outcome.status >= 429 ? 0 : 1;
}

function finish(outcome: Outcome, tries: number): Reply {
  if (!(outcome instanceof BtError)) return outcome;
  throw tries === 1 ? outcome : new BtError(outcome.kind, `${outcome.message} (tried ${tries} times)`, outcome.facts);
}

/** When to try again, if at all. A password is never shown twice: wrong ones are counted, and lock the account. */
function nextTry(request: Request, outcome: Outcome, chance: Chance): NextTry | undefined {
  if (request.operation === "Login") return undefined;
  const again =
    outcome instanceof BtError ? afterFault(request, outcome, chance) : afterReply(request, outcome, chance);
  if (again === undefined || again.waitMs >= chance.leftMs) return undefined;
  return chance.tries <= Math.min(again.most, chance.most) ? again : undefined;
}

function afterFault(request: Request, error: BtError, chance: Chance): NextTry | undefined {
  const note = faultNote(error);
  if (note === undefined || note.again === "no" || (note.fault.sent && !isRead(request))) return undefined;
  return { most: note.again === "quick" ? 2 : chance.most, waitMs: backoff(chance), why: error.message };
}

function afterReply(request: Request, { status, headers }: Reply, chance: Chance): NextTry | undefined {
  const askedMs = retryAfterMs(headers);
  if (!PASSING.includes(status) || (askedMs ?? 0) > LONGEST_ASKED_MS) return undefined;
  if (!isRead(request) && !(status === TOO_MANY && askedMs !== undefined)) return undefined;
  const waitMs = askedMs === undefined ? backoff(chance) : askedMs + chance.random() * 1000;
  return { most: status === BROKEN ? 1 : chance.most, waitMs, why: `the tracker answered ${status}` };
}

const BROKEN = 500; // seldom passes, so it is tried again once
const TOO_MANY = 429; // answered before the request is begun
const PASSING = [408, 425, TOO_MANY, BROKEN, 502, 503, 504];

/** Full jitter: anything from nothing to twice as much each time. */
function backoff({ tries, random }: Chance): number {
  return random() * Math.min(LONGEST_MS, FIRST_MS * 2 ** (tries - 1));
}
