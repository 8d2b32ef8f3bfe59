import type { SendRequest } from "../../src/api/operations/operation.ts";
import type { Dialect, TrackerDialect } from "../../src/api/search/dialect.ts";
import { createSearches } from "../../src/api/search/searches.ts";

const NOW = new Date("2026-11-20T04:34:52Z");

/** What is known of a tracker; `longest` is updated. */
export function knownDialect(name: Dialect, longest = 0, now = NOW): TrackerDialect & { readonly kept: () => number } {
  let kept = longest;
  return {
    name: async () => name,
    longest: async () => kept,
    noteLength: async (length) => {
      kept = Math.max(kept, length);
    },
    now: async () => now,
    kept: () => kept,
  };
}

/** The searches of a tracker behind a function. */
export function searchesOn(send: SendRequest, dialect: TrackerDialect = knownDialect("bugzilla")) {
  return createSearches({ send, dialect, login: async () => undefined });
}
