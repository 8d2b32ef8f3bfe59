import type { Reply } from "../../wire/exchange.ts";
import { KEYED } from "../../wire/idempotency.ts";

/** What the answers of a tracker tell of it by the way: its clock, and whether it knows a write again by its key. */
export type Hearsay = {
  readonly hear: (reply: Reply) => void;
  /** What to add to this machine's clock for the tracker's, in milliseconds; never too much. */
  readonly skew: () => number | undefined;
  readonly isKeyed: () => boolean;
};

/** Listens to the answers of one tracker; `now` is this machine's clock in milliseconds. */
export function hearsay(now: () => number): Hearsay {
  let skew: number | undefined;
  let isKeyed = false;
  return {
    hear({ headers }) {
      const date = Date.parse(headers["date"] ?? "");
      if (Number.isFinite(date)) skew = date - now();
      isKeyed ||= headers[KEYED] !== undefined;
    },
    skew: () => skew,
    isKeyed: () => isKeyed,
  };
}
