import { NO_WEB_PAGES, type Response } from "../../wire/exchange.ts";

/** Server facts learned from responses: clock, pages for people. */
export type ServerFacts = {
  readonly observe: (response: Response) => void;
  /** Time (ms since the epoch) by the `Date` of the last response, never later than it is there. */
  readonly time: () => number | undefined;
  readonly hasWebPages: () => boolean; // true until a response says otherwise
};

/** Collects the facts of one tracker. `ticks` is a monotonic clock (ms). */
export function createServerFacts(ticks: () => number): ServerFacts {
  let offsetMs: number | undefined;
  let hasPages = true;
  return {
    observe({ headers }) {
      const date = Date.parse(headers["date"] ?? "");
      if (Number.isFinite(date)) offsetMs = date - ticks();
      hasPages &&= headers[NO_WEB_PAGES] === undefined;
    },
    time: () => (offsetMs === undefined ? undefined : offsetMs + ticks()),
    hasWebPages: () => hasPages,
  };
}
