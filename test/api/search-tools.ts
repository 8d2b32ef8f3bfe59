import { OBEYS_ROWS } from "../../src/api/facts/row-support.ts";
import type { SendRequest } from "../../src/api/operations/operation.ts";
import type { SearchTools } from "../../src/api/search/bug-search.ts";
import { createPairingPace } from "../../src/api/search/pace.ts";

/** Tools of searches on a Bugzilla behind a function, about which nothing is remembered. */
export function searchTools(send: SendRequest): SearchTools {
  return {
    send,
    rows: OBEYS_ROWS,
    login: async () => undefined,
    checkStatuses: async () => undefined,
    knowsAllChanges: true,
    canGroup: false,
    note: async () => undefined,
    memory: { longest: async () => 0, remember: async () => undefined },
    ticks: () => 0,
    pace: (aloneMs) => createPairingPace(() => 0, aloneMs),
  };
}
