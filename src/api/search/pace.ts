import { DAY_MS } from "../../wire/time.ts";
import { CONCURRENCY } from "../concurrency.ts";
import type { FactStore } from "../fact-store.ts";
import type { SendRequest } from "../operations/operation.ts";

/** Tools of a long read: how it sends requests, and known facts about the tracker. */
export type PageTools = {
  send: SendRequest;
  memory: PageMemory;
  ticks: () => number; // monotonic clock (ms)
  pace: (aloneMs: number) => Pace; // the same for all reads; by the time of a first request
};

/** Memory between searches of the longest page a tracker returned, which it can return again. */
export type PageMemory = {
  readonly longest: () => Promise<number>;
  readonly remember: (longest: number) => Promise<void>;
};

/** The memory of a tracker's pages inside its store of facts. It counts for a day, since a maximum may be lowered. */
export function createPageMemory(store: FactStore, now: Date): PageMemory {
  return {
    longest: async () => {
      const { longest, seen } = (await store.read("pages")) ?? {};
      const age = now.getTime() - Number(seen);
      return typeof longest === "number" && Number.isSafeInteger(longest) && age >= 0 && age < DAY_MS ? longest : 0;
    },
    remember: (longest) => store.write("pages", { longest, seen: now.getTime() }),
  };
}

/**
 * True if a response shorter than a remembered one may have been truncated all the same: an administrator may have lowered the
 * maximum since then, to a round number.
 */
export function mayBeMaximum(length: number): boolean {
  return length >= MIN_MAXIMUM && length % MAXIMUM_STEP === 0;
}

const MIN_MAXIMUM = 100;
const MAXIMUM_STEP = 50;

/** Guard of the requests of long reads: two are in flight only where that is faster than one after the other. */
export type Pace = {
  /** True if a request sent now would not wait. */
  readonly mayStart: () => boolean;
  /** True until two requests at once turned out to be no faster. */
  readonly mayPair: () => boolean;
  /** True before the first two requests at once have been answered. */
  readonly isUndecided: () => boolean;
  /** Result of a request, which is sent as soon as it may be. */
  readonly send: <Made>(request: () => Promise<Made>) => Promise<Made>;
};

/**
 * Share of the time of one request that two at once may take together: 2 where the server answers them one after the
 * other, 1 where it has a processor for each.
 */
const MAX_SHARE = 1.5;

/**
 * The pace of one tracker. The first two requests at once decide, and should ask for equally much, as the one before them:
 * a server that answers them in turn shows it by the second, one that shares a processor between them by both. `ticks` is a
 * monotonic clock (ms), `firstMs` the time of a request before.
 */
export function createPairingPace(ticks: () => number, firstMs: number): Pace {
  const flights = new Set<Promise<unknown>>();
  let aloneMs = firstMs;
  let isFaster: boolean | undefined;
  let group = newGroup(0);
  const mayStart = () =>
    flights.size === 0 ||
    (isFaster === true && flights.size < CONCURRENCY) ||
    (isFaster === undefined && group.sent === 1 && flights.size === 1);
  const finish = (own: Group) => {
    const ms = ticks() - own.start;
    if (own.sent === 1) aloneMs = ms;
    else if (own.firstMs === undefined) own.firstMs = ms;
    else isFaster ??= ms < MAX_SHARE * Math.min(own.firstMs, aloneMs);
  };
  return {
    mayStart,
    mayPair: () => isFaster !== false,
    isUndecided: () => isFaster === undefined,
    send: async (request) => {
      while (!mayStart()) await Promise.race(flights);
      if (flights.size === 0) group = newGroup(ticks());
      const own = group;
      own.sent += 1;
      const made = request();
      const flight = made.then(
        () => {
          flights.delete(flight);
          finish(own);
        },
        () => {
          flights.delete(flight);
          if (own.sent > 1) isFaster = false;
        },
      );
      flights.add(flight);
      return made;
    },
  };
}

/** Requests in flight together: when the first was sent, how many were, and when the first was answered (ms after that). */
type Group = { start: number; sent: number; firstMs: number | undefined };

function newGroup(start: number): Group {
  return { start, sent: 0, firstMs: undefined };
}
