import { IDEMPOTENCY_KEY_ACCEPTED, NO_WEB_PAGES, type Response } from "../../wire/exchange.ts";

/** Server facts learned from responses: clock, idempotency key support, pages for people. */
export type ServerFacts = {
  readonly observe: (response: Response) => void;
  /** Current time (ms since the epoch) by the `Date` header of the last response; undefined if unknown. */
  readonly time: () => number | undefined;
  readonly hasIdempotencyKeys: () => boolean;
  readonly hasWebPages: () => boolean; // true until a response says otherwise
};

/** Collects the facts of one tracker. `ticks` is a monotonic clock (ms). */
export function createServerFacts(ticks: () => number): ServerFacts {
  let offsetMs: number | undefined;
  let hasIdempotencyKeys = false;
  let hasPages = true;
  return {
    observe({ headers }) {
      const date = Date.parse(headers["date"] ?? "");
      if (Number.isFinite(date)) offsetMs = date - ticks();
      hasIdempotencyKeys ||= headers[IDEMPOTENCY_KEY_ACCEPTED] !== undefined;
      hasPages &&= headers[NO_WEB_PAGES] === undefined;
    },
    time: () => (offsetMs === undefined ? undefined : offsetMs + ticks()),
    hasIdempotencyKeys: () => hasIdempotencyKeys,
    hasWebPages: () => hasPages,
  };
}
