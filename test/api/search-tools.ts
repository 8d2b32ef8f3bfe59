import { OBEYS_ROWS } from "../../src/api/facts/row-support.ts";
import type { SendRequest } from "../../src/api/operations/operation.ts";
import type { SearchTools } from "../../src/api/search/bug-search.ts";
import { createPairingPace } from "../../src/api/search/pace.ts";
import { createSearches } from "../../src/api/search/searches.ts";

/** The searches of a Bugzilla behind a function, and the function. */
export function searchesOn(send: SendRequest) {
  return { send, searches: createSearches(() => searchTools(send)) };
}

/** Tools of searches on a Bugzilla behind a function, about which nothing is remembered. */
function searchTools(send: SendRequest): SearchTools {
  return {
    send,
    rows: OBEYS_ROWS,
    login: async () => undefined,
    checkStatuses: async () => undefined,
    knowsAllChanges: true,
    canGroup: false,
    memory: { longest: async () => 0, remember: async () => undefined },
    ticks: () => 0,
    pace: (aloneMs) => createPairingPace(() => 0, aloneMs),
  };
}
