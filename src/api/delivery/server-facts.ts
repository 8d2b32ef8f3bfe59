import { BtError } from "../../errors.ts";
import { IDEMPOTENCY_KEY_ACCEPTED, NO_WEB_PAGES, type Reply } from "../../wire/exchange.ts";
import { requestFor, type SendRequest } from "../operations/operation.ts";
import { TIME } from "../operations/tracker.ts";
import { isObject } from "../response/response-objects.ts";

/**
 * A moment on the tracker's clock (ms since the epoch), never later than the true one. Source: its database, which
 * dates bugs and comments, or the `Date` header of a response, which any proxy may have written.
 */
export type TrackerTime = { readonly at: number; readonly from: "database" | "date" };

/** Server facts learned from responses: clock offset, idempotency key support, pages for people. */
export type ServerFacts = {
  readonly observe: (reply: Reply) => void;
  /** Reads the clock of the tracker's database, unless it was read within the last seconds and need not be fresh. */
  readonly fetchTime: (ask: SendRequest, how?: { readonly isFresh: boolean }) => Promise<void>;
  /** Current time on the tracker; undefined if unknown. */
  readonly time: () => TrackerTime | undefined;
  /** True if the database clock and the `Date` header differ by more than this. */
  readonly clocksDisagree: (seconds: number) => boolean;
  readonly hasIdempotencyKeys: () => boolean;
  readonly hasWebPages: () => boolean; // true until a response says otherwise
};

/** Collects the facts of one tracker. `ticks` is a monotonic clock (ms). */
export function serverFacts(ticks: () => number): ServerFacts {
  const offsetsMs: { database?: number; date?: number } = {};
  let hasIdempotencyKeys = false;
  let hasPages = true;
  let readAt = Number.NEGATIVE_INFINITY;
  return {
    observe({ headers }) {
      const date = Date.parse(headers["date"] ?? "");
      if (Number.isFinite(date)) offsetsMs.date = date - ticks();
      hasIdempotencyKeys ||= headers[IDEMPOTENCY_KEY_ACCEPTED] !== undefined;
      hasPages &&= headers[NO_WEB_PAGES] === undefined;
    },
    async fetchTime(ask, { isFresh } = { isFresh: false }) {
      if (ticks() - readAt < FRESH_MS && !isFresh) return;
      const time = await fetchDatabaseTime(ask);
      readAt = ticks();
      if (time === undefined) delete offsetsMs.database;
      else offsetsMs.database = time - ticks();
    },
    time: () => {
      if (offsetsMs.database !== undefined) return { at: offsetsMs.database + ticks(), from: "database" };
      return offsetsMs.date === undefined ? undefined : { at: offsetsMs.date + ticks(), from: "date" };
    },
    clocksDisagree: (seconds) => {
      const { database, date } = offsetsMs;
      return database !== undefined && date !== undefined && Math.abs(database - date) > seconds * 1000;
    },
    hasIdempotencyKeys: () => hasIdempotencyKeys,
    hasWebPages: () => hasPages,
  };
}

const FRESH_MS = 5000;

/**
 * Database time (ms since the epoch); undefined if the server does not report it.
 * @see https://bugzilla.readthedocs.io/en/5.2/api/core/v1/bugzilla.html#time
 */
async function fetchDatabaseTime(ask: SendRequest): Promise<number | undefined> {
  try {
    const answer = await ask(requestFor(TIME));
    const time = isObject(answer) ? String(answer["db_time"]) : "";
    return /Z$/.test(time) && Number.isFinite(Date.parse(time)) ? Date.parse(time) : undefined;
  } catch (error) {
    if (error instanceof BtError && KINDS_WITHOUT_TIME.includes(error.kind)) return undefined;
    throw error;
  }
}

const KINDS_WITHOUT_TIME: readonly string[] = ["missing", "refused", "auth", "reply"];
