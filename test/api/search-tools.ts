import type { SendRequest } from "../../src/api/operations/operation.ts";
import type { Dialect, TrackerDialect } from "../../src/api/search/dialect.ts";
import { createSearches } from "../../src/api/search/searches.ts";

const NOW = new Date("2026-11-20T04:34:52Z");

/** What is known of a tracker; `longest` is updated. */
export function knownDialect(name: Dialect, longest = 0, now = NOW): TrackerDialect {
  let kept = longest;
  return {
    name,
    longest: () => kept,
    noteLength: async (length) => {
      kept = Math.max(kept, length);
    },
    now: () => now,
  };
}

/** The searches of a tracker behind a function. */
export function searchesOn(send: SendRequest, dialect: TrackerDialect = knownDialect("bugzilla")) {
  return createSearches({ send, dialect: async () => dialect, login: async () => undefined });
}
