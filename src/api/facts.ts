import { isKind } from "../errors.ts";
import { type JsonObject, NO_WEB_PAGES, type Response } from "../wire/exchange.ts";
import { hasCode } from "./response/response.ts";

/** Facts about a tracker, kept between runs. Reads may find nothing, writes may be lost. */
export type FactStore = {
  /** `oldest` is the maximum age (ms). */
  readonly read: (name: string, oldest?: number) => Promise<JsonObject | undefined>;
  readonly write: (name: string, facts: JsonObject) => Promise<void>;
};

/** A store that keeps nothing. */
export const EMPTY_STORE = { read: async () => undefined, write: async () => undefined } satisfies FactStore;

/** Collects what the responses of one tracker tell of it. `ticks` is a monotonic clock (ms). */
export function createServerFacts(ticks: () => number) {
  let offsetMs: number | undefined;
  let hasPages = true;
  return {
    learn({ headers }: Response): void {
      const date = Date.parse(headers["date"] ?? "");
      if (Number.isFinite(date)) offsetMs = date - ticks();
      hasPages &&= headers[NO_WEB_PAGES] === undefined;
    },
    /** Time (ms since the epoch) by the `Date` of the last response, never later than it is there. */
    time: () => (offsetMs === undefined ? undefined : offsetMs + ticks()),
    /** True until a response denies it. */
    hasWebPages: () => hasPages,
  };
}

/**
 * The result of an operation; undefined if the tracker does not offer it, or fails inside.
 * @throws BtError for any other error
 */
export async function ifOffered<Result>(result: Promise<Result>): Promise<Result | undefined> {
  try {
    return await result;
  } catch (error) {
    if (isKind(error, "missing", "refused", "reply") || hasCode(error, "internal")) return undefined;
    throw error;
  }
}
