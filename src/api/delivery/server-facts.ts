import { BtError } from "../../errors.ts";
import { KEYED, type Reply } from "../../wire/exchange.ts";
import { getRequest, type SendRequest } from "../operations/operation.ts";
import { isObject } from "../response/response-objects.ts";

/**
 * A moment on the tracker's clock in milliseconds, never later than it really was: by its database, which dates bugs and
 * comments, or by the `Date` of a response, which any server on the way may have written.
 */
export type TrackerTime = { readonly at: number; readonly from: "database" | "date" };

/** What responses tell of a tracker: its clock, and whether it supports idempotency keys. */
export type ServerFacts = {
  readonly hear: (reply: Reply) => void;
  /** Reads the clock of the tracker's database, unless that was done some seconds ago and need not be fresh. */
  readonly askTime: (ask: SendRequest, how?: { readonly isFresh: boolean }) => Promise<void>;
  /** The time on the tracker now; undefined where nothing tells it. */
  readonly time: () => TrackerTime | undefined;
  /** Whether its database and its responses tell times that are so many seconds apart. */
  readonly isDisputed: (seconds: number) => boolean;
  readonly isKeyed: () => boolean;
};

/** Listens to the responses of one tracker; `ticks` counts milliseconds of this process, whatever is done to the clock. */
export function serverFacts(ticks: () => number): ServerFacts {
  const ahead: { database?: number; date?: number } = {};
  let isKeyed = false;
  let readAt = Number.NEGATIVE_INFINITY;
  return {
    hear({ headers }) {
      const date = Date.parse(headers["date"] ?? "");
      if (Number.isFinite(date)) ahead.date = date - ticks();
      isKeyed ||= headers[KEYED] !== undefined;
    },
    async askTime(ask, { isFresh } = { isFresh: false }) {
      if (ticks() - readAt < FRESH_MS && !isFresh) return;
      const time = await timeOf(ask);
      readAt = ticks();
      if (time === undefined) delete ahead.database;
      else ahead.database = time - ticks();
    },
    time: () => {
      if (ahead.database !== undefined) return { at: ahead.database + ticks(), from: "database" };
      return ahead.date === undefined ? undefined : { at: ahead.date + ticks(), from: "date" };
    },
    isDisputed: (seconds) => {
      const { database, date } = ahead;
      return database !== undefined && date !== undefined && Math.abs(database - date) > seconds * 1000;
    },
    isKeyed: () => isKeyed,
  };
}

const FRESH_MS = 5000;

/** The time in the tracker's database; undefined where it is not told. */
async function timeOf(ask: SendRequest): Promise<number | undefined> {
  try {
    const answer = await ask(getRequest("/rest/time"));
    const time = isObject(answer) ? String(answer["db_time"]) : "";
    return /Z$/.test(time) && Number.isFinite(Date.parse(time)) ? Date.parse(time) : undefined;
  } catch (error) {
    if (error instanceof BtError && NOT_TOLD.includes(error.kind)) return undefined;
    throw error;
  }
}

const NOT_TOLD: readonly string[] = ["missing", "refused", "auth", "reply"];
