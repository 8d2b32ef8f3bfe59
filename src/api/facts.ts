import { isKind } from "../errors.ts";
import { type Exchange, type JsonObject, NO_WEB_PAGES } from "../wire/exchange.ts";
import { hasCode } from "./response/response.ts";

/** Facts about a tracker, kept between runs. Reads may find nothing, writes may be lost. */
export type FactStore = {
  /** `oldest` is the maximum age (ms). */
  readonly read: (name: string, oldest?: number) => Promise<JsonObject | undefined>;
  readonly write: (name: string, facts: JsonObject) => Promise<void>;
};

/** A store that keeps nothing. */
export const EMPTY_STORE = { read: async () => undefined, write: async () => undefined } satisfies FactStore;

/** Server facts learned from responses: clock, pages for people. */
export type ServerFacts = {
  /** The exchange, from whose responses facts are learned. */
  readonly observing: (exchange: Exchange) => Exchange;
  /** Time (ms since the epoch) by the `Date` of the last response, never later than it is there. */
  readonly time: () => number | undefined;
  readonly hasWebPages: () => boolean; // true until a response says otherwise
};

/** Collects the facts of one tracker. `ticks` is a monotonic clock (ms). */
export function createServerFacts(ticks: () => number): ServerFacts {
  let offsetMs: number | undefined;
  let hasPages = true;
  return {
    observing: (exchange) => async (request) => {
      const response = await exchange(request);
      const date = Date.parse(response.headers["date"] ?? "");
      if (Number.isFinite(date)) offsetMs = date - ticks();
      hasPages &&= response.headers[NO_WEB_PAGES] === undefined;
      return response;
    },
    time: () => (offsetMs === undefined ? undefined : offsetMs + ticks()),
    hasWebPages: () => hasPages,
  };
}

/**
 * The result of an operation; undefined if the tracker does not offer it, or fails inside.
 * @throws BtError for any other error
 */
export async function unlessNotOffered<Result>(result: Promise<Result>): Promise<Result | undefined> {
  try {
    return await result;
  } catch (error) {
    if (isKind(error, "missing", "refused", "reply") || hasCode(error, "internal")) return undefined;
    throw error;
  }
}
